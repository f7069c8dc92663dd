"""The calls of one answer: nothing runs undecided, every call has one result, and Stop stops (TOOL3, TOOL5, TOOL9)."""

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agdesk.core.cycle.approvals import Approvals
from agdesk.core.cycle.hooks import Hook, HookContext, HookExecutor, HookPoint
from agdesk.core.cycle.tool_round import ToolRound
from agdesk.core.cycle.tool_setup import RoundBefore, ToolSetup
from agdesk.core.errors import HookVeto
from agdesk.core.ir.approval import (
    ApprovalDecision,
    ApprovalRule,
    DecidedBy,
    RuleVerdict,
    Scope,
    Verdict,
)
from agdesk.core.ir.blocks import Text, ToolResult, ToolUse
from agdesk.core.ir.effect import CommandRun
from agdesk.core.ir.messages import Assistant, text_of
from agdesk.core.ir.request import ResultSemantic
from agdesk.core.tools.base import text_output
from agdesk.core.tools.registry import ToolRegistry
from agdesk.core.trace.recorder import Recorder
from agdesk.core.trace.tools import (
    ToolApprovalRequested,
    ToolApprovalResolved,
    ToolExecutionCompleted,
    ToolExecutionProgressed,
    ToolExecutionStarted,
    ToolRoundCompleted,
)
from tests.fakes.session_tools import FakeTool, hang

ALLOW = ApprovalDecision(Verdict.ALLOW)


def use(call_id="1", name="echo", **arguments):
    return ToolUse(call_id, name, arguments, json.dumps(arguments))


class Round:
    """A round over fakes, with everything that it recorded."""

    def __init__(self, *tools, rules=(), has_approvals=True, hooks=(), **setup):
        self.recorder = Recorder("s")
        self.payloads: list[object] = []
        self.recorder.records.subscribe(lambda record: self.payloads.append(record.payload))
        self.approvals = Approvals(lambda: rules) if has_approvals else None
        executor = HookExecutor(hooks, self.recorder)
        values = ToolSetup(ToolRegistry(tools or (FakeTool(),)), approvals=self.approvals, hooks=executor, **setup)
        self.round = ToolRound(values, self.recorder)

    async def run(self, *blocks, before=None):
        await self.round.run(Assistant((Text("I look."), *blocks)), context=HookContext(), before=before)
        return self.round.message

    def start(self, *blocks):
        return asyncio.get_running_loop().create_task(self.run(*blocks))

    async def until_pending(self, count):
        while len(self.approvals.pending) != count:
            await asyncio.sleep(0)

    def of(self, *kinds):
        return [payload for payload in self.payloads if isinstance(payload, kinds)]


def words(message):
    return {result.tool_use_id: text_of(result.content) for result in message.results}


async def test_a_call_waits_for_the_user_and_then_runs():
    tool = FakeTool(semantic=ResultSemantic.ACTION)
    chat = Round(tool)
    task = chat.start(use(text="hi"))
    await chat.until_pending(1)
    (request,) = chat.approvals.pending
    assert (request.tool, request.input, request.words) == ("echo", {"text": "hi"}, "I look.")
    assert tool.runs == []
    chat.approvals.decide("1", ALLOW)
    message = await task
    assert words(message) == {"1": "hi"}
    kinds = [type(payload) for payload in chat.payloads]
    assert kinds == [
        ToolApprovalRequested,
        ToolApprovalResolved,
        ToolExecutionStarted,
        ToolExecutionCompleted,
        ToolRoundCompleted,
    ]
    assert chat.approvals.pending == ()


async def test_without_an_approver_nothing_runs_whatever_the_rules_say():
    tool = FakeTool()
    chat = Round(tool, has_approvals=False)
    message = await chat.run(use(), use("2"))
    assert tool.runs == []
    assert all(result.is_error for result in message.results)
    assert [payload.decision.verdict for payload in chat.of(ToolApprovalResolved)] == [Verdict.DENY] * 2


async def test_a_rule_decides_at_once_and_its_decision_is_recorded():
    tool = FakeTool()
    used = []
    chat = Round(tool, rules=(ApprovalRule("r", RuleVerdict.ALLOW, "builtin:echo", identity=tool.identity),))
    chat.approvals.rule_used.subscribe(used.append)
    assert words(await chat.run(use(text="x"))) == {"1": "x"}
    (resolved,) = chat.of(ToolApprovalResolved)
    assert (resolved.decision.by, resolved.decision.rule_id, used) == (DecidedBy.RULE, "r", ["r"])


async def test_a_rule_that_denies_tells_the_model_why():
    chat = Round(rules=(ApprovalRule("r", RuleVerdict.DENY, "builtin:*", note="never"),))
    message = await chat.run(use())
    assert message.results[0].is_error
    assert "never" in words(message)["1"]


async def test_changed_arguments_run_and_the_model_is_told():
    shown = CommandRun(("ls",), "/")
    tool = FakeTool(foreseen=shown)
    chat = Round(tool)
    task = chat.start(use(text="old"))
    await chat.until_pending(1)
    chat.approvals.decide("1", ApprovalDecision(Verdict.ALLOW, input={"text": "new"}))
    message = await task
    assert [arguments for arguments, _ in tool.runs] == [{"text": "new"}]
    assert tool.runs[0][1].approved == shown
    assert '"new"' in words(message)["1"] and words(message)["1"].endswith("new")
    assert chat.of(ToolExecutionCompleted)[0].executed_input == {"text": "new"}


async def test_changed_arguments_that_are_not_valid_do_not_run():
    tool = FakeTool()
    chat = Round(tool)
    task = chat.start(use())
    await chat.until_pending(1)
    chat.approvals.decide("1", ApprovalDecision(Verdict.ALLOW, input={"other": 1}))
    assert "not valid" in words(await task)["1"]
    assert tool.runs == []


async def test_the_user_answers_instead_of_the_tool():
    tool = FakeTool()
    chat = Round(tool)
    task = chat.start(use())
    await chat.until_pending(1)
    chat.approvals.decide("1", ApprovalDecision(Verdict.ANSWER, result="forty-two"))
    message = await task
    assert "Answered by the user" in words(message)["1"] and "forty-two" in words(message)["1"]
    assert not message.results[0].is_error
    assert tool.runs == []


async def test_a_denial_has_its_reason_and_the_others_go_on():
    chat = Round()
    task = chat.start(use("1"), use("2", text="two"))
    await chat.until_pending(2)
    chat.approvals.decide("1", ApprovalDecision(Verdict.DENY, reason="wrong folder"))
    await chat.until_pending(1)
    assert not task.done()
    chat.approvals.decide("2", ALLOW)
    assert words(await task) == {"1": "The user denied this call: wrong folder", "2": "two"}
    assert not chat.round.is_stopped


async def test_denying_and_stopping_denies_all_that_waits():
    chat = Round()
    task = chat.start(use("1"), use("2"), use("3"))
    await chat.until_pending(3)
    chat.approvals.decide("2", ApprovalDecision(Verdict.DENY, stop_turn=True))
    message = await task
    assert chat.round.is_stopped
    assert [result.is_error for result in message.results] == [True] * 3


async def test_a_rule_made_for_one_call_decides_those_that_wait_as_well():
    tool = FakeTool()
    chat = Round(tool)
    task = chat.start(use("1", text="a"), use("2", text="b"))
    await chat.until_pending(2)
    rule = ApprovalRule("t", RuleVerdict.ALLOW, "builtin:echo", identity=tool.identity, scope=Scope.TURN)
    chat.approvals.take_rule(rule)
    assert words(await task) == {"1": "a", "2": "b"}
    chat.approvals.end_turn()
    assert chat.approvals.ruling(chat.of(ToolApprovalRequested)[0].request).verdict is RuleVerdict.ASK


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (use(name="nothing"), "no tool called nothing"),
        (use(wrong=1), "not valid"),
        (ToolUse("1", "echo", None, "{", "cut off"), "cut off"),
    ],
)
async def test_a_call_that_cannot_run_is_answered_without_asking(call, reason):
    chat = Round()
    assert reason in words(await chat.run(call))["1"]
    assert chat.of(ToolApprovalRequested) == []


async def test_progress_is_recorded_and_keys_in_results_are_replaced():
    async def talk(_input, context):
        context.progress("at secret 1")
        return text_output("the secret", effect="told secret")

    tool = FakeTool("echo", talk)
    rules = (ApprovalRule("r", RuleVerdict.ALLOW, "builtin:echo", identity=tool.identity),)
    chat = Round(tool, rules=rules, redact=lambda text: text.replace("secret", "***"))
    assert words(await chat.run(use())) == {"1": "the ***"}
    assert chat.of(ToolExecutionProgressed)[0].text == "at *** 1"
    assert chat.of(ToolExecutionCompleted)[0].effect == "told ***"


async def test_a_hook_may_veto_a_call_that_was_allowed():
    async def never(_context, call):
        raise HookVeto(f"{call.name} costs too much")

    tool = FakeTool()
    rules = (ApprovalRule("r", RuleVerdict.ALLOW, "builtin:echo", identity=tool.identity),)
    chat = Round(tool, rules=rules, hooks=(Hook("budget", HookPoint.BEFORE_TOOL, never),))
    assert "costs too much" in words(await chat.run(use()))["1"]
    assert tool.runs == []


async def test_stop_ends_what_runs_and_says_that_its_effect_is_unknown():
    tool = FakeTool("echo", hang, semantic=ResultSemantic.ACTION)
    chat = Round(tool)
    task = chat.start(use("1"), use("2"))
    await chat.until_pending(2)
    chat.approvals.decide("1", ALLOW)
    while not tool.runs:
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    (completed,) = chat.of(ToolRoundCompleted)
    assert words(completed.message)["1"] == "cancelled, effect unknown"
    assert "stopped" in words(completed.message)["2"]
    by = {payload.tool_use_id: payload.decision.by for payload in chat.of(ToolApprovalResolved)}
    assert by == {"1": DecidedBy.USER, "2": DecidedBy.CANCEL}


async def test_a_suspended_round_leaves_what_waits_as_it_is_and_goes_on_later():
    tool = FakeTool()
    chat = Round(tool)
    task = chat.start(use("1", text="a"), use("2", text="b"))
    await chat.until_pending(2)
    chat.approvals.decide("1", ALLOW)
    while not chat.of(ToolExecutionCompleted):
        await asyncio.sleep(0)
    chat.round.is_suspended = True
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert chat.of(ToolRoundCompleted) == []
    assert [payload.tool_use_id for payload in chat.of(ToolApprovalResolved)] == ["1"]

    later = Round(tool)
    before = RoundBefore({"1": chat.of(ToolExecutionCompleted)[0].result}, frozenset({"1", "2"}))
    going_on = asyncio.get_running_loop().create_task(later.run(use("1", text="a"), use("2", text="b"), before=before))
    await later.until_pending(1)
    later.approvals.decide("2", ALLOW)
    assert words(await going_on) == {"1": "a", "2": "b"}
    assert later.of(ToolApprovalRequested) == []
    assert len(tool.runs) == 2


@given(steps=st.integers(0, 60), allowed=st.sets(st.sampled_from("123")), is_hanging=st.booleans())
def test_stopped_at_any_moment_every_call_has_one_result_and_no_task_is_left(steps, allowed, is_hanging):
    async def scenario():
        tool = FakeTool("echo", hang) if is_hanging else FakeTool()
        chat = Round(tool)
        calls = [use(call_id, text=call_id) for call_id in "123"]
        task = chat.start(*calls)
        for _ in range(steps):
            for call_id in allowed:
                chat.approvals.decide(call_id, ALLOW)
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        completed = chat.of(ToolRoundCompleted)
        if completed:  # else it was stopped before its first step
            assert [[result.tool_use_id for result in made.message.results] for made in completed] == [["1", "2", "3"]]
        started = {payload.tool_use_id for payload in chat.of(ToolExecutionStarted)}
        decided = {p.tool_use_id for p in chat.of(ToolApprovalResolved) if p.decision.verdict is Verdict.ALLOW}
        assert started <= decided <= allowed
        assert all(isinstance(payload.result, ToolResult) for payload in chat.of(ToolExecutionCompleted))
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(scenario())
