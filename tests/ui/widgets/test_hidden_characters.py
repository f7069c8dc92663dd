"""Characters that cannot be seen are named wherever text of a model is shown."""

import json
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agdesk.ui.widgets.hidden_characters import escaped, has_hidden, is_hidden, revealed


@pytest.mark.parametrize(
    "character",
    "\0\x1b\x7f\x85\u00a0\u00ad\u034f\u061c\u115f\u180e\u2003\u200b\u200d\u200e\u2028\u202e\u2060\u2066\u2800\u3164"
    "\ufe0f\ufeff\ufffc\ud83d\U000e0041\U000e0100",
)
def test_what_draws_nothing_or_turns_the_text_round_is_named(character):
    assert revealed(f"a{character}b") == f"a‹U+{ord(character):04X}›b"
    assert has_hidden(character)


@pytest.mark.parametrize(
    "text", ["", "plain", "línea\n\ttab", "普通话，测试", "עברית", "हिन्दी", "e\u0301", "😀", "‹U+202E›"]
)
def test_what_is_seen_stays(text):
    assert revealed(text) == escaped(text) == text
    assert not has_hidden(text)


def test_no_control_format_or_separator_of_unicode_is_overlooked():
    for code in range(sys.maxunicode + 1):
        category = unicodedata.category(chr(code))
        if category in ("Cc", "Cf", "Zl", "Zp", "Cs") or (category == "Zs" and code != 0x20):
            assert is_hidden(chr(code)) or code in (0x9, 0xA), hex(code)


@given(st.text(st.characters(codec=None, categories=None)))
def test_escaped_json_is_the_same_json(text):
    written = escaped(json.dumps(text, ensure_ascii=False))
    assert json.dumps(json.loads(written)) == json.dumps(json.loads(json.dumps(text)))
    assert not has_hidden(written)
