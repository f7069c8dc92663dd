"""The four kinds of message. The system prompt has one entry: ``System`` in the list (SEED7)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from agdesk.core.ir.blocks import Audio, ContentBlock, File, Image, Text, ToolResult


@dataclass(frozen=True, slots=True)
class Origin:
    """Who wrote an assistant message: without it nobody can tell which signatures are foreign (D1)."""

    provider: str
    model: str
    wire: str


@dataclass(frozen=True, slots=True)
class System:
    content: tuple[ContentBlock, ...]


@dataclass(frozen=True, slots=True)
class User:
    content: tuple[ContentBlock, ...]


@dataclass(frozen=True, slots=True)
class Assistant:
    content: tuple[ContentBlock, ...]
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    """All results of one round of calls, in the order of the calls."""

    results: tuple[ToolResult, ...]


Message: TypeAlias = System | User | Assistant | Tool


def system(text: str) -> System:
    """A system message of one text."""
    return System((Text(text),))


def user(text: str) -> User:
    """A user message of one text."""
    return User((Text(text),))


def text_of(content: tuple[ContentBlock, ...]) -> str:
    """The visible text of a message's content: its Text blocks joined, refusals included."""
    return "".join(block.text for block in content if isinstance(block, Text))


def heading_of(content: tuple[ContentBlock, ...]) -> str:
    """What a message is called in lists: its text, or the name of what is attached to it."""
    if text := text_of(content):
        return text
    return next((block.name for block in content if isinstance(block, Image | Audio | File) and block.name), "")


M = TypeVar("M", User, Assistant)


def with_text(message: M, text: str) -> M:
    """The message with another text in place of its first, and without further ones; its other blocks stay."""
    content: list[ContentBlock] = []
    is_placed = False
    for block in message.content:
        if not isinstance(block, Text):
            content.append(block)
        elif not is_placed:
            is_placed = True
            content.append(Text(text))
    return dataclasses.replace(message, content=tuple(content if is_placed else [*content, Text(text)]))
