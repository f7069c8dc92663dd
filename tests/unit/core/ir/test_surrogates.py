"""Halves of UTF-16 pairs: joined if both are there, replaced if not (T27)."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from agdesk.core.ir.blocks import Text
from agdesk.core.ir.messages import User
from agdesk.core.ir.stream import ContentBlockEnd, TextDelta, ThinkingDelta
from agdesk.core.ir.surrogates import SurrogateMender, mend


class Pair(NamedTuple):
    text: str
    number: int


HIGH, LOW = "\ud83d", "\ude00"


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("plain", "plain"),
        ("é😀\u2028", "é😀\u2028"),
        (HIGH + LOW, "😀"),
        (HIGH, "\ufffd"),
        (LOW + HIGH, "\ufffd\ufffd"),
        (HIGH + HIGH + LOW, "\ufffd😀"),
        (f"a{HIGH}b{LOW}c", "a\ufffdb\ufffdc"),
    ],
)
def test_a_text_is_mended(text, mended):
    assert mend(text) == mended
    mend(text).encode("utf-8")


def test_values_are_mended_at_any_depth():
    value = {"k" + HIGH: [("a", HIGH + LOW)], "n": 1, "none": None}
    assert mend(value) == {"k\ufffd": [("a", "😀")], "n": 1, "none": None}
    assert mend(User((Text(HIGH), Text("b")))) == User((Text("\ufffd"), Text("b")))


def test_a_named_tuple_stays_one():
    assert mend(Pair(HIGH, 1)) == Pair("\ufffd", 1)
    assert type(mend(Pair(HIGH, 1))) is Pair


@pytest.mark.parametrize("value", ["a", {"a": ["b", ("é",)]}, User((Text("a"),)), 7, None, True])
def test_what_needs_no_mending_is_the_same_object(value):
    assert mend(value) is value


def test_a_half_waits_for_the_next_delta_of_its_own_block():
    mender = SurrogateMender()
    assert mender.mend([TextDelta("a" + HIGH, 0), ThinkingDelta("b" + HIGH, 1)]) == [
        TextDelta("a", 0),
        ThinkingDelta("b", 1),
    ]
    assert mender.mend([TextDelta(LOW, 0)]) == [TextDelta("😀", 0)]
    assert mender.mend([ThinkingDelta("c", 1)]) == [ThinkingDelta("\ufffdc", 1)]


def test_a_delta_of_one_half_gives_no_event_until_the_block_ends():
    mender = SurrogateMender()
    assert mender.mend([TextDelta(HIGH, 0)]) == []
    assert mender.mend([ContentBlockEnd(0)]) == [TextDelta("\ufffd", 0), ContentBlockEnd(0)]
