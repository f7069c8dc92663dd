"""Requests: paths, parameters, tools, and what cannot be said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agdesk.core.ir.messages import system, user
from agdesk.core.ir.request import (
    Auto,
    MessageRequest,
    None_,
    Required,
    ResponseFormat,
    ResultSemantic,
    SpecificTool,
    ThinkingOptions,
    ToolDefinition,
)
from tests.wire.gemini.streams import ENDPOINT, WIRE, rendered

SCHEMA = {"type": "object", "properties": {"x": {"$ref": "#/$defs/y"}}, "additionalProperties": False}
TOOL = ToolDefinition("f", "does", SCHEMA)


@pytest.mark.parametrize(
    ("model", "path"),
    [
        ("gemini-2.5-flash", "/models/gemini-2.5-flash"),
        ("models/gemini-2.5-flash", "/models/gemini-2.5-flash"),
        ("tunedModels/a", "/tunedModels/a"),
        ("../x?y:z", "/models/..%2Fx%3Fy%3Az"),
    ],
)
def test_G12_a_stream_is_always_asked_for_as_events(model, path):
    assert rendered(model=model).path == f"{path}:streamGenerateContent?alt=sse"
    assert rendered(model=model, is_streaming=False).path == f"{path}:generateContent"


def test_nothing_is_sent_that_was_not_set():
    request = rendered(user("Hi"))
    assert request.body == {"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]}
    assert (request.headers, request.ledger) == ({"x-goog-api-key": "k"}, ())


def test_without_a_key_no_header_is_sent():
    request = WIRE.render_request(
        MessageRequest("g", (user("Hi"),)), endpoint=ENDPOINT, api_key=None, is_streaming=True
    )
    assert request.headers == {}


def test_SEED7_the_system_text_stands_apart():
    request = rendered(system("a"), user("Hi"), system("b"))
    assert request.body["systemInstruction"] == {"parts": [{"text": "a\n\nb"}]}
    assert request.ledger == ("message 3: a system message in the middle was moved to the front",)


def test_parameters_have_Googles_names():
    request = rendered(max_tokens=5, temperature=0.0, top_p=0.5, seed=7, stop=("x", "y"))
    assert request.body["generationConfig"] == {
        "maxOutputTokens": 5,
        "temperature": 0.0,
        "topP": 0.5,
        "seed": 7,
        "stopSequences": ["x", "y"],
    }


def test_the_rows_defaults_lie_below_and_extra_above():
    row = replace(
        ENDPOINT,
        defaults={"generationConfig": {"topK": 3, "temperature": 1.0}, "safetySettings": [1], "serviceTier": "a"},
    )
    request = MessageRequest(
        "g", (user("Hi"),), temperature=0.2, extra={"serviceTier": "b", "generationConfig": {"topP": 0.9}}
    )
    body = WIRE.render_request(request, endpoint=row, api_key=None, is_streaming=True).body
    assert body["generationConfig"] == {"topK": 3, "temperature": 0.2, "topP": 0.9}
    assert (body["safetySettings"], body["serviceTier"]) == ([1], "b")
    assert row.defaults["generationConfig"] == {"topK": 3, "temperature": 1.0}


def test_G16_schemas_go_out_as_JSON_Schema():
    request = rendered(tools=(TOOL, ToolDefinition("g", "", {})))
    assert request.body["tools"] == [
        {
            "functionDeclarations": [
                {"name": "f", "description": "does", "parametersJsonSchema": SCHEMA},
                {"name": "g", "description": ""},
            ]
        }
    ]
    assert "toolConfig" not in request.body


@pytest.mark.parametrize(
    ("choice", "config"),
    [
        (None_(), {"mode": "NONE"}),
        (Required(), {"mode": "ANY"}),
        (SpecificTool("f"), {"mode": "ANY", "allowedFunctionNames": ["f"]}),
    ],
)
def test_the_choice_of_tools(choice, config):
    body = rendered(tools=(TOOL,), tool_choice=choice).body
    assert body["toolConfig"] == {"functionCallingConfig": config}


def test_E07_nothing_about_tools_is_sent_without_tools():
    request = rendered(tool_choice=Required(), parallel_tool_calls=False)
    assert request.body.keys() == {"contents"}
    assert request.ledger == ("how tools are chosen was left out: there are none",)


def test_what_cannot_be_said_about_tools_is_in_the_ledger():
    tool = replace(TOOL, result_semantic=ResultSemantic.FACTUAL)
    assert rendered(tools=(tool,), tool_choice=Auto(), parallel_tool_calls=True).ledger == (
        "what the results of tools mean is not said",
        "whether calls may be parallel was left out: this format cannot say it",
    )


@pytest.mark.parametrize(
    ("wanted", "members"),
    [
        (ResponseFormat(), {"responseMimeType": "application/json"}),
        (ResponseFormat(SCHEMA), {"responseMimeType": "application/json", "responseJsonSchema": SCHEMA}),
    ],
)
def test_G16_structured_answers(wanted, members):
    request = rendered(response_format=wanted)
    assert (request.body["generationConfig"], request.ledger) == (members, ())


def test_a_strict_schema_is_noted():
    (line,) = rendered(response_format=ResponseFormat(SCHEMA, is_strict=True)).ledger
    assert "strict" in line


@pytest.mark.parametrize(
    ("options", "config"),
    [
        (ThinkingOptions(is_enabled=False, budget_tokens=9), {"thinkingBudget": 0}),
        (ThinkingOptions(is_enabled=True), {"includeThoughts": True}),
        (ThinkingOptions(budget_tokens=512), {"includeThoughts": True, "thinkingBudget": 512}),
        (ThinkingOptions(effort="high"), {"includeThoughts": True, "thinkingLevel": "HIGH"}),
        (ThinkingOptions(effort="low", budget_tokens=9), {"includeThoughts": True, "thinkingBudget": 9}),
    ],
)
def test_R11_thinking_is_a_budget_or_a_level(options, config):
    request = rendered(thinking=options)
    assert request.body["generationConfig"] == {"thinkingConfig": config}
    assert bool(request.ledger) == (options.effort == "low")


@pytest.mark.parametrize(("effort", "level"), [("none", "LOW"), ("xhigh", "HIGH"), ("max", "HIGH")])
def test_R11_the_efforts_of_others_are_sent_as_the_nearest_level_and_told(effort, level):
    request = rendered(thinking=ThinkingOptions(effort=effort))
    assert request.body["generationConfig"]["thinkingConfig"]["thinkingLevel"] == level
    assert request.ledger == (f"the effort {effort!r} is sent as {level.lower()!r}",)


def test_R11_thinking_without_any_option_is_left_to_the_model():
    assert "generationConfig" not in rendered(thinking=ThinkingOptions()).body


def test_T27_lone_halves_of_pairs_do_not_leave():
    assert rendered(user("a\ud83d")).body["contents"][0]["parts"] == [{"text": "a\ufffd"}]
