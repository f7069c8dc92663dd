"""A recorded body through the path of a live one, and what the command line prints of it."""

import json

import pytest

from agdesk.core.ir.codec import from_json
from agdesk.core.ir.messages import Origin
from agdesk.core.ir.stream import StreamError, StreamEvent
from agdesk.core.providers.replay import Replay, event_lines, replay, replay_document
from agdesk.core.trace.wire import FrameKind
from tests.fakes.wire import ENDPOINT, FakeWire

BODY = (
    b': ping\n\ndata: {"text": "hel", "shade": "blue"}\n\n'
    b'data: {"text": "lo"}\n\ndata: {"end": true}\n\ndata: [DONE]\n\n'
)


def replayed(body: bytes, *, chunk_bytes: int | None = None, status: int = 200) -> Replay:
    return replay(
        body,
        wire=FakeWire(),
        endpoint=ENDPOINT,
        model="m",
        status=status,
        headers={"x-request-id": "r"},
        chunk_bytes=chunk_bytes,
        now_s=0.0,
    )


@pytest.mark.parametrize("chunk_bytes", [1, 7, 1 << 20])
@pytest.mark.parametrize(
    "body", [BODY, BODY[:60], b'{"text": "whole", "end": true}', b'data: {"error": "x"}\n\n', b"", b"<html>"]
)
def test_prov3_the_reads_do_not_change_the_replay(body, chunk_bytes):
    assert replayed(body, chunk_bytes=chunk_bytes) == replayed(body)


def test_an_answer_is_assembled_with_its_origin_and_a_fixed_seed():
    response = replayed(BODY).response
    assert response.text() == "hello"
    assert response.message.origin == Origin("fake", "m", "fake")
    assert response.id == "replay"


def test_every_frame_is_kept_and_every_event_knows_its_own():
    whole = replayed(BODY)
    assert [frame.kind for frame in whole.frames] == [FrameKind.COMMENT] + [FrameKind.DATA] * 4
    sources = [whole.frames.index(frame) if frame else None for frame, _ in whole.events]
    assert sources == [1, 1, 1, 2, None, None]


def test_fields_that_nothing_was_made_of_are_counted():
    assert replayed(BODY).ignored_fields == 1
    assert replay_document(replayed(BODY))["ignored_fields"] == 1


def test_an_error_before_the_first_event_stands_in_the_document_and_the_events():
    failed = replayed(b'{"error": {"message": "slow down", "code": "rate_limit_exceeded"}}', status=429)
    document = replay_document(failed)
    assert document["message"] == {"role": "assistant", "content": []}
    assert (document["stop_reason"], document["incomplete"]) == ("error", True)
    assert (document["error"]["category"], document["error"]["request_id"]) == ("rate_limit", "r")
    (source, event), *others = failed.events
    assert source is None and isinstance(event, StreamError) and others == []


def test_an_error_in_the_middle_keeps_what_came_before():
    document = replay_document(replayed(b'data: {"text": "par"}\n\ndata: {"error": "died"}\n\n'))
    assert document["message"]["content"] == [{"type": "text", "text": "par"}]
    assert "died" in document["error"]["message"]


def test_a_cut_answer_is_incomplete_without_an_error():
    document = replay_document(replayed(BODY[:60]))
    assert (document["stop_reason"], document["incomplete"], document["error"]) == ("incomplete", True, None)


def test_an_event_line_is_json_and_says_which_bytes_it_came_from():
    lines = [json.loads(json.dumps(line)) for line in event_lines(replayed(BODY))]
    assert [line["seq"] for line in lines] == [1, 2, 3, 4, 5, 6]
    assert lines[0] == {
        "seq": 1,
        "t_ms": 0,
        "frame": [8, 48],
        "event": {"type": "message_start", "id": "replay", "model": "m"},
    }
    assert lines[-1]["frame"] is None
    assert [from_json(StreamEvent, line["event"]) for line in lines] == [event for _, event in replayed(BODY).events]
