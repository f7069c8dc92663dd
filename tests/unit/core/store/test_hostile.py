"""Content that would break a careless store: halves of characters, NUL, sizes, depths, damaged bytes."""

import sqlite3
import zlib
from contextlib import closing

import pytest

from agdesk.core.errors import StoreCorrupt
from agdesk.core.ir.blocks import Extension, Text
from agdesk.core.ir.messages import Assistant
from agdesk.core.ir.response import EndCause, MessageResponse, StopReason, Usage
from agdesk.core.ir.stream import TextDelta
from agdesk.core.trace.events import ResponseReceived, StreamEventReceived, TurnCompleted, Unknown
from tests.fakes.storing import Recorded, open_store, trace_of
from tests.unit.core.store.test_budget import all_merged

STRANGE = "\0 \ud83d \ud83d\ude00 \udc00 \u2028\x85\r\n\x1b[31m 巴黎 " + chr(0x10FFFF)


async def test_any_text_comes_back_as_it_was(tmp_path):
    store = open_store(tmp_path)
    chat = Recorded(store)
    chat.turn("1", STRANGE, (STRANGE, STRANGE))
    await store.aclose()

    store = open_store(tmp_path)
    assert trace_of(store, "chat") == chat.records
    question, answer = store.load("chat").messages
    assert (question.content, answer.content) == ((Text(STRANGE),), (Text(STRANGE * 2),))
    await store.aclose()


@pytest.mark.timeout(180)
async def test_a_hundred_thousand_events_and_a_body_of_fifty_megabytes(tmp_path):
    store = open_store(tmp_path)
    chat = Recorded(store)
    request = chat.begin("1")
    for _ in range(100_000):
        request.emit(StreamEventReceived(None, TextDelta("ab", 0)))
    piece = bytes(range(256)) * 4_096
    for _ in range(50):
        request.body(piece)
    chat.finish(request, "ab" * 100_000, byte_count=50 * len(piece))
    await all_merged(store, tmp_path)

    assert store.body("req-1") == piece * 50
    assert trace_of(store, "chat") == chat.records
    with closing(sqlite3.connect(tmp_path / "agdesk.db")) as connection:
        (largest,) = connection.execute("SELECT max(last - first) FROM trace_chunk WHERE kind = 'frames'").fetchone()
    assert largest <= 1 << 20
    await store.aclose()


@pytest.mark.parametrize("reason", ["depth", "no JSON"])
async def test_a_block_that_json_cannot_hold_costs_that_block_only(tmp_path, reason):
    raw: object = {1, 2}
    if reason == "depth":
        raw = []
        for _ in range(100_000):
            raw = [raw]
    message = Assistant((Text("before"), Extension("p", "k", raw), Text("after")))
    response = MessageResponse("i", "m", message, Usage(10**30, -(10**30)), StopReason.END_TURN, extra={"raw": raw})
    store = open_store(tmp_path)
    chat = Recorded(store)
    request = chat.begin("1")
    request.emit(ResponseReceived(response, EndCause.SERVER))
    chat.recorder.emit(TurnCompleted())
    await store.settled()

    before, extension, after = store.load("chat").messages[1].content
    assert (before, after) == (Text("before"), Text("after"))
    assert (extension.kind, extension.raw["type"]) == ("unwritable_block", "extension")
    answer = store.load("chat").records[1].payload
    assert (answer.response.usage, answer.response.extra) == (response.usage, {})
    await store.aclose()


async def stored_chat(tmp_path, *, words=4_000):
    store = open_store(tmp_path)
    chat = Recorded(store)
    request = chat.begin("1")
    chat.finish(request, "done", byte_count=chat.stream(request, *(f"word {i * 7919 % 10_007}" for i in range(words))))
    await all_merged(store, tmp_path)
    await store.aclose()
    return chat


def change(tmp_path, statement, *values):
    with closing(sqlite3.connect(tmp_path / "agdesk.db")) as connection, connection:
        return connection.execute(statement, values).fetchall()


async def test_of_a_damaged_chunk_comes_what_can_be_read_and_a_record_that_says_so(tmp_path):
    chat = await stored_chat(tmp_path)
    for kind in ("records", "frames"):
        (row,) = change(tmp_path, "SELECT id, bytes FROM trace_chunk WHERE kind = ? ORDER BY first DESC LIMIT 1", kind)
        content = bytearray(row[1])
        content[len(content) // 2 : len(content) // 2 + 64] = b"\xff" * 64
        change(tmp_path, "UPDATE trace_chunk SET bytes = ? WHERE id = ?", bytes(content), row[0])

    store = open_store(tmp_path)
    trace = trace_of(store, "chat")
    kinds = [record.payload.kind if isinstance(record.payload, Unknown) else "" for record in trace]
    assert kinds.count("damaged_chunk") == 1
    assert trace[kinds.index("damaged_chunk")].request_id == "req-1"
    assert len(trace) < len(chat.records)
    assert trace[: len(chat.records) // 4] == chat.records[: len(chat.records) // 4]
    assert trace[-2:] == chat.records[-2:]
    assert [record.seq for record in trace] == sorted(record.seq for record in trace)
    body = store.body("req-1")
    assert body is not None
    assert body[:1_000] == b"".join(f"data: word {i * 7919 % 10_007}\n\n".encode() for i in range(4_000))[:1_000]
    await store.aclose()


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("bytes", b""),
        ("bytes", "a text"),
        ("bytes", zlib.compress(b"no record\nneither")),
        ("bytes", zlib.compress(b"x" * 100_000)[:20]),
        ("bytes", zlib.compress(b'[1,0,"turn-1","req-1",{"type":"x"}]')),
        ("codec", "zstd"),
        ("codec", "raw"),
    ],
)
async def test_a_chunk_that_holds_nothing_to_read_is_one_record(tmp_path, column, value):
    chat = await stored_chat(tmp_path, words=10)
    change(tmp_path, f"UPDATE trace_chunk SET {column} = ? WHERE kind = 'records'", value)

    store = open_store(tmp_path)
    trace = trace_of(store, "chat")
    assert [type(record.payload).__name__ for record in trace] == [
        "TurnStarted",
        "Unknown",
        "ResponseReceived",
        "TurnCompleted",
    ]
    assert trace[1].payload.raw["reason"]
    assert trace[0] == chat.records[0]
    await store.aclose()


async def test_a_damaged_message_does_not_hide_the_others(tmp_path):
    store = open_store(tmp_path)
    chat = Recorded(store)
    chat.turn("1", "first")
    chat.turn("2", "second")
    await store.aclose()
    change(tmp_path, "UPDATE message SET json = ? WHERE id = 'req-1'", b"{broken")
    change(tmp_path, "UPDATE turn SET end_json = ? WHERE id = 'turn-2'", b"[]")

    store = open_store(tmp_path)
    stored = store.load("chat")
    assert [message.content[0].text for message in stored.messages] == ["first", "second", "Good day"]
    assert [type(record.payload).__name__ for record in stored.records] == [
        "TurnStarted",
        "Unknown",
        "TurnCompleted",
        "TurnStarted",
        "ResponseReceived",
        "Unknown",
    ]
    await store.aclose()


async def test_a_database_that_is_damaged_where_messages_stand_is_refused_and_left_as_it_is(tmp_path):
    store = open_store(tmp_path)
    chat = Recorded(store)
    for number in range(30):
        chat.turn(str(number), "text " * 500)
    await store.aclose()
    path = tmp_path / "agdesk.db"
    (root,) = change(tmp_path, "SELECT rootpage FROM sqlite_schema WHERE name = 'message'")
    content = bytearray(path.read_bytes())
    content[(root[0] - 1) * 4096 : root[0] * 4096] = b"\xaa" * 4096
    path.write_bytes(bytes(content))

    with pytest.raises(StoreCorrupt, match=r"agdesk\.db"):
        open_store(tmp_path)
    assert path.read_bytes() == bytes(content)
    with pytest.raises(StoreCorrupt):  # the lock was given back
        open_store(tmp_path)


@pytest.mark.parametrize("content", [b"no database at all " * 100, b"short", b"SQLite format 3\0" + b"\xff" * 2_000])
async def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(tmp_path, content):
    path = tmp_path / "agdesk.db"
    path.write_bytes(content)
    with pytest.raises(Exception) as caught:
        open_store(tmp_path)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == content
    assert sorted(file.name for file in tmp_path.iterdir()) == ["agdesk.db", "agdesk.lock"]


async def test_a_trace_whose_pages_are_damaged_is_read_as_far_as_it_goes(tmp_path):
    await stored_chat(tmp_path)
    path = tmp_path / "agdesk.db"
    (root,) = change(tmp_path, "SELECT rootpage FROM sqlite_schema WHERE name = 'trace_chunk'")
    content = bytearray(path.read_bytes())
    content[(root[0] - 1) * 4096 : root[0] * 4096] = b"\xaa" * 4096
    path.write_bytes(bytes(content))

    store = open_store(tmp_path)
    assert len(store.load("chat").messages) == 2
    trace = trace_of(store, "chat")
    assert [type(record.payload).__name__ for record in trace if not isinstance(record.payload, StreamEventReceived)]
    assert any(isinstance(record.payload, Unknown) for record in trace)
    await store.aclose()
