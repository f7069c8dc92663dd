"""Nothing in a text of unknown origin can hide, or turn round what is drawn (TOOL4)."""

import sys
import unicodedata

import pytest

from agdesk.core.tools.visible import visible


@pytest.mark.parametrize("text", ["", "plain", "two\nlines\tand a tab", "Grüße, 你好, مرحبا, עברית, 👍", "a\u0301"])
def test_what_can_be_seen_stays(text):
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u202eb", "a⟨U+202E⟩b"),
        ("\u2066x\u2069", "⟨U+2066⟩x⟨U+2069⟩"),
        ("a\u200bb\u200d\ufeff", "a⟨U+200B⟩b⟨U+200D⟩⟨U+FEFF⟩"),
        ("\u00ad\u034f\u3164\u2800", "⟨U+00AD⟩⟨U+034F⟩⟨U+3164⟩⟨U+2800⟩"),
        ("\U000e0041\U000e0100\ufe0f", "⟨U+E0041⟩⟨U+E0100⟩⟨U+FE0F⟩"),
        ("a\rb\x00\x1b[2K\x85", "a⟨U+000D⟩b⟨U+0000⟩⟨U+001B⟩[2K⟨U+0085⟩"),
        ("\u2028\u2029\u00a0\u3000", "⟨U+2028⟩⟨U+2029⟩⟨U+00A0⟩⟨U+3000⟩"),
        ("\ud800\ue000\uffff", "⟨U+D800⟩⟨U+E000⟩⟨U+FFFF⟩"),
    ],
)
def test_what_cannot_is_named(text, shown):
    assert visible(text) == shown


def test_every_bidirectional_control_and_every_format_character_of_unicode_is_named():
    hidden = [chr(c) for c in range(sys.maxunicode + 1) if unicodedata.category(chr(c)) == "Cf"]
    controls = [c for c in hidden if unicodedata.bidirectional(c) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI")]
    assert len(hidden) > 100 and len(controls) == 7
    assert not set(hidden) & set(visible("".join(hidden)))
