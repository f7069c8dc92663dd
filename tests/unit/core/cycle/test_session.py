"""A conversation: turns, their records, cancel, failure, and what stays in the history."""

import asyncio

import pytest

from agdesk.core.cycle import AgentSession, SessionServices
from agdesk.core.errors import ConfigurationError, ErrorCategory, StoreError, TransportError
from agdesk.core.ir.blocks import Text
from agdesk.core.ir.messages import Assistant, Origin, User, user
from agdesk.core.ir.request import RequestParameters
from agdesk.core.ir.response import EndCause, StopReason, Usage
from agdesk.core.ir.stream import (
    ContentBlockEnd,
    ContentBlockStart,
    MessageComplete,
    MessageStart,
    TextDelta,
    TextType,
    ThinkingDelta,
    ThinkingType,
)
from agdesk.core.providers.scripted import Pause, ScriptedProvider, Step, text_answer
from agdesk.core.trace.events import (
    EventIgnored,
    RequestPrepared,
    ResponseReceived,
    StreamEventReceived,
    TraceRecord,
    TurnCancelled,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
)
from agdesk.core.trace.recorder import Recorder

BEGUN: tuple[Step, ...] = (MessageStart("i", "m"), ContentBlockStart(0, TextType()), TextDelta("half", 0))


class Conversation:
    """A session over scripts, with everything it recorded."""

    def __init__(self, *scripts, messages=(), **services):
        self.provider = ScriptedProvider(scripts)
        self.asked: list[str] = []

        async def connect(provider_id):
            self.asked.append(provider_id)
            if provider_id == "slow":
                await asyncio.sleep(30)
            if provider_id == "nobody":
                raise ConfigurationError("There is no provider nobody")
            return self.provider

        async def price_of(_model_ref, _usage):
            return 0.5

        usual = {"connect": connect, "price": price_of, "wire_of": lambda _provider_id: "wire"}
        self.services = SessionServices(**{**usual, **services})
        self.session = AgentSession("test/m", services=self.services, recorder=Recorder("s"), messages=messages)
        self.records: list[TraceRecord] = []
        self.session.records.subscribe(self.records.append)

    def payloads(self, *kinds):
        return [record.payload for record in self.records if isinstance(record.payload, kinds)]

    def ends(self):
        return self.payloads(TurnCompleted, TurnFailed, TurnCancelled)

    async def until(self, kind):
        while not self.payloads(kind):
            await asyncio.sleep(0)


async def test_a_turn_is_recorded_in_order_without_a_gap():
    chat = Conversation(text_answer("Bon", "jour", usage=Usage(3, 2)))
    outcome = await chat.session.submit("hello")
    assert outcome.response is not None and outcome.response.text() == "Bonjour"
    kinds = [type(record.payload) for record in chat.records]
    assert kinds[:2] == [TurnStarted, RequestPrepared]
    assert set(kinds[2:-2]) == {StreamEventReceived}
    assert kinds[-2:] == [ResponseReceived, TurnCompleted]
    assert [record.seq for record in chat.records] == list(range(1, len(chat.records) + 1))
    assert len({record.turn_id for record in chat.records}) == 1
    assert all(a.ts_ns <= b.ts_ns for a, b in zip(chat.records, chat.records[1:], strict=False))


async def test_the_next_turn_sends_the_whole_conversation():
    chat = Conversation(text_answer("one"), text_answer("two"))
    await chat.session.submit("first")
    await chat.session.submit("second")
    origin = Origin("test", "m", "wire")
    assert chat.provider.requests[1].messages == (
        user("first"),
        Assistant((Text("one"),), origin),
        user("second"),
    )


async def test_a_conversation_is_continued_with_its_history():
    past = (user("first"), Assistant((Text("one"),)))
    chat = Conversation(text_answer("two"), messages=past)
    await chat.session.submit("second")
    assert chat.provider.requests[0].messages == (*past, user("second"))


async def test_a_message_that_reached_nobody_stands_in_the_history_all_the_same():
    chat = Conversation(text_answer("one"))
    chat.session.model_ref = "nobody/m"
    outcome = await chat.session.submit("first")
    assert outcome.error is not None
    chat.session.model_ref = "test/m"
    await chat.session.submit("second")
    assert chat.provider.requests[0].messages == (user("first"), user("second"))


async def test_what_could_not_be_kept_is_not_sent():
    def refuse() -> None:
        raise StoreError("The disk is full")

    chat = Conversation(text_answer("one"), check_can_keep=refuse)
    with pytest.raises(StoreError, match="full"):
        chat.session.submit("hi")
    assert not chat.session.is_running
    assert chat.records == []


async def test_a_key_that_was_pasted_into_a_message_goes_nowhere():
    chat = Conversation(text_answer("one"), redact=lambda text: text.replace("sk-1", "key"))
    await chat.session.submit("my key is sk-1")
    assert chat.provider.requests[0].messages == (user("my key is key"),)
    assert "sk-1" not in repr(chat.records)


async def test_a_turn_is_finished_only_when_its_answer_is_kept():
    is_kept = asyncio.Event()
    chat = Conversation(text_answer("one"), kept=is_kept.wait)
    task = chat.session.submit("hi")
    await chat.until(ResponseReceived)
    await asyncio.sleep(0.01)
    assert chat.ends() == []
    is_kept.set()
    await task
    assert chat.ends() == [TurnCompleted()]


async def test_the_settled_answer_carries_its_times():
    script = (
        MessageStart("i", "m"),
        ContentBlockStart(0, ThinkingType()),
        ThinkingDelta("hm", 0),
        Pause(0.02),
        ContentBlockEnd(0),
        ContentBlockStart(1, TextType()),
        TextDelta("yes", 1),
        ContentBlockEnd(1),
        MessageComplete(StopReason.END_TURN),
    )
    chat = Conversation(script)
    await chat.session.submit("hi")
    (received,) = chat.payloads(ResponseReceived)
    assert received.first_token_s is not None and received.first_token_s >= 0
    assert received.streaming_s is not None and received.streaming_s > 0.01
    assert len(received.thinking_s) == 1 and received.thinking_s[0] > 0.01


async def test_another_model_may_answer_the_next_turn():
    chat = Conversation(text_answer("one"), text_answer("two"))
    await chat.session.submit("first")
    chat.session.model_ref = "other/n"
    await chat.session.submit("second")
    assert chat.asked == ["test", "other"]
    assert [request.model for request in chat.provider.requests] == ["m", "n"]


async def test_a_model_id_may_hold_slashes():
    chat = Conversation(text_answer("one"))
    chat.session.model_ref = "openrouter/anthropic/claude"
    await chat.session.submit("hi")
    assert chat.provider.requests[0].model == "anthropic/claude"


async def test_cancelling_keeps_what_arrived_and_says_who_ended_it():
    chat = Conversation((*BEGUN, Pause(30)), text_answer("two"))
    task = chat.session.submit("hello")
    await chat.until(StreamEventReceived)
    await asyncio.sleep(0.01)
    chat.session.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    (received,) = chat.payloads(ResponseReceived)
    assert received.end_cause is EndCause.USER
    assert received.response.stop_reason is StopReason.INCOMPLETE
    assert received.response.text() == "half"
    assert chat.ends() == [TurnCancelled()]
    assert chat.provider.open_count == 0
    await chat.session.submit("go on")
    assert [type(message) for message in chat.provider.requests[1].messages] == [User, Assistant, User]


async def test_cancelling_before_anything_arrived_leaves_only_the_users_message():
    chat = Conversation((Pause(30),), text_answer("two"))
    task = chat.session.submit("hello")
    await chat.until(RequestPrepared)
    await asyncio.sleep(0.01)
    chat.session.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await chat.session.submit("again")
    assert chat.provider.requests[1].messages == (user("hello"), user("again"))


async def test_an_error_before_the_first_event_fails_the_turn_with_its_record():
    chat = Conversation((TransportError("refused", "start the server", is_retryable=False),))
    outcome = await chat.session.submit("hello")
    assert outcome.response is None
    assert outcome.error is not None and outcome.error.category is ErrorCategory.TRANSPORT
    (failed,) = chat.ends()
    assert failed == TurnFailed(outcome.error)


async def test_an_error_in_the_middle_keeps_the_text_and_fails_the_turn():
    chat = Conversation((*BEGUN, TransportError("reset")))
    outcome = await chat.session.submit("hello")
    assert outcome.response is not None and outcome.response.text() == "half"
    assert outcome.response.stop_reason is StopReason.ERROR
    (received,) = chat.payloads(ResponseReceived)
    assert received.end_cause is EndCause.ERROR
    assert isinstance(chat.ends()[0], TurnFailed)


async def test_an_idle_timeout_is_told_from_other_failures():
    chat = Conversation((*BEGUN, TransportError("silent", is_timeout=True)))
    await chat.session.submit("hello")
    assert chat.payloads(ResponseReceived)[0].end_cause is EndCause.TIMEOUT


async def test_an_end_without_a_terminal_marker_is_incomplete_and_not_an_error():
    chat = Conversation(BEGUN)
    outcome = await chat.session.submit("hello")
    assert outcome.error is None
    (received,) = chat.payloads(ResponseReceived)
    assert (received.response.stop_reason, received.end_cause) == (StopReason.INCOMPLETE, EndCause.EOF)


async def test_an_unknown_provider_fails_the_turn_and_says_which():
    chat = Conversation()
    chat.session.model_ref = "nobody/m"
    outcome = await chat.session.submit("hello")
    assert outcome.error is not None and "nobody" in outcome.error.message


async def test_an_event_that_is_not_legal_is_recorded_and_the_turn_goes_on():
    chat = Conversation((MessageStart("i", "m"), TextDelta("lost", 7), *text_answer("kept")))
    outcome = await chat.session.submit("hello")
    assert outcome.response is not None and outcome.response.text() == "kept"
    assert len(chat.payloads(EventIgnored)) == 1


async def test_submitting_while_an_answer_runs_is_refused():
    chat = Conversation((*BEGUN, Pause(30)))
    chat.session.submit("hello")
    with pytest.raises(ConfigurationError):
        chat.session.submit("again")
    await chat.session.aclose()


async def test_closing_ends_a_running_turn_and_is_harmless_without_one():
    chat = Conversation((*BEGUN, Pause(30)))
    await chat.session.aclose()
    chat.session.submit("hello")
    await chat.until(StreamEventReceived)
    await chat.session.aclose()
    assert not chat.session.is_running
    assert chat.ends() == [TurnCancelled()]


async def test_cost_counts_every_request_the_cancelled_one_too():
    chat = Conversation(text_answer("one", usage=Usage(3, 2)), (*BEGUN, Pause(30)))
    await chat.session.submit("first")
    assert chat.session.cost.total_usd == 0.5
    task = chat.session.submit("second")
    await chat.until(StreamEventReceived)
    await asyncio.sleep(0.01)
    chat.session.cancel()
    await asyncio.wait([task])
    assert chat.session.cost.request_count == 2
    assert chat.session.cost.total_usd == 1.0


async def test_cancelling_while_still_connecting_does_not_count_the_answer_before_again():
    chat = Conversation(text_answer("one", usage=Usage(3, 2)))
    await chat.session.submit("first")
    chat.session.model_ref = "slow/m"
    task = chat.session.submit("second")
    await asyncio.sleep(0.01)
    chat.session.cancel()
    await asyncio.wait([task])
    assert (chat.session.cost.request_count, chat.session.cost.total_usd) == (1, 0.5)


async def test_a_second_cancel_while_the_first_is_accounted_for_is_a_cancelled_turn_too():
    async def hang(_model_ref, _usage):
        await asyncio.sleep(30)

    chat = Conversation((*BEGUN, Pause(30)), price=hang)
    task = chat.session.submit("hello")
    await chat.until(StreamEventReceived)
    chat.session.cancel()
    await chat.until(ResponseReceived)
    await asyncio.sleep(0)
    chat.session.cancel()
    await asyncio.wait([task], timeout=5)
    assert task.cancelled()
    assert chat.ends() == [TurnCancelled()]


@pytest.mark.allow_warnings
async def test_a_fault_of_agdesk_itself_still_ends_the_turn_for_everyone_who_watches():
    async def broken(_provider_id):
        raise RuntimeError("a bug")

    chat = Conversation(connect=broken)
    task = chat.session.submit("hello")
    await asyncio.wait([task])
    assert isinstance(task.exception(), RuntimeError)
    (failed,) = chat.ends()
    assert isinstance(failed, TurnFailed) and failed.error.kind == "bug"


async def test_the_next_request_is_what_is_sent_if_the_draft_is():
    chat = Conversation(text_answer("one"), text_answer("two"), redact=lambda text: text.replace("secret", "******"))
    assert not chat.session.has_history
    chat.session.system_prompt = "Be brief."
    await chat.session.submit("hello")
    assert chat.session.has_history
    shown = chat.session.next_request("m", "my secret")
    assert chat.session.next_request("m", " \n").messages == shown.messages[:-1]
    await chat.session.submit("my secret")
    assert chat.provider.requests[1] == shown
    assert shown.messages[-1] == user("my ******")


async def test_a_provider_that_refuses_before_it_renders_leaves_the_record_of_the_request():
    chat = Conversation()
    outcome = await chat.session.submit("hello")
    assert outcome.error is not None
    (prepared,) = chat.payloads(RequestPrepared)
    assert prepared.ledger == ()


async def test_parameters_are_those_of_the_next_request_and_of_its_preview():
    chat = Conversation(text_answer("one"), text_answer("two"))
    changes = []
    chat.session.parameters_changed.subscribe(lambda _: changes.append(chat.session.parameters))
    await chat.session.submit("hello")
    wanted = RequestParameters(temperature=0.5, stop=("END",), seed=3, extra={"top_k": 1})
    chat.session.parameters = wanted
    chat.session.parameters = wanted
    assert changes == [wanted], "what stays as it is has not changed"
    preview = chat.session.next_request("m")
    assert (preview.temperature, preview.stop, preview.seed, preview.extra) == (0.5, ("END",), 3, {"top_k": 1})
    await chat.session.submit("again")
    first, second = chat.provider.requests
    assert (first.temperature, first.stop, first.seed, dict(first.extra)) == (None, (), None, {})
    assert (second.temperature, second.stop, second.seed, second.extra) == (0.5, ("END",), 3, {"top_k": 1})


async def test_parameters_that_are_set_while_an_answer_arrives_are_those_of_the_next_turn():
    chat = Conversation((*BEGUN, Pause(0.01), *text_answer("rest")[1:]), text_answer("two"))
    turn = chat.session.submit("hello")
    await chat.until(StreamEventReceived)
    chat.session.parameters = RequestParameters(seed=3)
    await turn
    await chat.session.submit("again")
    assert [request.seed for request in chat.provider.requests] == [None, 3]


async def test_a_known_key_in_parameters_or_system_prompt_is_neither_kept_nor_sent():
    chat = Conversation(text_answer("one"), redact=lambda text: text.replace("sk-known", "********"))
    chat.session.parameters = RequestParameters(stop=("a sk-known",), extra={"user": {"key": "sk-known"}})
    chat.session.system_prompt = "The key is sk-known"
    await chat.session.submit("hello")
    assert "sk-known" not in repr(chat.session.parameters) + str(chat.session.system_prompt)
    assert "sk-known" not in repr(chat.provider.requests)
    assert chat.provider.requests[0].stop == ("a ********",)
