"""The documents' token estimate: a table by kind of block, over UTF-8 bytes (docs/adr/0013).

About five times too high for English; it is the base that a measured ratio makes into tokens (COMP8).
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from agdesk.core.ir.blocks import Audio, ContentBlock, Extension, File, Image, Text, Thinking, ToolResult, ToolUse
from agdesk.core.ir.codec import to_json
from agdesk.core.ir.messages import Message, Tool
from agdesk.core.ir.request import ToolDefinition

ASSUMED_RATIO = 0.25
"""Tokens for one of the estimate, until a model has reported twice (COMP8)."""

_compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode  # made once, not for every call
_IMAGE_TOKENS = 85
_AUDIO_TOKENS = 100
_FILE_TOKENS = 50


def estimate_text_tokens(text: str) -> int:
    """``(len * 4)`` divided by 3, rounded up; ``len`` counts UTF-8 bytes as the documents' Rust does."""
    size_bytes = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    return -(-size_bytes * 4 // 3)


def estimate_block_tokens(block: ContentBlock) -> int:
    """The estimate for one content block, by its kind."""
    match block:
        case Text(text=text) | Thinking(text=text):
            return estimate_text_tokens(text)
        case Image():
            return _IMAGE_TOKENS
        case Audio():
            return _AUDIO_TOKENS
        case File(name=name):
            return _FILE_TOKENS + estimate_text_tokens(name or "")
        case ToolUse(name=name, input=arguments, raw_arguments=raw):
            return estimate_text_tokens(name) + estimate_text_tokens(raw if arguments is None else _compact(arguments))
        case ToolResult(content=content):
            return sum(estimate_block_tokens(inner) for inner in content)
        case Extension(raw=raw):
            return estimate_text_tokens(_compact(to_json(raw)))


def estimate_message_tokens(message: Message) -> int:
    """The estimate for one message: the sum of its blocks."""
    blocks: Iterable[ContentBlock] = message.results if isinstance(message, Tool) else message.content
    return sum(estimate_block_tokens(block) for block in blocks)


def estimate_messages_tokens(messages: Iterable[Message]) -> int:
    """The estimate for a whole history."""
    return sum(estimate_message_tokens(message) for message in messages)


def estimate_tools_tokens(tools: Iterable[ToolDefinition]) -> int:
    """The estimate for tools that are offered: their names, descriptions and schemas as text."""
    return sum(
        estimate_text_tokens(tool.name)
        + estimate_text_tokens(tool.description)
        + estimate_text_tokens(_compact(to_json(tool.input_schema)))
        for tool in tools
    )
