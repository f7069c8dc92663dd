"""The list of conversations: what stands in it, in which order, and how it is kept."""

import asyncio

from tests.fakes.storing import Recorded, open_store


async def test_a_conversation_is_listed_with_its_first_turn_and_named_after_its_first_line(tmp_path):
    store = open_store(tmp_path)
    changed: list[str] = []
    store.conversations.changed.subscribe(changed.append)
    chat = Recorded(store)
    assert store.conversations.all() == ()

    chat.turn("1", "\n  How \t far is\u0007 it?\nSecond line")
    assert changed == ["chat"]
    (row,) = store.conversations.all()
    assert (row.id, row.title, row.model_ref) == ("chat", "How far is it?", "test/model")
    chat.turn("2", "Another question")
    assert store.conversations.get("chat").title == "How far is it?"
    await store.aclose()


async def test_a_title_is_cut_and_holds_only_what_can_be_shown(tmp_path):
    store = open_store(tmp_path)
    Recorded(store, "long").turn("1", "word " * 50)
    Recorded(store, "strange").turn("2", "\ud800a\0b\u202e")
    Recorded(store, "blank").turn("3", " \n ")
    await store.settled()
    titles = {row.id: row.title for row in store.conversations.all()}
    assert titles == {"long": ("word " * 12).rstrip(), "strange": "\ufffda b", "blank": ""}
    await store.aclose()

    store = open_store(tmp_path)
    assert {row.id: row.title for row in store.conversations.all()} == titles
    await store.aclose()


async def test_the_newest_turn_is_on_top_and_every_turn_makes_its_conversation_newer(tmp_path):
    store = open_store(tmp_path)
    one, two = Recorded(store, "one"), Recorded(store, "two")
    one.turn("1")
    first_ms = store.conversations.get("one").updated_ms
    await asyncio.sleep(0.002)  # two turns within a millisecond have no order
    two.turn("2")
    assert [row.id for row in store.conversations.all()] == ["two", "one"]
    await asyncio.sleep(0.002)
    one.turn("3")
    assert [row.id for row in store.conversations.all()] == ["one", "two"]
    assert store.conversations.get("one").updated_ms > first_ms
    await store.aclose()

    store = open_store(tmp_path)
    assert [row.id for row in store.conversations.all()] == ["one", "two"]
    await store.aclose()


async def test_what_the_user_changes_is_kept(tmp_path):
    store = open_store(tmp_path)
    Recorded(store).turn("1")
    changed: list[str] = []
    store.conversations.changed.subscribe(changed.append)
    store.conversations.rename("chat", " A better name \n")
    store.conversations.rename("chat", "  ")
    store.conversations.set_pinned("chat", True)
    store.conversations.set_pinned("chat", True)
    store.conversations.set_group("chat", "Work")
    store.conversations.set_traced("chat", False)
    store.conversations.rename("nobody", "x")
    row = store.conversations.get("chat")
    assert (row.title, row.is_pinned, row.group, row.is_traced) == ("A better name", True, "Work", False)
    assert changed == ["chat"] * 4
    await store.aclose()

    store = open_store(tmp_path)
    assert store.conversations.all() == (row,)
    await store.aclose()


async def test_a_change_right_after_the_first_record_is_kept(tmp_path):
    store = open_store(tmp_path)
    chat = Recorded(store)
    chat.begin("1")
    store.conversations.rename("chat", "Renamed while it answers")
    await store.aclose()

    store = open_store(tmp_path)
    assert store.conversations.get("chat").title == "Renamed while it answers"
    await store.aclose()


async def test_a_deleted_conversation_can_be_restored_until_the_end(tmp_path):
    store = open_store(tmp_path)
    Recorded(store).turn("1")
    changed: list[str] = []
    store.conversations.changed.subscribe(changed.append)
    store.conversations.delete("chat")
    store.conversations.delete("chat")
    assert store.conversations.all() == ()
    assert store.conversations.get("chat") is None
    store.conversations.restore("chat")
    store.conversations.restore("chat")
    assert [row.id for row in store.conversations.all()] == ["chat"]
    assert changed == ["chat", "chat"]
    await store.aclose()

    store = open_store(tmp_path)
    assert len(store.load("chat").messages) == 2
    await store.aclose()


async def test_a_turn_in_a_deleted_conversation_restores_it(tmp_path):
    store = open_store(tmp_path)
    chat = Recorded(store)
    chat.turn("1")
    store.conversations.delete("chat")
    chat.turn("2")
    await store.aclose()

    store = open_store(tmp_path)
    assert len(store.load("chat").messages) == 4
    await store.aclose()
