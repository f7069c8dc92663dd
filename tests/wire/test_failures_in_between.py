"""A response that fails in the middle: what had arrived stays, every block is closed, no call runs (CHAT2, PROV3)."""

import dataclasses
import json

import pytest

from agdesk.core.errors import TransportError
from agdesk.core.ir.blocks import ToolUse
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.ir.stream import ContentBlockEnd, ContentBlockStart, StreamError
from agdesk.core.providers.base import Dialect, Endpoint
from agdesk.core.providers.registry import wire_format
from agdesk.core.providers.response import ResponseReader
from tests.contract.dialects.abstract import ANSWERS
from tests.contract.dialects.writers import WRITERS
from tests.wire.reading import sse

LOST = TransportError("The connection was lost", "Send again.")
# half a think tag and half of a pair, which a decoder holds back until it knows what follows
THINK = "<thi"
HELD = {
    "openai_chat": {"id": "c", "choices": [{"index": 0, "delta": {"content": "%s"}}]},
    "ollama": {"model": "m", "message": {"role": "assistant", "content": "%s"}, "done": False},
}
HALVES = {
    **HELD,
    "openai_responses": {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": "%s"},
    "anthropic": {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "%s"}},
    "gemini": {"candidates": [{"content": {"parts": [{"text": "%s"}]}}]},
}


def reader_of(wire, *, dialect=None):
    endpoint = Endpoint("acme", "Acme", wire, "http://127.0.0.1/v1", dialect=dialect or Dialect())
    return ResponseReader(wire_format(wire), endpoint=endpoint, model="m", seed="s", status=200, headers={}, now_s=0.0)


def outcome(reader, body, end):
    """What came of a body and of its end: the events and the response."""
    events = [event for _, found in reader.feed(body) for event in found]
    events.extend(end(reader))
    partial = PartialMessageResponse()
    for event in events:
        partial.apply(event)
    assert partial.ignored_count == 0
    return events, partial.finalize()


def shown(response):
    """The content, but for why a call does not run."""
    content = response.message.content
    return [dataclasses.replace(block, input_error=None) if isinstance(block, ToolUse) else block for block in content]


def saying(wire, document, text):
    unit = json.dumps(document).replace("%s", text)
    return unit.encode() + b"\n" if wire == "ollama" else sse(unit)


def reading(more):
    """The end that comes with further bytes, and all that follows."""
    return lambda reader: [*(event for _, found in reader.feed(more) for event in found), *reader.finish()]


ENDS = {
    "the connection breaks": lambda reader: reader.fail(LOST),
    "a frame is broken": reading(b"data: {]\n\n"),
    "a line is no field": reading(b"what is this\n\n"),
}


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("wire", WRITERS)
def test_at_every_frame_a_failure_leaves_what_an_end_of_the_body_leaves(wire, end):
    is_tried = False
    for name, answer in ANSWERS.items():
        if answer.is_refusal and not WRITERS[wire].refuses:
            continue
        stream = WRITERS[wire].stream(answer)
        for count in range(1, stream.stop_at):
            body = b"".join(stream.frames[:count])
            _, cut = outcome(reader_of(wire), body, lambda reader: reader.finish())
            if not cut.message.content:
                continue
            events, failed = outcome(reader_of(wire), body, ENDS[end])
            is_tried = True
            assert isinstance(events[-1], StreamError), (name, count)
            assert shown(failed) == shown(cut), (name, count)
            opened = [event.index for event in events if isinstance(event, ContentBlockStart)]
            closed = [event.index for event in events if isinstance(event, ContentBlockEnd)]
            assert sorted(opened) == sorted(closed) and len(set(opened)) == len(opened)
            assert all(call.input is None for call in failed.message.content if isinstance(call, ToolUse))
    assert is_tried


@pytest.mark.parametrize("wire", HELD)
def test_half_a_think_tag_is_text_when_the_connection_breaks(wire):
    reader = reader_of(wire, dialect=Dialect(parses_think_tags=True))
    _, failed = outcome(reader, saying(wire, HELD[wire], THINK), lambda reader: reader.fail(LOST))
    assert failed.text() == THINK and failed.error is not None


@pytest.mark.parametrize("wire", HALVES)
def test_T27_half_a_pair_is_shown_when_the_connection_breaks(wire):
    body = saying(wire, HALVES[wire], r"a\ud83d")
    _, failed = outcome(reader_of(wire), body, lambda reader: reader.fail(LOST))
    assert failed.text() == "a\ufffd" and failed.error is not None


@pytest.mark.parametrize("wire", WRITERS)
def test_a_failure_before_the_first_event_is_to_be_raised(wire):
    reader = reader_of(wire)
    assert list(reader.feed(b"")) == []
    assert reader.fail(LOST) == ()
