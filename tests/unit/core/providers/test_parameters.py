"""Which parameters can be set: per format, per endpoint's dialect, per model; and what is left out when it is sent."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from agdesk.core.ir.messages import user
from agdesk.core.ir.request import MessageRequest, ResponseFormat, ThinkingOptions
from agdesk.core.providers.base import Endpoint, ModelInfo, ProviderFeatures
from agdesk.core.providers.capabilities import Knowledge
from agdesk.core.providers.dialect import Dialect, ThinkingStyle
from agdesk.core.providers.parameter_names import NAMES, PARAMETERS
from agdesk.core.providers.parameters import ParameterKind, fitted, parameters_of
from agdesk.core.providers.presets import shipped_endpoints
from agdesk.core.providers.registry import WIRE_FORMATS, wire_format

UNSAID = {
    "openai_chat": set(),
    "openai_responses": {"stop", "seed", "thinking.budget_tokens"},
    "anthropic": {"seed"},
    "gemini": {"parallel_tool_calls"},
    "ollama": {"thinking.budget_tokens", "parallel_tool_calls"},
}
EVERYTHING = Dialect(off_effort="none", thinking_budget_field="budget")
ASKED: dict[str, dict[str, Any]] = {
    "max_tokens": {"max_tokens": 100},
    "temperature": {"temperature": 0.5},
    "top_p": {"top_p": 0.5},
    "stop": {"stop": ("end",)},
    "seed": {"seed": 7},
    "thinking.is_enabled": {"thinking": ThinkingOptions(is_enabled=False)},
    "thinking.effort": {"thinking": ThinkingOptions(effort="low")},
    "thinking.budget_tokens": {"thinking": ThinkingOptions(budget_tokens=2048)},
    "response_format": {"response_format": ResponseFormat({"type": "object"})},
}


def table(wire="openai_chat", *, dialect=EVERYTHING, **model):
    endpoint = Endpoint("server", "Server", wire, "http://127.0.0.1/v1", dialect=dialect)
    info = ModelInfo("m", "m", **model)
    return {parameter.name: parameter for parameter in parameters_of(info, endpoint=endpoint, wire=wire_format(wire))}


def refused(*arguments, **options):
    return {name for name, parameter in table(*arguments, **options).items() if parameter.is_refused}


def of(provider_id, model_id):
    endpoint = shipped_endpoints()[provider_id]
    wire = wire_format(endpoint.wire)
    info = Knowledge(endpoint, provider_id, wire).of(model_id)
    return {parameter.name: parameter for parameter in parameters_of(info, endpoint=endpoint, wire=wire)}


# --- the format ---


@pytest.mark.parametrize("wire", WIRE_FORMATS)
def test_every_format_has_every_parameter_and_says_which_it_has_no_word_for(wire):
    assert list(table(wire)) == list(NAMES)
    assert refused(wire) == UNSAID[wire]
    assert all(bool(parameter.reason) == parameter.is_refused for parameter in table(wire).values())


@pytest.mark.parametrize("wire", WIRE_FORMATS)
@pytest.mark.parametrize("name", ASKED)
def test_a_format_notes_in_the_ledger_exactly_what_it_has_no_word_for(wire, name):
    """The panel and the renderer tell the same."""
    endpoint = Endpoint("server", "Server", wire, "http://127.0.0.1/v1", dialect=EVERYTHING)
    format = wire_format(wire)

    def rendered(**parameters):
        limit: dict[str, Any] = {} if "max_tokens" in parameters else {"max_tokens": 4000}
        request = MessageRequest("m", (user("hi"),), **parameters, **limit)
        return format.render_request(request, endpoint=endpoint, api_key=None, is_streaming=True)

    plain, asked = rendered(), rendered(**ASKED[name])
    is_said = name in format.parameters(EVERYTHING)
    assert (asked.body != plain.body) is is_said
    assert (asked.ledger == plain.ledger) is is_said


# --- the dialect ---


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        (ThinkingStyle.NONE, {"thinking.is_enabled", "thinking.effort", "thinking.budget_tokens"}),
        (ThinkingStyle.REASONING_EFFORT, {"thinking.is_enabled", "thinking.budget_tokens"}),
        (ThinkingStyle.REASONING_OBJECT, set()),
        (ThinkingStyle.REASONING_ENABLED, {"thinking.budget_tokens"}),
        (ThinkingStyle.THINKING_TYPE, {"thinking.budget_tokens"}),
        (ThinkingStyle.ENABLE_THINKING, {"thinking.effort", "thinking.budget_tokens"}),
        (ThinkingStyle.TEMPLATE_KWARGS, {"thinking.budget_tokens"}),
    ],
)
def test_R11_the_dialect_says_how_thinking_can_be_asked_for(style, expected):
    assert refused(dialect=Dialect(thinking_style=style)) == expected


def test_a_dialect_that_refuses_members_or_has_no_answer_formats_says_so():
    dialect = dataclasses.replace(EVERYTHING, refused_parameters=("stop", "seed"), answer_formats=())
    assert refused(dialect=dialect) == {"stop", "seed", "response_format"}


def test_the_thinking_style_of_chat_completions_is_nothing_to_other_formats():
    assert refused("anthropic", dialect=Dialect(thinking_style=ThinkingStyle.NONE)) == UNSAID["anthropic"]


# --- the model ---


def test_a_model_that_does_not_think_takes_nothing_about_thinking():
    found = table(features=ProviderFeatures(thinking=False))
    assert {name for name, parameter in found.items() if parameter.is_refused} == {
        *("thinking.is_enabled", "thinking.effort", "thinking.budget_tokens")
    }
    assert found["thinking.effort"].reason == "this model does not think"


def test_a_model_of_which_nothing_is_known_takes_everything():
    assert refused() == set()


def test_the_list_of_the_provider_says_which_parameters_a_model_has():
    words = ("max_tokens", "temperature", "structured_outputs", "reasoning")
    assert refused(parameters=words) == {"top_p", "stop", "seed", "parallel_tool_calls"}
    assert refused(parameters=()) == PARAMETERS - {"extra"}


def test_R13_the_catalogue_says_what_a_model_refuses():
    found = of("openai", "gpt-5")
    assert {name for name in found if found[name].is_refused} >= {"temperature", "top_p", "stop"}
    assert not found["max_tokens"].is_refused
    assert not of("openai", "gpt-4o")["temperature"].is_refused


@pytest.mark.parametrize(
    ("member", "names"),
    [
        ("temperature", {"temperature"}),
        ("generationConfig.topP", {"top_p"}),
        ("stop_sequences", {"stop"}),
        ("random_seed", {"seed"}),
        ("reasoning_effort", {"thinking.effort"}),
        ("thinking", {"thinking.is_enabled", "thinking.effort", "thinking.budget_tokens"}),
        ("max_tokens", set()),  # a limit always has another name
        ("logit_bias", set()),
    ],
)
def test_E07_what_was_refused_once_cannot_be_set(member, names):
    assert refused(refused=(member,)) == names


def test_limits_and_words_come_from_the_model():
    found = table(max_output_tokens=4096, efforts=("minimal", "high"))
    assert (found["max_tokens"].low, found["max_tokens"].high) == (1, 4096)
    assert found["thinking.effort"].choices == ("minimal", "high")
    assert table()["max_tokens"].high is None
    assert table()["thinking.effort"].choices == ("low", "medium", "high")


@pytest.mark.parametrize("wire", WIRE_FORMATS)
def test_a_temperature_goes_as_high_as_the_format_says(wire):
    assert table(wire)["temperature"].high == (1.0 if wire == "anthropic" else 2.0)


def test_each_parameter_has_the_control_that_fits_it():
    kinds = {name: parameter.kind for name, parameter in table().items()}
    assert kinds["temperature"] is ParameterKind.NUMBER
    assert kinds["seed"] is ParameterKind.INTEGER
    assert kinds["stop"] is ParameterKind.LIST
    assert kinds["thinking.is_enabled"] is ParameterKind.SWITCH
    assert kinds["thinking.effort"] is ParameterKind.CHOICE
    assert kinds["extra"] is ParameterKind.JSON


# --- what is sent ---


def test_what_a_model_does_not_take_is_left_out_with_a_line_each():
    request = MessageRequest("m", (user("hi"),), temperature=0.5, top_p=0.9, stop=("x",), seed=1, max_tokens=9)
    sent, lines = fitted(request, ModelInfo("m", "m", lacks=("temperature", "stop")))
    assert sent == dataclasses.replace(request, temperature=None, stop=())
    assert lines == (
        "'temperature' was left out: this model refuses it",
        "'stop' was left out: this model refuses it",
    )


def test_a_request_that_sets_nothing_is_sent_as_it_is():
    request = MessageRequest("m", (user("hi"),))
    assert fitted(request, ModelInfo("m", "m", lacks=tuple(PARAMETERS), parameters=())) == (request, ())


@pytest.mark.parametrize(
    ("thinking", "lines"),
    [
        (ThinkingOptions(is_enabled=True, effort="low"), ("thinking was left out: this model does not think",)),
        (ThinkingOptions(effort="low"), ("thinking was left out: this model does not think",)),
        (ThinkingOptions(is_enabled=False), ()),  # nothing is lost
    ],
)
def test_L05_thinking_is_not_asked_of_a_model_that_has_none(thinking, lines):
    request = MessageRequest("m", (user("hi"),), thinking=thinking)
    sent, said = fitted(request, ModelInfo("m", "m", ProviderFeatures(thinking=False)))
    assert sent.thinking is None
    assert said == lines


def test_of_the_thinking_options_only_the_one_that_is_refused_goes():
    request = MessageRequest("m", (user("hi"),), thinking=ThinkingOptions(is_enabled=True, budget_tokens=2048))
    sent, lines = fitted(request, ModelInfo("m", "m", lacks=("thinking.budget_tokens",)))
    assert sent.thinking == ThinkingOptions(is_enabled=True)
    assert lines == ("'thinking.budget_tokens' was left out: this model refuses it",)
    only = dataclasses.replace(request, thinking=ThinkingOptions(budget_tokens=2048))
    assert fitted(only, ModelInfo("m", "m", lacks=("thinking.budget_tokens",)))[0].thinking is None


def test_what_is_unknown_is_sent():
    request = MessageRequest("m", (user("hi"),), temperature=0.5, thinking=ThinkingOptions(is_enabled=True))
    assert fitted(request, ModelInfo("m", "m")) == (request, ())
