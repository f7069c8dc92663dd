"""CHAT10: what a search takes for equal."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agdesk.ui.widgets.transcript.finding.folding import FoldedText, Needle

ACUTE = "\u0301"


def found(needle: str, text: str, *, is_case_sensitive: bool = False) -> list[str]:
    """What of a text is found."""
    folded = FoldedText(text, is_case_sensitive=is_case_sensitive)
    wanted = Needle(needle, is_case_sensitive=is_case_sensitive)
    spans = folded.spans(wanted)
    assert folded.count(wanted) == len(spans)
    return [text[start:end] for start, end in spans]


@pytest.mark.parametrize(
    ("needle", "text", "expected"),
    [
        ("word", "Word WORD sword", ["Word", "WORD", "word"]),
        ("strasse", "Straße STRASSE straSSe", ["Straße", "STRASSE", "straSSe"]),
        ("straße", "Straße STRASSE", ["Straße", "STRASSE"]),
        ("ΣΊΣΥΦΟΣ", "σίσυφος", ["σίσυφος"]),
        ("й", "Й и й", ["Й", "й"]),
        ("中文", "用中文写的中文", ["中文", "中文"]),
        ("，", "逗号，中", ["，"]),
        ("é", f"é e{ACUTE} É E{ACUTE} e", ["é", f"e{ACUTE}", "É", f"E{ACUTE}"]),
        (f"e{ACUTE}", "é e", ["é"]),
        ("e", f"é e{ACUTE} e", ["e"]),
        ("x", f"x{ACUTE} x", ["x"]),
        ("가", "가 각 \u1100\u1161", ["가", "\u1100\u1161"]),
        ("が", "か\u3099 が か", ["か\u3099", "が"]),
        ("i\u0307", "İ", ["İ"]),
        ("a b", "a\nb a\u2028b a b", ["a\nb", "a\u2028b", "a b"]),
        ("🙂", "🙂🙂 x", ["🙂", "🙂"]),
        ("a.b", "a.b axb", ["a.b"]),
        ("aa", "aaaa", ["aa", "aa"]),
        ("missing", "nothing", []),
    ],
)
def test_equal_texts_are_found(needle, text, expected):
    assert found(needle, text) == expected


def test_case_matters_when_it_is_asked_for():
    assert found("Word", "Word word WORD", is_case_sensitive=True) == ["Word"]
    assert found("É", f"é É E{ACUTE}", is_case_sensitive=True) == ["É", f"E{ACUTE}"]
    assert found("ss", "ß ss", is_case_sensitive=True) == ["ss"]


LETTERS = st.text(st.sampled_from("aAbBßéÉ中 \nİ" + ACUTE + "е\u3099か🙂"), max_size=30)


@given(LETTERS.filter(bool), LETTERS)
def test_what_is_found_is_equal_to_what_is_searched(needle, text):
    for span in found(needle, text):
        folded = [
            unicodedata.normalize("NFD", unicodedata.normalize("NFD", part).casefold()) for part in (needle, span)
        ]
        wanted, got = (part.replace("\n", " ").replace("\u2028", " ") for part in folded)
        assert wanted.replace("\n", " ") in got


@given(LETTERS, LETTERS, st.sampled_from(["a", "b", "中", "ab", "é", "か"]))
def test_a_match_may_end_in_what_follows_but_not_begin_there(source, tail, needle):
    wanted = Needle(needle)
    whole = FoldedText(source + tail, is_case_sensitive=False).spans(wanted)
    part = FoldedText(source, tail, is_case_sensitive=False)
    expected = [span for span in whole if span[0] < len(source)]
    assert part.spans(wanted) == expected
    assert part.count(wanted) == len(expected)
