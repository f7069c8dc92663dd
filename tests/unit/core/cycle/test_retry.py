"""Retries and repairs of a turn: what is tried again, when, and how it can be ended (PROV6, E05, E07, A01, D13)."""

import asyncio
import dataclasses

import pytest

from agdesk.core.cycle import AgentSession, SessionServices
from agdesk.core.cycle.retry import LONGEST_WAIT_S, RETRY_LIMIT, STALE_THINKING
from agdesk.core.errors import ErrorCategory, ProviderRejection, TransportError
from agdesk.core.ir.blocks import Text, Thinking
from agdesk.core.ir.messages import Assistant, Origin, User, user
from agdesk.core.ir.response import PartialUsage, StopReason
from agdesk.core.ir.stream import (
    ContentBlockStart,
    CostUpdate,
    ExtensionType,
    MessageStart,
    RefusalDelta,
    RefusalType,
    TextDelta,
    TextType,
    ThinkingDelta,
    ThinkingType,
    ToolCallArgumentsDelta,
    ToolUseType,
)
from agdesk.core.providers.scripted import ScriptedProvider, text_answer
from agdesk.core.trace.events import (
    ParameterRepaired,
    RequestPrepared,
    ResponseReceived,
    RetryScheduled,
    TurnCancelled,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
)
from agdesk.core.trace.recorder import Recorder

ANSWER = text_answer("at last", usage=PartialUsage(3, 2))
START = MessageStart("i", "m")


def rejection(category=ErrorCategory.RATE_LIMIT, *, retry_after_s=None, is_retryable=True, status=429, code=None):
    return ProviderRejection(
        "The rate limit was hit",
        "Wait and send again.",
        category=category,
        status=status,
        code=code,
        retry_after_s=retry_after_s,
        is_retryable=is_retryable,
    )


def refused(path, *, code="unsupported_parameter"):
    error = rejection(ErrorCategory.INVALID_REQUEST, status=400, is_retryable=False, code=code)
    error.param = error.removable = path
    return error


class Clock:
    """A sleep that takes no time, unless it is held; tells how long it was to be."""

    def __init__(self) -> None:
        self.waits: list[float] = []
        self.is_held = False

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        if self.is_held:
            await asyncio.Event().wait()


class Conversation:
    def __init__(self, *scripts, messages=()):
        self.provider = ScriptedProvider(scripts)
        self.clock = Clock()
        self.remembered: list[tuple[str, str]] = []
        self.prices: list[object] = []

        async def connect(_provider_id):
            return self.provider

        async def price(_model_ref, usage):
            self.prices.append(usage)
            return 0.5

        async def remember(model_ref, parameter):
            self.remembered.append((model_ref, parameter))

        services = SessionServices(
            connect=connect,
            price=price,
            wire_of=lambda _provider_id: "wire",
            remember_refused=remember,
            sleep=self.clock.sleep,
        )
        self.session = AgentSession("test/m", services=services, recorder=Recorder("s"), messages=messages)
        self.records = []
        self.session.records.subscribe(self.records.append)

    def payloads(self, *kinds):
        return [record.payload for record in self.records if isinstance(record.payload, kinds)]

    async def waiting(self):
        while not self.clock.waits:
            await asyncio.sleep(0)


async def test_a_rate_limit_is_tried_again_and_each_attempt_is_a_request_of_its_own():
    chat = Conversation((rejection(),), (rejection(),), ANSWER)
    outcome = await chat.session.submit("hello")
    assert outcome.error is None and outcome.response.text() == "at last"
    assert [prepared.attempt for prepared in chat.payloads(RequestPrepared)] == [1, 2, 3]
    assert len({record.request_id for record in chat.records if isinstance(record.payload, RequestPrepared)}) == 3
    assert [(retry.attempt, retry.limit) for retry in chat.payloads(RetryScheduled)] == [(1, 3), (2, 3)]
    assert all(retry.reason.category is ErrorCategory.RATE_LIMIT for retry in chat.payloads(RetryScheduled))
    assert chat.payloads(TurnCompleted, TurnFailed) == [TurnCompleted()]
    assert chat.provider.requests[2].messages == (user("hello"),)


async def test_three_retries_wait_1_2_and_4_seconds_give_or_take_a_fifth_and_then_it_is_said():
    chat = Conversation(*[(rejection(),)] * 9)
    outcome = await chat.session.submit("hello")
    assert len(chat.provider.requests) == 1 + RETRY_LIMIT
    for waited_s, meant_s in zip(chat.clock.waits, (1, 2, 4), strict=True):
        assert meant_s * 0.8 <= waited_s <= meant_s * 1.2
    assert chat.clock.waits == [retry.wait_s for retry in chat.payloads(RetryScheduled)]
    assert outcome.error.hint == "It was tried 4 times. Wait and send again."


@pytest.mark.parametrize("asked_s", [0.1, 12.0, 60.0])
async def test_the_wait_is_what_the_provider_asks_for(asked_s):
    chat = Conversation((rejection(retry_after_s=asked_s),), ANSWER)
    await chat.session.submit("hello")
    assert chat.clock.waits == [asked_s]


async def test_a_wait_of_nothing_is_no_wish_of_the_provider():
    chat = Conversation((rejection(retry_after_s=0.0),), ANSWER)
    await chat.session.submit("hello")
    assert 0.8 <= chat.clock.waits[0] <= 1.2


@pytest.mark.parametrize(("asked_s", "said"), [(61.0, "61 s"), (300.0, "5 min"), (86_400.0, "24 h")])
async def test_a_longer_wait_is_not_waited_for_and_the_hint_says_so(asked_s, said):
    assert asked_s > LONGEST_WAIT_S
    chat = Conversation((rejection(retry_after_s=asked_s),), ANSWER)
    outcome = await chat.session.submit("hello")
    assert chat.clock.waits == [] and len(chat.provider.requests) == 1
    assert said in outcome.error.hint and outcome.error.hint.endswith("Wait and send again.")
    assert [failed.error for failed in chat.payloads(TurnFailed)] == [outcome.error]


@pytest.mark.parametrize(
    "error",
    [
        rejection(ErrorCategory.QUOTA, is_retryable=False),
        rejection(ErrorCategory.AUTH, is_retryable=False, status=401),
        rejection(ErrorCategory.INVALID_REQUEST, is_retryable=False, status=500),
        TransportError("The certificate is not trusted", is_retryable=False),
    ],
)
async def test_what_will_never_do_better_is_not_tried_again(error):
    chat = Conversation((error,), ANSWER)
    outcome = await chat.session.submit("hello")
    assert outcome.error == error.to_record()
    assert len(chat.provider.requests) == 1


async def test_a_connection_that_fails_before_the_first_byte_is_tried_again():
    chat = Conversation((TransportError("refused"),), ANSWER)
    outcome = await chat.session.submit("hello")
    assert outcome.response.text() == "at last"


@pytest.mark.parametrize(
    "begun",
    [
        (START,),
        (START, CostUpdate(PartialUsage(7))),
        (START, ContentBlockStart(0, TextType())),
        (START, ContentBlockStart(0, ThinkingType())),
    ],
)
async def test_A01_an_error_after_the_beginning_alone_is_tried_again_and_leaves_nothing_in_the_history(begun):
    chat = Conversation((*begun, rejection(ErrorCategory.OVERLOADED)), ANSWER, text_answer("two"))
    outcome = await chat.session.submit("hello")
    assert outcome.response.text() == "at last"
    failed, answered = chat.payloads(ResponseReceived)
    assert failed.response.error is not None and failed.response.message.content == ()
    assert answered.response.error is None
    await chat.session.submit("again")
    assert [type(message) for message in chat.provider.requests[2].messages] == [User, Assistant, User]


@pytest.mark.parametrize(
    "token",
    [
        (ContentBlockStart(0, TextType()), TextDelta("a", 0)),
        (ContentBlockStart(0, ThinkingType()), ThinkingDelta("a", 0)),
        (ContentBlockStart(0, RefusalType()), RefusalDelta("a", 0)),
        (ContentBlockStart(0, ToolUseType("c", "f")),),
        (ContentBlockStart(0, ToolUseType("c", "f")), ToolCallArgumentsDelta("{", 0)),
        (ContentBlockStart(0, ExtensionType("p", "k", {})),),
    ],
)
@pytest.mark.parametrize("error", [rejection(), TransportError("reset")])
async def test_an_error_after_the_first_thing_to_see_is_never_tried_again(token, error):
    chat = Conversation((START, *token, error), ANSWER)
    outcome = await chat.session.submit("hello")
    assert outcome.error is not None and outcome.response.stop_reason is StopReason.ERROR
    assert len(chat.provider.requests) == 1
    assert chat.payloads(RetryScheduled) == []


async def test_the_last_attempt_that_only_began_is_the_outcome():
    chat = Conversation(*[(START, rejection(ErrorCategory.OVERLOADED))] * 4)
    outcome = await chat.session.submit("hello")
    assert outcome.error.hint.startswith("It was tried 4 times.")
    assert len(chat.payloads(ResponseReceived)) == 4
    assert chat.payloads(ResponseReceived)[-1].response.error == outcome.error


async def test_SEED5_the_cost_counts_what_failed_attempts_have_used():
    begun = (START, CostUpdate(PartialUsage(prompt_tokens=7)), rejection(ErrorCategory.OVERLOADED))
    chat = Conversation(begun, (rejection(),), ANSWER)
    await chat.session.submit("hello")
    assert chat.session.cost.request_count == 2, "a request that was refused at once has used nothing"
    assert (chat.session.cost.prompt_tokens, chat.session.cost.total_usd) == (10, 1.0)
    only_failed = Conversation(begun, (rejection(is_retryable=False),))
    await only_failed.session.submit("hello")
    assert only_failed.session.cost.prompt_tokens == 7


async def test_the_wait_ends_at_once_when_the_user_wants_it_now():
    chat = Conversation((rejection(retry_after_s=30.0),), ANSWER)
    chat.clock.is_held = True
    task = chat.session.submit("hello")
    await chat.waiting()
    assert len(chat.provider.requests) == 1
    chat.session.retry_now()
    outcome = await task
    assert outcome.response.text() == "at last"
    chat.session.retry_now()  # nothing is waited for: nothing happens


async def test_a_wait_that_was_ended_early_does_not_end_the_next_one():
    chat = Conversation((rejection(),), (rejection(),), ANSWER)
    chat.clock.is_held = True
    task = chat.session.submit("hello")
    await chat.waiting()
    chat.session.retry_now()
    while len(chat.clock.waits) < 2:
        await asyncio.sleep(0)
    assert not task.done() and len(chat.provider.requests) == 2
    chat.session.retry_now()
    await task


@pytest.mark.parametrize("stop", [AgentSession.cancel, lambda session: session.aclose()])
async def test_stopping_while_waiting_cancels_the_turn_and_leaves_only_the_users_message(stop):
    chat = Conversation((START, rejection(ErrorCategory.OVERLOADED)), ANSWER)
    chat.clock.is_held = True
    task = chat.session.submit("hello")
    await chat.waiting()
    ending = stop(chat.session)
    if ending is not None:
        await ending
    await asyncio.wait([task])
    assert task.cancelled() and chat.payloads(TurnCompleted, TurnFailed, TurnCancelled) == [TurnCancelled()]
    assert chat.session.cost.request_count == 1
    chat.clock.is_held = False
    await chat.session.submit("again")
    assert chat.provider.requests[1].messages == (user("hello"), user("again"))


async def test_E07_what_the_user_has_not_set_is_left_out_without_asking_once_a_turn():
    chat = Conversation((refused("stream_options"),), ANSWER)
    outcome = await chat.session.submit("hello")
    assert outcome.error is None
    assert chat.remembered == [("test/m", "stream_options")]
    (repaired,) = chat.payloads(ParameterRepaired)
    assert (repaired.parameter, repaired.is_automatic) == ("stream_options", True)
    assert chat.clock.waits == [] and [p.attempt for p in chat.payloads(RequestPrepared)] == [1, 2]

    twice = Conversation((refused("stream_options"),), (refused("include"),), ANSWER)
    outcome = await twice.session.submit("hello")
    assert outcome.error.details["removable"] == "include"
    assert twice.remembered == [("test/m", "stream_options")]


async def test_E07_a_repair_takes_none_of_the_retries():
    chat = Conversation((rejection(),), (refused("store"),), (rejection(),), (rejection(),), ANSWER)
    outcome = await chat.session.submit("hello")
    assert outcome.error is None and len(chat.provider.requests) == 5
    assert [retry.attempt for retry in chat.payloads(RetryScheduled)] == [1, 2, 3]


async def test_E07_an_error_that_names_nothing_to_leave_out_is_final():
    chat = Conversation((unnamed_rejection(),), ANSWER)
    outcome = await chat.session.submit("hello")
    assert outcome.error.details["param"] == "messages[1].content" and len(chat.provider.requests) == 1


def unnamed_rejection():
    error = rejection(ErrorCategory.INVALID_REQUEST, status=400, is_retryable=False)
    error.param = "messages[1].content"
    return error


async def test_E07_the_user_can_have_it_sent_again_without_the_parameter_and_it_is_remembered():
    failing = (refused("temperature"), refused("stream_options"))
    chat = Conversation(*[(error,) for error in failing[::-1]], (failing[0],), ANSWER)
    error = (await chat.session.submit("hello")).error
    assert error is not None and error.details["removable"] == "temperature"
    outcome = await chat.session.resend_without(error, model_ref="test/m")
    assert chat.remembered[:2] == [("test/m", "stream_options"), ("test/m", "temperature")]
    assert outcome.response.text() == "at last"
    assert all(request.messages == (user("hello"),) for request in chat.provider.requests), "it was not said twice"
    by_user = [record for record in chat.payloads(ParameterRepaired) if not record.is_automatic]
    assert [record.parameter for record in by_user] == ["temperature"]
    assert [started.message for started in chat.payloads(TurnStarted)] == [user("hello"), User(())]


async def test_what_has_its_answer_is_not_sent_again():
    chat = Conversation(ANSWER)
    await chat.session.submit("hello")
    with pytest.raises(Exception, match="its answer already"):
        chat.session.resend_without(refused("temperature").to_record(), model_ref="test/m")


async def test_P08_thinking_that_the_provider_cannot_read_any_more_is_stripped_once():
    own, foreign = Origin("test", "m", "wire"), Origin("other", "m", "wire")
    past = (
        user("one"),
        Assistant((Thinking("hm", signature="stale"), Text("two")), own),
        user("three"),
        Assistant((Thinking("other", signature="s"), Text("four")), foreign),
        user("five"),
        Assistant((Thinking("only"),), own),
    )
    stale = refused(None, code="invalid_encrypted_content")
    chat = Conversation((stale,), ANSWER, (stale,), messages=past)
    outcome = await chat.session.submit("six")
    assert outcome.error is None and chat.remembered == []
    assert [repaired.parameter for repaired in chat.payloads(ParameterRepaired)] == [STALE_THINKING]
    assert chat.provider.requests[1].messages == (
        past[0],
        dataclasses.replace(past[1], content=(Text("two"),)),
        *past[2:5],
        user("six"),
    )
