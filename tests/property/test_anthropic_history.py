"""Whatever a history holds, what is sent of it is one that Anthropic Messages takes."""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agdesk.core.ir.messages import Assistant, Origin
from agdesk.core.ir.request import MessageRequest
from agdesk.core.providers.base import Dialect, Endpoint
from agdesk.core.providers.wire.anthropic import Anthropic
from tests.property.openai_chat_values import any_message

WIRE = Anthropic()
ENDPOINT = Endpoint("acme", "Acme", "anthropic", "http://127.0.0.1/v1")
CACHED = replace(ENDPOINT, dialect=Dialect(cache_ttl="1h"))
OWN = Origin("acme", "m", "anthropic")


@st.composite
def histories(draw: Any) -> tuple[Any, ...]:
    messages = draw(st.lists(any_message, max_size=5))
    is_own = st.sampled_from([True, True, False])
    return tuple(
        replace(item, origin=OWN) if isinstance(item, Assistant) and draw(is_own) else item for item in messages
    )


def sent(messages: tuple[Any, ...], endpoint: Endpoint) -> dict[str, Any]:
    request = MessageRequest("m", messages, max_tokens=9)
    rendered = WIRE.render_request(request, endpoint=endpoint, api_key=None, is_streaming=True)
    assert all(line.strip() and "\n" not in line for line in rendered.ledger)
    text = json.dumps(rendered.body, ensure_ascii=False).encode("utf-8")
    return dict(json.loads(text))


@given(histories(), st.sampled_from([ENDPOINT, CACHED]))
def test_A05_K20_roles_alternate_and_every_call_is_answered_in_the_message_that_follows(messages, endpoint):
    turns = sent(messages, endpoint)["messages"]
    assert [turn["role"] for turn in turns] == [("user", "assistant")[place % 2] for place in range(len(turns))]
    assert all(turn["content"] for turn in turns)
    seen: set[str] = set()
    for turn, following in itertools.pairwise([*turns, {"content": []}]):
        calls = [part["id"] for part in turn["content"] if part.get("type") == "tool_use"]
        results = [part["tool_use_id"] for part in following["content"] if part.get("type") == "tool_result"]
        assert calls == results or turn["role"] == "user"
        assert [part.get("type") for part in following["content"][: len(calls)]] == ["tool_result"] * len(calls)
        assert seen.isdisjoint(calls) and len(set(calls)) == len(calls)
        seen.update(calls)
    assert all(re.fullmatch("[a-zA-Z0-9_-]{1,64}", call_id) for call_id in seen)


@given(histories(), st.sampled_from([ENDPOINT, CACHED]))
def test_A06_A07_no_text_is_blank_and_no_answer_ends_with_thinking_or_white_space(messages, endpoint):
    turns = sent(messages, endpoint)["messages"]
    for turn in turns:
        for part in turn["content"]:
            assert part.get("type") != "text" or part["text"].strip()
            assert part.get("type") != "thinking" or (turn["role"] == "assistant" and part["signature"])
    for turn in turns:
        if turn["role"] == "assistant":
            assert turn["content"][-1].get("type") not in ("thinking", "redacted_thinking")
    if turns and turns[-1]["role"] == "assistant" and turns[-1]["content"][-1].get("type") == "text":
        text = turns[-1]["content"][-1]["text"]
        assert text == text.rstrip()


@given(histories())
def test_at_most_four_places_are_marked_for_the_cache(messages):
    assert json.dumps(sent(messages, CACHED)).count('"cache_control"') <= 4
    assert '"cache_control"' not in json.dumps(sent(messages, ENDPOINT))
