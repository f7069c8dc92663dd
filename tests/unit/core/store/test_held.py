"""What is attached stays as long as its message or draft does, whatever the budget of traces, and goes with it."""

import asyncio

import pytest

from agdesk.core.ir.blocks import BlobRef, File, Image, Text
from agdesk.core.ir.messages import User
from agdesk.core.store.store import Store
from agdesk.core.store.values import Conversation
from agdesk.core.trace.events import BranchDeleted, TurnCompleted, TurnStarted
from agdesk.core.trace.recorder import Recorder
from tests.fakes.storing import Recorded

LARGE = b"\x01" * 200_000  # a file of its own
SMALL = b"\x02" * 100


@pytest.fixture
def opened(tmp_path):
    """Opens the store of the test's folder."""
    return lambda budget_bytes=10_000_000: Store.open(tmp_path, budget_bytes=lambda: budget_bytes)


def image(reference):
    return Image(reference, "image/png", "a.png")


async def kept(store, content):
    reference = store.held.keep(content)
    await store.settled()
    return reference


async def said(store, *blocks, conversation_id="c"):
    """Stores a message and gives the recorder, which is no longer followed."""
    recorder = Recorder(conversation_id)
    unfollow = store.follow(recorder, Conversation(conversation_id, "", "t/m", 0, 0, 0))
    recorder.turn_id = f"turn-{conversation_id}"
    recorder.emit(TurnStarted(User(blocks), "t/m"))
    recorder.emit(TurnCompleted())
    unfollow()
    await store.settled()
    return recorder


async def until(condition):
    async with asyncio.timeout(15):
        while not condition():
            await asyncio.sleep(0.02)


def is_merged(store):
    """Whether the trace of every request is merged, after which the budget is looked at."""
    with store._reading() as connection:
        return not connection.execute("SELECT 1 FROM request WHERE NOT is_closed").fetchone()


def files(tmp_path):
    folder = tmp_path / "blobs"
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


async def test_bytes_can_be_read_at_once_and_after_a_restart_of_their_message(opened):
    store = opened()
    large, small = await kept(store, LARGE), await kept(store, SMALL)
    assert store.blob(large) == LARGE
    await said(store, image(large), File(small, "text/plain", "a.txt"), Text("look"))
    await store.aclose()
    again = opened()
    message = again.load("c").messages[0]
    assert message.content == (image(large), File(small, "text/plain", "a.txt"), Text("look"))
    assert (again.blob(large), again.blob(small)) == (LARGE, SMALL)
    await again.aclose()


async def test_the_same_bytes_are_kept_once(opened, tmp_path):
    store = opened()
    first, second = await kept(store, LARGE), await kept(store, LARGE)
    await store.settled()
    assert first == second and files(tmp_path) == [first.sha256]
    await store.aclose()


async def test_what_nobody_holds_goes_when_the_store_closes(opened, tmp_path):
    store = opened()
    reference = await kept(store, LARGE)
    await store.settled()
    assert files(tmp_path) == [reference.sha256]
    await store.aclose()
    assert files(tmp_path) == []


async def test_the_budget_of_traces_takes_no_attachment_and_does_not_count_it(opened, tmp_path):
    store = opened(budget_bytes=150_000)
    reference = await kept(store, LARGE)
    await said(store, image(reference))
    chat = Recorded(store, "traced")
    chat.turn("1")
    await store.settled()
    await until(lambda: is_merged(store))
    assert store.blob(reference) == LARGE
    assert store.body("req-1") is not None
    chat.unfollow()
    await store.aclose()


async def test_bytes_that_are_held_outlive_the_request_that_sent_the_same(opened):
    store = opened(budget_bytes=0)
    reference = await kept(store, LARGE)
    await said(store, image(reference))
    chat = Recorded(store, "traced")
    chat.finish(chat.begin("1", request_body=LARGE), "done")
    await store.settled()
    await until(lambda: store.body("req-1") is None and is_merged(store))
    assert store.blob(reference) == LARGE
    chat.unfollow()
    await store.aclose()


async def test_attachments_go_with_their_conversation(opened, tmp_path):
    store = opened()
    reference = await kept(store, LARGE)
    await said(store, image(reference))
    store.conversations.delete("c")
    await store.aclose()
    assert files(tmp_path) == []


async def test_attachments_go_with_their_branch_unless_another_message_has_them(opened, tmp_path):
    store = opened()
    shared, own = await kept(store, LARGE), await kept(store, LARGE + b"own")
    await said(store, image(shared), conversation_id="other")
    recorder = Recorder("c")
    unfollow = store.follow(recorder, Conversation("c", "", "t/m", 0, 0, 0))
    recorder.turn_id = "turn-c"
    recorder.emit(TurnStarted(User((image(shared), image(own))), "t/m"))
    recorder.emit(TurnCompleted())
    recorder.emit(BranchDeleted("turn-c"))
    unfollow()
    await store.aclose()
    assert files(tmp_path) == [shared.sha256]


async def test_a_draft_keeps_its_attachments_beside_its_text_until_both_are_gone(opened, tmp_path):
    store = opened()
    reference = await kept(store, LARGE)
    store.held.set_draft("c", (image(reference),))
    store.set_draft("c", "text")
    await store.aclose()
    again = opened()
    assert again.held.of_draft("c") == (image(reference),) and again.draft("c") == "text"
    again.set_draft("c", "")
    await again.settled()
    assert again.held.of_draft("c") == (image(reference),)
    again.held.set_draft("c", ())
    await again.aclose()
    assert files(tmp_path) == []
    third = opened()
    assert third.held.of_draft("c") == ()
    await third.aclose()


async def test_a_sent_draft_hands_its_bytes_on_whatever_comes_first(opened):
    store = opened()
    reference = await kept(store, LARGE)
    store.held.set_draft("c", (image(reference),))
    await store.settled()
    store.held.set_draft("c", ())
    await store.settled()
    await said(store, image(reference))
    await store.aclose()
    again = opened()
    assert again.blob(reference) == LARGE
    await again.aclose()


async def test_what_is_not_kept_is_none(opened):
    store = opened()
    assert store.blob(BlobRef("0" * 64, 3)) is None
    await store.aclose()
