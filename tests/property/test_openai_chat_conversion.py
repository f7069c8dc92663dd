"""SEED6: the way to OpenAI's types and back loses nothing silently, and nothing at all that both sides can express."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from agdesk.core.ir.blocks import (
    Text,
    ToolUse,
)
from agdesk.core.ir.messages import Assistant, user
from agdesk.core.ir.openai_chat import (
    from_openai_messages,
    from_openai_request,
    from_openai_response,
    to_openai_messages,
    to_openai_request,
    to_openai_response,
)
from agdesk.core.ir.openai_chat.finish import stop_reason
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
from agdesk.core.ir.response import (
    CompletionTokensDetails,
    MessageResponse,
    PromptTokensDetails,
    StopReason,
    Usage,
)
from tests.property.openai_chat_values import any_message, expressible, names, objects, raws, rounds, texts


@given(expressible)
def test_what_both_sides_can_express_goes_there_and_back(messages):
    documents, ledger = to_openai_messages(messages)
    assert ledger == ()
    json.dumps(documents)
    back, back_ledger = from_openai_messages(documents)
    assert back_ledger == ()
    assert list(back) == messages


@given(st.lists(any_message, max_size=3))
@example([Assistant((ToolUse("A", "f", {}, "", None),))])
def test_whatever_is_lost_on_the_way_is_reported(messages):
    documents, ledger = to_openai_messages(messages)
    json.dumps(documents)
    back, back_ledger = from_openai_messages(documents)
    assert list(back) == messages or ledger or back_ledger


members = st.fixed_dictionaries(
    {"role": st.sampled_from(["system", "developer", "user", "assistant", "tool", "narrator"])},
    optional={
        "content": st.none() | texts | st.lists(st.builds(lambda t: {"type": "text", "text": t}, texts), max_size=2),
        "name": names,
        "refusal": st.none() | texts,
        "tool_call_id": names,
        "reasoning_content": st.none() | texts,
        "annotations": st.sampled_from([[], [{"u": 1}]]),
        "invented": objects,
        "tool_calls": st.lists(
            st.builds(
                lambda i, n, a: {"id": i, "type": "function", "function": {"name": n, "arguments": a}},
                names,
                names,
                raws,
            ),
            max_size=2,
        ),
    },
)


def meaning(document: dict[str, Any]) -> dict[str, Any]:
    """A message without the members that say nothing; one part of text is a text."""
    match document.get("content"):
        case [{"type": "text", "text": text}]:
            document = {**document, "content": text}
    return {key: value for key, value in document.items() if value not in (None, [], {}, "") or key == "role"}


@given(st.lists(members, max_size=3))
def test_what_openai_says_and_the_ir_cannot_hold_is_reported(documents):
    messages, ledger = from_openai_messages(documents)
    back, back_ledger = to_openai_messages(messages)
    if not ledger and not back_ledger:
        assert [meaning(dict(document)) for document in back] == [meaning(document) for document in documents]


tools = st.lists(
    st.builds(ToolDefinition, names, texts, st.just({"type": "object"}), st.sampled_from(ResultSemantic)), max_size=2
).map(tuple)
requests = st.builds(
    MessageRequest,
    names,
    st.just((user("Hi"),)),
    tools,
    st.sampled_from([Auto(), None_(), Required()]) | st.builds(SpecificTool, names),
    st.none() | st.integers(1, 9),
    st.none() | st.sampled_from([0.0, 1.5]),
    st.none() | st.just(0.5),
    st.lists(names, max_size=2).map(tuple),
    st.none()
    | st.builds(ThinkingOptions, st.none() | st.booleans(), st.none() | st.just("low"), st.none() | st.just(9)),
    st.none() | st.builds(ResponseFormat, st.none() | st.just({"type": "object"}), names, st.none() | st.booleans()),
    st.none() | st.booleans(),
    st.none() | st.integers(0, 9),
    st.sampled_from([{}, {"top_k": 3}]),
)


def meant(request):
    """The request without words that say nothing: thinking options without an option, a name for no schema."""
    if request.thinking == ThinkingOptions():
        request = dataclasses.replace(request, thinking=None)
    if request.response_format is not None and request.response_format.schema is None:
        request = dataclasses.replace(request, response_format=ResponseFormat())
    return request


@given(requests)
def test_requests_go_there_and_back_or_say_why_not(request):
    body, ledger = to_openai_request(request)
    back, _ = from_openai_request(body)
    assert back == meant(request) or ledger


counts = st.none() | st.integers(0, 9)
responses = st.builds(
    MessageResponse,
    names,
    names,
    rounds().map(lambda messages: messages[0]),
    st.builds(
        Usage,
        counts,
        counts,
        counts,
        st.none() | st.builds(PromptTokensDetails, counts, counts),
        st.none() | st.builds(CompletionTokensDetails, counts),
        st.none() | st.just(0.5),
    ),
    st.sampled_from(StopReason),
    st.none() | st.sampled_from(["stop", "length", "tool_calls", "eos"]),
    st.none(),
    st.sampled_from([{}, {"system_fingerprint": "f"}, {"model": "x"}]),
)


@given(responses)
def test_answers_go_there_and_back_or_say_why_not(response):
    document, ledger = to_openai_response(response)
    back, back_ledger = from_openai_response(document)
    assert back == response or ledger or back_ledger


@given(rounds(), st.sampled_from(["stop", "length", "tool_calls", "content_filter"]))
def test_an_answer_with_the_word_of_its_server_loses_nothing(messages, word):
    message = messages[0]
    assert isinstance(message, Assistant)
    has_calls = any(isinstance(block, ToolUse) for block in message.content)
    has_refusal = any(isinstance(block, Text) and block.is_refusal for block in message.content)
    reason = stop_reason(word, has_calls=has_calls, has_refusal=has_refusal)
    response = MessageResponse("r", "m", message, Usage(1, 2, 3), reason, word)
    document, ledger = to_openai_response(response)
    assert ledger == ()
    assert from_openai_response(document) == (response, ())
