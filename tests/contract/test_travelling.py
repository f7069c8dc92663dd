"""A conversation made on one format goes on in each of the others and comes back, between strict servers."""

import json

import pytest

from agdesk.core.errors import ErrorCategory, LlmError
from agdesk.core.ir.blocks import Image, Text, Thinking, ToolResult, ToolUse, Url
from agdesk.core.ir.messages import Assistant, Tool, User, user
from agdesk.core.ir.request import MessageRequest, ThinkingOptions, ToolDefinition
from tests.contract.conversation import conversation
from tests.fakes.given.formats import GIVERS
from tests.fakes.strict.server import strict_server

PNG = Image(Url("data:image/png;base64,iVBORw0KGgo="), "image/png")
TOOL = ToolDefinition("look_up", "Looks up a city.", {"type": "object", "properties": {"city": {"type": "string"}}})
THINKING = {"anthropic": "thinking", "openai_responses": "thinking", "ollama": "thinking"}
SEALS = dict.fromkeys(("anthropic", "gemini", "openai_chat"), "signed10==") | {"openai_responses": "sealed10=="}
WIRES = sorted(GIVERS)


def request(*messages, **members):
    return MessageRequest("model-1", messages, tools=(TOOL,), max_tokens=3000, **members)


def first_turn(wire):
    """The kinds of blocks of an answer that thinks and calls, and of one that sums up."""
    return [[THINKING.get(wire, "signed thinking"), "two calls"], ["text"]]


async def begun(asked, server, wire):
    """A history of one turn, with an image, thinking, parallel calls, an image and a failure among the results."""
    server.answers += first_turn(wire)
    opening = User((Text("What is this, and where?"), PNG))
    called = (await asked.provider.chat(request(opening))).message
    calls = [block for block in called.content if isinstance(block, ToolUse)]
    assert [type(block) for block in called.content] == [Thinking, ToolUse, ToolUse]
    found = ToolResult(calls[0].id, "look_up", (Text("Here it is."), PNG))
    failed = ToolResult(calls[1].id, "look_up", (Text("No city."),), is_error=True)
    history = (opening, called, Tool((found, failed)))
    answer = (await asked.provider.chat(request(*history))).message
    return (*history, answer)


@pytest.mark.parametrize("there", WIRES)
@pytest.mark.parametrize("home", WIRES)
async def test_it_goes_there_and_comes_back(home, there):
    async with (
        strict_server(home) as first,
        strict_server(there) as second,
        conversation(first.base_url, id="home", wire=home) as asked,
        conversation(second.base_url, id="there", wire=there) as other,
    ):
        history = (*await begun(asked, first, home), user("And now?"))
        answer = (await other.provider.chat(request(*history))).message
        assert isinstance(answer, Assistant) and answer.content == (Text("text10."),)
        sent = json.dumps(second.bodies[-1], ensure_ascii=False)
        for said in ("What is this", "where20.", "Here it is.", "No city.", "And now?", "iVBORw0KGgo="):
            assert said in sent
        history = (*history, answer, user("And back?"))
        await asked.provider.chat(request(*history))
        again = json.dumps(first.bodies[-1])
        assert "text10." in again
        if seal := SEALS.get(home):
            assert seal in again and seal not in sent


@pytest.mark.parametrize("there", WIRES)
@pytest.mark.parametrize("home", WIRES)
async def test_it_goes_there_in_the_middle_of_a_turn_and_thinks_there(home, there):
    async with (
        strict_server(home) as first,
        strict_server(there) as second,
        conversation(first.base_url, id="home", wire=home) as asked,
        conversation(second.base_url, id="there", wire=there) as other,
    ):
        *running, _ = await begun(asked, first, home)
        thinking = ThinkingOptions(budget_tokens=2000)
        answer = (await other.provider.chat(request(*running, thinking=thinking))).message
        assert answer.content == (Text("text10."),)


@pytest.mark.parametrize("wire", WIRES)
async def test_what_a_strict_server_refuses_arrives_as_the_error_that_it_is(wire):
    async with strict_server(wire) as server, conversation(server.base_url, wire=wire) as asked:
        with pytest.raises(LlmError) as caught:
            await asked.provider.chat(MessageRequest("model-1", (user("Hi"),), extra={"dream": {"of": 1}}))
    record = caught.value.to_record()
    assert record.category is ErrorCategory.INVALID_REQUEST
    assert "dream" in record.message
    assert server.bodies == []
