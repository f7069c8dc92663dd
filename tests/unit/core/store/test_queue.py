"""Messages that wait are kept, over a restart and a crash, and nothing of them is sent twice."""

import sqlite3
from contextlib import closing

import pytest

from agdesk.core.cycle.queue import Pause
from agdesk.core.ir.blocks import BlobRef, File, Text
from agdesk.core.ir.messages import text_of
from agdesk.core.ir.queued import QueuedMessage
from agdesk.core.providers.scripted import Pause as ScriptPause
from agdesk.core.providers.scripted import text_answer
from tests.fakes.storing import Recorded, open_store
from tests.fakes.workspace import scripted_workspace

FIRST = QueuedMessage("turn-1", (Text("first\n第二行 \ud83d"),))
SECOND = QueuedMessage("turn-2", (Text("second"),))
THIRD = QueuedMessage("turn-3", (Text("third"),))
SLOW = (*text_answer("slow")[:2], ScriptPause(60))


def rows(folder, statement="SELECT id FROM queue ORDER BY place"):
    with closing(sqlite3.connect(folder / "agdesk.db")) as connection:
        return connection.execute(statement).fetchall()


@pytest.mark.parametrize("has_message", [True, False])
async def test_they_come_back_in_their_order_as_they_were_last(tmp_path, has_message):
    store = open_store(tmp_path)
    if has_message:
        Recorded(store).turn("0")
    store.queues.set("chat", (FIRST, SECOND))
    store.queues.set("chat", (THIRD, FIRST, SECOND))
    edited = QueuedMessage("turn-1", (Text("edited"),))
    store.queues.set("chat", (SECOND, THIRD, edited))
    store.queues.set("chat", (SECOND, edited))
    store.queues.set("other", (QueuedMessage("turn-9", (Text("of another"),)),))
    await store.aclose()

    store = open_store(tmp_path)
    assert store.queues.load("chat") == (SECOND, edited)
    await store.aclose()


async def test_a_message_whose_turn_is_recorded_waits_no_more_whenever_the_crash_came(tmp_path):
    store = open_store(tmp_path)
    store.queues.set("chat", (FIRST, SECOND))
    await store.settled()
    Recorded(store).turn("1")  # the record of its turn is kept, what takes it out of the queue is not
    await store.aclose()

    store = open_store(tmp_path)
    assert store.queues.load("chat") == (SECOND,)
    assert rows(tmp_path) == [("turn-2",)]
    await store.aclose()


async def test_they_go_with_their_conversation(tmp_path):
    store = open_store(tmp_path)
    Recorded(store).turn("0")
    store.queues.set("chat", (FIRST,))
    store.conversations.delete("chat")
    await store.aclose()
    assert rows(tmp_path) == []


async def test_what_cannot_be_read_is_left_out_and_the_others_stay(tmp_path, caplog):
    store = open_store(tmp_path)
    store.queues.set("empty", (FIRST, SECOND))
    await store.aclose()
    with closing(sqlite3.connect(tmp_path / "agdesk.db")) as connection:
        connection.execute("UPDATE queue SET json = x'7b' WHERE id = 'turn-1'")
        connection.commit()

    store = open_store(tmp_path)
    assert store.queues.of_empty("empty") == (SECOND,)
    assert "cannot be read" in caplog.text
    caplog.clear()
    await store.aclose()


async def test_what_is_attached_is_held_while_the_message_waits(tmp_path):
    store = open_store(tmp_path)
    reference = store.held.keep(b"content of the file")
    assert isinstance(reference, BlobRef)
    store.queues.set("empty", (QueuedMessage("turn-1", (Text("look"), File(reference, "text/plain", "x.txt"))),))
    await store.aclose()
    assert rows(tmp_path, "SELECT owner FROM held_blob") == [("queue:turn-1",)]

    store = open_store(tmp_path)
    assert store.blob(reference) == b"content of the file"
    store.queues.set("empty", ())
    await store.aclose()
    assert rows(tmp_path, "SELECT owner FROM held_blob") == []


async def test_a_conversation_is_opened_with_what_waited_paused(tmp_path):
    workspace, _ = scripted_workspace(tmp_path, SLOW)
    session = workspace.open_session(session_id="chat")
    session.submit("one")
    session.queue.add("two")
    session.queue.add("three")
    await workspace.store.settled()
    await workspace.aclose()

    workspace, provider = scripted_workspace(tmp_path, text_answer("fine"), text_answer("fine"))
    session, _ = await workspace.open_conversation("chat")
    assert [text_of(item.content) for item in session.queue.items] == ["two", "three"]
    assert session.queue.pause_reason == Pause("kept")
    assert provider.requests == []
    await workspace.close_session(session)
    session, _ = await workspace.open_conversation("chat")  # in the same run
    assert [text_of(item.content) for item in session.queue.items] == ["two", "three"]
    await workspace.aclose()


async def test_what_was_sent_from_the_queue_is_gone_from_it_after_a_restart(tmp_path):
    workspace, _ = scripted_workspace(tmp_path, text_answer("a"), text_answer("b"))
    session = workspace.open_session(session_id="chat")
    task = session.submit("one")
    session.queue.add("two")
    await task
    while session.is_running or session.queue.items:
        assert session._task is not None
        await session._task
    await workspace.aclose()
    assert rows(tmp_path) == []
    assert rows(tmp_path, "SELECT count(*) FROM turn") == [(2,)]


async def test_a_known_key_in_a_message_that_waits_is_not_written(tmp_path):
    workspace, _ = scripted_workspace(tmp_path, SLOW)
    workspace.registry.secrets.add("sk-a-known-secret")
    session = workspace.open_session(session_id="chat")
    session.submit("one")
    session.queue.add("use sk-a-known-secret")
    await workspace.aclose()
    assert all(b"sk-a-known-secret" not in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert len(rows(tmp_path)) == 1
