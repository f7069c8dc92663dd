"""What became of every field of a frame (D5)."""

from __future__ import annotations

import json

import pytest

from agdesk.core.providers.base import Frame
from agdesk.core.providers.explain import explain
from agdesk.core.providers.framing import SseFramer
from agdesk.core.trace.wire import FrameKind
from tests.wire.anthropic.streams import ENDPOINT, STOP, WIRE, body, call, delta, ended, opened, start, stopped, text

KINDS = (FrameKind.MALFORMED, FrameKind.MALFORMED, FrameKind.COMMENT)


def explained(*units):
    framer = SseFramer()
    frames = [*framer.feed(body(*units)), *framer.finish()]
    return explain(frames, wire=WIRE, endpoint=ENDPOINT, model="m")


def ignored(*units):
    return [path for explanation in explained(*units) for path in explanation.ignored]


def test_a_field_that_nobody_reads_is_counted_wherever_it_stands():
    units = [
        start(invented=1),
        opened(0, "text", text="", invented=2),
        delta(0, "text_delta", text="a", invented={"deep": [1]}),
        stopped(0) | {"invented": "x"},
        ended(invented=3) | {"odd": 4},
        STOP,
    ]
    assert ignored(*units) == [
        "message.invented",
        "content_block.invented",
        "delta.invented.deep[]",
        "invented",
        "delta.invented",
        "odd",
    ]


def test_PROV4_events_that_nobody_knows_are_counted():
    assert ignored(start(), {"type": "invented", "x": 1, "y": {"z": [2]}}, STOP) == ["x", "y.z[]"]


def test_PROV4_blocks_and_deltas_that_nobody_knows_are_raw():
    found = explained(
        start(),
        opened(0, "invented", a=1, b={"c": [2]}),
        delta(0, "invented_delta", d={"e": 3}),
        stopped(0),
        opened(1, "text", text="t", meta={"k": 1}),
        delta(1, "invented_delta", f=4),
        delta(1, "citations_delta", citation={"u": 1, "v": {"w": 2}}),
        stopped(1),
    )
    assert [path for explanation in found for path in explanation.ignored] == []
    assert found[1].raw == ("content_block.b.c[]",)
    assert "content_block.a" in found[1].read
    assert found[6].raw == ("delta.citation.u", "delta.citation.v.w")


def test_an_ordinary_answer_has_nothing_that_is_ignored():
    usage = {"input_tokens": 1, "cache_creation": {"ephemeral_5m_input_tokens": 2}, "service_tier": "standard"}
    end = {"output_tokens": 3, "iterations": [{"type": "message", "input_tokens": 1}]}
    units = [
        start(usage=usage),
        start(usage=usage),
        *text("a"),
        *call('{"a": 1}', index=1),
        *call('{"q": 1}', index=2, kind="server_tool_use"),
        {"type": "ping"},
        ended("tool_use", end, stop_details={"type": "x", "explanation": "y"}, container={"id": "c"}),
        STOP,
    ]
    assert ignored(*units) == []


def test_the_events_are_those_of_the_short_way():
    units = [start(), opened(0, "text", text=""), *(delta(0, "text_delta", text=word) for word in "abc"), stopped(0)]
    framer = SseFramer()
    frames = framer.feed(body(*units, ended(), STOP))
    decoder = WIRE.decoder(endpoint=ENDPOINT, model="m", seed="s")
    counts = [len(decoder.decode(frame)) for frame in frames]
    assert [len(found.event_indexes) for found in explained(*units, ended(), STOP)] == counts


def test_a_whole_answer_is_explained_too():
    whole = {
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "model": "c",
        "content": [{"type": "text", "text": "a", "odd": 1}, {"type": "new", "x": {"y": 1}}],
        "stop_reason": "end_turn",
        "odd": 2,
    }
    (found,) = explain([Frame(0, 9, "", json.dumps(whole).encode())], wire=WIRE, endpoint=ENDPOINT, model="m")
    assert found.ignored == ("content[].odd", "odd")


def test_lines_that_are_no_field_are_explained_only_if_they_are_an_error():
    error = {"error": {"message": "boom"}}
    lines = [b'{"half', json.dumps(error).encode(), b": ping"]
    frames = [Frame(0, 1, "", line, kind) for line, kind in zip(lines, KINDS, strict=True)]
    half, failed, comment = explain(frames, wire=WIRE, endpoint=ENDPOINT, model="m")
    assert (half.event_indexes, failed.event_indexes, comment.event_indexes) == ((), (0,), ())
    assert failed.read == ("error.message",)


@pytest.mark.parametrize("error", [{"error": {"type": "overloaded_error", "message": "x"}}, {"error": "x"}])
def test_an_error_is_read(error):
    (found,) = explained({"type": "error", **error})
    assert (found.ignored, found.event_indexes) == ((), (0,))
