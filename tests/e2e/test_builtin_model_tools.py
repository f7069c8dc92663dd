"""The built-in model has no tools of its own: they are offered as a schema, and its answers are calls all the same."""

import asyncio

import pytest

from agdesk.core.ir.approval import ApprovalDecision, Verdict
from agdesk.core.ir.blocks import Text, ToolResult, ToolUse
from agdesk.core.ir.messages import Assistant, Tool, text_of, user
from agdesk.core.ir.parameters import RequestParameters
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.ir.request import MessageRequest, Required, ToolDefinition
from agdesk.core.ir.response import StopReason
from agdesk.core.ir.tool_selection import ToolSelection
from agdesk.core.providers.registry import ProviderRegistry
from agdesk.core.store.store import Store
from agdesk.core.trace.events import RequestPrepared
from agdesk.core.trace.recorder import Recorder, RequestTrace
from agdesk.core.workspace import Workspace

pytestmark = [pytest.mark.model, pytest.mark.timeout(150)]
FOLDER = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
LIST = ToolDefinition("list_directory", "Lists the files of a folder.", FOLDER)


async def test_it_calls_a_tool_and_answers_with_the_result(tmp_path):
    registry = ProviderRegistry(data_folder=tmp_path)
    recorder = Recorder("tools")
    prepared = []
    recorder.records.subscribe(lambda record: prepared.append(record.payload))

    async def ask(number, *messages, **changes):
        request = MessageRequest("smollm2-135m", messages, tools=(LIST,), max_tokens=80, temperature=0.0, **changes)
        trace = RequestTrace(recorder, f"request-{number}")
        partial = PartialMessageResponse()
        with trace.preparing(RequestPrepared(1, len(messages), 0)):
            async for event in provider.chat_stream(request, trace=trace):
                partial.apply(event)
        assert partial.ignored_count == 0, partial.last_warning
        return partial.finalize()

    try:
        provider = registry.get("builtin")
        assert provider.capabilities("smollm2-135m").features.tool_use is True
        asked = user("Which files are in the folder docs?")
        first = await ask(1, asked, tool_choice=Required())
        (call,) = first.message.content
        assert isinstance(call, ToolUse) and call.name == "list_directory"
        assert first.stop_reason is StopReason.TOOL_USE
        assert call.input is not None and isinstance(call.input["path"], str)
        result = ToolResult(call.id, call.name, (Text("README.md, cli.md"),))
        second = await ask(2, asked, Assistant((call,)), Tool((result,)))
        assert second.error is None and second.message.content
    finally:
        await registry.aclose()
    ledgers = [payload.ledger for payload in prepared if isinstance(payload, RequestPrepared)]
    assert all(any("format of the answer" in line for line in ledger) for ledger in ledgers) and len(ledgers) == 2


async def test_a_conversation_calls_the_user_corrects_and_the_answer_follows(tmp_path):
    (tmp_path / "work" / "docs").mkdir(parents=True)
    (tmp_path / "work" / "docs" / "cli.md").write_text("commands")
    (tmp_path / "data").mkdir()
    registry = ProviderRegistry(data_folder=tmp_path / "data")
    store = Store.open(tmp_path / "data", budget_bytes=lambda: 100_000_000)
    workspace = Workspace(registry, data_dir=tmp_path / "data", store=store)
    try:
        session = workspace.open_session("builtin/smollm2-135m")
        session.tools = ToolSelection(("list_directory",), str(tmp_path / "work"))
        session.parameters = RequestParameters(temperature=0.0, max_tokens=80)
        task = session.submit("Which files are in the folder docs?")
        while not session.approvals.pending:
            assert not task.done(), task.result()
            await asyncio.sleep(0.01)
        (request,) = session.approvals.pending
        assert request.tool == "list_directory"
        session.approvals.decide(request.call_id, ApprovalDecision(Verdict.ALLOW, input={"path": "docs"}))
        outcome = await task
        assert outcome.error is None and outcome.response is not None and outcome.response.text()
        (results,) = [message for message in session._history if isinstance(message, Tool)]
        assert "cli.md" in text_of(results.results[0].content)
        await workspace.close_session(session)
    finally:
        await workspace.aclose()
