"""The bytes that went over the wire: those that came by, as far as there is room, else those that are stored."""

import pytest

from agdesk.core.trace.recorder import RequestTrace
from agdesk.ui.inspector.source import WireBytes
from tests.ui.inspector.fakes import KeptTraces, session

CHUNK = b"data: " + b"x" * 992 + b"\n\n"
MEGABYTE_CHUNKS = 1000
STORED = b"what is stored"


@pytest.fixture
def kept():
    return KeptTraces()


@pytest.fixture
def chat():
    return session()


@pytest.fixture
def wire(kept, chat):
    bytes_of = WireBytes(kept, chat)
    yield bytes_of
    bytes_of.close()


def stream(chat, request_id, *, chunks):
    trace = RequestTrace(chat.recorder, request_id)
    for _ in range(chunks):
        trace.body(CHUNK)


async def test_a_body_that_comes_by_is_given_as_far_as_it_has_come(wire, chat):
    stream(chat, "req-1", chunks=200)
    assert await wire.response_body("req-1") == CHUNK * 200
    stream(chat, "req-1", chunks=1)
    assert await wire.response_body("req-1") == CHUNK * 201


async def test_of_many_answers_the_newest_are_kept_and_the_others_are_read_again(wire, chat, kept):
    for number in range(10):
        kept.bodies[f"req-{number}"] = STORED
        stream(chat, f"req-{number}", chunks=MEGABYTE_CHUNKS)
    assert sum(len(block) for blocks in wire._live.values() for block in blocks) <= 4_000_000
    assert await wire.response_body("req-9") == CHUNK * MEGABYTE_CHUNKS
    assert await wire.response_body("req-6") == CHUNK * MEGABYTE_CHUNKS
    assert await wire.response_body("req-5") == STORED


async def test_the_rest_of_an_answer_that_there_was_no_room_for_is_not_taken_for_its_beginning(wire, chat, kept):
    kept.bodies["req-1"] = STORED
    stream(chat, "req-1", chunks=5 * MEGABYTE_CHUNKS)
    assert await wire.response_body("req-1") == STORED
    assert not wire._live
    stream(chat, "req-2", chunks=4 * MEGABYTE_CHUNKS)
    assert await wire.response_body("req-2") == CHUNK * 4 * MEGABYTE_CHUNKS


async def test_of_many_requests_the_newest_are_kept_and_the_others_are_read_again(wire, chat, kept):
    trace = RequestTrace(chat.recorder, "req-1")
    contents = [bytes([number]) * 1_000_000 for number in range(10)]
    references = [trace.blob(content) for content in contents]
    trace.blob(contents[-1])  # the same again takes no more room
    kept.blobs[references[5].sha256] = STORED
    assert await wire.request_body(references[9]) == contents[9]
    assert await wire.request_body(references[6]) == contents[6]
    assert await wire.request_body(references[5]) == STORED
    assert await wire.request_body(references[0]) is None


async def test_nothing_is_held_after_the_end(wire, chat, kept):
    stream(chat, "req-1", chunks=1)
    reference = RequestTrace(chat.recorder, "req-1").blob(b"{}")
    wire.close()
    stream(chat, "req-1", chunks=1)
    assert await wire.response_body("req-1") is None
    assert await wire.request_body(reference) is None
