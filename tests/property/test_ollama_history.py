"""K20: whatever the history, what is sent to Ollama is in its format, and every call is answered at once."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from agdesk.core.ir.request import MessageRequest
from agdesk.core.providers.base import Dialect, Endpoint, ReasoningReplay
from agdesk.core.providers.wire.ollama import Ollama
from tests.property.openai_chat_values import any_message


@given(st.lists(any_message, max_size=5), st.sampled_from(ReasoningReplay))
def test_K20_any_history_is_sent_so_that_every_call_is_answered_at_once(messages, replay):
    dialect = Dialect(reasoning_replay=replay)
    endpoint = Endpoint("ollama", "Ollama", "ollama", "http://127.0.0.1:11434/api", dialect=dialect)
    request = MessageRequest("m", tuple(messages))
    wire = Ollama().render_request(request, endpoint=endpoint, api_key=None, is_streaming=True)
    waiting: list[tuple[str, str]] = []
    for message in json.loads(json.dumps(wire.body, ensure_ascii=False))["messages"]:
        assert isinstance(message["content"], str)
        assert all(not image.startswith("data:") for image in message.get("images", ()))
        if message["role"] == "tool":
            assert waiting.pop(0) == (message["tool_name"], message["tool_call_id"])
            continue
        assert waiting == []
        assert message["content"] or message.get("tool_calls") or message.get("images")
        for call in message.get("tool_calls", ()):
            assert isinstance(call["function"]["arguments"], dict)
            waiting.append((call["function"]["name"], call["id"]))
    assert waiting == []
