"""What a user's message or a tool's result may hold: text, images, documents (SEED5)."""

from __future__ import annotations

import base64
from typing import Any

from agdesk.core.ir.blocks import BlobRef, ContentBlock, Extension, File, Image, ProviderFile, Source, Text, Url
from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.media import IMAGE_TYPES, base64_of, data_type
from agdesk.core.ir.notes import note_image_type, note_left_out, note_text
from agdesk.core.providers.wire.anthropic.fields import WIRE

_PDF = "application/pdf"
_TEXT_TYPES = ("application/json", "application/xml", "application/yaml", "application/toml", "application/javascript")


class PartWriter:
    """Makes the parts of one message.

    Args:
        provider: the id of the endpoint: only its own files can be named.
        position: the message's place, for the ledger.
    """

    __slots__ = ("_ledger", "_position", "_provider")

    def __init__(self, *, provider: str, ledger: Ledger, position: int) -> None:
        self._provider = provider
        self._ledger = ledger
        self._position = position

    def part(self, block: ContentBlock) -> dict[str, Any] | None:
        """The part for a block, or None, with a note, if there is none."""
        match block:
            case Text():
                note_text(block, self._ledger, self._position)
                return {"type": "text", "text": block.text}
            case Image():
                return self._image(block)
            case File():
                return self._document(block)
            case Extension(provider=provider, raw=dict(raw)) if provider == WIRE:
                return raw
            case _:
                note_left_out(block, self._ledger, self._position)
                return None

    def _image(self, image: Image) -> dict[str, Any] | None:
        if image.name is not None:
            self._note("the name of an image was left out")
        url = image.source.url if isinstance(image.source, Url) else ""
        media_type = data_type(url) or image.media_type
        if url.startswith("data:") and media_type not in IMAGE_TYPES:
            note_image_type(media_type, self._ledger, self._position)
            return None
        source = self._source(image.source, media_type, name="an image")
        return None if source is None else {"type": "image", "source": source}

    def _document(self, file: File) -> dict[str, Any] | None:
        url = file.source.url if isinstance(file.source, Url) else ""
        media_type = data_type(url) or file.media_type
        source: dict[str, Any] | None
        if not url or media_type == _PDF:
            source = self._source(file.source, media_type, name="a file")
        elif (text := _text_in(file.source, media_type)) is not None:
            source = {"type": "text", "media_type": "text/plain", "data": text}
        else:
            self._note(f"a file of type {media_type} was left out: this format takes PDF and text")
            return None
        if source is None:
            return None
        return {"type": "document", "source": source, **({} if file.name is None else {"title": file.name})}

    def _source(self, source: Source, media_type: str, *, name: str) -> dict[str, Any] | None:
        match source:
            case BlobRef():
                self._note(f"{name} was left out: its bytes are not at hand")
            case ProviderFile(provider=self._provider, id=file_id):
                return {"type": "file", "file_id": file_id}
            case Url(url=url) if not url.startswith("data:"):
                return {"type": "url", "url": url}
            case Url() if (data := base64_of(source)) is not None:
                return {"type": "base64", "media_type": media_type, "data": data}
            case _:
                self._note(f"{name} was left out: this format cannot say where it is")
        return None

    def _note(self, what: str) -> None:
        self._ledger.note(what, self._position)


def _text_in(source: Source, media_type: str) -> str | None:
    """The text of a file that is one."""
    data = base64_of(source)
    if data is None or not (media_type.startswith("text/") or media_type in _TEXT_TYPES):
        return None
    try:
        return base64.b64decode(data).decode("utf-8")
    except ValueError:
        return None
