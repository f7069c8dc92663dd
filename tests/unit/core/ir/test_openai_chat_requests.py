"""Requests and whole answers of the IR to OpenAI's and back (SEED6)."""

from __future__ import annotations

import dataclasses

import pytest

from agdesk.core.errors import ErrorRecord
from agdesk.core.ir.blocks import Text, Thinking, ToolResult, ToolUse
from agdesk.core.ir.messages import Assistant, system, user
from agdesk.core.ir.openai_chat import (
    from_openai_request,
    from_openai_response,
    to_openai_request,
    to_openai_response,
)
from agdesk.core.ir.openai_chat.finish import finish_reason, stop_reason
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
from agdesk.core.ir.response import (
    CompletionTokensDetails,
    MessageResponse,
    PromptTokensDetails,
    StopReason,
    Usage,
)

TOOL = ToolDefinition("f", "Does f", {"type": "object"})
BARE = MessageRequest("m", (user("Hi"),))
FULL = MessageRequest(
    "m",
    (system("s"), user("Hi")),
    tools=(TOOL,),
    tool_choice=SpecificTool("f"),
    max_tokens=9,
    temperature=0.5,
    top_p=1.0,
    stop=("a", "b"),
    thinking=ThinkingOptions(effort="low"),
    response_format=ResponseFormat({"type": "object"}, "n", is_strict=False),
    parallel_tool_calls=True,
    seed=7,
    extra={"logit_bias": {"5": 1}},
)
ANSWER = MessageResponse(
    "r1",
    "m",
    Assistant((Thinking("hm"), Text("Hi"))),
    Usage(1, 2, 3, PromptTokensDetails(1, None), CompletionTokensDetails(2)),
    StopReason.END_TURN,
    "stop",
    extra={"system_fingerprint": "f"},
)


@pytest.mark.parametrize(
    "request_",
    [
        BARE,
        FULL,
        dataclasses.replace(FULL, tool_choice=None_()),
        dataclasses.replace(FULL, tool_choice=Required()),
        dataclasses.replace(BARE, response_format=ResponseFormat()),
        dataclasses.replace(BARE, response_format=ResponseFormat({"type": "object"})),
    ],
)
def test_a_request_goes_there_and_back(request_):
    body, ledger = to_openai_request(request_)
    assert ledger == ()
    assert from_openai_request(body) == (request_, ())


def test_nothing_is_in_a_body_that_was_not_set():
    assert to_openai_request(BARE)[0] == {"model": "m", "messages": [{"role": "user", "content": "Hi"}]}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"parallel_tool_calls": True}, "there are none"),
        ({"tool_choice": Required()}, "there are none"),
        ({"tools": (dataclasses.replace(TOOL, result_semantic=ResultSemantic.ACTION),)}, "what the results"),
        ({"thinking": ThinkingOptions(is_enabled=True)}, "only the effort"),
        ({"thinking": ThinkingOptions(effort="low", budget_tokens=1)}, "only the effort"),
    ],
)
def test_what_a_body_cannot_say_is_reported(change, words):
    _, ledger = to_openai_request(dataclasses.replace(BARE, **change))
    assert [words in line for line in ledger] == [True]


@pytest.mark.parametrize(
    ("member", "words"),
    [
        ({"stream": True}, "'stream'"),
        ({"max_completion_tokens": 9}, "max_completion_tokens"),
        ({"tools": [{"type": "web_search"}]}, "no function"),
        ({"tools": [{"type": "function", "function": {"name": "f", "strict": True}}]}, "definition of 'f'"),
        ({"tool_choice": {"type": "allowed_tools"}}, "another kind"),
    ],
)
def test_what_the_ir_cannot_hold_of_a_body_is_reported(member, words):
    _, ledger = from_openai_request({"model": "m", "messages": [], **member})
    assert [words in line for line in ledger] == [True]


def test_a_body_s_other_spellings_are_read():
    request, _ = from_openai_request(
        {"model": "m", "stop": "x", "max_completion_tokens": 9, "response_format": {"type": "text"}}
    )
    assert (request.stop, request.max_tokens, request.response_format, request.messages) == (("x",), 9, None, ())


def test_a_response_format_of_another_kind_stays_in_extra():
    body = {"model": "m", "messages": [], "response_format": {"type": "grammar", "grammar": "g"}}
    request, _ = from_openai_request(body)
    assert to_openai_request(request)[0] == body


def test_an_answer_goes_there_and_back():
    document, ledger = to_openai_response(ANSWER)
    assert ledger == ()
    assert document["choices"][0]["message"] == {"role": "assistant", "content": "Hi", "reasoning_content": "hm"}
    assert from_openai_response(document) == (ANSWER, ())


def test_C07_an_answer_with_calls_is_a_tool_use_whatever_its_word():
    message = Assistant((ToolUse("A", "f", {}, "{}"),))
    answer = dataclasses.replace(ANSWER, message=message, stop_reason=StopReason.TOOL_USE)
    assert from_openai_response(to_openai_response(answer)[0]) == (answer, ())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"raw_stop_reason": None}, "said as stop"),
        ({"stop_reason": StopReason.PAUSE_TURN, "raw_stop_reason": "pause_turn"}, "said as None"),
        ({"stop_reason": StopReason.INCOMPLETE, "raw_stop_reason": None}, "said as None"),
        ({"error": ErrorRecord("transport_error", "cut")}, "error"),
        ({"usage": Usage(1, cost_usd=0.1)}, "cost"),
        ({"extra": {"id": "x"}}, "'id'"),
        ({"message": Assistant((Text("a"), ToolResult("A", "f", ())))}, "inside the answer"),
    ],
)
def test_what_an_answer_cannot_say_is_reported(change, words):
    _, ledger = to_openai_response(dataclasses.replace(ANSWER, **change))
    assert any(words in line for line in ledger), ledger


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"choices": [{"message": {"role": "assistant"}}, {}]}, "after the first"),
        ({"usage": {"prompt_tokens": 1, "is_byok": True}}, "figures"),
    ],
)
def test_what_the_ir_cannot_hold_of_an_answer_is_reported(change, words):
    document, _ = to_openai_response(ANSWER)
    _, ledger = from_openai_response({**document, **change})
    assert any(words in line for line in ledger), ledger


@pytest.mark.parametrize(
    "document", [{}, {"choices": None}, {"choices": []}, {"choices": [7]}, {"choices": [{}], "usage": 7}]
)
def test_an_answer_of_any_form_is_read(document):
    answer, _ = from_openai_response(document)
    assert answer.message == Assistant(())


@pytest.mark.parametrize("reason", list(StopReason))
def test_a_word_of_openai_is_read_as_the_reason_it_was_made_of(reason):
    word = finish_reason(reason)
    if word is not None and reason is not StopReason.STOP_SEQUENCE:
        has_calls, has_refusal = reason is StopReason.TOOL_USE, reason is StopReason.REFUSAL
        assert stop_reason(word, has_calls=has_calls, has_refusal=has_refusal) is reason
