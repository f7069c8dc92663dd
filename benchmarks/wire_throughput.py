"""PERF1: bytes → frames → typed events → final message, everything recorded, against the ``openai`` SDK's async stream.

The same bytes in the same reads for every arm; each arm's HTTP client gets them from an in-memory transport, so no arm
pays for a socket. ``limit`` is a bare loop of split, ``pydantic_core.from_json`` and one slotted dataclass.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from typing_extensions import override

EVENTS = 20_000
ROUNDS = 5
WORDS = (" the", " model", " streams", " tokens", ".\n\n", " into", " a", " window", " and", " so", " on", ",")


def body() -> bytes:
    """A chat completion of ``EVENTS`` text deltas, usage and the terminal marker."""
    frames = [_chunk({"role": "assistant", "content": ""}, None)]
    frames += [_chunk({"content": WORDS[i % len(WORDS)]}, None) for i in range(EVENTS)]
    frames.append(_chunk({}, "stop"))
    usage = {"prompt_tokens": 12, "completion_tokens": EVENTS, "total_tokens": EVENTS + 12}
    frames.append(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": "m",
            "choices": [],
            "usage": usage,
        }
    )
    return b"".join(b"data: " + json.dumps(frame).encode() + b"\n\n" for frame in frames) + b"data: [DONE]\n\n"


def _chunk(delta: dict[str, Any], finish_reason: str | None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
    return {
        "id": "chatcmpl-abc123",
        "object": "chat.completion.chunk",
        "created": 1764500000,
        "model": "m",
        "service_tier": "default",
        "system_fingerprint": "fp_1",
        "choices": [choice],
        "usage": None,
    }


def reads(data: bytes, *, is_one_event_a_read: bool) -> list[bytes]:
    """The body as network reads: one event each, or 16 kB each."""
    if is_one_event_a_read:
        return [part + b"\n\n" for part in data.split(b"\n\n") if part]
    return [data[i : i + 16384] for i in range(0, len(data), 16384)]


async def agdesk_arm(chunks: list[bytes]) -> int:
    """The provider's own path under a cycle, with a recorder that keeps every record and the body."""
    import httpx

    from agdesk.core.cycle.cycle import CycleConfig, LlmCycle
    from agdesk.core.ir.messages import user
    from agdesk.core.trace.recorder import Recorder
    from benchmarks.arms import in_memory_provider

    class Body(httpx.AsyncByteStream):
        @override
        async def __aiter__(self) -> AsyncIterator[bytes]:
            for chunk in chunks:
                yield chunk

    recorder = Recorder("bench")
    records: list[Any] = []
    received = bytearray()
    recorder.records.subscribe(records.append)
    recorder.bodies.subscribe(lambda part: received.extend(part[1]))
    provider = in_memory_provider(lambda: Body())
    response = await LlmCycle(provider, CycleConfig("m"), recorder).run_turn(user("hi"))
    assert len(response.text()) > EVENTS and len(received) == sum(map(len, chunks)), "the arm lost something"
    return len(records)


async def openai_arm(chunks: list[bytes]) -> int:
    """The SDK's async stream, its chunks joined into the final text as a user of it would."""
    import httpx2 as http
    import openai

    class Body(http.AsyncByteStream):
        @override
        async def __aiter__(self) -> AsyncIterator[bytes]:
            for chunk in chunks:
                yield chunk

    def handler(_request: http.Request) -> http.Response:
        return http.Response(200, headers={"content-type": "text/event-stream"}, stream=Body())

    client = openai.AsyncOpenAI(
        api_key="x", base_url="http://127.0.0.1/v1", http_client=http.AsyncClient(transport=http.MockTransport(handler))
    )
    stream = await client.chat.completions.create(
        model="m", messages=[{"role": "user", "content": "hi"}], stream=True, stream_options={"include_usage": True}
    )
    text, usage = [], None
    async for chunk in stream:
        if chunk.choices and chunk.choices[0].delta.content:
            text.append(chunk.choices[0].delta.content)
        usage = chunk.usage or usage
    assert len("".join(text)) > EVENTS and usage is not None
    return len(text)


@dataclass(slots=True)
class _Delta:
    text: str


async def limit_arm(chunks: list[bytes]) -> int:
    """The least a Python program can do with these bytes."""
    from pydantic_core import from_json

    events = []
    for frame in b"".join(chunks).split(b"\n\n"):
        if frame.startswith(b"data: {"):
            for choice in from_json(frame[6:])["choices"]:
                events.append(_Delta(choice["delta"].get("content")))
    return len(events)


ARMS: dict[str, Callable[[list[bytes]], Coroutine[Any, Any, int]]] = {
    "agdesk": agdesk_arm,
    "openai SDK": openai_arm,
    "limit": limit_arm,
}


def measure() -> dict[str, Any]:
    """Events per second of each arm, best of ``ROUNDS`` interleaved rounds, for both kinds of reads."""
    data = body()
    result: dict[str, Any] = {"events": EVENTS, "bytes": len(data)}
    for name, is_single in (("one event a read", True), ("16 kB reads", False)):
        chunks = reads(data, is_one_event_a_read=is_single)
        seconds = {arm: float("inf") for arm in ARMS}
        for _ in range(ROUNDS):
            for arm, run in ARMS.items():
                start = time.perf_counter()
                asyncio.run(run(chunks))
                seconds[arm] = min(seconds[arm], time.perf_counter() - start)
        result[name] = {arm: round(EVENTS / s) for arm, s in seconds.items()}
    return result


if __name__ == "__main__":
    json.dump(measure(), sys.stdout)
