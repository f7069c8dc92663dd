"""Images, audio and files → parts (G18)."""

from __future__ import annotations

from typing import Any

from agdesk.core.ir.blocks import Audio, BlobRef, File, Image, ProviderFile, Url
from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.media import base64_of, data_type
from agdesk.core.ir.notes import note_image_type
from agdesk.core.providers.base import Endpoint

_IMAGE_TYPES = ("image/png", "image/jpeg", "image/webp", "image/heic", "image/heif")
_NAMES = {Image: "an image", Audio: "an audio clip", File: "a file"}


def media_part(
    block: Image | Audio | File, *, endpoint: Endpoint, ledger: Ledger, position: int
) -> dict[str, Any] | None:
    """The part of a block, its bytes inline or its address; None with a note if it cannot be sent."""
    name, source = _NAMES[type(block)], block.source
    if isinstance(source, BlobRef):
        ledger.note(f"{name} was left out: its bytes are not at hand", position)
        return None
    if isinstance(source, ProviderFile) and source.provider != endpoint.id:
        ledger.note(f"{name} was left out: it was uploaded to another provider", position)
        return None
    shown = data_type(source.url) if isinstance(block, Image) and isinstance(source, Url) else ""
    if shown and shown not in _IMAGE_TYPES:
        note_image_type(shown, ledger, position, taken="PNG, JPEG, WebP, HEIC and HEIF")
        return None
    if block.name is not None:
        ledger.note(f"the name of {name} was left out", position)
    media_type = {"mimeType": block.media_type} if block.media_type else {}
    if isinstance(source, Url):
        if (data := base64_of(source)) is not None:
            said = data_type(source.url)
            return {"inlineData": (media_type | ({"mimeType": said} if said else {})) | {"data": data}}
        return {"fileData": media_type | {"fileUri": source.url}}
    return {"fileData": media_type | {"fileUri": source.id}}
