"""A local server in a process of its own: OpenAI chat chunks at a steady rate, every event its own network write.

``python -m benchmarks.sse_server EVENTS_PER_SECOND SECONDS`` prints its port and serves until it is killed.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time

SENTENCE = "The model streams tokens into a document while layout keeps frames short and only the open block changes. "
ANSWER = f"""## How it streams

{SENTENCE * 3}

- **first**: {SENTENCE}
- **second**: {SENTENCE}`code`
- **third**: {SENTENCE}

```python
def flush(columns, budget_ms=5):
    # one column a tick
    for column in columns:
        if column.has_text and budget_ms > 0:
            column.paint()
            budget_ms -= column.cost_ms
    return [column for column in columns if column.has_text]
```

{SENTENCE * 2} See [the notes](https://example.org/notes) and *the figures*.

| name | value | note |
|---|---:|---|
| tokens | 131 | reported |
| cost | 0.0021 | computed |

"""
WORDS = re.findall(r"\s*\S{1,6}|\s+", ANSWER)
"""An answer as models write them (prose, a list, code, a table), in pieces of about a token."""


def _frame(word: str, *, start_s: float) -> bytes:
    """A chunk whose id is the start of its stream on the clock that all processes share."""
    choice = {"index": 0, "delta": {"content": word}, "logprobs": None, "finish_reason": None}
    chunk = {"id": repr(start_s), "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return b"data: " + json.dumps(chunk).encode() + b"\n\n"


END = b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'


async def serve(rate: float, seconds: float) -> None:
    """Answers every POST with one stream."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
            await reader.readexactly(int(lengths[0].split(b":")[1]))
            writer.write(
                b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
                b"transfer-encoding: chunked\r\nconnection: close\r\n\r\n"
            )
            start, sent, total = time.perf_counter(), 0, int(rate * seconds)
            frames = [_frame(word, start_s=start) for word in WORDS]
            while sent < total:
                due = min(total, int((time.perf_counter() - start) * rate))
                for i in range(sent, due):
                    writer.write(_chunk(frames[i % len(frames)]))
                sent = due
                await writer.drain()
                await asyncio.sleep(0.001)
            writer.write(_chunk(END) + b"0\r\n\r\n")
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client went away
        finally:
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1]), float(sys.argv[2])))
