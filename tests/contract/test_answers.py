"""Whole answers of a real server: what arrives, what is recorded, what is sent."""

import asyncio
import gzip
import json
import time

from agdesk.core.errors import ErrorCategory
from agdesk.core.ir.blocks import Text, ToolUse
from agdesk.core.ir.response import StopReason
from agdesk.core.trace.wire import CloseReason, FrameReceived
from tests.contract.conversation import DONE, KEY, chunk, conversation, frame, usage
from tests.fakes.script import END, HOLD, JSON, SSE, drip, head, send, sleep


async def test_text_and_usage(fake_server):
    pieces = (chunk(role="assistant", content=""), chunk(content="Hel"), chunk(content="lo ✓"), chunk(finish="stop"))
    fake_server.script(head(200, SSE), *map(send, pieces), send(usage(7, 3)), send(DONE), END)
    async with conversation(fake_server.base_url) as asked:
        response = await asked.ask()
    assert response.text() == "Hello ✓"
    assert (response.id, response.model, response.stop_reason) == ("c-1", "model-1-real", StopReason.END_TURN)
    assert (response.usage.prompt_tokens, response.usage.completion_tokens) == (7, 3)
    assert asked.closed().reason is CloseReason.TERMINAL
    assert asked.body.decode() == "".join(pieces) + usage(7, 3) + DONE
    assert asked.closed().byte_count == len(asked.body)


async def test_the_frames_on_record_are_the_bytes_that_were_sent(fake_server):
    pieces = (chunk(content="a"), ": ping\n\n", chunk(content="b"), chunk(finish="stop"), DONE)
    fake_server.script(head(200, SSE), drip("".join(pieces), 0.0), END)
    async with conversation(fake_server.base_url) as asked:
        await asked.ask()
    frames = [payload for payload in asked.payloads if isinstance(payload, FrameReceived)]
    covered = b"".join(asked.body[found.start : found.end] for found in frames)
    # the blank line after a comment is a gap between frames
    assert covered.replace(b": ping\n", b": ping\n\n").decode() == "".join(pieces)


async def test_the_request_has_the_key_the_body_and_no_wish_for_compression(fake_server):
    fake_server.script(head(200, SSE), send(chunk(content="a", finish="stop") + DONE), END)
    async with conversation(fake_server.base_url, headers={"x-extra": "1"}) as asked:
        await asked.ask()
    (seen,) = fake_server.requests
    assert (seen.method, seen.target) == ("POST", "/v1/chat/completions")
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert seen.headers["accept-encoding"] == "identity"
    assert seen.headers["x-extra"] == "1"
    assert seen.json["model"] == "model-1" and seen.json["stream"] is True
    assert json.loads(asked.blobs[0]) == seen.json


async def test_a_tool_call(fake_server):
    call = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "look_up", "arguments": ""}}
    rest = [{"index": 0, "function": {"arguments": part}} for part in ('{"city": "Par', 'is"}')]
    calls = [chunk(tool_calls=[part]) for part in (call, *rest)]
    fake_server.script(head(200, SSE), *map(send, calls), send(chunk(finish="tool_calls") + DONE), END)
    async with conversation(fake_server.base_url) as asked:
        response = await asked.ask()
    assert response.stop_reason is StopReason.TOOL_USE
    assert response.message.content == (ToolUse("call_1", "look_up", {"city": "Paris"}, '{"city": "Paris"}'),)


async def test_a_refusal(fake_server):
    pieces = (chunk(refusal="I can"), chunk(refusal="not."), chunk(finish="stop"), DONE)
    fake_server.script(head(200, SSE), *map(send, pieces), END)
    async with conversation(fake_server.base_url) as asked:
        response = await asked.ask()
    (block,) = response.message.content
    assert isinstance(block, Text) and block.is_refusal and block.text == "I cannot."


async def test_an_answer_without_content(fake_server):
    fake_server.script(head(200, SSE), send(chunk(finish="stop") + DONE), END)
    async with conversation(fake_server.base_url) as asked:
        response = await asked.ask()
    assert response.text() == "" and response.stop_reason is StopReason.END_TURN


async def test_a_document_instead_of_a_stream(fake_server):
    """T26."""
    message = {"role": "assistant", "content": "Hello"}
    document = {"id": "c-1", "model": "m", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
    fake_server.script(head(200, JSON), send(json.dumps(document)), END)
    async with conversation(fake_server.base_url) as asked:
        response = await asked.ask()
    assert response.text() == "Hello" and response.stop_reason is StopReason.END_TURN


async def test_T20_a_compressed_stream_nobody_asked_for(fake_server):
    """T20: recorded are the bytes after decoding."""
    body = chunk(content="Hello") + chunk(finish="stop") + DONE
    fake_server.script(head(200, SSE, ("content-encoding", "gzip")), send(gzip.compress(body.encode())), END)
    async with conversation(fake_server.base_url) as asked:
        assert (await asked.ask()).text() == "Hello"
    assert asked.body.decode() == body


async def test_slow_bytes_are_an_answer_all_the_same(fake_server):
    body = chunk(content="Hé") + chunk(finish="stop") + DONE
    fake_server.script(head(200, SSE), drip(body, 0.002), END)
    async with conversation(fake_server.base_url, idle_timeout_s=0.3, first_byte_timeout_s=0.3) as asked:
        assert (await asked.ask()).text() == "Hé"


async def test_a_marker_with_the_connection_held_open_ends_the_answer_at_once(fake_server):
    """T15."""
    fake_server.script(head(200, SSE), send(chunk(content="a", finish="stop") + DONE), HOLD)
    async with conversation(fake_server.base_url) as asked:
        await asyncio.sleep(0)
        started = time.time()
        assert (await asked.ask()).stop_reason is StopReason.END_TURN
        assert time.time() - started < 1.0
        assert fake_server.wait_for_disconnect() - started < 1.0
    assert asked.closed().reason is CloseReason.TERMINAL


async def test_an_answer_without_a_marker_ends_some_time_after_its_end(fake_server, monkeypatch):
    """T13, T15: no marker comes, the connection stays, keep-alives go on."""
    monkeypatch.setattr("agdesk.core.providers.exchange.END_WAIT_S", 0.2)
    pings = [step for _ in range(50) for step in (send(": ping\n\n"), sleep(0.02))]
    fake_server.script(head(200, SSE), send(chunk(content="a", finish="stop") + usage(1, 1)), *pings, HOLD)
    async with conversation(fake_server.base_url) as asked:
        response = await asked.ask()
        fake_server.wait_for_disconnect()
    assert response.stop_reason is StopReason.END_TURN and response.usage.total_tokens == 2
    assert asked.closed().error is None


async def test_several_requests_share_the_pool_and_its_connections(fake_server):
    async with conversation(fake_server.base_url) as asked:
        for number in range(3):
            fake_server.script(head(200, SSE), send(chunk(content=str(number), finish="stop") + DONE), END)
            assert (await asked.ask()).text() == str(number)
        assert len({seen.connection for seen in fake_server.requests}) == 1
        for _ in range(8):
            fake_server.script(head(200, SSE), send(chunk(content="a")), sleep(1.0), send(chunk(finish="stop")), END)
        started = time.monotonic()
        async with asyncio.TaskGroup() as group:
            answers = [group.create_task(asked.ask()) for _ in range(8)]
        assert time.monotonic() - started < 7  # eight seconds one after the other
    assert [answer.result().text() for answer in answers] == ["a"] * 8
    assert len({seen.connection for seen in fake_server.requests[3:]}) == 8


async def test_an_error_inside_the_stream_is_its_last_event(fake_server):
    """T23."""
    error = frame({"error": {"message": "model crashed", "code": 500}})
    fake_server.script(head(200, SSE), send(chunk(content="a")), send(error), HOLD)
    async with conversation(fake_server.base_url) as asked:
        response = await asked.ask()
        fake_server.wait_for_disconnect()
    assert response.text() == "a" and response.stop_reason is StopReason.ERROR
    assert response.error is not None and response.error.category is ErrorCategory.SERVER
    assert asked.closed().error == response.error


async def test_the_list_of_models(fake_server):
    fake_server.script(head(200, JSON), send(json.dumps({"object": "list", "data": [{"id": "a"}, {"id": "b"}]})), END)
    async with conversation(fake_server.base_url) as asked:
        models = await asked.provider.list_models()
    assert [model.id for model in models] == ["a", "b"]
    (seen,) = fake_server.requests
    assert (seen.method, seen.target, seen.body) == ("GET", "/v1/models", "")
    assert seen.headers["authorization"] == f"Bearer {KEY}"
