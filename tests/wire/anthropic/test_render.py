"""Requests: what is sent, in which words, and that nothing is sent that was not set."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agdesk.core.ir.blocks import Text, Thinking
from agdesk.core.ir.messages import Tool, system
from agdesk.core.ir.request import (
    MessageRequest,
    None_,
    Required,
    ResponseFormat,
    ResultSemantic,
    SpecificTool,
    ThinkingOptions,
    ToolDefinition,
)
from agdesk.core.providers.base import Dialect, ModelInfo, ProviderFeatures
from tests.wire.anthropic.histories import HELLO, SENT_HELLO, own, rendered, result, said, use
from tests.wire.anthropic.streams import ENDPOINT, WIRE

TOOL = ToolDefinition("f", "Does f", {"type": "object", "properties": {"a": {"type": "integer"}}})
ON = ThinkingOptions(is_enabled=True)


def body(*messages, at=ENDPOINT, is_streaming=False, **parameters):
    return rendered(*messages, at=at, is_streaming=is_streaming, **parameters)[0]


def ledger(*messages, at=ENDPOINT, **parameters):
    return rendered(*messages, at=at, **parameters)[1]


def headers(api_key, at=ENDPOINT):
    return WIRE.render_request(MessageRequest("m", ()), endpoint=at, api_key=api_key, is_streaming=False).headers


def test_nothing_is_sent_that_was_not_set():
    assert rendered() == ({"model": "m", "max_tokens": 9000, "messages": [SENT_HELLO]}, ())
    assert body(is_streaming=True)["stream"] is True


@pytest.mark.parametrize(
    ("key", "name", "value"),
    [("sk-ant-api03-x", "x-api-key", "sk-ant-api03-x"), ("sk-ant-oat01-x", "Authorization", "Bearer sk-ant-oat01-x")],
)
def test_the_key_has_its_header_and_the_token_of_an_account_another(key, name, value):
    assert headers(key) == {"anthropic-version": "2023-06-01", name: value}


def test_the_row_may_name_another_header_for_the_key():
    found = headers("sk-ant-oat01-x", replace(ENDPOINT, key_header="api-key"))
    assert found == {"anthropic-version": "2023-06-01", "api-key": "sk-ant-oat01-x"}


def test_A17_the_version_is_always_sent_and_the_rows_own_counts():
    assert headers(None) == {"anthropic-version": "2023-06-01"}
    assert headers(None, replace(ENDPOINT, headers={"Anthropic-Version": "2030-01-01"})) == {}


def test_A16_the_limit_comes_from_the_request_the_row_the_model_or_is_made_and_told():
    with_model = replace(ENDPOINT, models=(ModelInfo("m", "M", max_output_tokens=64000),))
    with_row = replace(with_model, defaults={"max_tokens": 8192})
    assert body(max_tokens=7, at=with_row)["max_tokens"] == 7
    assert body(max_tokens=None, at=with_row)["max_tokens"] == 8192
    assert body(max_tokens=None, at=with_model)["max_tokens"] == 64000
    assert rendered(max_tokens=None)[0]["max_tokens"] == 4096
    assert ledger(max_tokens=None) == ("the answer is limited to 4096 tokens: this format demands a limit",)


def test_defaults_of_the_row_come_first_and_extra_last():
    at = replace(ENDPOINT, defaults={"temperature": 0.1, "metadata": {"user_id": "u"}})
    assert body(at=at)["temperature"] == 0.1
    assert body(at=at, temperature=0.2)["temperature"] == 0.2
    found = body(at=at, temperature=0.2, extra={"temperature": 0.3, "service_tier": "auto"})
    assert (found["temperature"], found["service_tier"], found["metadata"]) == (0.3, "auto", {"user_id": "u"})


def test_what_the_provider_refuses_is_left_out():
    at = replace(ENDPOINT, dialect=Dialect(refused_parameters=("top_p", "temperature")))
    assert "top_p" not in body(at=at, top_p=0.5)
    assert ledger(at=at, top_p=0.5) == ("'top_p' was left out: this provider refuses it",)


def test_sampling_and_stops_have_their_places_and_the_seed_has_none():
    found = body(temperature=0.0, top_p=0.5, stop=("a", " "), seed=0)
    assert (found["temperature"], found["top_p"], found["stop_sequences"]) == (0.0, 0.5, ["a"])
    assert "seed" not in found
    assert ledger(stop=("a", " "), seed=0) == (
        "a stop sequence of white space alone was left out",
        "the seed was left out: this format has none",
    )
    assert "stop_sequences" not in body(stop=(" ",))


def test_a_temperature_above_1_is_sent_as_1():
    assert body(temperature=1.5)["temperature"] == 1
    assert ledger(temperature=1.5) == ("the temperature 1.5 is sent as 1: this format goes no higher",)


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        (ThinkingOptions(is_enabled=False), {"thinking": {"type": "disabled"}}),
        (ThinkingOptions(budget_tokens=0), {"thinking": {"type": "disabled"}}),
        (
            ThinkingOptions(is_enabled=True, budget_tokens=2000),
            {"thinking": {"type": "enabled", "budget_tokens": 2000}},
        ),
        (ThinkingOptions(budget_tokens=2000), {"thinking": {"type": "enabled", "budget_tokens": 2000}}),
        (ON, {"thinking": {"type": "adaptive"}}),
        (ThinkingOptions(effort="high"), {"output_config": {"effort": "high"}}),
        (
            ThinkingOptions(is_enabled=True, effort="max"),
            {"thinking": {"type": "adaptive"}, "output_config": {"effort": "max"}},
        ),
        (ThinkingOptions(), {}),
    ],
)
def test_R11_thinking_is_said_in_the_words_of_the_format(options, wanted):
    found = body(thinking=options)
    assert {key: value for key, value in found.items() if key in ("thinking", "output_config")} == wanted
    assert ledger(thinking=options) == ()


@pytest.mark.parametrize(
    ("thinks", "lacks", "is_switched_on"),
    [(True, (), True), (True, ("thinking.is_enabled",), False), (None, (), False)],
)
def test_R11_an_effort_has_a_model_think_that_is_known_to_do_so_when_told(thinks, lacks, is_switched_on):
    model = ModelInfo("m", "m", ProviderFeatures(thinking=thinks), lacks=lacks)
    found = body(at=replace(ENDPOINT, models=(model,)), thinking=ThinkingOptions(effort="high"))
    assert found["output_config"] == {"effort": "high"}
    assert found.get("thinking") == ({"type": "adaptive"} if is_switched_on else None)


def test_R11_an_effort_beside_off_or_a_budget_changes_neither():
    at = replace(ENDPOINT, models=(ModelInfo("m", "m", ProviderFeatures(thinking=True)),))
    assert body(at=at, thinking=ThinkingOptions(is_enabled=False, effort="low"))["thinking"] == {"type": "disabled"}
    budget = body(at=at, thinking=ThinkingOptions(effort="low", budget_tokens=2000))["thinking"]
    assert budget == {"type": "enabled", "budget_tokens": 2000}


@pytest.mark.parametrize(("budget", "limit", "sent"), [(10, 9000, 1024), (9000, 9000, 8999), (99999, 1025, 1024)])
def test_R11_a_budget_is_at_least_1024_and_less_than_the_limit(budget, limit, sent):
    options = ThinkingOptions(budget_tokens=budget)
    assert body(thinking=options, max_tokens=limit)["thinking"]["budget_tokens"] == sent
    (line,) = ledger(thinking=options, max_tokens=limit)
    assert f"from {budget} to {sent} tokens" in line


def test_R11_a_budget_for_which_there_is_no_room_is_left_out():
    options = ThinkingOptions(budget_tokens=2000)
    assert "thinking" not in body(thinking=options, max_tokens=1024)
    assert ledger(thinking=options, max_tokens=1024) == (
        "thinking was left out: it takes more than 1024 tokens of output",
    )


def test_R11_a_budget_with_thinking_off_and_the_efforts_of_others_are_told():
    assert ledger(thinking=ThinkingOptions(is_enabled=False, budget_tokens=9)) == (
        "the thinking budget was left out: thinking is off",
    )
    assert body(thinking=ThinkingOptions(effort="minimal"))["output_config"] == {"effort": "low"}
    assert ledger(thinking=ThinkingOptions(effort="minimal")) == ("the effort 'minimal' is sent as 'low'",)


def test_R13_sampling_is_left_out_with_thinking():
    at = replace(ENDPOINT, defaults={"top_k": 5})
    found, lines = rendered(thinking=ON, temperature=0.5, top_p=0.5, at=at)
    assert not {"temperature", "top_p", "top_k"} & found.keys()
    assert lines == tuple(
        f"{name} was left out: thinking does not allow it" for name in ("the temperature", "top_p", "top_k")
    )


def test_R13_what_thinking_allows_is_sent_and_what_it_has_anyway_is_not():
    assert rendered(thinking=ON, temperature=1.0, top_p=0.95) == (
        {
            "model": "m",
            "max_tokens": 9000,
            "messages": [SENT_HELLO],
            "thinking": {"type": "adaptive"},
            "top_p": 0.95,
        },
        (),
    )
    assert body(thinking=ThinkingOptions(is_enabled=False), temperature=0.5)["temperature"] == 0.5


def test_A18_tools_are_offered_and_never_as_strict():
    bare = ToolDefinition("g", "", {}, ResultSemantic.FACTUAL)
    found, lines = rendered(tools=(TOOL, bare))
    assert found["tools"] == [
        {"name": "f", "description": "Does f", "input_schema": TOOL.input_schema},
        {"name": "g", "input_schema": {"type": "object"}},
    ]
    assert "tool_choice" not in found
    assert lines == ("what the results of tools mean is not said",)


@pytest.mark.parametrize(
    ("parameters", "wanted"),
    [
        ({"tool_choice": None_()}, {"type": "none"}),
        ({"tool_choice": None_(), "parallel_tool_calls": False}, {"type": "none"}),
        ({"tool_choice": Required()}, {"type": "any"}),
        ({"tool_choice": SpecificTool("f")}, {"type": "tool", "name": "f"}),
        ({"parallel_tool_calls": False}, {"type": "auto", "disable_parallel_tool_use": True}),
        (
            {"tool_choice": Required(), "parallel_tool_calls": True},
            {"type": "any", "disable_parallel_tool_use": False},
        ),
    ],
)
def test_how_tools_are_chosen_is_said(parameters, wanted):
    found, lines = rendered(tools=(TOOL,), **parameters)
    assert (found["tool_choice"], lines) == (wanted, ())


@pytest.mark.parametrize("choice", [Required(), SpecificTool("f")])
def test_R12_no_call_is_forced_with_thinking(choice):
    found, lines = rendered(tools=(TOOL,), tool_choice=choice, thinking=ON, parallel_tool_calls=False)
    assert found["tool_choice"] == {"type": "auto", "disable_parallel_tool_use": True}
    assert lines == ("the model is not made to call a tool: thinking does not allow it",)


@pytest.mark.parametrize("parameters", [{"tool_choice": Required()}, {"parallel_tool_calls": False}])
def test_E07_nothing_about_tools_is_sent_without_tools(parameters):
    found, lines = rendered(**parameters)
    assert "tool_choice" not in found
    assert lines == ("how tools are chosen was left out: there are none",)


def test_an_answer_may_be_wanted_in_a_schema():
    schema = {"type": "object"}
    found = body(response_format=ResponseFormat(schema), thinking=ThinkingOptions(effort="low"))
    assert found["output_config"] == {"effort": "low", "format": {"type": "json_schema", "schema": schema}}
    assert ledger(response_format=ResponseFormat(schema, is_strict=False)) == (
        "the schema of the answer is enforced: this format knows no other way",
    )


def test_any_json_object_cannot_be_wanted():
    found, lines = rendered(response_format=ResponseFormat())
    assert "output_config" not in found
    assert lines == ("the format of the answer was left out: this provider wants a schema for it",)


@pytest.mark.parametrize(("ttl", "mark"), [("5m", {"type": "ephemeral"}), ("1h", {"type": "ephemeral", "ttl": "1h"})])
def test_the_beginning_of_a_prompt_is_marked_for_the_cache(ttl, mark):
    at = replace(ENDPOINT, dialect=Dialect(cache_ttl=ttl))
    messages = (system("s"), *HELLO, own(use("A"), use("B")), Tool((result("A"), result("B"))))
    found = body(*messages, at=at, tools=(TOOL, TOOL))
    assert ["cache_control" in tool for tool in found["tools"]] == [False, True]
    assert found["system"] == [{"type": "text", "text": "s", "cache_control": mark}]
    assert found["messages"][0] == SENT_HELLO
    assert [part.get("cache_control") for part in found["messages"][2]["content"]] == [None, mark]


def test_a_prompt_that_ends_with_the_model_is_marked_before_that():
    at = replace(ENDPOINT, dialect=Dialect(cache_ttl="5m"))
    found = body(*HELLO, own(use()), Tool((result(),)), own(), at=at)
    assert found["messages"][-1]["content"][0]["cache_control"] == {"type": "ephemeral"}
    prefilled = body(*HELLO, *(own(block) for block in ()), at=at)
    assert prefilled["messages"] == [
        {"role": "user", "content": [{**said("Hello"), "cache_control": {"type": "ephemeral"}}]}
    ]


def test_T27_lone_halves_of_characters_are_not_sent():
    request = MessageRequest("m", (system("\ud83d"),), max_tokens=1)
    sent = WIRE.render_request(request, endpoint=ENDPOINT, api_key=None, is_streaming=False)
    assert sent.body["system"] == "\ufffd"


def test_the_list_of_models_is_asked_for_as_a_whole():
    assert WIRE.models_path == "/models?limit=1000"


def test_R11_no_budget_in_the_middle_of_a_turn_that_began_without_thinking():
    turn = (*HELLO, own(use()), Tool((result(),)))
    options = ThinkingOptions(budget_tokens=2000)
    assert "thinking" not in body(*turn, thinking=options)
    assert ledger(*turn, thinking=options) == (
        "thinking was left out: the answer that goes on after these results began without any",
    )
    thought = own(Thinking("hm", "SIG"), use())
    assert "thinking" in body(*HELLO, thought, Tool((result(),)), thinking=options)
    assert "thinking" in body(*turn, own(Text("a")), *HELLO, thinking=options)
    assert "thinking" in body(*turn, thinking=ThinkingOptions(is_enabled=True))
