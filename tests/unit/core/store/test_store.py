"""What is recorded is there again after the program has ended: messages, traces, bodies, drafts."""

import sqlite3
import stat
from contextlib import closing

import pytest

from agdesk.core.errors import ErrorRecord, StoreError
from agdesk.core.ir.blocks import BlobRef
from agdesk.core.ir.messages import user
from agdesk.core.ir.response import EndCause, Usage
from agdesk.core.ir.stream import TextDelta
from agdesk.core.providers.scripted import text_answer
from agdesk.core.store.loading import BATCH_RECORDS
from agdesk.core.trace.events import (
    ResponseReceived,
    StreamEventReceived,
    TurnCancelled,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
)
from agdesk.core.trace.recorder import Recorder, RequestTrace
from tests.fakes.storing import Recorded, conversation_of, open_store, response_of, scripted_session, trace_of

MILESTONES = (TurnStarted, ResponseReceived, TurnCompleted, TurnFailed, TurnCancelled)


def painting(records):
    return tuple(record for record in records if isinstance(record.payload, MILESTONES))


async def test_a_turn_of_the_real_cycle_is_there_again_as_it_was_recorded(tmp_path):
    store = open_store(tmp_path)
    recorder = Recorder("chat")
    records = []
    recorder.records.subscribe(records.append)
    session, _ = scripted_session(store, recorder, text_answer("Bon", "jour", usage=Usage(3, 2)))
    await session.submit("hello")
    await store.aclose()

    store = open_store(tmp_path)
    stored = store.load("chat")
    assert stored.messages == (user("hello"), records[-2].payload.response.message)
    assert stored.records == painting(records)
    assert stored.last_seq == records[-1].seq
    assert stored.usages == (("test/model", records[-2].payload.response.usage),)
    assert trace_of(store, "chat") == records
    await store.aclose()


async def test_a_conversation_is_continued_after_a_restart(tmp_path):
    store = open_store(tmp_path)
    session, _ = scripted_session(store, Recorder("chat"), text_answer("one"))
    await session.submit("first")
    await store.aclose()

    store = open_store(tmp_path)
    stored = store.load("chat")
    recorder = Recorder(
        "chat",
        wall_start_ns=stored.conversation.wall_start_ns,
        last_seq=stored.last_seq,
        last_ts_ns=stored.records[-1].ts_ns,
    )
    session, provider = scripted_session(store, recorder, text_answer("two"), messages=stored.messages)
    await session.submit("second")
    await store.settled()

    trace = trace_of(store, "chat")
    assert [record.seq for record in trace] == list(range(1, len(trace) + 1))
    assert [message.content[0].text for message in store.load("chat").messages] == ["first", "one", "second", "two"]
    assert len(provider.requests[0].messages) == 3
    await store.aclose()


async def test_records_bodies_and_blobs_are_kept_byte_for_byte(tmp_path):
    store = open_store(tmp_path)
    chat = Recorded(store)
    small, large = b"small body", b"large body " * 10_000
    request = chat.begin("1", request_body=small)
    small_ref = chat.body_ref
    end = chat.stream(request, *[f"word {i} " for i in range(3_000)])
    await store.settled()
    end = chat.stream(request, *[f"more {i} " for i in range(3_000)], start=end)
    chat.finish(request, "all", byte_count=end)
    request = chat.begin("2", request_body=large)
    large_ref = chat.body_ref
    chat.finish(request, "nothing")
    body = b"".join(f"data: {word} {i} \n\n".encode() for word in ("word", "more") for i in range(3_000))

    await store.settled()
    assert (trace_of(store, "chat"), store.body("req-1")) == (chat.records, body)
    await store.aclose()

    store = open_store(tmp_path)
    assert trace_of(store, "chat") == chat.records
    assert max(len(batch) for batch in store.trace("chat")) <= BATCH_RECORDS
    assert store.body("req-1") == body
    assert store.body("req-2") is None
    assert (store.blob(small_ref), store.blob(large_ref)) == (small, large)
    assert store.blob(BlobRef("0" * 64, 5)) is None
    await store.aclose()


async def test_a_blob_that_changed_on_the_disk_is_not_given_out(tmp_path, caplog):
    store = open_store(tmp_path)
    chat = Recorded(store)
    chat.finish(chat.begin("1", request_body=b"x" * 100_000), "done")
    await store.settled()
    (file,) = (tmp_path / "blobs").iterdir()
    file.write_bytes(b"y" * 100_000)

    assert store.blob(chat.body_ref) is None
    assert "damaged" in caplog.text
    file.unlink()
    assert store.blob(chat.body_ref) is None
    await store.aclose()


async def test_records_of_requests_that_ran_side_by_side_come_in_order(tmp_path):
    store = open_store(tmp_path)
    chat = Recorded(store)
    one = chat.begin("1")
    two = RequestTrace(chat.recorder, "req-2")
    for i in range(2_500):
        (one if i % 2 else two).emit(StreamEventReceived(None, TextDelta(str(i), 0)))
    two.emit(ResponseReceived(response_of("two"), EndCause.SERVER))
    chat.finish(one, "one")
    await store.settled()

    assert trace_of(store, "chat") == chat.records
    await store.aclose()


async def test_what_a_conversation_may_not_record_is_not_kept_but_its_messages_are(tmp_path):
    store = open_store(tmp_path)
    chat = Recorded(store, is_traced=False)
    chat.turn("1")
    await store.settled()
    assert tuple(trace_of(store, "chat")) == painting(chat.records) == store.load("chat").records
    assert store.body("req-1") is None
    assert store.blob(chat.body_ref) is None

    store.conversations.set_traced("chat", True)
    chat.turn("2")
    await store.settled()
    assert trace_of(store, "chat")[3:] == chat.records[len(chat.records) // 2 :]
    assert store.body("req-2")
    await store.aclose()


async def test_an_empty_conversation_can_be_told_not_to_record_before_its_first_turn(tmp_path):
    store = open_store(tmp_path)
    chat = Recorded(store)
    store.conversations.set_traced("chat", False)
    chat.turn("1")
    await store.aclose()

    store = open_store(tmp_path)
    assert store.conversations.get("chat").is_traced is False
    assert tuple(trace_of(store, "chat")) == painting(chat.records)
    await store.aclose()


async def test_nothing_is_kept_after_unfollowing(tmp_path):
    store = open_store(tmp_path)
    chat = Recorded(store)
    chat.turn("1")
    chat.unfollow()
    chat.unfollow()
    kept = list(chat.records)
    chat.turn("2")
    await store.settled()

    assert trace_of(store, "chat") == kept
    await store.aclose()


async def test_a_conversation_without_a_turn_leaves_nothing(tmp_path):
    store = open_store(tmp_path)
    chat = Recorded(store)
    chat.unfollow()
    assert store.conversations.all() == ()
    assert store.conversations.get("chat") is None
    with pytest.raises(StoreError, match="not stored"):
        store.load("chat")
    await store.aclose()


async def test_an_answer_without_content_is_painted_and_not_sent(tmp_path):
    store = open_store(tmp_path)
    chat = Recorded(store)
    request = chat.begin("1", "first")
    request.emit(ResponseReceived(response_of(""), EndCause.ERROR))
    chat.recorder.emit(TurnFailed(ErrorRecord("bug", "it failed")))
    chat.turn("2", "second", ("fine",))
    await store.settled()

    stored = store.load("chat")
    assert [message.content[0].text for message in stored.messages] == ["first", "second", "fine"]
    assert stored.records == painting(chat.records)
    assert len(stored.usages) == 2
    await store.aclose()


async def test_only_the_active_path_is_loaded(tmp_path):
    store = open_store(tmp_path)
    chat = Recorded(store)
    chat.turn("1", "first", ("left",))
    await store.settled()
    with closing(sqlite3.connect(tmp_path / "agdesk.db")) as connection, connection:
        connection.execute("UPDATE conversation SET leaf_id = 'turn-1'")  # nothing makes branches yet
    chat.turn("2", "second", ("right",))
    await store.settled()

    stored = store.load("chat")
    assert [message.content[0].text for message in stored.messages] == ["first", "second", "right"]
    assert len(stored.usages) == 2
    assert len(trace_of(store, "chat")) == len(chat.records)
    await store.aclose()


async def test_drafts_are_kept_until_they_are_emptied(tmp_path):
    store = open_store(tmp_path)
    store.set_draft("a", "half a thou")
    store.set_draft("a", "half a thought \ud800 \0")
    store.set_draft("b", "gone")
    assert store.draft("a") == "half a thought \ud800 \0"
    await store.aclose()

    store = open_store(tmp_path)
    assert store.draft("a") == "half a thought \ud800 \0"
    assert store.draft("nobody") == ""
    store.set_draft("b", "")
    await store.aclose()

    store = open_store(tmp_path)
    assert store.draft("b") == ""
    await store.aclose()


async def test_only_the_owner_may_read_what_is_stored(tmp_path):
    store = open_store(tmp_path)
    chat = Recorded(store)
    chat.finish(chat.begin("1", request_body=b"x" * 100_000), "done")
    await store.settled()

    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes == {
        "agdesk.db": 0o600,
        "agdesk.db-wal": 0o600,
        "agdesk.db-shm": 0o600,
        "agdesk.lock": 0o600,
        "blobs": 0o700,
    }
    assert [stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "blobs").iterdir()] == [0o600]
    await store.aclose()


async def test_settled_is_refused_after_the_end(tmp_path):
    store = open_store(tmp_path)
    await store.aclose()
    with pytest.raises(StoreError, match="closed"):
        await store.settled()


async def test_a_change_that_cannot_be_stored_does_not_hold_up_the_others(tmp_path, caplog):
    store = open_store(tmp_path)
    chat = Recorded(store)
    chat.turn("1")
    chat.recorder.turn_id = "turn-1"
    chat.recorder.emit(TurnStarted(user("the same turn again"), "test/model"))
    chat.turn("2")
    await store.settled()

    assert "left out" in caplog.text
    assert store.state.condition == "ok"
    assert [message.content[0].text for message in store.load("chat").messages] == [
        "Hello",
        "Good day",
        "Hello",
        "Good day",
    ]
    await store.aclose()


async def test_two_sessions_may_end_in_any_order(tmp_path):
    store = open_store(tmp_path)
    one, two = Recorded(store, "one"), Recorded(store, "two")
    first, second = one.begin("1"), two.begin("2")
    one.stream(first, "a")
    two.stream(second, "b")
    two.finish(second, "b")
    two.unfollow()
    one.finish(first, "a")
    await store.settled()

    assert (trace_of(store, "one"), trace_of(store, "two")) == (one.records, two.records)
    assert {row.id for row in store.conversations.all()} == {"one", "two"}
    assert store.load("two").conversation.created_ms == conversation_of(two.recorder).created_ms
    await store.aclose()
