"""What the wire formats are measured beside: the streams of the vendors' own SDKs, over the same bytes in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

from typing_extensions import override

Peer = Callable[[list[bytes]], Coroutine[Any, Any, str]]
"""Reads a body from the given network reads and gives the final text."""


async def openai_chat(chunks: list[bytes]) -> str:
    """``chat.completions.create`` of the ``openai`` SDK; a chat needs the deltas joined by its user."""
    stream = await _openai_client(chunks).chat.completions.create(
        model="m", messages=[{"role": "user", "content": "hi"}], stream=True, stream_options={"include_usage": True}
    )
    parts, usage = [], None
    async for chunk in stream:
        if chunk.choices and chunk.choices[0].delta.content:
            parts.append(chunk.choices[0].delta.content)
        usage = chunk.usage or usage
    assert usage is not None
    return "".join(parts)


async def openai_responses(chunks: list[bytes]) -> str:
    """``responses.create`` of the ``openai`` SDK, whose last event has the final response."""
    stream = await _openai_client(chunks).responses.create(model="m", input="hi", stream=True)
    parts, final = [], None
    async for event in stream:
        if event.type == "response.output_text.delta":
            parts.append(event.delta)
        elif event.type == "response.completed":
            final = event.response
    assert final is not None and final.usage is not None
    return "".join(parts)


async def anthropic(chunks: list[bytes]) -> str:
    """``messages.stream`` of the ``anthropic`` SDK, which keeps the message it builds."""
    import anthropic as sdk

    client = sdk.AsyncAnthropic(api_key="x", base_url="http://127.0.0.1", http_client=_http_client(chunks))
    messages: list[Any] = [{"role": "user", "content": "hi"}]
    async with client.messages.stream(model="m", max_tokens=1024, messages=messages) as stream:
        async for _event in stream:
            pass
        message = await stream.get_final_message()
    return "".join(block.text for block in message.content if block.type == "text")


PEERS: dict[str, tuple[str, Peer]] = {
    "openai_chat": ("openai SDK", openai_chat),
    "openai_responses": ("openai SDK", openai_responses),
    "anthropic": ("anthropic SDK", anthropic),
}
"""The peer of a format, with its name; Gemini and Ollama have none."""


def _openai_client(chunks: list[bytes]) -> Any:
    import openai

    return openai.AsyncOpenAI(api_key="x", base_url="http://127.0.0.1/v1", http_client=_http_client(chunks))


def _http_client(chunks: list[bytes]) -> Any:
    import httpx2 as http

    class Body(http.AsyncByteStream):
        @override
        async def __aiter__(self) -> AsyncIterator[bytes]:
            for chunk in chunks:
                yield chunk

    def handler(_request: http.Request) -> http.Response:
        return http.Response(200, headers={"content-type": "text/event-stream"}, stream=Body())

    return http.AsyncClient(transport=http.MockTransport(handler))
