"""The images that models send. No format has a block for them: they come as blocks of their provider's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agdesk.core.ir.blocks import Extension, Image, Url
from agdesk.core.ir.media import data_type


def images_in(block: Extension) -> tuple[Image, ...]:
    """The images whose bytes are in the block; an address is none of them (SEC4)."""
    return tuple(_images(block.raw))


def _images(raw: Any) -> Iterator[Image]:
    match raw:
        case list():
            for item in raw:
                yield from _images(item)
        case {"type": "image_url", "image_url": {"url": str(url)}}:
            yield from _image(url)
        case {"inlineData": {"mimeType": str(media_type), "data": str(data)}}:
            yield from _image(f"data:{media_type};base64,{data}")
        case {"type": "image_generation_call", "result": str(data)} if data:
            ending = raw.get("output_format")
            yield from _image(f"data:image/{ending if isinstance(ending, str) else 'png'};base64,{data}")
        case _:
            pass


def _image(url: str) -> Iterator[Image]:
    if (media_type := data_type(url)).startswith("image/"):
        yield Image(Url(url), media_type)
