"""CHAT4: what is written in place of a message is kept until it is finished, or its conversation is gone."""

from agdesk.core.store.values import UnfinishedEdit
from tests.fakes.storing import Recorded, open_store

EDIT = UnfinishedEdit("turn-a/user", "half a \ud800 thought")


async def reopened(store, folder):
    await store.settled()
    await store.aclose()
    return open_store(folder)


async def test_an_edit_is_there_after_a_restart_until_it_is_finished(tmp_path):
    store = open_store(tmp_path)
    assert store.edits.load("chat") is None
    store.edits.set("chat", UnfinishedEdit("turn-a/user", "half"))
    store.edits.set("chat", EDIT)
    assert store.edits.load("chat") == EDIT
    store = await reopened(store, tmp_path)
    assert store.edits.load("chat") == EDIT
    assert store.edits.load("other") is None
    store.edits.set("chat", None)
    assert store.edits.load("chat") is None
    store = await reopened(store, tmp_path)
    assert store.edits.load("chat") is None
    await store.aclose()


async def test_an_edit_goes_with_its_conversation(tmp_path):
    store = open_store(tmp_path)
    Recorded(store, "chat").turn("a", "hello", ("an answer",))
    await store.settled()
    store.edits.set("chat", EDIT)
    store.conversations.delete("chat")
    store = await reopened(store, tmp_path)
    assert store.edits.load("chat") is None
    await store.aclose()
