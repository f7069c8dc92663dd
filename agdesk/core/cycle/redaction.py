"""Known keys in values that are kept and sent (SEC1).

An answer came in pieces: none of them held the whole key, the answer would.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable

from agdesk.core.ir.blocks import ContentBlock, Extension, Text, Thinking, ToolUse
from agdesk.core.ir.codec import from_json, to_json
from agdesk.core.ir.messages import Assistant
from agdesk.core.ir.parameters import RequestParameters

Redact = Callable[[str], str]
"""Gives a text back with known keys replaced by tokens of the same length."""


def without_keys(message: Assistant, redact: Redact) -> Assistant:
    """The same message, or one with every known key in its blocks replaced."""
    content = tuple(_clean(block, redact) for block in message.content)
    return message if content == message.content else dataclasses.replace(message, content=content)


def parameters_without_keys(parameters: RequestParameters, redact: Redact) -> RequestParameters:
    """The same parameters, or ones with every known key in their texts replaced."""
    text = json.dumps(to_json(parameters), ensure_ascii=False)
    clean = redact(text)
    return parameters if clean == text else from_json(RequestParameters, json.loads(clean))


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
