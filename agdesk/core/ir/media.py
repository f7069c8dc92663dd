"""``data:`` URLs: where the bytes of an image, a clip or a file stand in a message."""

from __future__ import annotations

import base64
from urllib.parse import unquote_to_bytes

from agdesk.core.ir.blocks import File, Source, Url

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
