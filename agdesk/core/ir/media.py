"""Where the bytes of an image, a clip or a file of a message are: in a ``data:`` URL, or beside the conversation."""

from __future__ import annotations

import base64
import dataclasses
from collections.abc import Callable, Iterable, Iterator
from urllib.parse import unquote_to_bytes

from agdesk.core.ir.blocks import Audio, BlobRef, ContentBlock, File, Image, Source, Text, ToolResult, Url
from agdesk.core.ir.messages import Message, Tool

ReadBlob = Callable[[BlobRef], bytes | None]
"""Gives the bytes of a reference; None if they are not kept. May block."""

IMAGE_TYPES = ("image/jpeg", "image/png", "image/gif", "image/webp")
"""The images that OpenAI and Anthropic take, and with them most servers that speak their formats."""


def data_type(url: str) -> str:
    """The media type of a ``data:`` URL; empty for any other."""
    head, comma, _ = url.partition(",")
    if not comma or not head.startswith("data:"):
        return ""
    return head.removeprefix("data:").partition(";")[0]


def file_name(file: File) -> str:
    """The name of a file whose bytes are in its ``data:`` URL; OpenAI refuses one without, and reads its ending."""
    url = file.source.url if isinstance(file.source, Url) else ""
    return file.name or f"file.{(data_type(url) or file.media_type).rpartition('/')[2]}"


def base64_of(source: Source) -> str | None:
    """The bytes of a ``data:`` URL in base64; None for any other source."""
    if not isinstance(source, Url) or not source.url.startswith("data:"):
        return None
    head, comma, data = source.url.partition(",")
    if not comma:
        return None
    return data if head.endswith(";base64") else base64.b64encode(unquote_to_bytes(data)).decode("ascii")


def text_in(file: File) -> str | None:
    """The text of a file whose bytes are in its ``data:`` URL and are text in UTF-8."""
    media_type = (data_type(file.source.url) if isinstance(file.source, Url) else "") or file.media_type
    data = base64_of(file.source)
    if data is None or not media_type.startswith("text/"):
        return None
    try:
        return base64.b64decode(data).decode("utf-8")
    except ValueError:
        return None


def file_as_text(file: File) -> Text | None:
    """A text file as a format without files can say it: its name, then the text; None for any other file."""
    if (text := text_in(file)) is None:
        return None
    fence = "```"
    while fence in text:
        fence += "`"
    return Text(f"{file_name(file)}:\n\n{fence}\n{text}{'' if text.endswith(chr(10)) else chr(10)}{fence}")


def blobs_in(content: Iterable[ContentBlock]) -> Iterator[BlobRef]:
    """The references that a message holds, those in results of tools included."""
    for block in content:
        match block:
            case (
                Image(source=BlobRef() as source) | Audio(source=BlobRef() as source) | File(source=BlobRef() as source)
            ):
                yield source
            case ToolResult(content=inner):
                yield from blobs_in(inner)
            case _:
                pass


def with_bytes(messages: tuple[Message, ...], read: ReadBlob) -> tuple[Message, ...]:
    """The messages with ``data:`` URLs in place of references. What is not kept stays a reference. Blocks."""
    return tuple(_message_with_bytes(message, read) for message in messages)


def _message_with_bytes(message: Message, read: ReadBlob) -> Message:
    blocks = message.results if isinstance(message, Tool) else message.content
    if next(blobs_in(blocks), None) is None:
        return message
    if isinstance(message, Tool):
        results = tuple(dataclasses.replace(r, content=_with_bytes(r.content, read)) for r in message.results)
        return dataclasses.replace(message, results=results)
    return dataclasses.replace(message, content=_with_bytes(message.content, read))


def _with_bytes(content: tuple[ContentBlock, ...], read: ReadBlob) -> tuple[ContentBlock, ...]:
    found: list[ContentBlock] = []
    for block in content:
        match block:
            case (
                Image(source=BlobRef() as source) | Audio(source=BlobRef() as source) | File(source=BlobRef() as source)
            ):
                found.append(dataclasses.replace(block, source=_inline(source, block.media_type, read)))
            case ToolResult(content=inner):
                found.append(dataclasses.replace(block, content=_with_bytes(inner, read)))
            case _:
                found.append(block)
    return tuple(found)


def _inline(reference: BlobRef, media_type: str, read: ReadBlob) -> Source:
    if (content := read(reference)) is None:
        return reference
    return Url(f"data:{media_type};base64,{base64.b64encode(content).decode('ascii')}")
