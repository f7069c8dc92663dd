"""A response in a format that streams lines of JSON, however it comes (QUIRKS L01, T12, T16, T22, T26, T29)."""

import pytest

from agdesk.core.errors import ErrorCategory, ProtocolError, ProviderRejection
from agdesk.core.ir.stream import StreamError
from agdesk.core.providers import response
from agdesk.core.providers.base import Frame
from tests.wire.responses import answer, failure, read, reader, stream_error

LINES = b'{"text": "hel"}\n{"text": "lo"}\n{"end": true}\n'


def test_l01_lines_of_json_are_a_stream_for_a_format_that_has_them():
    body = b'{"text": "hel"}\n{"text": "lo"}\n{"end": true}\n'
    for read_bytes in (1, 7, 1000):
        assert answer(body, is_ndjson=True, read_bytes=read_bytes).text() == "hello"
    assert stream_error(b'{"text": "a"}\n{"error": "runner died"}\n', is_ndjson=True).message.endswith("runner died")
    assert stream_error(b'{"text": "a"}\nerror: died\n', is_ndjson=True).kind == "protocol_error"


@pytest.mark.parametrize(
    "start", [b"data: ", b"data:", b": ping\n\ndata: ", b"id: 1\ndata: ", b"event: x\ndata: ", b"retry: 5\n\ndata:"]
)
@pytest.mark.parametrize("prefix", [b"", b"\r\n \n", b"\xef\xbb\xbf"])
def test_t26_server_sent_events_are_read_as_such_for_a_format_of_lines(start, prefix):
    body = prefix + start + b'{"text": "hel"}\n\ndata: {"text": "lo"}\n\ndata: {"end": true}\n\n'
    events = read(body, is_ndjson=True)[1]
    assert len(events) == 6
    for read_bytes in (1, 2, 3, 7):
        assert read(body, is_ndjson=True, read_bytes=read_bytes)[1] == events
    assert answer(body, is_ndjson=True).text() == "hello"


@pytest.mark.parametrize("body", [b'{\n "text": "hello",\n "end": true\n}\n', b'{"text":"hello",\r"end":true}'])
def test_t26_json_over_several_lines_is_a_document_for_a_format_of_lines(body):
    frames, events = read(body, is_ndjson=True)
    assert frames == [Frame(0, len(body), "", body)]
    for read_bytes in (1, 7):
        assert read(body, is_ndjson=True, read_bytes=read_bytes) == (frames, events)
    assert answer(body, is_ndjson=True).text() == "hello"


def test_t22_an_error_over_several_lines_is_classified_for_a_format_of_lines():
    error = failure(b'{\n "error": {"message": "slow down", "code": 429}\n}', is_ndjson=True)
    assert isinstance(error, ProviderRejection) and error.category is ErrorCategory.RATE_LIMIT


@pytest.mark.parametrize("line", [b'{"text": "a"', b'{"text": fal: ping', b'{"text": "a"}}', b"hello"])
def test_t12_a_first_line_that_is_no_json_is_a_protocol_error_that_shows_it(line):
    error = failure(line + b"\n" + LINES, is_ndjson=True)
    assert isinstance(error, ProtocolError) and line.decode() in error.message


@pytest.mark.parametrize("line", [b'{"text": fal: ping', b'{"text": "a"}}', b'{"text": "a"}{"text": "b"}', b'["a'])
def test_a_first_line_that_is_broken_is_said_at_once(line):
    subject = reader(is_ndjson=True)
    subject.feed(line + b"\n")
    assert subject.is_terminal


@pytest.mark.parametrize(
    "line", [b"{", b'{"text": ', b'{"text": "a",', b'{"n": 1', b'{"text": ["a"', b'{"text": "a", \t']
)
def test_a_first_line_that_may_go_on_is_waited_for(line):
    subject = reader(is_ndjson=True)
    subject.feed(line + b"\r\n")
    assert not subject.is_terminal


def test_the_first_line_is_given_out_when_it_has_ended_and_not_before():
    subject = reader(is_ndjson=True)
    assert subject.feed(b'{"text": "a"}') == []
    ((frame, events),) = subject.feed(b"\n")
    assert (frame.start, frame.end, len(events)) == (0, 14, 3)


def test_t16_lines_cut_at_any_byte_are_incomplete_and_no_error():
    for cut in range(1, len(LINES) - 15):
        events = read(LINES[:cut], is_ndjson=True)[1]
        assert not any(isinstance(event, StreamError) for event in events)
        for read_bytes in (1, 7):
            assert read(LINES[:cut], is_ndjson=True, read_bytes=read_bytes)[1] == events


@pytest.mark.parametrize("body", [b"", b" \n", b"\xef\xbb\xbf"])
def test_an_empty_body_is_a_protocol_error_for_a_format_of_lines(body):
    assert "empty body" in failure(body, is_ndjson=True).message


def test_t29_a_first_line_that_fills_the_memory_ends_the_stream(monkeypatch):
    monkeypatch.setattr(response, "MAX_UNIT_BYTES", 1000)
    for read_bytes in (7, 5000):
        with pytest.raises(ProtocolError, match="longer than 1000 bytes"):
            read(b'{"text": "' + b"x" * 3000, is_ndjson=True, read_bytes=read_bytes)
