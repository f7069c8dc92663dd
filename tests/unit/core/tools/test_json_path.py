"""Places in arguments, as text."""

import pytest

from agdesk.core.tools.json_path import parse_path, path_text, value_at


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        ((), "$"),
        (("path",), "$.path"),
        (("edits", 0, "new-text"), "$.edits[0].new-text"),
        (("odd key", "ü", '"]', ""), '$["odd key"]["\\u00fc"]["\\"]"][""]'),
        (("\u202e",), '$["\\u202e"]'),
    ],
)
def test_a_path_reads_back_as_it_was_written(steps, text):
    assert path_text(steps) == text
    assert parse_path(text) == steps


@pytest.mark.parametrize("text", ["", "path", "$path", "$.", "$[", "$[-1]", "$[a]", "$.a b", '$["a]', "$[\u0661]"])
def test_what_is_no_path_is_refused(text):
    with pytest.raises(ValueError, match=r"path"):
        parse_path(text)


def test_what_is_not_there_is_none():
    document = {"a": [{"b": 1}], "1": 2}
    assert value_at(document, parse_path("$.a[0].b")) == 1
    for path in ("$.a[1]", "$.a.b", "$.x", "$[1]", "$.a[0].b.c"):
        assert value_at(document, parse_path(path)) is None
