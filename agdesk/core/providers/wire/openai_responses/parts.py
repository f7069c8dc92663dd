"""Blocks → parts of ``input`` items: texts, images, audio, files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agdesk.core.ir.blocks import Audio, BlobRef, ContentBlock, File, Image, ProviderFile, Text, Url
from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.media import IMAGE_TYPES, data_type, file_as_text, file_name
from agdesk.core.ir.notes import note_file_as_text, note_image_type, note_left_out
from agdesk.core.providers.base import Endpoint

_AUDIO_FORMATS = {"audio/wav": "wav", "audio/x-wav": "wav", "audio/mpeg": "mp3", "audio/mp3": "mp3"}
_NAMES: dict[type, str] = {Image: "an image", Audio: "an audio clip", File: "a file"}


class PartWriter:
    """Makes the parts of one message; what has none is left out with a note."""

    def __init__(self, *, endpoint: Endpoint, ledger: Ledger, position: int) -> None:
        self._owners = {endpoint.id, endpoint.catalogue_id} - {""}
        self._ledger = ledger
        self._position = position

    def parts(self, blocks: Sequence[ContentBlock]) -> list[dict[str, Any]]:
        """The parts of the blocks that have one."""
        found = (self._part(block) for block in blocks)
        return [part for part in found if part is not None]

    def note(self, what: str) -> None:
        """Notes something about the message."""
        self._ledger.note(what, self._position)

    def note_left_out(self, block: ContentBlock) -> None:
        """Notes a block that has no place where it stands."""
        note_left_out(block, self._ledger, self._position)

    def _part(self, block: ContentBlock) -> dict[str, Any] | None:
        match block:
            case Text(text=text):
                return {"type": "input_text", "text": text}
            case File() if (said := file_as_text(block)) is not None:
                note_file_as_text(self._ledger, self._position)
                return {"type": "input_text", "text": said.text}
            case Image() | Audio() | File():
                return self._media(block)
            case _:
                self.note_left_out(block)
                return None

    def _media(self, block: Image | Audio | File) -> dict[str, Any] | None:
        name = _NAMES[type(block)]
        if isinstance(block.source, BlobRef):
            self.note(f"{name} was left out: its bytes are not at hand")
            return None
        shown = data_type(block.source.url) if isinstance(block, Image) and isinstance(block.source, Url) else ""
        if shown and shown not in IMAGE_TYPES:
            note_image_type(shown, self._ledger, self._position)
            return None
        part = self._file(block) if isinstance(block, File) else self._seen_or_heard(block)
        if part is None:
            self.note(f"{name} was left out: this format cannot say where it is")
        elif block.name is not None and part.get("filename") != block.name:
            self.note(f"the name of {name} was left out")
        return part

    def _seen_or_heard(self, block: Image | Audio) -> dict[str, Any] | None:
        match block, block.source:
            case Image(), Url(url=url):
                return {"type": "input_image", "image_url": url, "detail": "auto"}
            case Image(), ProviderFile(provider=provider, id=file_id) if provider in self._owners:
                return {"type": "input_image", "file_id": file_id, "detail": "auto"}
            case Audio(), Url(url=url) if ";base64," in url and data_type(url) in _AUDIO_FORMATS:
                sound = {"data": url.partition(",")[2], "format": _AUDIO_FORMATS[data_type(url)]}
                return {"type": "input_audio", "input_audio": sound}
        return None

    def _file(self, block: File) -> dict[str, Any] | None:
        match block.source:
            case Url(url=url) if data_type(url):
                return {"type": "input_file", "filename": file_name(block), "file_data": url}
            case Url(url=url) if not url.startswith("data:"):
                return {"type": "input_file", "file_url": url}
            case ProviderFile(provider=provider, id=file_id) if provider in self._owners:
                return {"type": "input_file", "file_id": file_id}
        return None
