"""Lines of JSON (QUIRKS L01, and T01, T02, T29 for them)."""

import pytest

from agdesk.core.errors import ProtocolError
from agdesk.core.providers.base import Frame
from agdesk.core.providers.framing import NdjsonFramer
from agdesk.core.trace.wire import FrameKind


def framed(*reads: bytes) -> list[Frame]:
    framer = NdjsonFramer()
    frames = [frame for read in reads for frame in framer.feed(read)]
    return frames + framer.finish()


def test_l01_each_line_is_a_frame_with_its_terminator():
    assert framed(b'{"a":1}\n{"b":2}\r\n') == [Frame(0, 8, "", b'{"a":1}'), Frame(8, 17, "", b'{"b":2}')]


def test_the_last_line_needs_no_terminator():
    assert framed(b'{"a":1}\n{"b":', b"2}") == [Frame(0, 8, "", b'{"a":1}'), Frame(8, 15, "", b'{"b":2}')]


def test_t01_a_unicode_line_separator_does_not_end_a_line():
    line = '{"t":"a\u2028b\u0085c"}'.encode()
    assert [frame.data for frame in framed(line + b"\n")] == [line]


def test_blank_lines_and_a_byte_order_mark_are_gaps():
    assert framed(b'\xef\xbb\xbf{"a":1}\n\n \n{"b":2}\n') == [
        Frame(3, 11, "", b'{"a":1}'),
        Frame(14, 22, "", b'{"b":2}'),
    ]


def test_a_line_that_cannot_be_json_is_malformed():
    assert framed(b"error: model crashed\n") == [Frame(0, 21, "", b"error: model crashed", FrameKind.MALFORMED)]


def test_t08_a_comment_that_a_proxy_puts_between_lines_is_a_comment():
    assert framed(b': ping\n{"a":1}\n') == [Frame(0, 7, "", b"", FrameKind.COMMENT), Frame(7, 15, "", b'{"a":1}')]


@pytest.mark.parametrize("read", [b'{"a":1}\n', b'{"a":1}\r\n', b'{"a":1}\n{"b":2}\n', b'{"a":1}', b'[{"a":1}]\n'])
def test_a_line_read_by_itself_is_the_frame_it_is_among_others(read):
    alone = framed(read, read)
    assert alone == framed(read + read) == framed(*(bytes([byte]) for byte in read + read))


def test_t29_a_line_longer_than_the_bound_is_refused():
    framer = NdjsonFramer(max_unit_bytes=1000)
    with pytest.raises(ProtocolError, match="longer than 1000 bytes"):
        for _ in range(1000):
            framer.feed(b"xxxx")
