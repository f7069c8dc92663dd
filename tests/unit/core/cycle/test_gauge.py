"""The figures of the context gauge: their sum, their levels, and what a message counts as (CHAT12)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agdesk.core.cycle.gauge import Level, Parts, Reading, apportion, parts_of
from agdesk.core.ir.blocks import Audio, Extension, File, Image, Text, Thinking, ToolResult, ToolUse, Url
from agdesk.core.ir.tokens import estimate_block_tokens

weights = st.builds(Parts, *[st.integers(0, 10**9)] * 7)


@given(st.integers(0, 10**9), weights)
def test_what_is_apportioned_sums_to_the_total_and_no_part_is_a_token_off_its_share(total, parts):
    divided = apportion(total, parts)
    assert sum(divided) == total
    weight = sum(parts)
    for part, share in zip(divided, parts, strict=True):
        assert part >= 0
        assert not weight or abs(part * weight - total * share) < weight


def test_the_largest_remainders_get_what_is_left():
    assert apportion(10, Parts(system=1, text=1, draft=1)) == Parts(system=4, text=3, draft=3)
    assert apportion(2, Parts(system=1, text=10, draft=9)) == Parts(text=1, draft=1)


def test_tokens_without_any_known_part_are_text():
    assert apportion(7, Parts()) == Parts(text=7)
    assert apportion(0, Parts()) == Parts()


def test_each_kind_of_block_counts_where_it_belongs():
    source = Url("https://example.org/x")
    thought, call = Thinking("why"), ToolUse("1", "find", {"q": "x"}, '{"q":"x"}')
    result = ToolResult("1", "find", (Text("found"), Image(source, "image/png")))
    media = Image(source, "image/png"), Audio(source, "audio/wav"), File(source, "application/pdf", "a.pdf")
    text = Text("hello"), Extension("p", "k", {"a": 1})
    parts = parts_of((thought, call, result, *media, *text))

    def estimate(*blocks):
        return sum(estimate_block_tokens(block) for block in blocks)

    assert parts == Parts(
        text=estimate(*text),
        thinking=estimate(thought),
        tool_results=estimate(call, result),
        attachments=estimate(*media),
    )


@pytest.mark.parametrize(
    ("tokens", "window", "level"),
    [
        (0, 100, Level.ROOMY),
        (80, 100, Level.ROOMY),
        (81, 100, Level.WARNING),
        (95, 100, Level.WARNING),
        (96, 100, Level.DANGER),
        (300, 100, Level.DANGER),
        (300, None, Level.UNKNOWN),
    ],
)
def test_the_level_changes_above_four_fifths_and_above_95_percent(tokens, window, level):
    reading = Reading(Parts(text=tokens), None, "", tokens, 0.25, False, window)
    assert reading.level is level
    assert reading.share == (None if window is None else tokens / window)
