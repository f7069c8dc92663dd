"""Server-sent events as providers really send them (QUIRKS T01 to T12, T29, T30)."""

import time

import pytest

from agdesk.core.errors import ProtocolError
from agdesk.core.providers.base import Frame
from agdesk.core.providers.framing import SseFramer
from agdesk.core.trace.wire import FrameKind

DATA, COMMENT, MALFORMED = FrameKind.DATA, FrameKind.COMMENT, FrameKind.MALFORMED


def framed(*reads: bytes) -> list[Frame]:
    framer = SseFramer()
    frames = [frame for read in reads for frame in framer.feed(read)]
    return frames + framer.finish()


def payloads(*reads: bytes) -> list[bytes]:
    return [frame.data for frame in framed(*reads) if frame.kind is DATA]


def seen(*reads: bytes) -> list[tuple[FrameKind, str, bytes]]:
    return [(frame.kind, frame.event_name, frame.data) for frame in framed(*reads)]


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\u0085", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e"])
def test_t01_a_unicode_line_separator_does_not_end_a_line(separator):
    payload = f'{{"t":"a{separator}b"}}'.encode()
    assert payloads(b"data: " + payload + b"\n\n") == [payload]


def test_t02_a_character_may_be_cut_by_a_read():
    assert payloads(b'data: {"t":"caf\xc3', b'\xa9"}\n\n') == ['{"t":"café"}'.encode()]


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_t04_cr_lf_and_crlf_end_a_line_alike(end):
    body = b"event: x" + end + b'data: {"a":1}' + end + end + b"data: two" + end + end
    first = len(b"event: x") + len(b'data: {"a":1}') + 3 * len(end)
    assert framed(body) == [Frame(0, first, "x", b'{"a":1}'), Frame(first, len(body), "", b"two")]


def test_t04_a_crlf_may_be_cut_by_a_read():
    body = b"data: a\r\n\r\ndata: b\r\n\r\n"
    expected = [Frame(0, 11, "", b"a"), Frame(11, 22, "", b"b")]
    for cut in range(len(body)):
        assert framed(body[:cut], body[cut:]) == expected, cut


def test_t04_a_cr_at_the_end_of_a_read_is_held_back_until_the_next_byte_is_known():
    framer = SseFramer()
    assert framer.feed(b"data: a\r\r") == []
    assert framer.feed(b"d") == [Frame(0, 9, "", b"a")]


def test_t05_one_byte_order_mark_at_the_start_is_a_gap():
    body = b"\xef\xbb\xbfdata: {}\n\n\xef\xbb\xbfdata: {}\n\n"
    assert framed(body)[0] == Frame(3, 13, "", b"{}")
    assert framed(body)[1].kind is MALFORMED
    assert framed(*(bytes([byte]) for byte in body)) == framed(body)


def test_t06_an_event_that_no_blank_line_closed_is_flushed_at_the_end():
    assert framed(b"data: {}\n\ndata: [DONE]") == [Frame(0, 10, "", b"{}"), Frame(10, 22, "", b"[DONE]")]


def test_t07_one_space_after_the_colon_is_optional_and_space_before_the_field_is_tolerated():
    assert payloads(b"data:{}\n\n data: {}\n\n\tdata:  two\n\n") == [b"{}", b"{}", b" two"]


def test_t08_a_comment_line_is_a_frame_at_once():
    framer = SseFramer()
    assert framer.feed(b": ping\n") == [Frame(0, 7, "", b"", COMMENT)]
    assert framer.feed(b"\ndata: {}\n\n") == [Frame(8, 18, "", b"{}")]


def test_t09_a_unit_without_data_is_a_comment():
    body = b"id: 1\n\nretry: 5\n\nevent: keepalive\n\ndata\n\ndata:\n\ndata:  \n\n"
    assert seen(body) == [(COMMENT, "", b"")] * 2 + [(COMMENT, "keepalive", b"")] + [(COMMENT, "", b"")] * 3


def test_t10_a_keep_alive_framed_as_data_is_a_comment():
    assert seen(b'data: : keepalive\n\ndata: {"a":1}\n\n') == [(COMMENT, "", b""), (DATA, "", b'{"a":1}')]


def test_t12_bytes_spliced_into_a_payload_leave_a_malformed_rest():
    body = b'data: {"a":fal: keepalive\n\nse}\n\n'
    assert seen(body) == [(DATA, "", b'{"a":fal: keepalive'), (MALFORMED, "", b"se}")]


def test_t22_raw_json_is_malformed_and_keeps_its_lines():
    assert seen(b'{\n "error": "x"\n}\n\n') == [(MALFORMED, "", b'{\n "error": "x"\n}')]
    assert seen(b'event: error\n{"error": "x"}\n\n') == [(MALFORMED, "error", b'{"error": "x"}')]


def test_t24_the_event_name_is_kept_and_the_last_one_counts():
    assert seen(b"event: a\nevent: error\ndata: {}\n\n") == [(DATA, "error", b"{}")]
    assert seen(b"event: error\ndata: {}\n\ndata: {}\n\n")[1] == (DATA, "", b"{}")


def test_t25_a_bare_error_line_is_malformed():
    assert seen(b"error: model crashed\n\n") == [(MALFORMED, "", b"error: model crashed")]
    assert seen(b"Internal Server Error") == [(MALFORMED, "", b"Internal Server Error")]


def test_t29_a_line_of_many_reads_is_linear_in_time():
    line = b'data: {"image":"' + b"A" * 8_000_000 + b'"}\n\n'

    def seconds(read_bytes):
        framer = SseFramer()
        start = time.process_time()
        frames = [f for i in range(0, len(line), read_bytes) for f in framer.feed(line[i : i + read_bytes])]
        assert [len(frame.data) for frame in frames] == [len(line) - 8]
        return time.process_time() - start

    # 100,000 reads: a buffer that is copied with every read moves 400 GB
    assert seconds(80) < 3


def test_t29_a_unit_of_many_lines_and_reads_is_linear_in_time():
    framer = SseFramer()
    start = time.process_time()
    for _ in range(100_000):
        assert framer.feed(b"data: " + b"x" * 40 + b"\n") == []
    assert len(framer.finish()[0].data) == 100_000 * 41 - 1
    assert time.process_time() - start < 3


def test_t30_data_lines_are_joined_and_unknown_fields_ignored():
    body = b'data: {"a":\ndata: 1}\nfoo: bar\nid: 7\n:HTTP_STATUS/200\nretry: 5\n\n'
    assert framed(body) == [Frame(0, len(body), "", b'{"a":\n1}')]
    assert seen(b"foo: bar\n\n") == [(COMMENT, "", b"")]


def test_blank_lines_are_gaps():
    assert framed(b"\n\r\n\ndata: a\n\n\n\n") == [Frame(4, 13, "", b"a")]
    assert framed(b"  \n\n") == []
    assert framed(b"") == []


def test_an_event_name_that_is_no_utf8_is_shown_with_replacements():
    assert framed(b"event: \xff\ndata: {}\n\n")[0].event_name == "\ufffd"


@pytest.mark.parametrize("read", [b"x" * 30, b"data: " + b"x" * 20 + b"\n", b": "])
def test_a_unit_longer_than_the_bound_is_refused(read):
    framer = SseFramer(max_unit_bytes=1000)
    with pytest.raises(ProtocolError, match="longer than 1000 bytes"):
        for _ in range(1000):
            framer.feed(read)


def test_many_frames_together_may_exceed_the_bound():
    framer = SseFramer(max_unit_bytes=100)
    assert len(framer.feed(b"data: {}\n\n" * 1000)) == 1000
