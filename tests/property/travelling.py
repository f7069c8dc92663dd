"""Histories as they come about: answers decoded from the streams of one format, and what people and tools say."""

from __future__ import annotations

import base64
import dataclasses
import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from agdesk.core.ir.blocks import (
    Audio,
    BlobRef,
    ContentBlock,
    Extension,
    File,
    Image,
    ProviderFile,
    Text,
    ToolResult,
    ToolUse,
    Url,
)
from agdesk.core.ir.messages import Assistant, Message, Origin, System, Tool, User
from agdesk.core.ir.request import MessageRequest
from agdesk.core.providers.base import WireRequest
from agdesk.core.providers.presets import shipped_endpoints
from agdesk.core.providers.registry import wire_format
from tests.fakes.given.formats import GIVERS
from tests.fakes.strict.refusing import Issued
from tests.wire.reading import Reading

ROWS = shipped_endpoints()
MODEL = "model-1"


@dataclass(frozen=True)
class Travelling:
    """A history and what the provider that made it remembers of it.

    Attributes:
        wire: the format that made the answers.
        given: by position, the blocks of an answer as they came; cut answers are not in it.
    """

    wire: str
    messages: tuple[Message, ...]
    issued: Issued
    given: dict[int, list[Any]]

    def __repr__(self) -> str:
        return "\n".join([f"Travelling from {self.wire}", *map(repr, self.messages)])


def data_url(media_type: str, number: int) -> Url:
    return Url(f"data:{media_type};base64,{base64.b64encode(f'bytes{number}'.encode()).decode()}")


def image(number: int, media_type: str = "image/png", name: str | None = None) -> Image:
    return Image(data_url(media_type, number), media_type, name)


SAID = {
    "text": lambda n: (Text(f"said{n}."),),
    "image": lambda n: (Text(f"said{n}."), image(n)),
    "image with a name": lambda n: (image(n, "image/jpeg", f"name{n}.jpg"),),
    "image at an address": lambda n: (Text(f"said{n}."), Image(Url(f"https://x/{n}.png"), "image/png")),
    "odd images": lambda n: (image(n, "image/gif"), image(n + 1, "image/bmp")),
    "clip": lambda n: (Audio(data_url("audio/wav", n), "audio/wav"), Text(f"said{n}.")),
    "odd clip": lambda n: (Audio(data_url("audio/flac", n), "audio/flac"),),
    "document": lambda n: (Text(f"said{n}."), File(data_url("application/pdf", n), "application/pdf", f"name{n}.pdf")),
    "nameless document": lambda n: (File(data_url("application/pdf", n), "application/pdf"),),
    "text file": lambda n: (File(data_url("text/plain", n), "text/plain", f"name{n}.txt"),),
    "kept bytes": lambda n: (Text(f"said{n}."), Image(BlobRef(f"sha{n}", 9), "image/png")),
    "uploaded file": lambda n: (File(ProviderFile("anthropic", f"file{n}"), "application/pdf"), Text(f"said{n}.")),
    "blank text": lambda n: (Text(" "), Text(f"said{n}.")),
    "nothing": lambda n: (Text(""),),
    "unknown": lambda n: (Text(f"said{n}."), Extension("elsewhere", "dream", {"number": n})),
}
RESULTS = {
    "text": lambda n: (Text(f"result{n}."),),
    "two texts": lambda n: (Text(f"result{n}."), Text(f"result{n + 1}.")),
    "image": lambda n: (Text(f"result{n}."), image(n)),
    "image alone": lambda n: (image(n),),
    "odd image": lambda n: (Text(f"result{n}."), image(n, "image/bmp")),
    "document": lambda n: (
        Text(f"result{n}."),
        File(data_url("application/pdf", n), "application/pdf", f"name{n}.pdf"),
    ),
    "nothing": lambda n: (),
    "blank text": lambda n: (Text(""),),
}


def decoded(wire: str, blocks: list[Any], *, is_cut: bool) -> tuple[ContentBlock, ...]:
    """What the reader of live responses makes of an answer."""
    giver = GIVERS[wire]
    reading = Reading(wire_format(wire), ROWS[giver.row])
    return reading.read(giver.stream(blocks, is_cut=is_cut)).response.message.content


def rendered(row: str, messages: tuple[Message, ...], **members: Any) -> WireRequest:
    """The request that continues a history at an endpoint."""
    endpoint = ROWS[row]
    request = MessageRequest(MODEL, messages, **members)
    return wire_format(endpoint.wire).render_request(request, endpoint=endpoint, api_key="key", is_streaming=True)


@st.composite
def histories(draw: Any, wire: str, *, cuts: bool = True, is_long: bool = False) -> Travelling:
    """A history of up to three turns, which may end anywhere.

    Args:
        wire: who answers.
        cuts: whether some answers may be interrupted.
        is_long: whether thoughts and results are as long as those that compaction shortens.
    """
    numbers = itertools.count(10, 10)
    made = Travelling(wire, (), Issued(), {})
    messages: list[Message] = []
    for turn in range(draw(st.integers(1, 3))):
        if draw(st.integers(0, 3)) == 0:
            messages.append(System((Text(f"rule{next(numbers)}."),)))
        kinds = [kind for kind in sorted(SAID) if turn or kind != "nothing"]  # nobody begins with it
        messages.append(User(SAID[draw(st.sampled_from(kinds))](next(numbers))))
        for _ in range(draw(st.integers(0, 2))):
            position = len(messages)
            is_cut = cuts and draw(st.integers(0, 5)) == 0
            content = _answer(draw, made, numbers, None if is_cut else position, is_long=is_long)
            messages.append(Assistant(content, Origin(GIVERS[wire].row, MODEL, wire)))
            given = _results(draw, content, numbers)
            messages.extend(map(_lengthened, given) if is_long else given)
    return Travelling(wire, tuple(messages), made.issued, made.given)


def _answer(
    draw: Any, made: Travelling, numbers: Iterator[int], position: int | None, *, is_long: bool
) -> tuple[ContentBlock, ...]:
    giver = GIVERS[made.wire]
    kinds = draw(st.lists(st.sampled_from(sorted(giver.answers)), min_size=0, max_size=4))
    blocks = [block for kind in kinds for block in giver.answers[kind](next(numbers))]
    if is_long:
        blocks = json.loads(re.sub(r"(thought\d+\.)", r"\1" + " and so on" * 30, json.dumps(blocks)))
    giver.issue(blocks, made.issued)
    if position is not None:
        made.given[position] = blocks
    return decoded(made.wire, blocks, is_cut=position is None)


def _lengthened(message: Message) -> Message:
    """With results of some length: text of 300 characters or a list of more than 2,000, by their number."""
    blocks = message.results if isinstance(message, Tool) else message.content
    changed = tuple(_long(block) if isinstance(block, ToolResult) else block for block in blocks)
    if isinstance(message, Tool):
        return Tool(tuple(block for block in changed if isinstance(block, ToolResult)))
    return dataclasses.replace(message, content=changed)


def _long(result: ToolResult) -> ToolResult:
    content = []
    for block in result.content:
        if isinstance(block, Text) and block.text:
            rows = json.dumps([{"found": block.text, "number": number} for number in range(60)])
            block = Text(rows if len(result.tool_use_id) % 2 else block.text * 30)
        content.append(block)
    return dataclasses.replace(result, content=tuple(content))


def _results(draw: Any, content: tuple[ContentBlock, ...], numbers: Iterator[int]) -> list[Message]:
    """Results of some of the calls, in any order, now and then one of a call that is not there."""
    results = []
    for call in content:
        kind = draw(st.sampled_from(["missing", *sorted(RESULTS)])) if isinstance(call, ToolUse) else "missing"
        if isinstance(call, ToolUse) and kind != "missing":
            is_error = draw(st.integers(0, 3)) == 0
            results.append(ToolResult(call.id, call.name, RESULTS[kind](next(numbers)), is_error))
    if draw(st.integers(0, 7)) == 0:
        number = next(numbers)
        results.append(ToolResult(f"lost_{number}", "look_up", (Text(f"result{number}."),)))
    if not results:
        return []
    match draw(st.integers(0, 3)):
        case 0:
            return [Tool((result,)) for result in reversed(results)]
        case 1:
            return [User((Text(f"said{next(numbers)}."), *results))]
        case _:
            return [Tool(tuple(results))]
