"""What is painted of the content of a message."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from agdesk.core.ir.blocks import Audio, ContentBlock, Extension, File, Image, Text, Thinking, ToolUse
from agdesk.ui.chat.attachments.sent import images_in
from agdesk.ui.chat.block_text import fenced
from agdesk.ui.widgets.transcript import BlockView


def block_views(
    content: tuple[ContentBlock, ...],
    thinking_s: Sequence[float | None] = (),
    *,
    attachment: Callable[[Image | Audio | File], BlockView],
    call: Callable[[ToolUse], BlockView],
) -> tuple[BlockView, ...]:
    """What is painted of a settled message's content, block by block.

    Args:
        content: of the message.
        thinking_s: how long each Thinking block took, in order, as far as known.
        attachment: what is painted of an image, a sound or a file.
        call: what is painted of a call.
    """
    views = []
    durations = iter(thinking_s)
    for block in content:
        match block:
            case Text(text=text):
                views.append(BlockView("text", text))
            case Thinking(text=text):
                views.append(BlockView("thinking", text, next(durations, None)))
            case ToolUse():
                views.append(call(block))
            case Image() | Audio() | File():
                views.append(attachment(block))
            case Extension() if images := images_in(block):
                views.extend(map(attachment, images))
            case Extension(kind=kind, raw=raw):
                text = json.dumps(raw, ensure_ascii=False, indent=2)
                views.append(BlockView("text", f"{kind}\n\n{fenced(text, 'json')}"))
            case _:
                views.append(BlockView("text", type(block).__name__))
    return tuple(views)
