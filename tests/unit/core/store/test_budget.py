"""What goes: old traces beyond the budget, and deleted conversations with all that hangs on them."""

import asyncio
import os
import sqlite3
from contextlib import closing

from agdesk.core.store.migrations import migrate
from tests.fakes.storing import Recorded, open_store, trace_of

TABLES = ("conversation", "message", "turn", "request", "trace_chunk", "blob", "request_blob", "draft")


def counts(folder):
    with closing(sqlite3.connect(folder / "agdesk.db")) as connection:
        return {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in TABLES}


async def all_merged(store, folder):
    """Every request that is over has been merged, and the budget looked at."""
    while True:
        await store.settled()
        with closing(sqlite3.connect(folder / "agdesk.db")) as connection:
            if connection.execute("SELECT count(*) FROM trace_chunk WHERE codec = 'raw'").fetchone()[0] == 0:
                return
        await asyncio.sleep(0.01)


def noise(size_bytes):
    return os.urandom(size_bytes // 2).hex()


async def test_the_oldest_traces_go_and_no_message_does(tmp_path):
    store = open_store(tmp_path, budget_bytes=400_000)
    chat = Recorded(store)
    references = []
    for number in range(6):
        request = chat.begin(str(number), request_body=noise(100_000).encode())
        references.append(chat.body_ref)
        end = chat.stream(request, noise(60_000))
        chat.finish(request, f"answer {number}", byte_count=end)
        await all_merged(store, tmp_path)
    while store.body("req-3") is not None:  # the last look at the budget comes after the last merge
        await asyncio.sleep(0.01)

    assert len(store.load("chat").messages) == 12
    assert [store.body(f"req-{number}") is None for number in range(6)] == [True] * 4 + [False] * 2
    assert [store.blob(reference) is None for reference in references] == [True] * 4 + [False] * 2
    assert len(list((tmp_path / "blobs").iterdir())) == 2
    kept = [record for record in chat.records if record.turn_id in ("turn-4", "turn-5")]
    trace = trace_of(store, "chat")
    assert [record for record in trace if record.turn_id in ("turn-4", "turn-5")] == kept
    assert [type(record.payload).__name__ for record in trace if record.turn_id == "turn-0"] == [
        "TurnStarted",
        "ResponseReceived",
        "TurnCompleted",
    ]
    await store.aclose()


async def test_the_space_of_what_went_is_used_again(tmp_path):
    store = open_store(tmp_path, budget_bytes=300_000)
    chat = Recorded(store)
    sizes = []
    for number in range(12):
        request = chat.begin(str(number))
        chat.finish(request, "answer", byte_count=chat.stream(request, noise(200_000)))
        await all_merged(store, tmp_path)
        sizes.append((tmp_path / "agdesk.db").stat().st_size + (tmp_path / "agdesk.db-wal").stat().st_size)
    await store.aclose()

    assert (tmp_path / "agdesk.db").stat().st_size < 3_000_000


async def test_the_running_request_is_never_evicted(tmp_path):
    store = open_store(tmp_path, budget_bytes=1_000)
    chat, other = Recorded(store, "chat"), Recorded(store, "other")
    running = chat.begin("1")
    chat.stream(running, noise(50_000))
    await store.settled()
    other.turn("2")
    await all_merged_of(store, "req-2")
    assert store.body("req-1")
    assert trace_of(store, "chat") == chat.records
    chat.finish(running, "done")
    await all_merged_of(store, "req-1")
    assert len(trace_of(store, "chat")) == 3
    await store.aclose()


async def all_merged_of(store, request_id):
    """The request is over and, under a budget that nothing fits in, gone."""
    while store.body(request_id) is not None:
        await asyncio.sleep(0.01)


async def test_a_blob_that_another_request_needs_stays(tmp_path):
    store = open_store(tmp_path, budget_bytes=350_000)
    chat = Recorded(store)
    shared = noise(100_000).encode()
    for number in range(3):
        request = chat.begin(str(number), request_body=shared)
        chat.finish(request, "answer", byte_count=chat.stream(request, noise(150_000)))
        await all_merged(store, tmp_path)
    while store.body("req-1") is not None:
        await asyncio.sleep(0.01)

    assert store.blob(chat.body_ref) == shared
    await store.aclose()


async def test_a_deleted_conversation_goes_with_everything_at_the_end(tmp_path):
    store = open_store(tmp_path)
    gone, kept = Recorded(store, "gone"), Recorded(store, "kept")
    gone.finish(gone.begin("1", request_body=b"a" * 100_000), "x")
    for number in range(1_200):  # deeper than SQLite cascades
        gone.recorder.turn_id = f"turn-a{number}"
        gone.turn(f"a{number}")
    kept.turn("2")
    store.set_draft("gone", "text")
    store.set_draft("kept", "text")
    store.conversations.delete("gone")
    await store.settled()
    assert counts(tmp_path)["conversation"] == 2
    await store.aclose()

    assert counts(tmp_path) == {
        "conversation": 1,
        "message": 2,
        "turn": 1,
        "request": 1,
        "trace_chunk": counts(tmp_path)["trace_chunk"],
        "blob": 1,
        "request_blob": 1,
        "draft": 1,
    }
    with closing(sqlite3.connect(tmp_path / "agdesk.db")) as connection:
        owners = connection.execute("SELECT DISTINCT conversation_id FROM trace_chunk").fetchall()
        assert owners == [("kept",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert list((tmp_path / "blobs").iterdir()) == []


async def test_what_was_deleted_goes_with_the_next_start_if_the_program_did_not_end_well(tmp_path):
    store = open_store(tmp_path)
    Recorded(store).turn("1")
    await store.aclose()
    with closing(sqlite3.connect(tmp_path / "agdesk.db")) as connection, connection:
        connection.execute("UPDATE conversation SET deleted_ms = 1")
    (tmp_path / "blobs").mkdir(exist_ok=True)
    (tmp_path / "blobs" / "left-over").write_bytes(b"of a crash")

    store = open_store(tmp_path)
    assert store.conversations.all() == ()
    assert counts(tmp_path) == dict.fromkeys(TABLES, 0)
    assert list((tmp_path / "blobs").iterdir()) == []
    await store.aclose()


def test_every_query_by_conversation_or_request_uses_an_index(tmp_path):
    migrate(tmp_path / "agdesk.db")
    with closing(sqlite3.connect(tmp_path / "agdesk.db")) as connection:
        for query in (
            "SELECT * FROM message WHERE conversation_id = ?",
            "SELECT * FROM message WHERE parent_id = ?",
            "SELECT * FROM turn WHERE conversation_id = ?",
            "SELECT * FROM turn WHERE end_json IS NULL AND ? IS NOT NULL",
            "SELECT * FROM trace_chunk WHERE conversation_id = ? AND kind = 'records' ORDER BY first",
            "SELECT * FROM trace_chunk WHERE request_id = ? AND kind = 'frames' ORDER BY first",
            "SELECT * FROM request WHERE conversation_id = ?",
            "SELECT * FROM request_blob WHERE sha256 = ?",
            "SELECT sum(size_bytes) FROM trace_chunk WHERE ? IS NOT NULL",
        ):
            plan = " ".join(row[3] for row in connection.execute("EXPLAIN QUERY PLAN " + query, ("x",)))
            assert "INDEX" in plan, query
