"""Known keys in an answer that came in pieces: no piece held the whole key, the answer would (SEC1)."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable

from agdesk.core.ir.blocks import ContentBlock, Extension, Text, Thinking, ToolUse
from agdesk.core.ir.messages import Assistant

Redact = Callable[[str], str]
"""Gives a text back with known keys replaced by tokens of the same length."""


def without_keys(message: Assistant, redact: Redact) -> Assistant:
    """The same message, or one with every known key in its blocks replaced."""
    content = tuple(_clean(block, redact) for block in message.content)
    return message if content == message.content else dataclasses.replace(message, content=content)


def _clean(block: ContentBlock, redact: Redact) -> ContentBlock:
    match block:
        case Text(text=text) | Thinking(text=text):
            return block if (clean := redact(text)) == text else dataclasses.replace(block, text=clean)
        case ToolUse(raw_arguments=raw, input=arguments):
            if (clean := redact(raw)) == raw:
                return block
            cleaned = None if arguments is None else json.loads(redact(json.dumps(arguments)))
            return dataclasses.replace(block, raw_arguments=clean, input=cleaned)
        case Extension(raw=raw):
            text = json.dumps(raw)
            return block if (clean := redact(text)) == text else dataclasses.replace(block, raw=json.loads(clean))
        case _:
            return block
