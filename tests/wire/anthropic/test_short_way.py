"""Frames that repeat but for their text are taken on a short way; nothing else may be."""

from __future__ import annotations

import json

import pytest

from agdesk.core.ir.stream import TextDelta, ThinkingDelta, ToolCallArgumentsDelta
from tests.wire.anthropic.streams import answer, delta, opened, stopped, text


@pytest.mark.parametrize(
    ("kind", "member", "wanted"),
    [
        ("text", "text", TextDelta),
        ("thinking", "thinking", ThinkingDelta),
        ("tool_use", "partial_json", ToolCallArgumentsDelta),
    ],
)
def test_every_piece_arrives_once_in_its_block(kind, member, wanted):
    name = {"partial_json": "input_json"}.get(member, member) + "_delta"
    pieces = ['{"a"', ': "é\\n', '\u2028"', "}", " "]
    found = answer(
        *text("x", 5),
        opened(0, kind, id="A", name="f", input={}),
        *(delta(0, name, **{member: piece}) for piece in pieces),
        stopped(0),
        reason="tool_use",
    )
    deltas = [event for event in found.events if isinstance(event, wanted) and event.index == 1]
    assert [event.arguments if kind == "tool_use" else event.text for event in deltas] == pieces


def test_frames_that_begin_alike_and_say_more_are_read_whole():
    plain = delta(0, "text_delta", text="a")
    failed = '{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "b"}, "error": "x"}}'
    found = answer(opened(0, "text", text=""), plain, plain, failed)
    assert found.response.error is not None
    assert found.text == "aa"


def test_text_for_another_block_in_between_goes_there():
    found = answer(
        opened(0, "text", text=""),
        opened(1, "text", text=""),
        *(delta(index, "text_delta", text=str(index)) for index in (0, 0, 1, 0, 1, 1, 0)),
        stopped(0),
        stopped(1),
    )
    assert [block.text for block in found.response.message.content] == ["0000", "111"]


def test_after_its_stop_a_block_takes_no_text_on_the_short_way():
    again = delta(0, "text_delta", text="b")
    found = answer(opened(0, "text", text=""), again, again, stopped(0), again, again)
    assert [block.text for block in found.response.message.content] == ["bb", "bb"]


def test_pieces_of_a_servers_tool_are_collected():
    pieces = [delta(0, "input_json_delta", partial_json=piece) for piece in ('{"q":', " 1", "}")]
    found = answer(opened(0, "server_tool_use", id="W", name="s", input={}), *pieces, stopped(0))
    assert found.extensions[0].raw["input"] == {"q": 1}


def test_halves_of_characters_leave_the_short_way():
    unit = delta(0, "text_delta", text="X")
    odd = json.dumps(unit).replace("X", "\\ud83d")
    found = answer(opened(0, "text", text=""), unit, unit, odd, odd.replace("\\ud83d", "\\ude00y"), unit, stopped(0))
    assert found.text == "XX\U0001f600yX"
