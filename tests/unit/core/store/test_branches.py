"""CHAT4 on the disk: all branches, the active path, deleted subtrees, and turns that a crash cut."""

import sqlite3
from contextlib import closing

import pytest

from agdesk.core.errors import ErrorCategory, ErrorRecord, ProviderRejection
from agdesk.core.ir.messages import User, text_of, user
from agdesk.core.ir.response import EndCause, Usage
from agdesk.core.ir.stream import StreamError, TextDelta
from agdesk.core.providers.scripted import text_answer
from agdesk.core.store.budget import purge
from agdesk.core.trace.events import (
    BranchDeleted,
    BranchRestored,
    BranchSelected,
    ResponseReceived,
    StreamEventReceived,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
)
from agdesk.core.trace.recorder import Recorder, RequestTrace
from tests.fakes.storing import BEGINNING, Recorded, conversation_of, open_store, response_of, trace_of
from tests.fakes.workspace import scripted_workspace

ANSWERS = [text_answer(f"answer {number}", usage=Usage(10, number)) for number in range(1, 9)]
REJECTED = (ProviderRejection("No", "", category=ErrorCategory.INVALID_REQUEST, status=400),)
CUT = (*BEGINNING, TextDelta("Hel", 0))


class Branching(Recorded):
    """Turns in other places than at the end."""

    def turn_at(self, name, leaf_id, *, text="", answer="Other"):
        self.begin_at(name, leaf_id, text=text)
        self.answer(name, answer)
        self.recorder.emit(TurnCompleted())

    def begin_at(self, name, leaf_id, *, text=""):
        self.recorder.turn_id = f"turn-{name}"
        self.recorder.emit(TurnStarted(user(text) if text else User(()), "test/model", BranchSelected(leaf_id)))

    def answer(self, name, text):
        RequestTrace(self.recorder, f"req-{name}").emit(ResponseReceived(response_of(text), EndCause.SERVER))


def rows(folder, query):
    with closing(sqlite3.connect(folder / "agdesk.db")) as connection:
        return connection.execute(query).fetchall()


def texts(stored):
    return [text_of(message.content) for message in stored.messages]


def payloads(stored, kind):
    return [record.payload for record in stored.records if isinstance(record.payload, kind)]


async def test_a_turn_that_begins_elsewhere_leaves_the_old_path_beside_it(tmp_path):
    store = open_store(tmp_path)
    chat = Branching(store)
    chat.turn("1", "first", ["one"])
    chat.turn("2", "second", ["two"])
    chat.turn_at("3", "req-1", text="better", answer="three")
    chat.turn_at("4", "turn-1", answer="four")
    await store.aclose()

    store = open_store(tmp_path)
    stored = store.load("chat")
    assert texts(stored) == ["first", "four"]
    tree = stored.tree
    assert {node.id: node.parent_id for node in map(tree.node, ("turn-1", "req-1", "turn-2", "req-2"))} == {
        "turn-1": None,
        "req-1": "turn-1",
        "turn-2": "req-1",
        "req-2": "turn-2",
    }
    assert [node.id for node in tree.children("req-1")] == ["turn-2", "turn-3"]
    assert [node.id for node in tree.children("turn-1")] == ["req-1", "req-4"]
    assert text_of(tree.node("req-2").message.content) == "two"
    assert tree.node("req-2").model_ref == "test/model"
    assert tree.node("req-2").end_cause is EndCause.SERVER
    assert trace_of(store, "chat") == chat.records
    await store.aclose()


async def test_the_selected_path_is_the_one_that_is_opened(tmp_path):
    store = open_store(tmp_path)
    chat = Branching(store)
    chat.turn("1", "first", ["one"])
    chat.turn_at("2", None, text="other", answer="two")
    chat.recorder.emit(BranchSelected("req-1"))
    chat.recorder.emit(BranchSelected("nobody"))
    await store.aclose()

    store = open_store(tmp_path)
    stored = store.load("chat")
    assert texts(stored) == ["first", "one"]
    assert [record.turn_id for record in stored.records] == ["turn-1"] * 3
    assert stored.last_seq == chat.records[-1].seq
    assert stored.last_ts_ns == max(
        record.ts_ns
        for record in chat.records
        if record.turn_id == "turn-2" and not isinstance(record.payload, BranchSelected)
    )
    assert texts(store.load("chat", (BranchSelected("turn-2"),))) == ["other"]
    assert texts(store.load("chat")) == ["first", "one"], "looking changes nothing"
    await store.aclose()


@pytest.mark.parametrize("is_traced", [True, False])
async def test_changes_of_the_tree_are_kept_whether_the_trace_is_or_not(tmp_path, is_traced):
    store = open_store(tmp_path)
    chat = Branching(store, is_traced=is_traced)
    chat.turn("1", "first", ["one"])
    chat.turn_at("2", "turn-1", answer="two")
    chat.recorder.emit(BranchSelected("req-1"))
    chat.recorder.emit(BranchDeleted("req-2"))
    await store.settled()
    stored = store.load("chat")
    assert texts(stored) == ["first", "one"]
    assert stored.tree.is_deleted("req-2")
    chat.recorder.emit(BranchRestored("req-2"))
    await store.aclose()

    store = open_store(tmp_path)
    assert [node.id for node in store.load("chat").tree.children("turn-1")] == ["req-1", "req-2"]
    assert any(isinstance(r.payload, BranchRestored) for r in trace_of(store, "chat")) is is_traced
    await store.aclose()


async def test_what_was_deleted_goes_with_its_traces_when_the_store_is_closed(tmp_path):
    store = open_store(tmp_path)
    chat = Branching(store)
    chat.turn("1", "first", ["one"])
    chat.turn("2", "second", ["two"])
    chat.turn("3", "third", ["three"])
    chat.turn_at("4", "turn-1", answer="four")
    chat.recorder.emit(BranchDeleted("turn-2"))
    await store.aclose()

    assert {row[0] for row in rows(tmp_path, "SELECT id FROM message")} == {"turn-1", "req-1", "turn-4", "req-4"}
    assert {row[0] for row in rows(tmp_path, "SELECT id FROM turn")} == {"turn-1", "turn-4"}
    assert {row[0] for row in rows(tmp_path, "SELECT id FROM request")} == {"req-1"}
    assert {row[0] for row in rows(tmp_path, "SELECT turn_id FROM trace_chunk")} <= {"turn-1", "turn-4"}
    store = open_store(tmp_path)
    assert texts(store.load("chat")) == ["first", "four"]
    await store.aclose()


async def test_of_an_answer_that_was_deleted_no_trace_stays_though_its_turn_does(tmp_path):
    store = open_store(tmp_path)
    chat = Branching(store)
    chat.turn("1", "first", ["forget ", "me"])
    chat.turn_at("2", "turn-1", answer="two")
    chat.recorder.emit(BranchDeleted("req-1"))
    await store.aclose()

    store = open_store(tmp_path)
    assert not [r for r in trace_of(store, "chat") if isinstance(r.payload, StreamEventReceived)]
    assert store.body("req-1") is None
    assert payloads(store.load("chat"), TurnStarted)[0].message == user("first")
    await store.aclose()
    assert rows(tmp_path, "SELECT * FROM blob") == []


async def test_what_cut_an_answer_that_was_deleted_is_gone_with_it(tmp_path):
    error = ErrorRecord("transport", "The connection broke")
    cut = (*text_answer("half")[:-1], StreamError(error))
    workspace, _ = scripted_workspace(tmp_path, cut, cut)
    session = workspace.open_session()
    await session.submit("question")
    question, first = [node.id for node in session.branches.tree.path()]
    await session.regenerate()
    second = session.branches.tree.path()[-1].id
    branches = []
    session.branches.changed.subscribe(branches.append)
    await session.delete(first)
    await session.delete(second)
    assert session.branches.tree.leaf_id == question
    assert not [r for r in branches[-1].records if isinstance(r.payload, TurnFailed | ResponseReceived)]
    await workspace.aclose()

    workspace, _ = scripted_workspace(tmp_path)
    _, records = await workspace.open_conversation(session.id)
    assert not [record for record in records if isinstance(record.payload, TurnFailed | ResponseReceived)]
    await workspace.aclose()


async def test_a_crash_between_the_deletion_and_the_way_out_leads_to_what_is_left(tmp_path):
    store = open_store(tmp_path)
    chat = Branching(store)
    chat.turn("1", "first", ["one"])
    chat.turn("2", "second", ["two"])
    chat.turn("3", "third", ["three"])
    await store.aclose()
    with closing(sqlite3.connect(tmp_path / "agdesk.db")) as connection:
        connection.execute("UPDATE message SET deleted_ms = 1 WHERE id IN ('turn-2', 'req-2')")
        connection.commit()

    store = open_store(tmp_path)
    stored = store.load("chat")
    assert texts(stored) == ["first", "one"]
    assert "req-3" not in stored.tree
    await store.aclose()


async def test_everything_can_be_deleted_and_the_conversation_goes_on(tmp_path):
    store = open_store(tmp_path)
    chat = Branching(store)
    chat.turn("1", "first", ["one"])
    chat.recorder.emit(BranchSelected(None))
    chat.recorder.emit(BranchDeleted("turn-1"))
    await store.aclose()

    workspace, _ = scripted_workspace(tmp_path, *ANSWERS)
    session, records = await workspace.open_conversation("chat")
    assert records == ()
    await session.submit("again")
    await workspace.aclose()
    store = open_store(tmp_path)
    assert texts(store.load("chat")) == ["again", "answer 1"]
    await store.aclose()


async def test_a_chain_of_five_thousand_messages_is_deleted_at_once(tmp_path):
    store = open_store(tmp_path)
    chat = Branching(store, is_traced=False)
    for number in range(2_500):
        chat.turn(str(number), "Hello", [])
    chat.recorder.emit(BranchSelected("req-0"))
    chat.recorder.emit(BranchDeleted("turn-1"))
    await store.aclose()
    assert rows(tmp_path, "SELECT count(*) FROM message") == [(2,)]


async def test_a_purge_that_is_repeated_changes_nothing(tmp_path):
    store = open_store(tmp_path)
    chat = Branching(store)
    chat.turn("1", "first", ["one"])
    chat.turn_at("2", "turn-1", answer="two")
    chat.recorder.emit(BranchDeleted("req-1"))
    await store.aclose()
    before = rows(tmp_path, "SELECT * FROM message")
    with closing(sqlite3.connect(tmp_path / "agdesk.db")) as connection:
        purge(connection)
        connection.commit()
    assert rows(tmp_path, "SELECT * FROM message") == before


async def test_an_answer_that_a_crash_cut_is_a_sibling_of_the_one_it_was_to_stand_beside(tmp_path):
    store = open_store(tmp_path)
    chat = Branching(store)
    chat.turn("1", "first", ["one"])
    chat.begin_at("2", "turn-1")
    request = RequestTrace(chat.recorder, "req-2")
    for event in (*BEGINNING, TextDelta("half", 0)):
        request.emit(StreamEventReceived(None, event))
    await store.aclose()  # without an end of the turn: as after a crash

    store = open_store(tmp_path)
    stored = store.load("chat")
    assert texts(stored) == ["first", "half"]
    assert [node.id for node in stored.tree.siblings("req-2")] == ["req-1", "req-2"]
    assert stored.tree.node("req-2").end_cause is EndCause.CRASH
    assert isinstance(stored.records[-1].payload, TurnFailed)
    await store.aclose()


async def test_an_edit_that_a_crash_cut_before_its_answer_stands_beside_the_first(tmp_path):
    store = open_store(tmp_path)
    chat = Branching(store)
    chat.turn("1", "first", ["one"])
    chat.begin_at("2", None, text="better")
    await store.aclose()

    store = open_store(tmp_path)
    stored = store.load("chat")
    assert texts(stored) == ["better"]
    assert [node.id for node in stored.tree.children(None)] == ["turn-1", "turn-2"]
    assert payloads(stored, TurnFailed)[0].error.kind == "interrupted"
    await store.aclose()


async def test_what_every_branch_used_counts_and_an_answer_of_the_user_does_not(tmp_path):
    workspace, _ = scripted_workspace(tmp_path, *ANSWERS)
    session = workspace.open_session()
    await session.submit("question")
    await session.regenerate()
    await session.edit(session.branches.tree.path()[1].id, "mine")
    await session.edit(session.branches.tree.path()[0].id, "other")
    used = session.cost.prompt_tokens, session.cost.completion_tokens, session.cost.request_count
    assert used == (30, 6, 3)
    await workspace.aclose()

    workspace, _ = scripted_workspace(tmp_path)
    session, _ = await workspace.open_conversation(session.id)
    assert (session.cost.prompt_tokens, session.cost.completion_tokens, session.cost.request_count) == used
    await workspace.aclose()


async def test_a_failed_attempt_is_painted_where_it_was_made_and_nowhere_else(tmp_path):
    workspace, _ = scripted_workspace(tmp_path, ANSWERS[0], REJECTED, ANSWERS[1], REJECTED)
    session = workspace.open_session()
    await session.submit("question")
    question, first = [node.id for node in session.branches.tree.path()]
    await session.regenerate()  # fails
    await session.regenerate()
    second = session.branches.tree.leaf_id
    await session.edit(question, "other")  # fails
    other = session.branches.tree.leaf_id
    await workspace.store.settled()

    def failures(leaf_id):
        stored = workspace.store.load(session.id, (BranchSelected(leaf_id),))
        return [type(payload).__name__ for payload in payloads(stored, (ResponseReceived, TurnFailed))]

    assert failures(first) == ["ResponseReceived"]
    assert failures(second) == ["TurnFailed", "ResponseReceived"]
    assert failures(other) == ["TurnFailed"]
    await workspace.aclose()


async def test_a_failed_attempt_after_the_answer_that_is_shown_is_not_painted(tmp_path):
    workspace, _ = scripted_workspace(tmp_path, ANSWERS[0], REJECTED)
    session = workspace.open_session()
    await session.submit("question")
    first = session.branches.tree.path()[-1].id
    await session.regenerate()  # fails
    await session.select(first)
    await workspace.aclose()

    workspace, _ = scripted_workspace(tmp_path)
    _, records = await workspace.open_conversation(session.id)
    assert [type(record.payload).__name__ for record in records] == ["TurnStarted", "ResponseReceived", "TurnCompleted"]
    await workspace.aclose()


async def test_a_request_without_the_refused_parameter_is_painted_on_its_own_branch(tmp_path):
    workspace, _ = scripted_workspace(tmp_path, ANSWERS[0], REJECTED, ANSWERS[1])
    session = workspace.open_session()
    await session.submit("first")
    first = [node.id for node in session.branches.tree.path()]
    await session.edit(first[0], "other")  # fails
    error = ErrorRecord("rejection", "No", details={"removable": "temperature"})
    await session.resend_without(error, model_ref="test/model")
    resent = session.branches.tree.leaf_id
    await workspace.store.settled()
    stored = workspace.store.load(session.id)
    kinds = [type(payload).__name__ for payload in payloads(stored, (TurnStarted, ResponseReceived, TurnFailed))]
    assert kinds == ["TurnStarted", "TurnFailed", "TurnStarted", "ResponseReceived"]
    assert texts(stored) == ["other", "answer 2"]
    assert resent == stored.tree.leaf_id
    old = workspace.store.load(session.id, (BranchSelected(first[1]),))
    assert [type(payload).__name__ for payload in payloads(old, (TurnStarted, TurnFailed))] == ["TurnStarted"]
    await workspace.aclose()


async def test_a_damaged_message_keeps_its_place_and_the_way_to_what_follows(tmp_path):
    store = open_store(tmp_path)
    chat = Branching(store)
    chat.turn("1", "first", ["one"])
    chat.turn("2", "second", ["two"])
    await store.aclose()
    with closing(sqlite3.connect(tmp_path / "agdesk.db")) as connection:
        connection.execute("UPDATE message SET json = x'00' WHERE id = 'req-1'")
        connection.commit()

    workspace, provider = scripted_workspace(tmp_path, *ANSWERS)
    session, _ = await workspace.open_conversation("chat")
    assert [node.id for node in session.branches.tree.path()] == ["turn-1", "req-1", "turn-2", "req-2"]
    branches = []
    session.branches.changed.subscribe(branches.append)
    await session.edit("turn-2", "better")
    assert [text_of(message.content) for message in provider.requests[0].messages] == ["first", "better"]
    assert [(branch.shared_id, list(branch.records)[1:]) for branch in branches] == [("req-1", [])]
    await session.select("req-2")
    assert [text_of(message.content) for message in session.next_request("m").messages] == ["first", "second", "two"]
    assert [record.turn_id for record in branches[1].records if isinstance(record.payload, TurnStarted)] == ["turn-2"]
    await workspace.aclose()


async def test_seconds_go_on_counting_after_the_newest_branch(tmp_path):
    store = open_store(tmp_path)
    recorder = Recorder("chat", wall_start_ns=10**18 * 4)  # the wall clock was set back since
    store.follow(recorder, conversation_of(recorder))
    recorder.turn_id = "turn-1"
    recorder.emit(TurnStarted(user("first"), "test/model"))
    recorder.emit(TurnCompleted())
    recorder.turn_id = "turn-2"
    recorder.emit(TurnStarted(user("other"), "test/model", BranchSelected(None)))
    recorder.emit(TurnCompleted())
    last_ns = recorder.last_ns
    recorder.emit(BranchSelected("turn-1"))
    await store.aclose()

    workspace, _ = scripted_workspace(tmp_path)
    session, _ = await workspace.open_conversation("chat")
    assert session.recorder.now_ns() >= last_ns
    await workspace.aclose()


async def test_an_answer_that_another_model_went_on_with_is_painted_under_its_name_and_forked_as_a_whole(tmp_path):
    workspace, _ = scripted_workspace(tmp_path, CUT, text_answer(" more"))
    workspace.load_models()
    session = workspace.open_session()
    await session.submit("question")
    cut_id = session.branches.tree.leaf_id
    session.model_ref = "test/other"
    await session.go_on()
    whole_id = session.branches.tree.leaf_id
    assert cut_id is not None and whole_id is not None
    await workspace.close_session(session)

    again, records = await workspace.open_conversation(session.id)
    assert [type(record.payload) for record in records] == [TurnStarted, TurnStarted, ResponseReceived, TurnCompleted]
    assert getattr(records[1].payload, "model_ref", "") == "test/other"
    assert getattr(records[2].payload, "continues", "") == cut_id
    assert again.branches.tree.node(whole_id).model_ref == "test/other"
    assert [node.id for node in again.branches.tree.siblings(whole_id)] == [cut_id, whole_id]

    await again.select(cut_id)
    shown = await workspace._painting(session.id, ())
    assert [type(record.payload) for record in shown] == [TurnStarted, ResponseReceived, TurnCompleted]
    fork, copied = await workspace.open_conversation(await workspace.fork(again, whole_id))
    assert [node.head for node in fork.branches.tree.path()] == ["question", "Hel more"]
    assert all(getattr(record.payload, "continues", None) is None for record in copied)
    await workspace.aclose()


async def test_a_failure_to_go_on_is_painted_below_what_was_there(tmp_path):
    workspace, _ = scripted_workspace(tmp_path, CUT, REJECTED)
    workspace.load_models()
    session = workspace.open_session()
    await session.submit("question")
    await session.go_on()
    await workspace.close_session(session)
    again, records = await workspace.open_conversation(session.id)
    kinds = [TurnStarted, ResponseReceived, TurnCompleted, TurnStarted, TurnFailed]
    assert [type(record.payload) for record in records] == kinds
    assert again.can_go_on
    await workspace.aclose()
