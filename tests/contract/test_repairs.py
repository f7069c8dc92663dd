"""E07: a 400 for a parameter that nobody asked for is repaired, once, and remembered; each in its provider's words."""

import json

import pytest

from agdesk.core.errors import ErrorCategory
from agdesk.core.ir.blocks import ProviderData, Text, Thinking
from agdesk.core.ir.messages import Assistant, Origin, user
from agdesk.core.ir.request import RequestParameters
from agdesk.core.providers.base import Dialect
from agdesk.core.trace.events import ParameterRepaired, RequestPrepared
from tests.contract.dialects import abstract
from tests.contract.dialects.speaking import head_of
from tests.contract.dialects.writers import WRITERS
from tests.contract.turns import turns
from tests.fakes.script import END, JSON, head, send


def openai(message, *, param=None, code=None):
    return {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}


def anthropic(message):
    return {"type": "error", "error": {"type": "invalid_request_error", "message": message}}


def gemini(message):
    return [{"error": {"code": 400, "message": message, "status": "INVALID_ARGUMENT"}}]


DEVELOPER = Dialect(system_role="developer")
CASES = {
    "max_tokens": (
        ("openai_chat", {"defaults": {"max_tokens": 50}}),
        openai(
            "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.",
            param="max_tokens",
            code="unsupported_parameter",
        ),
        "max_tokens",
        lambda body: body.get("max_completion_tokens") == 50 and "max_tokens" not in body,
    ),
    "max_completion_tokens": (
        ("openai_chat", {"defaults": {"max_completion_tokens": 50}}),
        openai("max_completion_tokens: Extra inputs are not permitted"),
        "max_completion_tokens",
        lambda body: body.get("max_tokens") == 50 and "max_completion_tokens" not in body,
    ),
    "the role system": (
        ("openai_chat", {}),
        openai(
            "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
            param="messages[0].role",
            code="unsupported_value",
        ),
        "messages.role",
        lambda body: body["messages"][0]["role"] == "developer",
    ),
    "the role developer": (
        ("openai_chat", {"dialect": DEVELOPER}),
        openai("Unsupported value: 'messages[0].role' does not support 'developer' with this model."),
        "messages.role",
        lambda body: body["messages"][0]["role"] == "system",
    ),
    "temperature": (
        ("openai_chat", {"defaults": {"temperature": 0.2}}),
        openai(
            "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) is supported.",
            param="temperature",
            code="unsupported_value",
        ),
        "temperature",
        lambda body: "temperature" not in body,
    ),
    "stop": (
        ("openai_chat", {"defaults": {"stop": ["x"]}}),
        {"code": "Client specified an invalid argument", "error": "Argument not supported on this model: stop"},
        "stop",
        lambda body: "stop" not in body,
    ),
    "stream_options, Mistral": (
        ("openai_chat", {}),
        {
            "detail": [
                {"type": "extra_forbidden", "loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted"}
            ]
        },
        "stream_options",
        lambda body: "stream_options" not in body,
    ),
    "stream_options, an old server": (
        ("openai_chat", {}),
        openai("unknown field `stream_options`, expected one of `messages`, `model`"),
        "stream_options",
        lambda body: "stream_options" not in body,
    ),
    "parallel_tool_calls": (
        ("openai_chat", {"defaults": {"parallel_tool_calls": True}}),
        openai("Unrecognized request argument supplied: parallel_tool_calls"),
        "parallel_tool_calls",
        lambda body: "parallel_tool_calls" not in body,
    ),
    "reasoning_effort": (
        ("openai_chat", {"defaults": {"reasoning_effort": "high"}}),
        openai("property 'reasoning_effort' is unsupported"),
        "reasoning_effort",
        lambda body: "reasoning_effort" not in body,
    ),
    "include": (
        ("openai_responses", {}),
        openai("Unknown parameter: 'include'.", param="include", code="unknown_parameter"),
        "include",
        lambda body: "include" not in body and body["store"] is False,
    ),
    "store": (
        ("openai_responses", {}),
        openai("Unsupported parameter: store", param="store"),
        "store",
        lambda body: "store" not in body and "include" in body,
    ),
    "thinking.display": (
        ("anthropic", {"defaults": {"thinking": {"type": "adaptive", "display": "omitted"}}}),
        anthropic("thinking.adaptive.display: Extra inputs are not permitted"),
        "thinking.display",
        lambda body: body["thinking"] == {"type": "adaptive"},
    ),
    "temperature, Anthropic": (
        ("anthropic", {"defaults": {"temperature": 0.5}}),
        anthropic("`temperature` is deprecated for this model."),
        "temperature",
        lambda body: "temperature" not in body and body["max_tokens"] > 0,
    ),
    "topK, Gemini": (
        ("gemini", {"defaults": {"generationConfig": {"topK": 3, "topP": 0.5}}}),
        gemini("Invalid JSON payload received. Unknown name \"topK\" at 'generation_config': Cannot find field."),
        "generationConfig.topK",
        lambda body: body["generationConfig"] == {"topP": 0.5},
    ),
    "think, Ollama": (
        ("ollama", {"defaults": {"think": True}}),
        {"error": '"model-1" does not support thinking'},
        "think",
        lambda body: "think" not in body,
    ),
}


def answer(writer):
    return (head_of(writer, framing="close"), *map(send, writer.stream(abstract.TEXT).frames), END)


def at(server, writer):
    return f"http://127.0.0.1:{server.port}{writer.base_path}"


@pytest.mark.parametrize(("row", "refusal", "path", "is_repaired"), CASES.values(), ids=CASES)
async def test_a_refused_parameter_is_repaired_once_and_not_sent_again(fake_server, row, refusal, path, is_repaired):
    wire, changes = row
    writer = WRITERS[wire]
    fake_server.script(head(400, JSON), send(json.dumps(refusal)), END)
    fake_server.script(*answer(writer))
    fake_server.script(*answer(writer))
    async with turns(at(fake_server, writer), wire=wire, **changes) as chat:
        chat.session.system_prompt = "Be brief."
        outcome = await chat.session.submit("Hi")
        assert outcome.error is None, outcome.error
        assert chat.refused == [path] and chat.waits == []
        await chat.session.submit("Again")
    first, second, third = (request.json for request in fake_server.requests)
    assert not is_repaired(first) and is_repaired(second) and is_repaired(third)
    (repaired,) = chat.recorded(ParameterRepaired)
    assert repaired.is_automatic and repaired.error.category is ErrorCategory.INVALID_REQUEST
    prepared = chat.recorded(RequestPrepared)
    assert [each.attempt for each in prepared] == [1, 2, 1]
    assert any("refused" in line for line in prepared[2].ledger), "the ledger says it for every later request"


async def test_a_second_refusal_in_the_same_turn_is_final_and_names_what_can_be_left_out(fake_server):
    writer = WRITERS["openai_chat"]
    fake_server.script(head(400, JSON), send(json.dumps(openai("Unknown parameter: 'seed'."))), END)
    fake_server.script(head(400, JSON), send(json.dumps(openai("Unknown parameter: 'top_p'."))), END)
    fake_server.script(*answer(writer))
    async with turns(at(fake_server, writer), defaults={"seed": 1, "top_p": 0.5}) as chat:
        error = (await chat.session.submit("Hi")).error
        assert error is not None and error.details["removable"] == "top_p" and chat.refused == ["seed"]
        outcome = await chat.session.resend_without(error, model_ref="fake/model-1")
    assert outcome.error is None and chat.refused == ["seed", "top_p"]
    assert not {"seed", "top_p"} & fake_server.requests[2].json.keys()
    assert len(fake_server.requests[2].json["messages"]) == 1, "the message was not said twice"


@pytest.mark.parametrize(
    "refusal",
    [
        openai(
            "Invalid 'temperature': decimal above maximum value.", param="temperature", code="decimal_above_max_value"
        ),
        openai(
            "Invalid schema for function 'f'", param="tools[0].function.parameters", code="invalid_function_parameters"
        ),
        openai("Unsupported parameter: 'nothing_of_ours'", param="nothing_of_ours", code="unsupported_parameter"),
        openai("Unsupported value: 'messages[1].content'", param="messages[1].content", code="unsupported_value"),
        openai("Something else"),
    ],
)
async def test_what_cannot_be_left_out_is_told_and_nothing_is_tried(fake_server, refusal):
    fake_server.script(head(400, JSON), send(json.dumps(refusal)), END)
    async with turns(fake_server.base_url, defaults={"temperature": 9}) as chat:
        outcome = await chat.session.submit("Hi")
    assert "removable" not in outcome.error.details and chat.refused == [] and len(fake_server.requests) == 1
    assert outcome.error.details.get("param") == refusal["error"]["param"]


async def test_P08_stale_encrypted_thinking_is_stripped_and_sent_once_more(fake_server):
    writer = WRITERS["openai_responses"]
    stale = openai("The encrypted content could not be verified.", code="invalid_encrypted_content")
    fake_server.script(head(400, JSON), send(json.dumps(stale)), END)
    fake_server.script(*answer(writer))
    item = {"type": "reasoning", "id": "rs", "encrypted_content": "gAAAA-stale", "summary": []}
    thought = Thinking("hm", provider_data=ProviderData("openai_responses", item))
    past = (user("One"), Assistant((thought, Text("two")), Origin("fake", "model-1", "openai_responses")))
    async with turns(at(fake_server, writer), messages=past, wire="openai_responses") as chat:
        outcome = await chat.session.submit("Three")
    assert outcome.error is None and chat.refused == []
    first, second = (json.dumps(request.json["input"]) for request in fake_server.requests)
    assert "gAAAA-stale" in first and "gAAAA-stale" not in second
    assert "two" in second


async def test_what_the_user_has_set_is_offered_and_not_taken_away(fake_server):
    writer = WRITERS["openai_chat"]
    words = "Unsupported value: 'temperature' does not support 0.2 with this model."
    refusal = openai(words, param="temperature", code="unsupported_value")
    fake_server.script(head(400, JSON), send(json.dumps(refusal)), END)
    fake_server.script(*answer(writer))
    async with turns(at(fake_server, writer)) as chat:
        chat.session.parameters = RequestParameters(temperature=0.2)
        error = (await chat.session.submit("Hi")).error
        assert error is not None and error.details["removable"] == "temperature"
        assert chat.refused == [] and len(fake_server.requests) == 1
        outcome = await chat.session.resend_without(error, model_ref="fake/model-1")
    assert outcome.error is None and chat.refused == ["temperature"]
    assert ["temperature" in request.json for request in fake_server.requests] == [True, False]


async def test_the_user_s_limit_is_only_said_by_its_other_name_which_needs_no_question(fake_server):
    writer = WRITERS["openai_chat"]
    refusal = openai("Unsupported parameter: 'max_tokens'", param="max_tokens", code="unsupported_parameter")
    fake_server.script(head(400, JSON), send(json.dumps(refusal)), END)
    fake_server.script(*answer(writer))
    async with turns(at(fake_server, writer)) as chat:
        chat.session.parameters = RequestParameters(max_tokens=77)
        outcome = await chat.session.submit("Hi")
    assert outcome.error is None
    assert fake_server.requests[1].json["max_completion_tokens"] == 77
