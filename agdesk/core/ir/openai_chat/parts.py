"""Content parts of a message ⇄ blocks: text, images, audio, files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agdesk.core.ir.blocks import Audio, BlobRef, ContentBlock, Extension, File, Image, ProviderFile, Text, Url
from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.media import data_type
from agdesk.core.ir.notes import name_of, note_left_out, note_text
from agdesk.core.ir.openai_chat.types import (
    AUDIO_TYPES,
    CONTENT_PART,
    UNKNOWN_FILE_TYPE,
    UNKNOWN_IMAGE_TYPE,
    WIRE,
    ContentPart,
)

OPENAI = "openai"


def part_of(block: ContentBlock, ledger: Ledger, position: int) -> ContentPart | None:
    """The part of a user's content for a block, or None with a note when there is none."""
    match block:
        case Text():
            note_text(block, ledger, position)
            return {"type": "text", "text": block.text}
        case Image() | Audio() | File():
            return _media_part(block, ledger, position)
        case Extension(provider=provider, kind=kind, raw=raw) if provider == WIRE and kind == CONTENT_PART:
            return raw if isinstance(raw, dict) else None
        case _:
            note_left_out(block, ledger, position)
            return None


def block_of(part: Any, ledger: Ledger, position: int) -> ContentBlock | None:
    """The block of one part; parts without a type in the IR are kept raw."""
    if isinstance(part, str):
        return Text(part)
    if not isinstance(part, dict):
        ledger.note("a content part that is no object was left out", position)
        return None
    match part:
        case {"type": "text" | "input_text" | "output_text", "text": str(text)}:
            _note_rest(part, {"type", "text"}, ledger, position)
            return Text(text)
        case {"type": "refusal", "refusal": str(refusal)}:
            return Text(refusal, is_refusal=True)
        case {"type": "image_url", "image_url": str(url) | {"url": str(url)}}:
            image = part["image_url"]
            _note_rest(image if isinstance(image, dict) else {}, {"url"}, ledger, position)
            return Image(Url(url), data_type(url) or UNKNOWN_IMAGE_TYPE)
        case {"type": "input_audio", "input_audio": {"data": str(data), "format": "wav" | "mp3" as form}}:
            media_type = AUDIO_TYPES[form]
            return Audio(Url(f"data:{media_type};base64,{data}"), media_type)
        case {"type": "file", "file": {"file_data": str(data), **rest}} if data_type(data):
            return File(Url(data), data_type(data), _filename(rest))
        case {"type": "file", "file": {"file_id": str(file_id), **rest}}:
            return File(ProviderFile(OPENAI, file_id), UNKNOWN_FILE_TYPE, _filename(rest))
    return Extension(WIRE, CONTENT_PART, part)


def _media_part(block: Image | Audio | File, ledger: Ledger, position: int) -> ContentPart | None:
    kind = name_of(block)
    source = block.source
    if isinstance(source, BlobRef):
        ledger.note(f"{kind} was left out: its bytes are not at hand", position)
        return None
    part: ContentPart | None = None
    match block, source:
        case Image(), Url(url=url):
            _note_type(block, data_type(url) or UNKNOWN_IMAGE_TYPE, ledger, position)
            part = {"type": "image_url", "image_url": {"url": url}}
        case Audio(), Url(url=url) if ";base64," in url and data_type(url) in _AUDIO_FORMATS:
            audio_format = _AUDIO_FORMATS[data_type(url)]
            _note_type(block, AUDIO_TYPES[audio_format], ledger, position)
            data = url.partition(",")[2]
            part = {"type": "input_audio", "input_audio": {"data": data, "format": audio_format}}
        case File(name=name), Url(url=url) if data_type(url):
            _note_type(block, data_type(url), ledger, position)
            part = {"type": "file", "file": {"file_data": url, **({} if name is None else {"filename": name})}}
        case File(name=name), ProviderFile(provider=provider, id=file_id) if provider == OPENAI:
            _note_type(block, UNKNOWN_FILE_TYPE, ledger, position)
            part = {"type": "file", "file": {"file_id": file_id, **({} if name is None else {"filename": name})}}
        case _:
            ledger.note(f"{kind} was left out: this format cannot say where it is", position)
            return None
    if block.name is not None and not isinstance(block, File):
        ledger.note(f"the name of {kind} was left out", position)
    return part


def _note_type(block: Image | Audio | File, said: str, ledger: Ledger, position: int) -> None:
    if block.media_type != said:
        ledger.note(f"the media type of {name_of(block)} is said as {said}", position)


def _note_rest(part: dict[str, Any], known: set[str], ledger: Ledger, position: int) -> None:
    for member in part:
        if member not in known and part[member] is not None:
            ledger.note(f"{member!r} of a content part was left out", position)


def _filename(file: Mapping[Any, Any]) -> str | None:
    name = file.get("filename")
    return name if isinstance(name, str) else None


_AUDIO_FORMATS = {"audio/wav": "wav", "audio/x-wav": "wav", "audio/mpeg": "mp3", "audio/mp3": "mp3"}
