"""What is passed on as it came can be stored, counted and sent back, whatever is in it (PROV4)."""

import json

import pytest

from agdesk.core.ir.blocks import Extension
from agdesk.core.ir.codec import to_json
from agdesk.core.ir.messages import Assistant, Origin, user
from agdesk.core.ir.request import MessageRequest
from agdesk.core.providers.base import Endpoint
from agdesk.core.providers.registry import wire_format
from tests.wire.reading import Reading, sse
from tests.wire.recordings import ignored_paths

CHAT_END = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
DONE = {"type": "response.completed", "response": {"id": "r", "status": "completed", "output": []}}


def endpoint(wire):
    return Endpoint("acme", "Acme", wire, "http://127.0.0.1/v1")


def bodies(odd):
    """By format: a stream with a block that nobody knows and whose members have this value."""
    item = {"type": "new_item", "id": "n", "status": odd, "tool_use_id": odd, "x": {"y": [odd]}}
    line = {"model": "m", "message": {"role": "assistant", "content": "", "new": {"x": odd}}, "done": True}
    return {
        "openai_chat": sse({"choices": [{"index": 0, "delta": {"new": {"x": odd}}}]}, CHAT_END, "[DONE]"),
        "openai_responses": sse({"type": "response.output_item.done", "output_index": 0, "item": item}, DONE),
        "anthropic": sse(
            {"type": "content_block_start", "index": 0, "content_block": item},
            {"type": "content_block_stop", "index": 0},
            {"type": "content_block_start", "index": 1, "content_block": {"type": "server_tool_use", "id": odd}},
            {"type": "content_block_stop", "index": 1},
            {"type": "message_stop"},
        ),
        "gemini": sse({"candidates": [{"content": {"parts": [{"new": {"x": odd}}]}, "finishReason": "STOP"}]}),
        "ollama": json.dumps(line).encode(),
    }


@pytest.mark.parametrize("odd", [float("nan"), float("inf"), [], {"a": 1}, [[1]], None, True], ids=repr)
@pytest.mark.parametrize("wire", bodies(0))
def test_a_block_that_nobody_knows_is_json_and_can_be_history(wire, odd):
    found = Reading(wire_format(wire), endpoint(wire)).answer(bodies(odd)[wire])
    assert isinstance(found.response.message.content[0], Extension)
    for event in found.events:
        json.dumps(to_json(event), allow_nan=False)
    said = Assistant(found.response.message.content, Origin("acme", "m", wire))
    request = MessageRequest("m", (user("Hi"), said, user("Go on")))
    sent = wire_format(wire).render_request(request, endpoint=endpoint(wire), api_key=None, is_streaming=True)
    json.dumps(sent.body, allow_nan=False)


@pytest.mark.parametrize("wire", bodies(0))
def test_a_number_that_json_cannot_say_is_null_in_what_is_passed_on(wire):
    body = bodies(12345)[wire].replace(b"12345", b"1e999")
    found = Reading(wire_format(wire), endpoint(wire)).answer(body)
    raw = json.dumps(to_json(found.response.message), allow_nan=False)
    assert "12345" not in raw and "null" in raw


def test_opaque_reasoning_of_copilot_is_a_block_and_goes_back():
    wire = wire_format("openai_chat")
    deltas = [{"reasoning_text": "Hm", "reasoning_opaque": "sealed"}, {"content": "Hi"}]
    body = sse(*({"choices": [{"index": 0, "delta": delta}]} for delta in deltas), CHAT_END, "[DONE]")
    found = Reading(wire, endpoint("openai_chat")).answer(body)
    assert found.kinds == ["Thinking", "Extension", "Text"]
    said = Assistant(found.response.message.content, Origin("acme", "m", "openai_chat"))
    request = MessageRequest("m", (user("Hi"), said, user("Go on")))
    sent = wire.render_request(request, endpoint=endpoint("openai_chat"), api_key=None, is_streaming=True)
    assert sent.body["messages"][1]["reasoning_opaque"] == "sealed"


def test_chunks_that_code_assist_wraps_are_read():
    parts = {"content": {"role": "model", "parts": [{"text": "Hi"}]}, "finishReason": "STOP", "index": 0}
    document = {"response": {"candidates": [parts], "modelVersion": "m", "responseId": "r"}, "traceId": "t"}
    wire = wire_format("gemini")
    for body in (sse(document), json.dumps(document).encode()):
        found = Reading(wire, endpoint("gemini")).answer(body)
        assert (found.text, found.stop) == ("Hi", "end_turn")
    assert ignored_paths(sse(document), wire=wire, endpoint=endpoint("gemini")) == set()


def test_what_events_say_of_an_item_is_read_also_when_its_final_json_takes_its_place():
    item = {"type": "shell_call_output", "id": "o", "output": [{"stdout": "ab"}]}
    at = {"output_index": 0, "item_id": "o"}
    events = [
        {"type": "response.output_item.added", "output_index": 0, "item": {**item, "output": []}},
        {"type": "response.shell_call_output_content.delta", **at, "delta": {"stdout": "a"}},
        {"type": "response.shell_call_output_content.done", **at, "output": [{"stdout": "ab"}]},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        DONE,
    ]
    wire = wire_format("openai_responses")
    found = Reading(wire, endpoint("openai_responses")).answer(sse(*events))
    assert found.extensions[0].raw == item
    assert ignored_paths(sse(*events), wire=wire, endpoint=endpoint("openai_responses")) == set()


def test_the_noise_of_a_stream_that_comes_as_an_array_is_noise():
    chunk = {"candidates": [{"content": {"role": "model", "parts": [{"text": "Hi"}]}, "index": 0, "new": {"x": 1}}]}
    found = ignored_paths(sse([chunk]), wire=wire_format("gemini"), endpoint=endpoint("gemini"))
    assert found == {"[].candidates[].new.x"}
