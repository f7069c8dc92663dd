"""Properties of framing: no dependence on the reads (PROV3), frames and gaps that tile the body (D4)."""

import itertools
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agdesk.core.providers.base import Frame
from agdesk.core.providers.framing import BYTE_ORDER_MARK, NdjsonFramer, SseFramer
from agdesk.core.trace.wire import FrameKind

PIECES = [
    *(b"\r", b"\n", b"\r\n", b"\n\n", b":", b" ", b"\t", b"data", b"data:", b"data: {", b"event: ", b"id: 1", b"retry"),
    *(b"event: f\ndata: {}\n\n", b"event: e\rdata: {}\n\n", b"data: {}\r\n\r\n", b"event: e\r\ndata: {}\r\n\r\n"),
    *(b"event: e\ndata: {}\n\n", b"data: {}\n\n", b"data: [DONE]", b": ping", b"foo: bar", b"error: x", b'{"a":1}'),
    *(b"\xef\xbb\xbf", b"\xef", b"\xbb", b"\xe2\x80\xa8", b"\xc2\x85", b"\x0b", b"\x00", b"\xff", b"x", b"}"),
]
bodies = st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join)
cuts = st.lists(st.integers(0, 200), max_size=12)
framers = pytest.mark.parametrize("framer_class", [SseFramer, NdjsonFramer])


def framed(framer_class: type[SseFramer | NdjsonFramer], *reads: bytes) -> list[Frame]:
    framer = framer_class()
    frames = [frame for read in reads for frame in framer.feed(read)]
    return frames + framer.finish()


def cut_up(body: bytes, places: list[int]) -> list[bytes]:
    bounds = [0, *sorted(min(place, len(body)) for place in places), len(body)]
    return [body[start:end] for start, end in itertools.pairwise(bounds)]


@framers
@given(body=bodies, places=cuts)
@example(body=b"data: a\r\n\r\ndata: b\r\n\r\n", places=[8, 10])
@example(body=BYTE_ORDER_MARK + b"data: {}\n\n", places=[1, 2])
def test_the_reads_do_not_change_the_frames(framer_class, body, places):
    whole = framed(framer_class, body)
    assert framed(framer_class, *cut_up(body, places)) == whole
    assert framed(framer_class, *(bytes([byte]) for byte in body)) == whole


@framers
@given(body=bodies)
def test_frames_and_blank_gaps_tile_the_body(framer_class, body):
    position = 0
    gaps = []
    for frame in framed(framer_class, body):
        assert position <= frame.start < frame.end <= len(body)
        gaps.append((position, body[position : frame.start]))
        position = frame.end
    gaps.append((position, body[position:]))
    for start, gap in gaps:
        blank = gap.removeprefix(BYTE_ORDER_MARK) if start == 0 else gap
        assert not blank.strip(b" \t\r\n\x0b"), gap


@given(body=bodies)
def test_data_is_never_empty_and_other_frames_say_what_they_are(body):
    for frame in framed(SseFramer, body):
        assert bool(frame.data) is (frame.kind is not FrameKind.COMMENT)
        assert frame.kind is not FrameKind.DATA or frame.data.strip()


@given(body=bodies)
def test_the_payloads_are_those_of_the_standard(body):
    """An independent parser after the standard, with the three tolerances: flush at the end, indent, no empty data."""
    lines = re.split(rb"\r\n|\r|\n", body.removeprefix(BYTE_ORDER_MARK))
    expected: list[tuple[str, bytes]] = []
    name, data = "", list[bytes]()
    for line in [*lines, b""]:
        if line == b"":
            payload = b"\n".join(data)
            if payload.strip() and not payload.lstrip().startswith(b":"):
                expected.append((name, payload))
            name, data = "", list[bytes]()
            continue
        field, _, value = line.partition(b":")
        value = value[1:] if value.startswith(b" ") else value
        match field.lstrip(b" \t"):
            case b"data":
                data.append(value)
            case b"event":
                name = value.decode("utf-8", "replace")
    frames = framed(SseFramer, body)
    assert [(frame.event_name, frame.data) for frame in frames if frame.kind is FrameKind.DATA] == expected


@given(body=bodies)
def test_a_frame_s_own_bytes_give_the_same_frame(body):
    """A span of the body can be read again alone: nothing leaks from one frame into the next."""
    for frame in framed(SseFramer, body):
        if frame.kind is not FrameKind.DATA:
            continue
        again = framed(SseFramer, body[frame.start : frame.end])
        assert [(other.event_name, other.data) for other in again] == [(frame.event_name, frame.data)]
