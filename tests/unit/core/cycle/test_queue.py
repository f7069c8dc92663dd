"""Messages that wait: each has a turn of its own, in order, and whatever goes wrong pauses them (CHAT6)."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agdesk.core.cycle import AgentSession, SessionServices
from agdesk.core.cycle.queue import MessageQueue, Pause, QueuedMessage
from agdesk.core.errors import ConfigurationError, ErrorRecord, StoreError, TransportError
from agdesk.core.ir.blocks import File, Text, Url
from agdesk.core.ir.messages import text_of
from agdesk.core.providers.scripted import Pause as ScriptPause
from agdesk.core.providers.scripted import ScriptedProvider, text_answer
from agdesk.core.trace.events import TurnCancelled, TurnCompleted, TurnFailed, TurnStarted
from agdesk.core.trace.recorder import Recorder

BROKEN = TransportError("The connection broke", "Try again.", is_retryable=False)


class Conversation:
    """A session over scripts, with what it recorded."""

    def __init__(self, *scripts, **services):
        async def connect(_provider_id):
            return self.provider

        async def price(_model_ref, _usage):
            return None

        self.provider = ScriptedProvider(scripts)
        usual = {"connect": connect, "price": price, "wire_of": lambda _provider_id: "wire"}
        self.session = AgentSession("test/m", services=SessionServices(**{**usual, **services}), recorder=Recorder("s"))
        self.queue = self.session.queue
        self.sent: list[str] = []
        self.ends: list[type] = []
        self.session.records.subscribe(self._take)

    def _take(self, record):
        if isinstance(record.payload, TurnStarted):
            self.sent.append(text_of(record.payload.message.content))
        elif isinstance(record.payload, TurnCompleted | TurnFailed | TurnCancelled):
            self.ends.append(type(record.payload))

    def waiting(self):
        return [text_of(item.content) for item in self.queue.items]

    async def until(self, is_true):
        async with asyncio.timeout(20):
            while not is_true():
                await asyncio.sleep(0)

    async def idle(self):
        await self.until(lambda: not self.session.is_running and not self.queue.is_going_on)


async def test_each_message_has_a_turn_of_its_own_in_the_order_of_writing():
    chat = Conversation(*[text_answer(f"answer {number}") for number in range(4)])
    chat.session.submit("one")
    for text in ("two", "three", "four"):
        assert chat.queue.must_wait
        chat.queue.add(text)
    assert chat.waiting() == ["two", "three", "four"]
    await chat.idle()
    assert chat.sent == ["one", "two", "three", "four"]
    assert chat.ends == [TurnCompleted] * 4
    assert len(chat.session.branches.tree.path()) == 8
    assert not chat.queue.must_wait


async def test_a_failed_answer_pauses_it_and_says_what_failed():
    chat = Conversation((BROKEN,), text_answer("fine"))
    chat.session.submit("one")
    chat.queue.add("two")
    await chat.idle()
    assert chat.sent == ["one"]
    assert chat.queue.pause_reason.cause == "failed"
    assert chat.queue.pause_reason.error.message == "The connection broke"
    chat.queue.resume()
    await chat.idle()
    assert chat.sent == ["one", "two"]
    assert not chat.queue.is_paused


async def test_a_failed_message_of_its_own_pauses_what_follows_it():
    chat = Conversation(text_answer("fine"), (BROKEN,), text_answer("fine"))
    chat.session.submit("one")
    chat.queue.add("two")
    chat.queue.add("three")
    await chat.idle()
    assert chat.sent == ["one", "two"]
    assert chat.waiting() == ["three"]
    assert chat.queue.pause_reason.cause == "failed"


async def test_stopping_the_answer_pauses_it():
    chat = Conversation((*text_answer("slow")[:2], ScriptPause(60)), text_answer("fine"))
    chat.session.submit("one")
    await chat.until(lambda: chat.sent)
    chat.queue.add("two")
    chat.session.cancel()
    await chat.idle()
    assert chat.ends == [TurnCancelled]
    assert chat.queue.pause_reason == Pause("stopped")
    assert chat.waiting() == ["two"]


async def test_stopping_before_a_waiting_message_has_begun_puts_it_back():
    chat = Conversation(text_answer("fine"), text_answer("fine"))
    await chat.session.submit("one")
    chat.queue.add("two")  # nothing is under way: it begins at once
    chat.queue.add("three")
    assert (chat.waiting(), len(chat.queue.unsent)) == (["three"], 2)
    chat.session.cancel()
    await chat.until(lambda: not chat.session.is_running and len(chat.queue.items) == 2)
    assert chat.sent == ["one"]
    assert chat.waiting() == ["two", "three"]
    assert chat.queue.is_paused


async def test_a_pause_lets_the_answer_that_is_coming_end_and_sends_nothing_more():
    chat = Conversation(text_answer("fine"), text_answer("fine"))
    chat.session.submit("one")
    chat.queue.add("two")
    chat.queue.pause()
    await chat.idle()
    assert chat.ends == [TurnCompleted]
    assert chat.queue.pause_reason == Pause("user")
    assert not chat.queue.must_wait  # who sends now, sends now
    await chat.session.submit("between")
    assert chat.sent == ["one", "between"]
    assert chat.waiting() == ["two"]


async def test_resuming_while_an_answer_comes_waits_for_its_end():
    chat = Conversation(text_answer("fine"), text_answer("fine"))
    chat.session.submit("one")
    chat.queue.add("two")
    chat.queue.pause()
    chat.queue.resume()
    assert chat.waiting() == ["two"]
    await chat.idle()
    assert chat.sent == ["one", "two"]


async def test_what_is_sent_at_the_very_moment_an_answer_ends_queues_up_behind_what_waits():
    chat = Conversation(*[text_answer("fine")] * 3)
    at_the_end: list[bool] = []

    def send(record):
        if isinstance(record.payload, TurnCompleted) and not at_the_end:
            at_the_end.append(chat.queue.must_wait)
            chat.queue.add("three")

    chat.session.records.subscribe(send)
    task = chat.session.submit("one")
    chat.queue.add("two")
    await task
    at_the_end.append(chat.queue.must_wait)
    await chat.idle()
    assert at_the_end == [True, True]
    assert chat.sent == ["one", "two", "three"]


async def test_what_cannot_be_kept_is_not_taken_and_what_cannot_be_started_stays():
    is_full = False

    def check():
        if is_full:
            raise StoreError("The disk is full", "Free some space.")

    chat = Conversation(text_answer("fine"), text_answer("fine"), check_can_keep=check)
    chat.session.submit("one")
    chat.queue.add("two")
    is_full = True
    with pytest.raises(StoreError):
        chat.queue.add("three")
    await chat.idle()
    assert chat.waiting() == ["two"]
    assert (chat.queue.pause_reason.cause, chat.queue.pause_reason.error.message) == ("refused", "The disk is full")
    chat.queue.resume()  # it is still full
    assert chat.queue.pause_reason.cause == "refused"
    is_full = False
    chat.queue.resume()
    await chat.idle()
    assert chat.sent == ["one", "two"]


async def test_nothing_begins_while_it_is_held():
    chat = Conversation(text_answer("fine"), text_answer("fine"))
    is_held = True
    chat.queue.is_held = lambda: is_held
    chat.session.submit("one")
    chat.queue.add("two")
    await chat.until(lambda: not chat.session.is_running)
    await asyncio.sleep(0.01)
    assert (chat.waiting(), chat.queue.is_going_on, chat.queue.must_wait) == (["two"], False, True)
    is_held = False
    chat.queue.proceed()
    await chat.idle()
    assert chat.sent == ["one", "two"]


async def test_a_closed_conversation_begins_nothing_and_loses_nothing():
    chat = Conversation(text_answer("fine"), text_answer("fine"))
    task = chat.session.submit("one")
    chat.queue.add("two")
    await task
    await chat.session.aclose()
    await asyncio.sleep(0.01)
    assert chat.sent == ["one"]
    assert chat.waiting() == ["two"]


async def test_a_key_is_replaced_when_it_is_put_in_when_it_is_edited_and_when_it_became_known_meanwhile():
    secrets = ["sk-early-secret"]

    def redact(text):
        for secret in secrets:
            text = text.replace(secret, "*" * len(secret))
        return text

    chat = Conversation(*[text_answer("fine")] * 4, redact=redact)
    chat.session.submit("one")
    edited = chat.queue.add("two")
    chat.queue.add("use sk-early-secret")
    chat.queue.add("use sk-later-secret")
    chat.queue.edit(edited.id, "edited sk-early-secret")
    assert "early" not in repr(chat.queue.items)
    secrets.append("sk-later-secret")
    await chat.idle()
    assert len(chat.sent) == 4
    assert "secret" not in "".join(chat.sent)
    assert "secret" not in repr(chat.provider.requests)


async def test_editing_changes_the_text_and_leaves_what_is_attached():
    file = File(Url("data:text/plain;base64,eA=="), "text/plain", "x.txt")
    chat = Conversation(text_answer("fine"), text_answer("fine"))
    chat.session.submit("one")
    item = chat.queue.add((Text("look"), file))
    chat.queue.edit(item.id, "look closely")
    assert chat.queue.items == (QueuedMessage(item.id, (Text("look closely"), file)),)
    await chat.idle()
    assert chat.sent == ["one", "look closely"]
    chat.queue.edit(item.id, "too late")
    assert chat.queue.items == ()


def blocks_of(content):
    return (Text(content),) if isinstance(content, str) else content


def queue_of(*ids: str, is_busy: bool = True) -> MessageQueue:
    queue = MessageQueue(start=lambda _item: None, check=lambda: None, is_busy=lambda: is_busy, said=blocks_of)
    queue.restore(tuple(QueuedMessage(item_id, (Text(item_id),)) for item_id in ids))
    return queue


def ids_of(queue: MessageQueue) -> str:
    return "".join(item.id for item in queue.items)


@given(st.integers(0, 4), st.integers(-2, 8))
def test_a_moved_message_has_the_place_it_was_given_and_the_others_keep_their_order(source, target):
    queue = queue_of(*"abcde")
    moved = "abcde"[source]
    queue.move(moved, target)
    order = ids_of(queue)
    assert order.index(moved) == min(4, max(0, target))
    assert order.replace(moved, "") == "abcde".replace(moved, "")


def test_a_removed_message_goes_back_to_its_place_and_is_not_sent_by_itself():
    queue = queue_of("a", is_busy=False)
    queue.resume()  # the one message is begun
    assert ids_of(queue) == ""
    queue = queue_of(*"abc")
    item = queue.items[1]
    place = queue.remove("b")
    assert place is not None
    assert (place, ids_of(queue), queue.remove("b")) == (1, "ac", None)
    queue.insert(place, item)
    assert ids_of(queue) == "abc"

    started: list[QueuedMessage] = []
    alone = MessageQueue(start=started.append, check=lambda: None, is_busy=lambda: False, said=blocks_of)
    alone.insert(0, item)
    alone.proceed()
    assert (started, alone.pause_reason) == ([], Pause("kept"))


def test_an_empty_queue_is_not_paused_and_the_next_message_does_not_find_it_so():
    queue = queue_of("a")
    assert queue.pause_reason == Pause("kept")
    queue.remove("a")
    assert not queue.is_paused
    queue.add("b")
    assert not queue.is_paused
    queue.pause("failed", ErrorRecord("x", "first"))
    queue.pause("stopped")
    assert queue.pause_reason.error.message == "first"


def test_a_turn_that_could_not_begin_names_its_reason():
    def refuse(_item):
        raise ConfigurationError("Not now", "Later.")

    queue = MessageQueue(start=refuse, check=lambda: None, is_busy=lambda: False, said=blocks_of)
    told: list[None] = []
    queue.changed.subscribe(told.append)
    queue.add("a")
    assert queue.pause_reason.cause == "refused"
    assert len(queue.items) == 1
    assert told
