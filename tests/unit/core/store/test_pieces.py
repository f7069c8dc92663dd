"""A long conversation: its end is there at once, and the rest comes in pieces."""

import asyncio
import sqlite3
from contextlib import closing

import pytest

from agdesk.core.errors import ConfigurationError, StoreError
from agdesk.core.ir.blocks import Text
from agdesk.core.ir.messages import text_of
from agdesk.core.ir.queued import QueuedMessage
from agdesk.core.ir.response import Usage
from agdesk.core.providers.scripted import text_answer
from agdesk.core.store import loading, pieces
from agdesk.core.trace.events import TurnStarted, Unknown
from tests.fakes.storing import Recorded, open_store
from tests.fakes.workspace import scripted_workspace

TURNS = 12


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch):
    monkeypatch.setattr(loading, "SHORT_MESSAGES", 10)
    monkeypatch.setattr(loading, "END_MESSAGES", 6)
    monkeypatch.setattr(pieces, "PIECE_RECORDS", 7)


def texts(messages):
    return [text_of(message.content) for message in messages]


async def store_turns(tmp_path, count=TURNS):
    workspace, _ = scripted_workspace(
        tmp_path, *(text_answer(f"a{number}", usage=Usage(10, number)) for number in range(count))
    )
    session = workspace.open_session(session_id="chat")
    for number in range(count):
        await session.submit(f"q{number}")
    await workspace.aclose()
    return session


async def completed(workspace, session, end):
    records = []
    async for piece in workspace.load_rest(session, before_seq=end[0].seq):
        records += piece
    session.complete()
    return records


async def test_the_end_of_a_long_conversation_begins_with_what_the_user_said(tmp_path):
    await store_turns(tmp_path)
    workspace, _ = scripted_workspace(tmp_path)
    session, end = await workspace.open_conversation("chat")
    assert not session.is_whole
    assert isinstance(end[0].payload, TurnStarted)
    said = [text_of(record.payload.message.content) for record in end if isinstance(record.payload, TurnStarted)]
    assert said == ["q9", "q10", "q11"]
    await workspace.aclose()


async def test_a_short_conversation_is_whole_at_once(tmp_path):
    await store_turns(tmp_path, count=2)
    workspace, _ = scripted_workspace(tmp_path)
    session, records = await workspace.open_conversation("chat")
    assert session.is_whole
    assert len(records) == 6
    await workspace.aclose()


async def test_nothing_begins_before_the_rest_is_there_and_then_it_goes_with_all_of_it(tmp_path):
    await store_turns(tmp_path)
    workspace, provider = scripted_workspace(tmp_path, text_answer("done"))
    session, end = await workspace.open_conversation("chat")
    for begin in (lambda: session.submit("too soon"), session.regenerate, lambda: session.edit("x", "y")):
        with pytest.raises(ConfigurationError):
            begin()
    leaf_id = session.branches.tree.path()[-1].id
    for move in (session.select, session.delete):
        with pytest.raises(ConfigurationError):
            await move(leaf_id)
    with pytest.raises(ConfigurationError):
        await workspace.rendered(session, "test/model")
    assert session.queue.must_wait
    session.queue.add("at once")
    assert not provider.requests
    records = await completed(workspace, session, end)
    while session.is_running or session.queue.unsent:
        await asyncio.sleep(0.005)
    expected = [text for number in range(TURNS) for text in (f"q{number}", f"a{number}")]
    assert texts(provider.requests[0].messages) == [*expected, "at once"]
    assert records[-1].seq < end[0].seq
    assert texts(node.message for node in session.branches.tree.path()) == [*expected, "at once", "done"]
    await workspace.aclose()


async def test_what_it_cost_is_counted_once_all_is_there(tmp_path):
    live = await store_turns(tmp_path)
    workspace, _ = scripted_workspace(tmp_path)
    session, end = await workspace.open_conversation("chat")
    assert session.cost.request_count == 0
    await completed(workspace, session, end)
    assert vars(session.cost) == vars(live.cost)
    await workspace.aclose()


async def test_what_has_waited_since_an_earlier_start_is_not_sent_when_the_rest_is_there(tmp_path):
    await store_turns(tmp_path)
    workspace, _ = scripted_workspace(tmp_path)
    session, end = await workspace.open_conversation("chat")
    await completed(workspace, session, end)
    session.queue.insert(0, QueuedMessage("turn-waiting", (Text("later"),)))
    await workspace.close_session(session)
    session, end = await workspace.open_conversation("chat")
    await completed(workspace, session, end)
    assert session.queue.is_paused
    assert not session.is_running
    await workspace.aclose()


def test_the_end_is_at_the_active_path_though_newer_messages_stand_elsewhere(tmp_path):
    store = open_store(tmp_path)
    recorded = Recorded(store)
    for number in range(TURNS):
        recorded.turn(str(number), text=f"q{number}")
    store._writer.flushed().result()
    with closing(sqlite3.connect(tmp_path / "agdesk.db")) as connection, connection:
        connection.execute("UPDATE conversation SET leaf_id = 'req-7'")
    end, whole = store.long.end("chat"), store.load("chat")
    assert not end.is_whole
    assert end.records == whole.records[-len(end.records) :]
    assert end.tree.path()[-1].id == "req-7"
    store._close()


def test_a_message_that_cannot_be_read_is_told_of_in_its_place(tmp_path):
    store = open_store(tmp_path)
    recorded = Recorded(store)
    for number in range(TURNS):
        recorded.turn(str(number), text=f"q{number}")
    store._writer.flushed().result()
    with closing(sqlite3.connect(tmp_path / "agdesk.db")) as connection, connection:
        connection.execute("UPDATE message SET json = X'00' WHERE id IN ('turn-3', 'req-10')")
    whole, end, outline = store.load("chat"), store.long.end("chat"), store.long.outline("chat")
    found = [record for piece in store.long.pieces("chat", outline) for record in piece.records]
    assert tuple(found) == whole.records
    assert sum(isinstance(record.payload, Unknown) for record in found) == 2
    assert end.records == whole.records[-len(end.records) :]
    store._close()


async def test_a_conversation_that_is_gone_is_no_outline_of_nothing(tmp_path):
    workspace, _ = scripted_workspace(tmp_path)
    with pytest.raises(StoreError):
        workspace.store.long.end("nobody")
    with pytest.raises(StoreError):
        workspace.store.long.outline("nobody")
    await workspace.aclose()
