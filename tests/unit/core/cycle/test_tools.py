"""The loop of tools: requests, rounds, what ends it, and going on after a restart (SEED3, TOOL3, TOOL9, TOOL11)."""

import asyncio

import pytest

from agdesk.core.cycle.hooks import Hook, HookPoint
from agdesk.core.cycle.tool_setup import RoundBefore, ToolSetup
from agdesk.core.cycle.turn_plan import UnfinishedTurn
from agdesk.core.errors import HookVeto
from agdesk.core.ir.approval import ApprovalDecision, ApprovalRule, RuleVerdict, Verdict
from agdesk.core.ir.messages import Assistant, Tool, User, text_of
from agdesk.core.ir.response import StopReason
from agdesk.core.ir.tool_selection import ToolSelection
from agdesk.core.providers.base import ProviderFeatures
from agdesk.core.providers.scripted import ScriptedProvider, text_answer
from agdesk.core.tools.registry import ToolRegistry
from agdesk.core.trace.events import HookRan, RequestPrepared, TurnCancelled, TurnCompleted, TurnFailed
from agdesk.core.trace.tools import ToolApprovalRequested, ToolExecutionCompleted, ToolRoundCompleted
from tests.fakes.calls import calls_answer
from tests.fakes.session_tools import FakeTool, hang
from tests.unit.core.cycle.test_session import Conversation

ALLOW = ApprovalDecision(Verdict.ALLOW)


ONE = calls_answer(("1", "echo", {"text": "hi"}))


def allowing(tool):
    return ApprovalRule("r", RuleVerdict.ALLOW, f"builtin:{tool.definition.name}", identity=tool.identity)


class ToolConversation(Conversation):
    """A conversation in which tools are switched on."""

    def __init__(self, *scripts, tools=(), rules=(), **services):
        async def setup(selection):
            return ToolSetup(ToolRegistry(tool for tool in tools if tool.definition.name in selection.names))

        super().__init__(*scripts, tools=setup, rules=lambda _session_id: rules, **services)
        self.provider = ScriptedProvider(scripts, features=ProviderFeatures(tool_use=True))
        self.session.tools = ToolSelection(tuple(tool.definition.name for tool in tools))

    async def until_pending(self, count=1):
        while len(self.session.approvals.pending) != count:
            await asyncio.sleep(0)

    @property
    def kinds(self):
        return [type(message) for message in self.session._history]


async def test_the_model_gets_the_results_and_answers():
    tool = FakeTool()
    chat = ToolConversation(ONE, text_answer("It says hi."), tools=(tool,), rules=(allowing(tool),))
    outcome = await chat.session.submit("what does it say?")
    assert outcome.response.text() == "It says hi."
    assert chat.kinds == [User, Assistant, Tool, Assistant]
    first, second = chat.provider.requests
    assert [definition.name for definition in first.tools] == ["echo"]
    assert text_of(second.messages[-1].results[0].content) == "hi"
    assert len(chat.payloads(ToolRoundCompleted)) == 1
    assert [type(end) for end in chat.ends()] == [TurnCompleted]


async def test_tools_that_are_not_switched_on_are_neither_offered_nor_run():
    tool = FakeTool()
    chat = ToolConversation(ONE, tools=(tool,), rules=(allowing(tool),))
    chat.session.tools = ToolSelection()
    await chat.session.submit("go")
    assert chat.provider.requests[0].tools == ()
    assert tool.runs == []


@pytest.mark.parametrize("reason", [StopReason.END_TURN, StopReason.MAX_TOKENS])
async def test_calls_run_only_after_an_answer_that_ended_for_them(reason):
    tool = FakeTool()
    answer = calls_answer(("1", "echo", {"text": "hi"}), reason=reason)
    chat = ToolConversation(answer, tools=(tool,), rules=(allowing(tool),))
    await chat.session.submit("go")
    assert tool.runs == []


async def test_the_eleventh_request_of_a_turn_is_refused():
    tool = FakeTool()
    chat = ToolConversation(*[ONE] * 12, tools=(tool,), rules=(allowing(tool),))
    outcome = await chat.session.submit("go")
    assert outcome.error.kind == "turn_limit_exceeded"
    assert len(chat.provider.requests) == len(tool.runs) == 10
    assert isinstance(chat.session._history[-1], Tool), "every call has its result"


async def test_a_turn_waits_for_the_user_and_other_conversations_do_not():
    tool = FakeTool()
    chat = ToolConversation(ONE, text_answer("done"), tools=(tool,))
    task = chat.session.submit("go")
    await chat.until_pending()
    assert chat.session.is_running
    other = ToolConversation(text_answer("other"))
    assert (await other.session.submit("hello")).response.text() == "other"
    chat.session.approvals.decide("1", ALLOW)
    assert (await task).response.text() == "done"


async def test_denying_and_stopping_ends_the_turn_without_another_request():
    chat = ToolConversation(ONE, text_answer("never"), tools=(FakeTool(),))
    task = chat.session.submit("go")
    await chat.until_pending()
    chat.session.approvals.decide("1", ApprovalDecision(Verdict.DENY, reason="no", stop_turn=True))
    await task
    assert len(chat.provider.requests) == 1
    assert chat.kinds == [User, Assistant, Tool]
    assert [type(end) for end in chat.ends()] == [TurnCancelled]


async def test_stop_while_a_tool_runs_leaves_a_history_that_can_be_sent():
    tool = FakeTool("echo", hang)
    chat = ToolConversation(ONE, text_answer("again"), tools=(tool,), rules=(allowing(tool),))
    task = chat.session.submit("go")
    while not tool.runs:
        await asyncio.sleep(0)
    chat.session.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert chat.kinds == [User, Assistant, Tool]
    assert [type(end) for end in chat.ends()] == [TurnCancelled]
    assert (await chat.session.submit("and now?")).response.text() == "again"


async def test_closing_leaves_a_question_open_and_it_is_asked_again_later():
    tool = FakeTool()
    chat = ToolConversation(ONE, tools=(tool,))
    chat.session.submit("go")
    await chat.until_pending()
    await chat.session.aclose()
    assert chat.ends() == []
    assert chat.payloads(ToolRoundCompleted) == []
    assert chat.kinds == [User, Assistant]

    later = ToolConversation(text_answer("done"), tools=(tool,), messages=tuple(chat.session._history))
    unfinished = UnfinishedTurn("turn-before", "test/m", RoundBefore({}, frozenset({"1"})))
    task = later.session.resume(unfinished)
    await later.until_pending()
    assert later.provider.requests == [], "nobody is asked before the user has decided"
    later.session.approvals.decide("1", ALLOW)
    assert (await task).response.text() == "done"
    assert {record.turn_id for record in later.records} == {"turn-before"}
    assert later.payloads(ToolApprovalRequested) == []
    assert later.kinds == [User, Assistant, Tool, Assistant]


async def test_closing_while_one_call_runs_and_another_waits():
    tool = FakeTool("echo", hang)
    answer = calls_answer(("1", "echo", {"text": "a"}), ("2", "echo", {"text": "b"}))
    chat = ToolConversation(answer, tools=(tool,))
    chat.session.submit("go")
    await chat.until_pending(2)
    chat.session.approvals.decide("1", ALLOW)
    while not tool.runs:
        await asyncio.sleep(0)
    await chat.session.aclose()
    assert [payload.tool_use_id for payload in chat.payloads(ToolExecutionCompleted)] == ["1"]
    assert chat.ends() == []


async def test_hooks_are_asked_at_their_places_and_a_veto_ends_the_turn():
    asked = []

    def noting(point):
        async def call(context, _subject):
            asked.append((point.value, context.turn_index))

        return Hook(point.value, point, call)

    tool = FakeTool()
    hooks = tuple(noting(point) for point in HookPoint)
    chat = ToolConversation(ONE, text_answer("x"), tools=(tool,), rules=(allowing(tool),), hooks=hooks)
    await chat.session.submit("go")
    assert asked == [
        ("before_request", 0),
        ("after_response", 1),
        ("before_tool", 0),
        ("after_tool", 0),
        ("before_request", 1),
        ("after_response", 2),
        ("on_turn_end", 2),
    ]
    assert len(chat.payloads(HookRan)) == 7

    async def veto(_context, request):
        raise HookVeto(f"{request.model} is too dear")

    refused = ToolConversation(text_answer("x"), hooks=(Hook("limit", HookPoint.BEFORE_REQUEST, veto),))
    outcome = await refused.session.submit("go")
    assert outcome.error.message == "m is too dear"
    assert refused.payloads(RequestPrepared) == []
    assert [type(end) for end in refused.ends()] == [TurnFailed]
