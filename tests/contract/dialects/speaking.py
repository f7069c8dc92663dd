"""A provider that speaks the format of a writer, on a scripted server; and what its answers mean."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from agdesk.core.ir.blocks import Text, Thinking, ToolUse
from agdesk.core.ir.response import MessageResponse
from tests.contract.conversation import Conversation, conversation
from tests.contract.dialects.abstract import Writer
from tests.contract.dialects.writers import WRITERS
from tests.fakes.script import FakeServer, head
from tests.fakes.server import Step


def every_format_but(*left_out: str) -> pytest.MarkDecorator:
    """Runs a test once for each format, with its writer."""
    chosen = [pytest.param(writer, id=wire) for wire, writer in WRITERS.items() if wire not in left_out]
    return pytest.mark.parametrize("writer", chosen)


every_format = every_format_but()


@asynccontextmanager
async def speaking(server: FakeServer, writer: Writer, **changes: Any) -> AsyncGenerator[Conversation, None]:
    """A conversation in the writer's format; ``changes`` are fields of its endpoint."""
    base_url = f"http://127.0.0.1:{server.port}{writer.base_path}"
    async with conversation(base_url, wire=writer.wire, **changes) as asked:
        yield asked


def head_of(writer: Writer, *headers: tuple[str, str], status: int = 200, framing: str = "chunked") -> Step:
    """The head of a stream."""
    return head(status, ("content-type", writer.content_type), *headers, framing=framing)


def meaning(response: MessageResponse) -> list[tuple[Any, ...]]:
    """The blocks of a response without what is opaque in them."""
    found: list[tuple[Any, ...]] = []
    for block in response.message.content:
        match block:
            case Text(text):
                found.append(("text", text))
            case Thinking(text):
                found.append(("thinking", text))
            case ToolUse(call_id, name, arguments):
                found.append(("call", call_id, name, arguments))
            case _:
                found.append((type(block).__name__,))
    return found


def runnable(response: MessageResponse) -> list[ToolUse]:
    """The calls that would be run."""
    return [block for block in response.message.content if isinstance(block, ToolUse) and block.input is not None]
