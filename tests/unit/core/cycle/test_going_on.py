"""CHAT5 in a session: a cut answer is gone on with; what was there stays as a sibling of the whole."""

import asyncio

import pytest

from agdesk.core.errors import ConfigurationError, ErrorCategory, ProviderRejection, TransportError
from agdesk.core.ir import stream as ev
from agdesk.core.ir.messages import text_of
from agdesk.core.ir.parameters import RequestParameters, ThinkingOptions
from agdesk.core.ir.response import EndCause, StopReason, Usage
from agdesk.core.providers.base import Endpoint, ModelInfo
from agdesk.core.providers.dialect import Dialect, Prefill
from agdesk.core.providers.parameters import goes_on
from agdesk.core.providers.scripted import Pause, text_answer
from agdesk.core.trace.events import RequestPrepared, ResponseReceived, TurnCancelled, TurnFailed, TurnStarted
from tests.unit.core.cycle.test_branching import REJECTED, Chat

BEGUN = (ev.MessageStart("1", "m"), ev.ContentBlockStart(0, ev.TextType()), ev.TextDelta("half an ", 0))
CUTS = {
    "no terminator": BEGUN,
    "length": text_answer("half an ", stop_reason=StopReason.MAX_TOKENS),
    "broken connection": (*BEGUN, TransportError("The connection broke", "")),
    "timeout": (*BEGUN, TransportError("Nothing came", "", is_timeout=True)),
}


def chat_with(*scripts):
    return Chat(*scripts, goes_on=lambda _ref, _parameters: True)


async def stopped(chat, task):
    while not chat.payloads(ResponseReceived, RequestPrepared) or not chat.provider.open_count:
        await asyncio.sleep(0)
    for _ in range(20):
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize("cause", CUTS)
async def test_an_answer_that_was_cut_is_gone_on_with_whatever_cut_it(cause):
    chat = chat_with(CUTS[cause], text_answer("answer", usage=Usage(7, 3)))
    await chat.session.submit("question")
    assert chat.session.can_go_on
    await chat.session.go_on()
    request = chat.provider.requests[-1]
    assert request.is_continuation
    assert chat.sent() == ["question", "half an"]
    assert chat.said() == ["question", "half ananswer"]
    assert not chat.session.can_go_on
    assert (chat.session.cost.prompt_tokens, chat.session.cost.completion_tokens) == (7, 3)
    assert chat.session.cost.request_count == 2


async def test_what_was_there_stays_as_a_sibling_of_the_whole_answer():
    chat = chat_with(CUTS["no terminator"], text_answer("answer"))
    await chat.session.submit("question")
    cut_id = chat.tree.leaf_id
    await chat.session.go_on()
    assert [text_of(node.message.content) for node in chat.tree.siblings(chat.tree.leaf_id)] == [
        "half an ",
        "half ananswer",
    ]
    assert [payload.continues for payload in chat.payloads(TurnStarted, ResponseReceived)] == [
        None,
        None,
        cut_id,
        cut_id,
    ]
    await chat.session.select(cut_id)
    assert chat.said() == ["question", "half an "]
    assert chat.session.can_go_on


async def test_the_ledger_tells_of_white_space_that_is_not_sent():
    chat = chat_with(CUTS["no terminator"], text_answer("answer"))
    await chat.session.submit("question")
    await chat.session.go_on()
    assert chat.payloads(RequestPrepared)[-1].ledger == ("white space at the end of the answer was left out",)


async def test_an_answer_that_is_gone_on_with_can_be_stopped_and_gone_on_with_again():
    chat = chat_with(CUTS["no terminator"], (*BEGUN[:2], ev.TextDelta(" ans", 0), Pause(60)), text_answer("wer"))
    await chat.session.submit("question")
    await stopped(chat, chat.session.go_on())
    assert chat.said() == ["question", "half an ans"]
    assert chat.payloads(ResponseReceived)[-1].end_cause is EndCause.USER
    await chat.session.go_on()
    assert chat.said() == ["question", "half an answer"]
    assert len(chat.tree.siblings(chat.tree.leaf_id)) == 3


async def test_what_was_there_stays_the_answer_when_nothing_comes():
    chat = chat_with(CUTS["no terminator"], (Pause(60),), REJECTED, text_answer(" answer"))
    await chat.session.submit("question")
    cut_id = chat.tree.leaf_id
    await stopped(chat, chat.session.go_on())
    assert chat.tree.leaf_id == cut_id
    assert chat.payloads(TurnCancelled)
    await chat.session.go_on()
    assert chat.tree.leaf_id == cut_id
    assert chat.payloads(TurnFailed)
    assert chat.said() == ["question", "half an "]
    await chat.session.go_on()
    assert chat.said() == ["question", "half an answer"]


async def test_a_parameter_that_was_refused_is_left_out_and_the_answer_is_gone_on_with():
    refused = ProviderRejection("No", "", category=ErrorCategory.INVALID_REQUEST, status=400)
    refused.removable = "temperature"
    chat = chat_with(CUTS["no terminator"], (refused,), text_answer(" answer"))
    chat.session.parameters = RequestParameters(temperature=0.5)
    await chat.session.submit("question")
    outcome = await chat.session.go_on()
    await chat.session.resend_without(outcome.error, model_ref="test/m")
    assert chat.said() == ["question", "half an answer"]


async def test_an_answer_that_ended_by_itself_or_that_nobody_goes_on_with_cannot_be_continued():
    chat = chat_with(text_answer("whole"))
    await chat.session.submit("question")
    with pytest.raises(ConfigurationError):
        chat.session.go_on()
    unknown = Chat(CUTS["no terminator"])
    await unknown.session.submit("question")
    assert not unknown.session.can_go_on
    with pytest.raises(ConfigurationError):
        unknown.session.go_on()


def test_a_model_is_said_to_go_on_only_where_it_is_known_and_while_it_does_not_think():
    knows = Endpoint("p", "P", "w", "", dialect=Dialect(prefill=Prefill.PREFIX))
    model, nothing = ModelInfo("m", "m"), RequestParameters()
    assert goes_on(model, knows, nothing)
    assert goes_on(model, knows, RequestParameters(thinking=ThinkingOptions(False)))
    assert not goes_on(model, knows, RequestParameters(thinking=ThinkingOptions(effort="low")))
    assert not goes_on(ModelInfo("m", "m", takes_prefill=False), knows, nothing)
    assert not goes_on(model, Endpoint("p", "P", "w", ""), nothing)
