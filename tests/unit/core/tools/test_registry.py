"""The registry runs calls; whatever goes wrong becomes a result that the model can use."""

import asyncio
import contextlib

import pytest

from agdesk.core.errors import InvalidToolInput, ToolFailed, UnknownTool
from agdesk.core.ir.blocks import Text, ToolUse
from agdesk.core.ir.messages import text_of
from agdesk.core.ir.request import ResultSemantic
from agdesk.core.tasks import spawn
from agdesk.core.tools import registry as registry_module
from agdesk.core.tools.base import InputProblem, ToolContext, identity_of, server_part
from agdesk.core.tools.registry import ApprovedCall, ToolRegistry
from tests.fakes.tools import FakeTool, answering, call

CONTEXT = ToolContext()


async def invoke(tool, *, timeout_s=10.0, **options):
    return await ToolRegistry([tool], **options).invoke(call(), CONTEXT, timeout_s=timeout_s)


def words(outcome):
    return text_of(outcome.result.content)


def test_tools_are_offered_in_their_order_and_found_by_name():
    one, two = FakeTool("one"), FakeTool("two")
    tools = ToolRegistry([one, two])
    assert tools.definitions() == (one.definition, two.definition)
    assert tools.find("two") is two and tools.find("three") is None
    with pytest.raises(ValueError, match="called one"):
        ToolRegistry([one, FakeTool("one")])


def test_an_identity_changes_with_the_server_and_with_what_the_model_is_told():
    tool = FakeTool().definition
    identity = identity_of("server", tool)
    assert identity == identity_of("server", tool)
    others = {identity_of("other", tool), identity_of("server", FakeTool(semantic=ResultSemantic.ACTION).definition)}
    assert identity not in others and len(others) == 2
    assert server_part(identity) == server_part(identity_of("server", FakeTool("else").definition))
    assert server_part(identity) != server_part(identity_of("other", tool))


async def test_a_result_is_cut_at_the_limit():
    outcome = await invoke(FakeTool(act=answering("a" * 30)), result_characters=10)
    assert words(outcome) == "aaaaaaaaaa\n[… 20 characters cut]"


async def test_an_unknown_tool_is_told_which_there_are():
    outcome = await ToolRegistry([FakeTool("one"), FakeTool("two")]).invoke(call("three"), CONTEXT, timeout_s=1)
    assert outcome.result.is_error and outcome.error.kind == "unknown_tool"
    assert words(outcome) == "There is no tool called three. The tools are: one, two."
    with pytest.raises(UnknownTool, match="three"):
        ToolRegistry().check(call("three"))


async def test_arguments_that_are_none_never_run():
    tool = FakeTool()
    broken = ToolUse("call-1", "fake", None, '{"a":', "the arguments are not valid JSON: cut")
    outcome = await ToolRegistry([tool]).invoke(broken, CONTEXT, timeout_s=1)
    assert outcome.error.kind == "invalid_tool_input" and "not valid JSON: cut" in words(outcome)
    assert tool.runs == []


async def test_arguments_that_the_tool_does_not_take_never_run():
    tool = FakeTool(problems=(InputProblem("$.path", "is missing"), InputProblem("$.n[0]", "is no number")))
    outcome = await invoke(tool)
    assert outcome.error.kind == "invalid_tool_input"
    assert words(outcome).endswith("$.path: is missing; $.n[0]: is no number")
    assert tool.runs == []
    with pytest.raises(InvalidToolInput):
        ToolRegistry([tool]).check(call())


async def test_a_tool_that_says_why_it_failed_is_heard():
    async def act(_input, _context):
        raise ToolFailed("There is no a.txt", "List the folder.")

    outcome = await invoke(FakeTool(act=act))
    assert (words(outcome), outcome.error.kind) == ("There is no a.txt. List the folder.", "tool_failed")


async def test_a_tool_that_breaks_gives_a_result_and_a_line_in_the_log(caplog):
    async def act(_input, _context):
        raise ZeroDivisionError("of all things")

    outcome = await invoke(FakeTool(act=act))
    assert words(outcome) == "fake failed: ZeroDivisionError: of all things"
    (line,) = caplog.records
    assert line.exc_info[0] is ZeroDivisionError and line.getMessage() == "tool fake failed"


@pytest.mark.parametrize(("semantic", "end"), [("factual", "stopped"), ("action", "stopped; its effect is unknown")])
async def test_a_tool_that_takes_too_long_is_stopped(semantic, end):
    stopped = asyncio.Event()

    async def act(_input, _context):
        try:
            await asyncio.sleep(60)
        finally:
            stopped.set()

    outcome = await invoke(FakeTool(act=act, semantic=ResultSemantic(semantic)), timeout_s=0.05)
    assert stopped.is_set()
    assert (words(outcome), outcome.error.kind) == (f"fake did not finish within 0.05 s and was {end}", "tool_timeout")


async def test_cancelling_stops_the_tool():
    started, stopped = asyncio.Event(), asyncio.Event()

    async def act(_input, _context):
        started.set()
        try:
            await asyncio.sleep(60)
        finally:
            stopped.set()

    running = spawn(invoke(FakeTool(act=act)), name="test")
    await started.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert stopped.is_set()


async def test_a_tool_that_does_not_stop_is_left_behind_and_said_so(caplog, monkeypatch):
    monkeypatch.setattr(registry_module, "STOP_LIMIT_S", 0.05)
    release = asyncio.Event()

    async def act(_input, _context):
        while not release.is_set():
            with contextlib.suppress(asyncio.CancelledError):
                await release.wait()

    outcome = await invoke(FakeTool(act=act), timeout_s=0.05)
    assert outcome.error.kind == "tool_timeout"
    assert "does not stop" in caplog.text
    release.set()


async def test_calls_run_at_once_and_their_results_come_in_their_order():
    together = asyncio.Barrier(3)

    async def act(input, _context):
        await together.wait()  # passes only if all three run
        await asyncio.sleep(0.01 * (3 - input["n"]))
        return await answering(f"result {input['n']}")(input, _context)

    told = []
    calls = [ApprovedCall(call(input={"n": n}, id=f"call-{n}"), CONTEXT, 10.0) for n in range(3)]
    outcomes = await ToolRegistry([FakeTool(act=act)]).invoke_all(
        calls, on_outcome=lambda one, outcome: told.append((one.id, outcome))
    )
    assert [words(one) for one in outcomes] == ["result 0", "result 1", "result 2"]
    assert [one.result.tool_use_id for one in outcomes] == ["call-0", "call-1", "call-2"]
    assert [id for id, _ in told] == ["call-2", "call-1", "call-0"]
    assert await ToolRegistry().invoke_all([]) == ()


async def test_one_call_that_fails_leaves_the_others_alone():
    calls = [ApprovedCall(call(name, id=name), CONTEXT, 10.0) for name in ("missing", "fake")]
    bad, good = await ToolRegistry([FakeTool()]).invoke_all(calls)
    assert bad.result.is_error and good.result.content == (Text("done"),)


async def test_when_all_are_cancelled_every_call_has_an_outcome_and_says_what_is_unknown():
    tools = [FakeTool("quick"), FakeTool("read", answering("late", 60)), FakeTool("write", answering("late", 60))]
    tools[2] = FakeTool("write", answering("late", 60), semantic=ResultSemantic.ACTION)
    told = {}
    is_quick_done = asyncio.Event()

    def on_outcome(one, outcome):
        told[one.id] = outcome
        is_quick_done.set()

    calls = [ApprovedCall(call(tool.definition.name, id=tool.definition.name), CONTEXT, 90.0) for tool in tools]
    running = spawn(ToolRegistry(tools).invoke_all(calls, on_outcome=on_outcome), name="test")
    await is_quick_done.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert {id: words(outcome) for id, outcome in told.items()} == {
        "quick": "done",
        "read": "cancelled",
        "write": "cancelled, effect unknown",
    }
