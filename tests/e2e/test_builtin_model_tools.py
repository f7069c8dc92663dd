"""The built-in model has no tools of its own: they are offered as a schema, and its answers are calls all the same."""

import pytest

from agdesk.core.ir.blocks import Text, ToolResult, ToolUse
from agdesk.core.ir.messages import Assistant, Tool, user
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.ir.request import MessageRequest, Required, ToolDefinition
from agdesk.core.ir.response import StopReason
from agdesk.core.providers.registry import ProviderRegistry
from agdesk.core.trace.events import RequestPrepared
from agdesk.core.trace.recorder import Recorder, RequestTrace

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
