"""One response, from its bytes to events or an error (QUIRKS T06, T15, T16, T19, T21 to T26, A19, E10; PROV3)."""

import gzip
from functools import partial

import pytest

from agdesk.core.errors import ErrorCategory, ProtocolError, ProviderRejection
from agdesk.core.ir.response import StopReason
from agdesk.core.ir.stream import StreamError
from agdesk.core.providers import response
from agdesk.core.providers.base import Frame
from agdesk.core.providers.framing import SseFramer
from agdesk.core.trace.wire import FrameKind
from tests.wire.responses import HELLO, WHOLE, answer, failure, read, reader, stream_error

# --- streams ---


@pytest.mark.parametrize("read_bytes", [1, 7, 1000])
def test_a_stream_gives_its_events_with_their_frames(read_bytes):
    frames, events = read(WHOLE, read_bytes=read_bytes)
    assert [(frame.start, frame.end) for frame in frames] == [(0, 23), (23, 45), (45, 66), (66, 80)]
    assert len(events) == 6
    assert answer(WHOLE, read_bytes=read_bytes).text() == "hello"


def test_t15_nothing_after_the_terminal_marker_is_looked_at():
    late = WHOLE + b'data: {"text": "late"}\n\n{"error": "late"}\n\n'
    for read_bytes in (1, 7, 1000):
        assert read(late, read_bytes=read_bytes) == read(WHOLE)
    subject = reader()
    subject.feed(WHOLE)
    assert subject.is_terminal and subject.is_complete
    assert subject.feed(HELLO) == [] and subject.flush() == []


def test_t06_the_last_frame_needs_no_blank_line():
    body = HELLO + b'data: {"end": true}'
    frames, _ = read(body)
    assert frames[-1].end == len(body)
    assert answer(body).stop_reason is StopReason.END_TURN


def test_finish_gives_the_events_of_flush_when_flush_was_not_called():
    subject = reader()
    assert subject.feed(b'data: {"text": "a"}') == []
    kinds = [type(event).__name__ for event in subject.finish()]
    assert kinds == ["MessageStart", "ContentBlockStart", "TextDelta", "ContentBlockEnd", "MessageComplete"]


def test_t16_a_stream_cut_at_any_byte_is_incomplete_and_no_error():
    body = HELLO + b'event: x\r\ndata: {"end":\ndata: true}\n\ndata: [DONE]\n\n'
    is_whole_from = body.index(b"\ndata: [DONE]")
    for cut in range(24, len(body)):
        for read_bytes in (1, 1000):
            cut_answer = answer(body[:cut], read_bytes=read_bytes)
            assert cut_answer.text() == ("hel" if cut < 43 else "hello"), cut
            assert cut_answer.error is None
            expected = StopReason.INCOMPLETE if cut < is_whole_from - 1 else StopReason.END_TURN
            assert cut_answer.stop_reason is expected, cut


def test_t16_the_cut_frame_is_shown_as_malformed():
    frames, events = read(HELLO + b'data: {"te')
    assert frames[-1] == Frame(45, 55, "", b'{"te', FrameKind.MALFORMED)
    assert read(HELLO + b"dat")[0][-1].kind is FrameKind.MALFORMED
    assert len(events) == 6


@pytest.mark.parametrize("content_type", ["application/json", "text/html", "text/event-stream; charset=latin-1"])
def test_t26_a_stream_is_a_stream_whatever_the_content_type_says(content_type):
    assert answer(WHOLE, headers={"Content-Type": content_type}).text() == "hello"


def test_t03_utf8_is_read_whatever_the_charset_says():
    body = 'data: {"text": "✅ é"}\n\n'.encode()
    assert answer(body, headers={"content-type": "text/event-stream; charset=iso-8859-1"}).text() == "✅ é"


# --- documents ---


@pytest.mark.parametrize("prefix", [b"", b"\n\n  \r\n", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("read_bytes", [1, 7, 1000])
def test_t26_a_json_body_for_a_stream_request_is_read_whole(prefix, read_bytes):
    body = prefix + b'{"text": "hello",\n\n "end": true}\n'
    frames, _ = read(body, read_bytes=read_bytes)
    assert frames == [Frame(0, len(body), "", body)]
    assert answer(body, read_bytes=read_bytes).text() == "hello"


@pytest.mark.parametrize("content_type", ["application/json", "text/event-stream"])
def test_t22_an_error_document_with_status_200_is_a_rejection(content_type):
    body = b'{"error":{"message":"request exceeds the available context size","code":400}}'
    error = failure(body, headers={"content-type": content_type, "x-request-id": "r1"})
    assert isinstance(error, ProviderRejection)
    assert error.category is ErrorCategory.CONTEXT_OVERFLOW
    assert (error.status, error.request_id) == (200, "r1")


def test_t22_raw_error_json_with_a_marker_behind_it_is_a_rejection():
    error = failure(b'{"error": {"message": "no slot", "type": "server_error"}}\n\ndata: [DONE]\n\n')
    assert isinstance(error, ProviderRejection) and error.provider_message == "no slot"


@pytest.mark.parametrize("body", [b"", b" \n\n", b"\xef\xbb\xbf"])
def test_an_empty_body_is_a_protocol_error(body):
    error = failure(body)
    assert isinstance(error, ProtocolError) and "empty body" in error.message


def test_t27_a_document_holds_no_half_of_a_surrogate_pair_whatever_its_decoder_does():
    body = b'{"text": "a\\ud83d\\ude00b\\ude00c\\ud83d", "end": true}'
    assert answer(body).text() == "a\U0001f600b\ufffdc\ufffd"


def test_a_document_that_is_nested_too_deeply_to_be_walked_through_is_no_answer():
    body = b'{"text": "a", "end": true, "x": %s}'
    assert answer(body % (b"[" * 150 + b"]" * 150)).text() == "a"
    assert isinstance(failure(body % (b"[" * 500 + b"]" * 500)), ProtocolError)


def test_a_cut_document_is_a_protocol_error_that_shows_it():
    error = failure(b'{"text": "hel')
    assert isinstance(error, ProtocolError)
    assert error.frame == '{"text": "hel'
    assert 'cut: {"text": "hel' in error.message


def test_e10_a_web_page_with_status_200_is_named_by_its_title():
    page = b"\n<!DOCTYPE html><html><head><title>Hotel &amp; Spa\n Wi-Fi</title></head>" + b"<p>x</p>" * 9000
    error = failure(page, headers={"content-type": "text/html"})
    assert isinstance(error, ProtocolError)
    assert "an HTML page titled “Hotel & Spa Wi-Fi”" in error.message
    assert "base URL" in error.hint
    assert len(str(error.to_record())) < 5000


# --- statuses ---


def test_t21_an_error_status_keeps_the_message_of_its_body():
    error = failure(b'{"error": {"message": "slow down"}}', status=429, headers={"Retry-After": "2"})
    assert isinstance(error, ProviderRejection)
    assert (error.provider_message, error.retry_after_s, error.status) == ("slow down", 2.0, 429)


def test_an_error_status_with_a_stream_as_its_body_is_an_error():
    error = failure(b'event: error\ndata: {"error": "x"}\n\n', status=500)
    assert isinstance(error, ProviderRejection) and error.category is ErrorCategory.SERVER


def test_t19_a_redirect_is_explained():
    error = failure(b"", status=307, headers={"Location": "https://api.example/v1/"})
    assert "https://api.example/v1/" in error.message
    assert "base URL" in error.hint


def test_the_body_of_an_error_is_read_to_a_bound(monkeypatch):
    monkeypatch.setattr(response, "MAX_ERROR_BODY_BYTES", 1000)
    subject = reader(status=500)
    subject.feed(b"x" * 999)
    assert not subject.is_terminal
    subject.feed(b"x")
    assert subject.is_terminal
    with pytest.raises(ProviderRejection):
        subject.finish()


def test_a_body_with_an_unknown_encoding_is_an_error_and_no_crash():
    assert isinstance(failure(gzip.compress(WHOLE)), ProtocolError)


# --- errors inside a stream ---


def test_t23_before_the_first_event_an_error_is_raised_with_its_type():
    error = failure(b': ping\n\ndata: {"error": {"code": 429, "message": "slow down"}, "choices": []}\n\n')
    assert isinstance(error, ProviderRejection)
    assert (error.category, error.status, error.is_retryable) == (ErrorCategory.RATE_LIMIT, 200, True)


def test_t23_after_the_first_event_an_error_is_the_last_event():
    body = HELLO + b'data: {"error": {"code": 503, "message": "died"}}\n\ndata: {"text": "late"}\n\n'
    assert stream_error(body).category is ErrorCategory.OVERLOADED
    failed = answer(body)
    assert (failed.text(), failed.stop_reason) == ("hello", StopReason.ERROR)


def test_a19_an_error_inside_a_stream_takes_request_id_and_wait_from_the_headers():
    headers = {"X-Request-Id": "r9", "Retry-After": "Mon, 30 Nov 2026 12:00:30 GMT"}
    body = b'data: {"error": {"code": 429, "message": "slow down"}}\n\n'
    error = failure(body, headers=headers)
    assert isinstance(error, ProviderRejection)
    assert (error.request_id, error.retry_after_s) == ("r9", 30.0)
    record = stream_error(HELLO + body, headers=headers)
    assert (record.details["request_id"], record.details["retry_after_s"]) == ("r9", 30.0)


def test_t25_text_instead_of_json_is_a_protocol_error_with_the_text():
    error = failure(b"data: error: model crashed\n\n")
    assert isinstance(error, ProtocolError)
    assert "error: model crashed" in error.message
    assert "error: model crashed" in stream_error(HELLO + b"data: error: model crashed\n\n").message


def test_t12_a_malformed_frame_is_an_error_and_its_frame_is_given_out():
    body = HELLO + b"se}\n\n" + HELLO
    assert stream_error(body).kind == "protocol_error"
    frames, _ = read(body)
    assert [frame.kind for frame in frames] == [FrameKind.DATA, FrameKind.DATA, FrameKind.MALFORMED]


@pytest.mark.parametrize("end", [b"se}\n\n", b"data: error: model crashed\n\n"])
def test_an_error_inside_a_stream_that_no_provider_words_keeps_the_request_id_of_the_head(end):
    """UX3: whoever asks the provider why needs it; a wait that came with the success does not concern it (A19)."""
    record = stream_error(HELLO + end, headers={"X-Request-Id": "r9", "Retry-After": "3"})
    assert record.kind == "protocol_error"
    assert record.details["request_id"] == "r9"
    assert "retry_after_s" not in record.details
    assert "request_id" not in stream_error(HELLO + end).details


def test_t22_raw_error_json_in_the_middle_of_a_stream_is_classified():
    record = stream_error(HELLO + b'{"error": {"message": "Overloaded", "type": "overloaded_error"}}\n\n')
    assert (record.kind, record.category) == ("provider_rejection", ErrorCategory.OVERLOADED)


def test_garbage_after_a_complete_answer_does_not_spoil_it():
    body = HELLO + b'data: {"end": true}\n\ngarbage\n\ndata: [DONE]\n\n'
    assert answer(body).stop_reason is StopReason.END_TURN


def test_a_unit_that_fills_the_memory_ends_the_stream(monkeypatch):
    monkeypatch.setattr(response, "SseFramer", partial(SseFramer, max_unit_bytes=1000))
    subject = reader()
    subject.feed(HELLO)
    subject.feed(b"data: " + b"x" * 3000)
    assert subject.is_terminal and not subject.is_complete
    (last,) = subject.finish()
    assert isinstance(last, StreamError) and last.error.kind == "protocol_error"
    assert isinstance(failure(b"data: " + b"x" * 3000), ProtocolError)
