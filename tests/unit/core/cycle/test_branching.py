"""CHAT4 in a session: edit, ask again, select, delete; nothing is overwritten, and the request is the path."""

import asyncio

import pytest

from agdesk.core.cycle import AgentSession, SessionServices
from agdesk.core.errors import ConfigurationError, ErrorCategory, ProviderRejection, StoreError
from agdesk.core.ir.blocks import File, Text, Thinking, Url
from agdesk.core.ir.messages import Assistant, Origin, User, text_of
from agdesk.core.ir.response import EndCause
from agdesk.core.ir.stream import ContentBlockStart, MessageStart, TextDelta, TextType
from agdesk.core.providers.scripted import Pause, ScriptedProvider, text_answer
from agdesk.core.trace.events import (
    BranchDeleted,
    BranchRestored,
    BranchSelected,
    RequestPrepared,
    ResponseReceived,
    TurnCancelled,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
)
from agdesk.core.trace.recorder import Recorder

ANSWERS = [text_answer(f"answer {number}") for number in range(1, 9)]
REJECTED = (ProviderRejection("No", "", category=ErrorCategory.INVALID_REQUEST, status=400),)
OF_THE_TREE = (TurnStarted, BranchSelected, BranchDeleted, BranchRestored)


async def free(_model_ref, _usage):
    return None


class Chat:
    """A session over scripts with everything it recorded, kept nowhere."""

    def __init__(self, *scripts, **services):
        self.provider = ScriptedProvider(scripts or ANSWERS)
        self.services = SessionServices(connect=self.connect, price=free, wire_of=lambda _: "wire", **services)
        self.session = AgentSession("test/m", services=self.services, recorder=Recorder("s"))
        self.records = []
        self.branches = []
        self.session.records.subscribe(self.records.append)
        self.session.branches.changed.subscribe(self.branches.append)

    async def connect(self, _provider_id):
        return self.provider

    @property
    def tree(self):
        return self.session.branches.tree

    def ids(self):
        return [node.id for node in self.tree.path()]

    def sent(self):
        return [text_of(message.content) for message in self.provider.requests[-1].messages]

    def said(self):
        return [text_of(message.content) for message in self.session.next_request("m").messages]

    def payloads(self, *kinds):
        return [record.payload for record in self.records if isinstance(record.payload, kinds)]


async def test_another_answer_is_a_sibling_and_is_asked_for_without_the_first():
    chat = Chat()
    await chat.session.submit("question")
    question, first = chat.ids()
    await chat.session.regenerate(first)
    assert chat.sent() == ["question"]
    assert chat.said() == ["question", "answer 2"]
    second = chat.ids()[1]
    assert [node.id for node in chat.tree.siblings(first)] == [first, second]
    assert text_of(chat.tree.node(first).message.content) == "answer 1"
    assert chat.payloads(TurnStarted)[1] == TurnStarted(User(()), "test/m", BranchSelected(question))
    assert [branch.shared_id for branch in chat.branches] == [question]


async def test_an_edited_question_starts_a_branch_of_its_own():
    chat = Chat()
    await chat.session.submit("first")
    await chat.session.submit("second")
    before = chat.ids()
    await chat.session.edit(before[2], "better")
    assert chat.sent() == ["first", "answer 1", "better"]
    assert chat.ids()[:2] == before[:2]
    assert [node.head for node in chat.tree.siblings(before[2])] == ["second", "better"]
    await chat.session.edit(before[0], "other")
    assert chat.sent() == ["other"]
    assert chat.payloads(TurnStarted)[-1].at == BranchSelected(None)
    await chat.session.select(before[3])
    assert chat.ids() == before
    assert chat.said() == ["first", "answer 1", "second", "answer 2"]


async def test_an_edited_answer_asks_nobody_and_is_what_the_next_request_repeats():
    chat = Chat()
    await chat.session.submit("question")
    outcome = await chat.session.edit(chat.ids()[1], "my words")
    assert outcome.error is None
    assert len(chat.provider.requests) == 1
    received = chat.payloads(ResponseReceived)[-1]
    assert received.end_cause is EndCause.EDITED
    assert received.response.message.origin == Origin("test", "m", "wire")
    assert chat.tree.node(chat.ids()[1]).end_cause is EndCause.EDITED
    assert isinstance(chat.records[-1].payload, TurnCompleted)
    assert not chat.payloads(RequestPrepared)[1:]
    assert chat.session.cost.request_count == 1
    await chat.session.submit("next")
    assert chat.sent() == ["question", "my words", "next"]


async def test_a_message_of_the_path_that_was_left_can_be_edited_and_answered_where_it_stands():
    chat = Chat()
    await chat.session.submit("first")
    await chat.session.submit("second")
    left = chat.ids()
    await chat.session.edit(left[0], "other")
    await chat.session.edit(left[2], "third")
    assert chat.sent() == ["first", "answer 1", "third"]
    await chat.session.regenerate(chat.tree.path_to(left[3])[1].id)
    assert chat.sent() == ["first"]


async def test_a_text_takes_the_place_of_text_and_blocks_that_of_everything():
    chat = Chat()
    file = File(Url("data:text/plain;base64,aGk="), "text/plain", "a.txt")
    await chat.session.submit((Text("look"), file))
    question = chat.ids()[0]
    await chat.session.edit(question, "see")
    assert chat.provider.requests[-1].messages == (User((Text("see"), file)),)
    await chat.session.edit(question, (Text("alone"),))
    assert chat.provider.requests[-1].messages == (User((Text("alone"),)),)


async def test_known_keys_are_replaced_in_what_is_edited():
    chat = Chat(redact=lambda text: text.replace("secret", "******"))
    await chat.session.submit((Text("a secret"),))
    assert chat.sent() == ["a ******"]
    await chat.session.edit(chat.ids()[0], "my secret")
    assert chat.sent() == ["my ******"]
    await chat.session.edit(chat.ids()[1], "the secret")
    assert chat.said()[1] == "the ******"


async def test_what_failed_is_asked_again_in_its_place():
    chat = Chat(REJECTED, *ANSWERS)
    await chat.session.submit("question")
    assert isinstance(chat.records[-1].payload, TurnFailed)
    await chat.session.regenerate()
    assert chat.sent() == ["question"]
    assert chat.said() == ["question", "answer 1"]
    assert chat.branches == []
    with pytest.raises(ConfigurationError):
        await Chat().session.regenerate()


async def test_a_turn_that_fails_still_stands_where_it_was_to_begin():
    chat = Chat(ANSWERS[0], ANSWERS[1], REJECTED, ANSWERS[2])
    await chat.session.submit("first")
    await chat.session.submit("second")
    await chat.session.edit(chat.ids()[2], "better")
    assert chat.said() == ["first", "answer 1", "better"]
    await chat.session.regenerate()
    assert chat.said() == ["first", "answer 1", "better", "answer 3"]


async def test_a_turn_that_is_stopped_at_once_stands_where_it_was_to_begin():
    async def never(_conversation_id, _changes):
        await asyncio.sleep(3600)

    chat = Chat()
    await chat.session.submit("first")
    await chat.session.submit("second")
    before = chat.ids()
    chat.session.branches._painting = never
    task = chat.session.edit(before[2], "better")
    await asyncio.sleep(0)
    chat.session.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert chat.said() == ["first", "answer 1", "better"]
    assert chat.tree.node(chat.tree.leaf_id).parent_id == before[1]
    assert isinstance(chat.records[-1].payload, TurnCancelled)
    assert [branch.shared_id for branch in chat.branches] == [before[1]]


async def test_what_cannot_be_read_leaves_another_branch_where_it_is():
    async def unreadable(_conversation_id, _changes):
        raise StoreError("The disk cannot be read")

    chat = Chat()
    await chat.session.submit("first")
    first = chat.ids()
    await chat.session.edit(first[0], "other")
    now, count = chat.ids(), len(chat.records)
    chat.session.branches._painting = unreadable
    with pytest.raises(StoreError):
        await chat.session.select(first[1])
    with pytest.raises(StoreError):
        await chat.session.delete(now[0])
    assert (chat.ids(), len(chat.records)) == (now, count)
    outcome = await chat.session.regenerate(first[1])
    assert outcome.error.message == "The disk cannot be read"
    assert chat.ids() == now
    assert chat.said() == ["other", "answer 2"]
    await chat.session.edit(now[0], "third")
    assert chat.said() == ["third"]
    assert not chat.session.is_running


async def test_a_deleted_message_leaves_the_request_and_comes_back_without_being_selected():
    chat = Chat()
    await chat.session.submit("question")
    first = chat.ids()
    await chat.session.regenerate()
    second = chat.ids()
    await chat.session.delete(second[1])
    assert chat.ids() == first
    assert chat.said() == ["question", "answer 1"]
    chat.session.restore(second[1])
    assert chat.ids() == first
    assert len(chat.tree.siblings(first[1])) == 2
    await chat.session.delete(first[0])
    assert chat.said() == []
    assert chat.tree.is_deleted(second[1])
    assert [type(payload) for payload in chat.payloads(*OF_THE_TREE)][2:] == [
        BranchSelected,
        BranchDeleted,
        BranchRestored,
        BranchSelected,
        BranchDeleted,
    ]


async def test_deleting_what_is_not_shown_moves_nothing():
    chat = Chat()
    await chat.session.submit("question")
    first = chat.ids()
    await chat.session.regenerate()
    now = chat.ids()
    await chat.session.delete(first[1])
    assert chat.ids() == now
    assert len(chat.branches) == 1
    chat.session.restore("nobody")
    chat.session.restore(now[1])
    assert chat.payloads(BranchRestored) == []


async def test_every_change_of_the_tree_is_told():
    chat = Chat()
    told = []
    chat.session.branches.grown.subscribe(lambda _: told.append(len(chat.tree.outline())))
    await chat.session.submit("question")
    answer = chat.ids()[1]
    assert told == [1, 2]
    await chat.session.regenerate()
    await chat.session.select(answer)
    await chat.session.delete(answer)
    chat.session.restore(answer)
    assert told == [1, 2, 2, 3, 3, 3, 2, 3]


async def test_what_is_deleted_or_unknown_is_refused_with_the_next_step():
    chat = Chat()
    await chat.session.submit("question")
    await chat.session.submit("more")
    ids = chat.ids()
    await chat.session.delete(ids[2])
    for gone in (ids[2], ids[3], "nobody"):
        for call in (chat.session.select, chat.session.delete, chat.session.regenerate):
            with pytest.raises(ConfigurationError, match="not in the conversation"):
                await call(gone)
        with pytest.raises(ConfigurationError, match="not in the conversation"):
            await chat.session.edit(gone, "other")


async def test_nothing_is_moved_while_an_answer_arrives():
    begun = (MessageStart("i", "m"), ContentBlockStart(0, TextType()), TextDelta("half", 0), Pause(3600))
    chat = Chat(ANSWERS[0], begun)
    await chat.session.submit("question")
    first = chat.ids()
    task = chat.session.regenerate()
    while not chat.payloads(RequestPrepared)[1:]:
        await asyncio.sleep(0)
    with pytest.raises(ConfigurationError):
        await chat.session.select(first[1])
    with pytest.raises(ConfigurationError):
        await chat.session.delete(first[1])
    for call in (chat.session.restore, chat.session.regenerate, lambda m: chat.session.edit(m, "x")):
        with pytest.raises(ConfigurationError):
            call(first[1])
    chat.session.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_what_would_be_asked_after_any_message_can_be_seen():
    chat = Chat()
    await chat.session.submit("first")
    left = chat.ids()
    await chat.session.edit(left[0], "other")

    def texts(**values):
        return [text_of(message.content) for message in chat.session.next_request("m", **values).messages]

    assert texts(after=left[1]) == ["first", "answer 1"]
    assert texts(after=left[0], draft="and then") == ["first", "and then"]
    assert texts() == ["other", "answer 2"]


async def test_thinking_that_went_stale_does_not_stand_in_the_way_of_an_edit():
    chat = Chat()
    await chat.session.submit("question")
    chat.session._history[1:] = []  # as when all of an answer was thinking that its provider cannot read any more
    await chat.session.edit(chat.ids()[1], "mine")
    assert chat.said() == ["question", "mine"]


async def test_an_edited_answer_keeps_what_is_no_text():
    chat = Chat()
    await chat.session.submit("question")
    thought = Assistant((Thinking("hm"), Text("so"), Text("!")), Origin("test", "m", "wire"))
    node = chat.tree.node(chat.ids()[1])
    chat.tree._nodes[node.id] = node._replace(message=thought)
    await chat.session.edit(node.id, "thus")
    assert chat.session.next_request("m").messages[1].content == (Thinking("hm"), Text("thus"))


async def test_a_damaged_message_is_not_edited():
    chat = Chat()
    await chat.session.submit("question")
    node = chat.tree.node(chat.ids()[1])
    chat.tree._nodes[node.id] = node._replace(message=None)
    with pytest.raises(ConfigurationError, match="damaged"):
        chat.session.edit(node.id, "thus")
    await chat.session.edit(chat.ids()[0], "better")
    assert chat.said() == ["better", "answer 2"]
