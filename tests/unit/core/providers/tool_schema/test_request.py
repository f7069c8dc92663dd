"""Requests with tools, said as a schema and in words."""

import dataclasses
import json

import pytest

from agdesk.core.ir.blocks import Image, Text, ToolResult, ToolUse, Url
from agdesk.core.ir.messages import Assistant, System, Tool, User, system, text_of, user
from agdesk.core.ir.request import (
    Auto,
    MessageRequest,
    None_,
    Required,
    ResponseFormat,
    SpecificTool,
    ToolDefinition,
)
from agdesk.core.providers.base import ModelInfo, ProviderFeatures
from agdesk.core.providers.tool_schema.request import (
    ANSWERS_NOW,
    AS_SCHEMA,
    SWITCHED_OFF,
    is_schema_needed,
    offered_tools,
)
from agdesk.core.providers.tool_schema.request import tools_as_schema as without_tools

CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
WEATHER = ToolDefinition("weather", "The weather of a city.", CITY)
CLOCK = ToolDefinition("clock", "What time it is.", {"type": "object", "properties": {}})


def asked(*messages, **changes):
    return MessageRequest("m", messages or (user("Is it raining in Paris?"),), tools=(WEATHER, CLOCK), **changes)


def branches(request):
    return request.response_format.schema["anyOf"]


def test_every_tool_has_a_branch_with_its_own_arguments_and_the_answer_has_one():
    found = branches(without_tools(asked()))
    assert [branch["properties"].get("tool") for branch in found] == [{"const": "weather"}, {"const": "clock"}, None]
    assert found[0]["properties"]["arguments"] == CITY
    assert found[2]["properties"] == {"answer": {"type": "string"}}
    assert all(branch["required"] == list(branch["properties"]) for branch in found)


def test_what_is_sent_has_neither_tools_nor_a_choice_of_them():
    sent = without_tools(asked(parallel_tool_calls=True))
    assert (sent.tools, sent.tool_choice, sent.parallel_tool_calls) == ((), Auto(), None)


def test_the_tools_are_described_behind_the_system_texts_that_lead():
    sent = without_tools(asked(system("Be short."), user("Hi")))
    assert [type(message) for message in sent.messages] == [System, System, User]
    told = text_of(sent.messages[1].content)
    assert "weather" in told and "The weather of a city." in told and json.dumps(CITY) in told and "answer" in told


def test_a_call_that_must_be_made_leaves_no_branch_for_an_answer():
    sent = without_tools(asked(tool_choice=Required()))
    assert len(branches(sent)) == 2
    assert "answer" not in text_of(sent.messages[0].content)
    (only,) = branches(without_tools(asked(tool_choice=SpecificTool("clock"))))
    assert only["properties"]["tool"] == {"const": "clock"}


def test_tools_that_must_not_be_called_are_not_offered():
    wanted = ResponseFormat({"type": "object"})
    sent = without_tools(asked(tool_choice=None_(), response_format=wanted))
    assert sent.response_format == wanted and len(sent.messages) == 1


def test_the_answer_keeps_the_format_that_was_asked_for():
    schema = {"type": "object", "properties": {"is_raining": {"type": "boolean"}}}
    found = branches(without_tools(asked(response_format=ResponseFormat(schema))))
    assert found[-1]["properties"] == {"answer": schema}
    anything = branches(without_tools(asked(response_format=ResponseFormat())))
    assert anything[-1]["properties"] == {"answer": {"type": "object"}}


def test_calls_and_results_of_the_history_are_said_as_text():
    call = ToolUse("c1", "weather", {"city": "Paris"}, '{"city": "Paris"}')
    image = Image(Url("data:image/png;base64,AA=="), "image/png")
    history = (
        user("Is it raining?"),
        Assistant((Text("I look."), call)),
        Tool((ToolResult("c1", "weather", (Text("rain"), image)), ToolResult("c2", "clock", (Text("broken"),), True))),
    )
    sent = without_tools(asked(*history)).messages[1:]
    assert [type(message) for message in sent] == [User, Assistant, User]
    assert json.loads(sent[1].content[1].text) == {"tool": "weather", "arguments": {"city": "Paris"}}
    assert sent[2].content == (Text("Result of weather:\nrain"), image, Text("Error of clock:\nbroken"))


def test_arguments_that_are_no_object_are_said_as_they_came():
    call = ToolUse("c1", "weather", None, '{"city": "Par', "cut")
    (sent,) = without_tools(MessageRequest("m", (Assistant((call,)),))).messages
    assert json.loads(sent.content[0].text)["arguments"] == '{"city": "Par'


NO_TOOLS = ModelInfo("m", "m", ProviderFeatures(tool_use=False))


def test_only_what_has_to_do_with_tools_needs_the_schema():
    assert not is_schema_needed(MessageRequest("m", (user("Hi"),)), NO_TOOLS)
    assert is_schema_needed(asked(), NO_TOOLS)
    assert is_schema_needed(MessageRequest("m", (Tool((ToolResult("c", "t", ()),)),)), NO_TOOLS)
    assert is_schema_needed(MessageRequest("m", (Assistant((ToolUse("c", "t", {}, "{}"),)),)), NO_TOOLS)


@pytest.mark.parametrize(
    ("tool_use", "mode", "is_schema"),
    [
        (False, "auto", True),
        (None, "auto", False),
        (True, "auto", False),
        (True, "schema", True),
        (False, "native", False),
        (False, "off", False),
    ],
)
def test_how_tools_are_offered_is_the_users_word_and_else_what_is_known(tool_use, mode, is_schema):
    model = ModelInfo("m", "m", ProviderFeatures(tool_use=tool_use), tool_mode=mode)
    sent, ledger = offered_tools(asked(), model)
    assert (sent.response_format is not None) is is_schema
    assert ledger == ((AS_SCHEMA,) if is_schema else (SWITCHED_OFF,) if mode == "off" else ())
    assert bool(sent.tools) is (mode == "native" or (mode == "auto" and tool_use is not False))


def test_a_model_that_calls_again_and_again_is_asked_for_an_answer_once_it_has_results():
    asking = asked()
    results = dataclasses.replace(asking, messages=(*asking.messages, Tool((ToolResult("c", "t", (Text("found"),)),))))
    sent, ledger = offered_tools(results, NO_TOOLS, calls_once=True)
    assert sent.response_format is not None and sent.response_format.schema is not None
    (branch,) = sent.response_format.schema["anyOf"]
    assert list(branch["properties"]) == ["answer"]
    assert ledger == (AS_SCHEMA, ANSWERS_NOW)
    for request, calls_once in ((results, False), (asking, True)):
        sent, _ = offered_tools(request, NO_TOOLS, calls_once=calls_once)
        assert sent.response_format is not None and sent.response_format.schema is not None
        assert len(sent.response_format.schema["anyOf"]) > 1
