"""A turn that the end of the program cut is closed at the next start, and closed once."""

import shutil

import pytest

from agdesk.core.errors import ErrorRecord
from agdesk.core.ir.blocks import Text, ToolUse
from agdesk.core.ir.messages import Assistant, User
from agdesk.core.ir.response import EndCause, MessageResponse, StopReason, Usage
from agdesk.core.ir.stream import ContentBlockEnd, ContentBlockStart, StreamEvent, ToolCallArgumentsDelta, ToolUseType
from agdesk.core.store.recovery import INTERRUPTED, UNANSWERED
from agdesk.core.trace.events import (
    ParameterRepaired,
    RequestPrepared,
    ResponseReceived,
    RetryScheduled,
    StreamEventReceived,
    TurnCancelled,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
)
from agdesk.core.trace.recorder import RequestTrace
from tests.fakes.storing import Recorded, open_store, response_of, trace_of


async def crashed(tmp_path, record):
    """The data folder as a crash leaves it right after ``record(chat)`` was committed."""
    folder, copy = tmp_path / "running", tmp_path / "crashed"
    folder.mkdir()
    copy.mkdir()
    store = open_store(folder)
    chat = Recorded(store)
    record(chat)
    await store.settled()
    for path in folder.glob("agdesk.db*"):
        shutil.copy(path, copy / path.name)
    await store.aclose()
    return copy, chat


async def test_what_had_arrived_becomes_a_message_and_the_turn_is_interrupted(tmp_path):
    def record(chat):
        chat.turn("1")
        chat.stream(chat.begin("2", "And then?"), "Once ", "upon ", "a ti")

    folder, chat = await crashed(tmp_path, record)
    store = open_store(folder)
    stored = store.load("chat")
    trace = trace_of(store, "chat")

    assert stored.messages[-2:] == (User((Text("And then?"),)), Assistant((Text("Once upon a ti"),)))
    answer, end = stored.records[-2:]
    assert isinstance(answer.payload, ResponseReceived)
    assert (answer.payload.end_cause, answer.payload.response.stop_reason) == (EndCause.CRASH, StopReason.INCOMPLETE)
    assert (answer.request_id, answer.turn_id, end.payload) == ("req-2", "turn-2", TurnFailed(INTERRUPTED))
    assert trace[:-2] == chat.records
    assert [record.seq for record in trace] == list(range(1, len(trace) + 1))
    assert stored.last_seq == trace[-1].seq
    await store.aclose()

    store = open_store(folder)
    assert store.load("chat") == stored
    assert trace_of(store, "chat") == trace
    await store.aclose()


async def test_a_turn_of_which_nothing_had_arrived_has_an_end_and_no_answer(tmp_path):
    folder, _ = await crashed(tmp_path, lambda chat: chat.begin("1"))
    store = open_store(folder)
    stored = store.load("chat")
    assert [type(record.payload) for record in stored.records] == [TurnStarted, TurnFailed]
    assert stored.records[-1].payload == TurnFailed(UNANSWERED), "it does not speak of what had arrived"
    assert len(stored.messages) == 1
    await store.aclose()


async def test_an_untraced_turn_has_an_end(tmp_path):
    def record(chat):
        chat.turn("1")
        chat.recorder.turn_id = "turn-2"
        chat.recorder.emit(TurnStarted(User((Text("more"),)), "test/model"))

    folder, chat = await crashed(tmp_path, record)
    store = open_store(folder)
    end = store.load("chat").records[-1]
    assert (end.payload, end.seq) == (TurnFailed(UNANSWERED), chat.records[-1].seq + 1)
    await store.aclose()


async def test_a_call_that_was_cut_cannot_run(tmp_path):
    events: tuple[StreamEvent, ...] = (
        ContentBlockEnd(0),
        ContentBlockStart(1, ToolUseType("call-1", "delete")),
        ToolCallArgumentsDelta('{"path": "/', 1),
    )

    def record(chat):
        request = chat.begin("1")
        chat.stream(request, "I will")
        for event in events:
            request.emit(StreamEventReceived(None, event))

    folder, _ = await crashed(tmp_path, record)
    store = open_store(folder)
    call = store.load("chat").messages[-1].content[1]
    assert isinstance(call, ToolUse)
    assert (call.input, call.raw_arguments) == (None, '{"path": "/')
    assert call.input_error
    await store.aclose()


FAILURE = ErrorRecord("transport_error", "cut")
WHOLE = Assistant((Text("all of it"),))


@pytest.mark.parametrize(
    ("response", "cause", "end"),
    [
        (response_of("all of it"), EndCause.SERVER, TurnCompleted()),
        (response_of("all of it"), EndCause.USER, TurnCancelled()),
        (
            MessageResponse("i", "m", WHOLE, Usage(), StopReason.ERROR, error=FAILURE),
            EndCause.ERROR,
            TurnFailed(FAILURE),
        ),
        (MessageResponse("i", "m", WHOLE, Usage(), StopReason.TOOL_USE), EndCause.SERVER, TurnFailed(INTERRUPTED)),
    ],
    ids=["complete", "cancelled", "failed", "a call was to come"],
)
async def test_an_answer_that_was_stored_whole_is_not_called_interrupted(tmp_path, response, cause, end):
    def record(chat):
        request = chat.begin("1")
        chat.stream(request, "all of it")
        request.emit(ResponseReceived(response, cause))

    folder, _ = await crashed(tmp_path, record)
    store = open_store(folder)
    stored = store.load("chat")
    assert stored.records[-1].payload == end
    assert len(stored.messages) == 2
    assert stored.messages[1].content == (Text("all of it"),)
    await store.aclose()


async def test_the_trace_of_a_crashed_request_is_merged_at_the_next_start(tmp_path):
    def record(chat):
        request = chat.begin("1")
        chat.stream(request, *(f"word {i} " for i in range(2_000)))

    folder, chat = await crashed(tmp_path, record)
    for _ in range(2):
        store = open_store(folder)
        assert trace_of(store, "chat")[: len(chat.records)] == chat.records
        assert store.body("req-1") == b"".join(f"data: word {i} \n\n".encode() for i in range(2_000))
        await store.aclose()


LIMITED = ErrorRecord("provider_rejection", "The rate limit was hit", is_retryable=True)


@pytest.mark.parametrize("has_begun", [False, True])
@pytest.mark.parametrize("step", [RetryScheduled(1, 30.0, LIMITED, 3), ParameterRepaired("seed", LIMITED, True)])
async def test_a_turn_that_was_cut_while_it_waited_for_a_retry_is_interrupted(tmp_path, has_begun, step):
    def record(chat):
        chat.recorder.turn_id = "turn-1"
        chat.recorder.emit(TurnStarted(User((Text("Hello"),)), "test/model"))
        request = RequestTrace(chat.recorder, "req-1")
        request.emit(RequestPrepared(1, 1, 1))
        if has_begun:
            failed = MessageResponse("i", "m", Assistant(()), Usage(7), StopReason.ERROR, error=LIMITED)
            request.emit(ResponseReceived(failed, EndCause.ERROR))
        chat.recorder.emit(step)

    folder, _ = await crashed(tmp_path, record)
    store = open_store(folder)
    stored = store.load("chat")
    assert stored.records[-1].payload == TurnFailed(UNANSWERED)
    assert stored.messages == (User((Text("Hello"),)),)
    assert len(stored.usages) == has_begun, "what a failed attempt has used is not forgotten"
    assert step in [record.payload for record in trace_of(store, "chat")]
    await store.aclose()


async def test_a_turn_that_only_asked_again_is_painted_with_its_end(tmp_path):
    def record(chat):
        chat.recorder.turn_id = "turn-1"
        chat.recorder.emit(TurnStarted(User((Text("Hello"),)), "test/model"))
        chat.recorder.emit(TurnFailed(LIMITED))
        chat.recorder.turn_id = "turn-2"
        chat.recorder.emit(TurnStarted(User(()), "test/model"))
        chat.recorder.emit(ParameterRepaired("temperature", LIMITED, False))
        RequestTrace(chat.recorder, "req-2").emit(ResponseReceived(response_of("Good day"), EndCause.SERVER))
        chat.recorder.emit(TurnCompleted())

    folder, _ = await crashed(tmp_path, record)
    store = open_store(folder)
    stored = store.load("chat")
    kinds = [type(record.payload) for record in stored.records]
    assert kinds == [TurnStarted, TurnFailed, TurnStarted, ResponseReceived, TurnCompleted]
    assert [type(message) for message in stored.messages] == [User, Assistant]
    await store.aclose()
