"""K20: whatever the history, what is sent is one a server takes."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from agdesk.core.ir.request import MessageRequest
from agdesk.core.providers.base import Dialect, Endpoint, ReasoningReplay
from agdesk.core.providers.wire.openai_chat import OpenAiChat
from tests.property.openai_chat_values import any_message


@given(st.lists(any_message, max_size=5), st.sampled_from(ReasoningReplay), st.sampled_from([None, 9]))
def test_K20_any_history_is_sent_so_that_every_call_is_answered_at_once(messages, replay, call_id_length):
    dialect = Dialect(reasoning_replay=replay, call_id_length=call_id_length)
    endpoint = Endpoint("acme", "Acme", "openai_chat", "http://127.0.0.1/v1", dialect=dialect)
    request = MessageRequest("m", tuple(messages))
    wire = OpenAiChat().render_request(request, endpoint=endpoint, api_key=None, is_streaming=True)
    sent = json.loads(json.dumps(wire.body))["messages"]
    open_ids: list[str] = []
    for message in sent:
        if message["role"] == "tool":
            assert open_ids.pop(0) == message["tool_call_id"]
            assert isinstance(message["content"], str)
            continue
        assert open_ids == []
        assert message.get("content") or message.get("tool_calls") or message.get("refusal")
        open_ids = [call["id"] for call in message.get("tool_calls", ())]
        assert len(set(open_ids)) == len(open_ids)
        for entry in message.get("tool_calls", ()):
            text = entry["function"]["arguments"] if "function" in entry else "{}"
            assert isinstance(json.loads(text), dict)
            assert len(entry["id"]) <= 40
    assert open_ids == []
