"""What every format notes in the same words: blocks and their data that a message has no place for (PROV7)."""

from __future__ import annotations

from collections.abc import Iterable

from agdesk.core.ir.blocks import Audio, ContentBlock, Extension, File, Image, Text, Thinking, ToolUse
from agdesk.core.ir.ledger import Ledger

_ORDERED = (Thinking, Text, ToolUse)


def name_of(block: ContentBlock) -> str:
    """A block as notes call it."""
    match block:
        case Extension(provider=provider, kind=kind):
            return f"a block {kind!r} of {provider}"
        case Image():
            return "an image"
        case Audio():
            return "an audio clip"
        case File():
            return "a file"
        case _:
            return f"a block of kind {type(block).__name__}"


def note_left_out(block: ContentBlock, ledger: Ledger, position: int) -> None:
    """Notes a block that its message has no place for."""
    ledger.note(f"{name_of(block)} has no place in this message and was left out", position)


def note_image_type(media_type: str, ledger: Ledger, position: int, *, taken: str = "JPEG, PNG, GIF and WebP") -> None:
    """Notes an image that only its type keeps from being sent."""
    ledger.note(f"an image of type {media_type} was left out: this format takes {taken}", position)


def note_file_as_text(ledger: Ledger, position: int) -> None:
    """Notes a text file that is sent as a part of the text."""
    ledger.note("a text file is sent as text, below its name", position)


def note_order(said: Iterable[ContentBlock], sent: Iterable[ContentBlock], ledger: Ledger, position: int) -> None:
    """Notes if what the model said in one order is sent in another one. Both hold the same blocks."""
    before, after = ([block for block in blocks if isinstance(block, _ORDERED)] for blocks in (said, sent))
    if before != after:
        ledger.note("the order of thinking, text and calls is not kept", position)


def note_text(block: Text, ledger: Ledger, position: int) -> None:
    """Notes what a text carries that a plain one cannot."""
    if block.citations:
        ledger.note("citations of a text were left out", position)
    if block.provider_data is not None:
        ledger.note("opaque data of a text was left out", position)
