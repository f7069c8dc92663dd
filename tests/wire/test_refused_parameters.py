"""E07: which parameter an error is about, and the body without it."""

import json

import pytest

from agdesk.core.errors import ErrorCategory
from agdesk.core.ir.messages import user
from agdesk.core.ir.request import MessageRequest, ResponseFormat, ThinkingOptions
from agdesk.core.providers.error_param import refuses_parameter
from agdesk.core.providers.errors import classify_rejection
from agdesk.core.providers.registry import wire_format
from agdesk.core.providers.repair import is_of_user, removable, repaired


def openai(message, *, param=None, code=None):
    return {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}


def anthropic(message):
    return {"type": "error", "error": {"type": "invalid_request_error", "message": message}}


def rejection(document, status=400):
    return classify_rejection(status, headers={}, body=json.dumps(document).encode(), now_s=0.0)


REFUSALS = {
    "OpenAI's own field": (
        openai(
            "Unsupported parameter: 'max_tokens' is not supported.", param="max_tokens", code="unsupported_parameter"
        ),
        "max_tokens",
    ),
    "a role": (
        openai("Unsupported value: 'messages[0].role' does not support 'system' with this model."),
        "messages[0].role",
    ),
    "Azure": (openai("Unrecognized request argument supplied: parallel_tool_calls"), "parallel_tool_calls"),
    "an unknown one": (openai("Unknown parameter: 'include'."), "include"),
    "Anthropic's place": (
        anthropic("thinking.adaptive.display: Extra inputs are not permitted"),
        "thinking.adaptive.display",
    ),
    "Anthropic's words": (anthropic("`temperature` is deprecated for this model."), "temperature"),
    "two at once": (anthropic("`temperature` and `top_p` cannot both be specified for this model."), "top_p"),
    "Gemini's words": (
        [{"error": {"code": 400, "message": "Unknown name \"topP\" at 'generation_config': Cannot find field."}}],
        "generation_config.topP",
    ),
    "Gemini's violations": (
        {
            "error": {
                "code": 400,
                "message": 'Invalid JSON payload received. Unknown name "seed"',
                "status": "INVALID_ARGUMENT",
                "details": [
                    {
                        "fieldViolations": [
                            {"field": "generation_config", "description": 'Unknown name "seed": no field.'}
                        ]
                    }
                ],
            }
        },
        "generation_config.seed",
    ),
    "Mistral": (
        {
            "detail": [
                {"type": "extra_forbidden", "loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted"}
            ]
        },
        "stream_options",
    ),
    "Mistral, wrapped": (
        {
            "object": "error",
            "message": {"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]},
        },
        "seed",
    ),
    "xAI": ({"code": "invalid argument", "error": "Argument not supported on this model: stop"}, "stop"),
    "xAI's model": ({"error": "Model grok-4 does not support parameter presencePenalty."}, "presencePenalty"),
    "Groq": (openai("property 'reasoning_effort' is unsupported"), "reasoning_effort"),
    "Moonshot": (openai("invalid temperature: only 1 is allowed for this model"), "temperature"),
    "Ollama": ({"error": '"smollm2" does not support thinking'}, "thinking"),
    "a deserializer": (openai("unknown field `stream_options`, expected one of `messages`, `model`"), "stream_options"),
    "Fireworks": (openai("Extra inputs are not permitted, field: 'top_k', value: 3"), "top_k"),
}


@pytest.mark.parametrize(("document", "param"), REFUSALS.values(), ids=REFUSALS)
def test_E07_the_refused_parameter_is_found_however_it_is_named(document, param):
    error = rejection(document)
    assert (error.category, error.param) == (ErrorCategory.INVALID_REQUEST, param)
    assert refuses_parameter(error)
    assert error.to_record().details["param"] == param


@pytest.mark.parametrize(
    "document",
    [
        openai(
            "Invalid 'max_tokens': integer above maximum value.", param="max_tokens", code="integer_above_max_value"
        ),
        openai("Invalid type for 'temperature': expected a decimal.", param="temperature", code="invalid_type"),
        anthropic("temperature: Input should be less than or equal to 1"),
    ],
)
def test_a_wrong_value_is_no_refusal_of_the_parameter(document):
    assert not refuses_parameter(rejection(document))


@pytest.mark.parametrize(("status", "code"), [(401, "invalid_api_key"), (429, "rate_limit_exceeded")])
def test_only_an_invalid_request_names_a_parameter(status, code):
    assert rejection(openai("Unsupported parameter: 'x'", param="x", code=code), status).param is None


@pytest.mark.parametrize("message", ["x" * 100_000, "`a" * 1000, "unsupported parameter " * 90, "[" * 2000, ""])
def test_no_message_whatever_holds_the_reader_up(message):
    assert rejection(openai(message)).category is not None


BODY = {
    "model": "m",
    "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}],
    "max_tokens": 5,
    "temperature": 0.5,
    "stream": True,
    "stream_options": {"include_usage": True},
    "tools": [{"type": "function"}],
    "reasoning": {"effort": "low", "summary": "auto"},
    "thinking": {"type": "adaptive", "display": "omitted"},
    "generationConfig": {"topP": 0.5, "thinkingConfig": {"includeThoughts": True}},
    "options": {"num_predict": 3},
}


@pytest.mark.parametrize(
    ("param", "path"),
    [
        ("temperature", "temperature"),
        ("messages[0].role", "messages.role"),
        ("messages.0.role", "messages.role"),
        ("messages[1].content", None),
        ("model", None),
        ("tools[0].function.name", None),
        ("stream", None),
        ("stream_options.include_usage", "stream_options.include_usage"),
        ("generation_config.top_p", "generationConfig.topP"),
        ("top_p", "generationConfig.topP"),
        ("num_predict", "options.num_predict"),
        ("reasoning.summary", "reasoning.summary"),
        ("thinking.adaptive.display", "thinking.display"),
        ("thinking.type.enabled", "thinking"),
        ("gpt-9", None),
        ("", None),
        ("...", None),
    ],
)
def test_a_named_parameter_is_found_in_the_body_if_the_request_can_do_without_it(param, path):
    assert removable(BODY, param) == path


def test_thinking_is_found_under_the_name_that_a_format_has_for_it():
    assert removable({"think": True}, "thinking") == "think"


def test_a_body_is_repaired_into_a_copy_and_the_ledger_says_how():
    before = json.dumps(BODY)
    body, lines = repaired(
        BODY, ("temperature", "stream_options.include_usage", "generationConfig.topP", "gone", "a.b")
    )
    assert json.dumps(BODY) == before
    assert "temperature" not in body and "stream_options" not in body
    assert body["generationConfig"] == {"thinkingConfig": {"includeThoughts": True}}
    assert len(lines) == 3 and all("refused" in line for line in lines)


def test_the_limit_of_tokens_is_sent_under_its_other_name_and_left_out_when_both_are_refused():
    there, lines = repaired(BODY, ("max_tokens",))
    assert there["max_completion_tokens"] == 5 and "max_tokens" not in there and "max_completion_tokens" in lines[0]
    back, _ = repaired({"messages": [], "max_completion_tokens": 5}, ("max_completion_tokens",))
    assert back == {"messages": [], "max_tokens": 5}
    neither, _ = repaired(BODY, ("max_tokens", "max_completion_tokens"))
    assert not {"max_tokens", "max_completion_tokens"} & neither.keys()


@pytest.mark.parametrize("name", ["max_tokens", "max_completion_tokens"])
def test_the_limit_that_a_format_demands_is_neither_left_out_nor_renamed(name):
    demanded = wire_format("anthropic").demanded
    body = {"model": "m", "messages": [], "max_tokens": 5}
    assert removable(body, name, demanded=demanded) is None
    assert repaired(body, (name,), demanded=demanded) == (body, ())


def test_the_system_text_changes_its_role_and_back():
    there, lines = repaired(BODY, ("messages.role",))
    assert [message["role"] for message in there["messages"]] == ["developer", "user"]
    assert "'developer'" in lines[0]
    back, _ = repaired(there, ("messages.role",))
    assert back["messages"] == BODY["messages"]
    assert repaired({"messages": [{"role": "user"}]}, ("messages.role",))[1] == ()


@pytest.mark.parametrize(
    ("path", "changes", "is_users"),
    [
        ("temperature", {}, False),
        ("temperature", {"temperature": 0.0}, True),
        ("max_tokens", {"max_tokens": 5}, False),
        ("max_output_tokens", {"max_tokens": 5}, True),
        ("generationConfig.topP", {"top_p": 0.5}, True),
        ("stop_sequences", {"stop": ("x",)}, True),
        ("stop", {}, False),
        ("reasoning.effort", {"thinking": ThinkingOptions(effort="low")}, True),
        ("reasoning.summary", {"thinking": ThinkingOptions(is_enabled=True)}, False),
        ("parallel_tool_calls", {"parallel_tool_calls": False}, True),
        ("stream_options", {"temperature": 1.0}, False),
        ("top_k", {"extra": {"top_k": 3}}, True),
        ("messages.role", {}, False),
        ("output_config", {"thinking": ThinkingOptions(effort="low")}, True),
        ("output_config", {"response_format": ResponseFormat()}, True),
        ("output_config", {"temperature": 0.5}, False),
        ("generationConfig", {"top_p": 0.5}, True),
        ("options", {"seed": 1}, True),
        ("options", {}, False),
        ("options.repeat_penalty", {"seed": 1}, False),
    ],
)
def test_what_the_user_has_set_is_told_from_what_the_code_or_a_preset_has(path, changes, is_users):
    assert is_of_user(path, MessageRequest("m", (user("Hi"),), **changes)) is is_users
