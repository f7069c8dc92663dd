"""Bodies that never end: reading stops at the bound and never needs a multiple of it (T29).

The bound is 256 MB; here it is 4 MB, and a gigabyte is ready to be read.
"""

import tracemalloc
from itertools import chain, repeat

import pytest

from agdesk.core.errors import LlmError, ProtocolError
from agdesk.core.providers import framing, response
from agdesk.core.providers.base import Endpoint
from agdesk.core.providers.registry import WIRE_FORMATS, wire_format
from agdesk.core.providers.response import ResponseReader

BOUND_BYTES = 4 * 1024 * 1024
READ_BYTES = 1024 * 1024
GIGABYTE_READS = 1024

BODIES = {
    "a line of an event": (b'data: {"a": "', b"x"),
    "a line without a name": (b"x", b"x"),
    "an event of many lines": (b"", b"data: " + b"x" * 1000 + b"\n"),
    "an event of short lines": (b"", b"data: aaaaaaaa\n"),
    "a document": (b'{"a": "', b"x"),
    "a document over many lines": (b'{\n"a": [\n', b"1,\n"),
    "a web page": (b"<html>", b"x"),
    "nothing but white space": (b"", b" "),
    "nothing but empty lines": (b"", b"\n"),
}


@pytest.fixture
def small_bound(monkeypatch):
    monkeypatch.setattr(response, "MAX_UNIT_BYTES", BOUND_BYTES)
    for framer in (framing.LineFramer, framing.SseFramer):
        monkeypatch.setattr(framer.__init__, "__defaults__", (BOUND_BYTES,))


def read_until_it_stops(reader, *, start, unit):
    """How many reads were taken, and the most memory that was needed meanwhile."""
    chunk = unit * (READ_BYTES // len(unit))
    tracemalloc.start()
    try:
        for count, piece in enumerate(chain([start], repeat(chunk, GIGABYTE_READS))):
            if reader.is_terminal:
                return count, tracemalloc.get_traced_memory()[1]
            reader.feed(piece)
    finally:
        tracemalloc.stop()
    return GIGABYTE_READS, 0


def reader_of(wire, *, status=200):
    endpoint = Endpoint("fake", "Fake", wire, "http://127.0.0.1:1/v1")
    return ResponseReader(
        wire_format(wire), endpoint=endpoint, model="m", seed="s", status=status, headers={}, now_s=0.0
    )


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
@pytest.mark.parametrize("wire", WIRE_FORMATS)
def test_reading_stops_at_the_bound(small_bound, wire, body):
    reader = reader_of(wire)
    start, unit = body
    count, peak_bytes = read_until_it_stops(reader, start=start, unit=unit)
    assert count <= BOUND_BYTES // READ_BYTES + 3
    assert peak_bytes < 4 * BOUND_BYTES
    with pytest.raises(ProtocolError):
        reader.finish()


@pytest.mark.parametrize("wire", WIRE_FORMATS)
def test_of_the_body_of_an_error_a_megabyte_is_read(small_bound, wire):
    reader = reader_of(wire, status=500)
    count, peak_bytes = read_until_it_stops(reader, start=b'{"error": "', unit=b"x")
    assert count <= response.MAX_ERROR_BODY_BYTES // READ_BYTES + 2
    assert peak_bytes < 4 * BOUND_BYTES
    with pytest.raises(LlmError):
        reader.finish()
