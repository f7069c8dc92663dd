"""What an attachment is, in words."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication

from agdesk.core.attachments import MediaBlock
from agdesk.core.ir.blocks import Audio, BlobRef, File, Image, ProviderFile, Url
from agdesk.core.ir.media import data_type
from agdesk.core.media_kind import PDF
from agdesk.ui.widgets.attachment_view import AttachmentView

THIN_SPACE = "\u202f"
SENT_BYTES = 2_000_000
"""The largest image of a model that is drawn (SEC4); what the user attached is not in the message itself."""

translate = QCoreApplication.translate


def view_of(block: MediaBlock) -> AttachmentView:
    """An attachment as it is shown. What only has an address somewhere is never loaded: it is named by the address."""
    source = block.source
    match source:
        case BlobRef(sha256=sha256, size_bytes=size_bytes):
            key = f"{sha256}/{block.name}"  # the same bytes may have several names
            detail = f"{type_text(block)} · {size_text(size_bytes)}"
        case Url(url=url) if data_type(url):
            size_bytes = len(url) * 3 // 4
            key, detail = f"data-{hash(url)}", f"{type_text(block)} · {size_text(size_bytes)}"
            if size_bytes > SENT_BYTES:
                return AttachmentView(key, "file", block.name or type_text(block), detail)
        case Url(url=url):
            return AttachmentView(url, "file", url, translate("Attachments", "not loaded"))
        case ProviderFile(provider=provider, id=file_id):
            return AttachmentView(f"{provider}/{file_id}", "file", block.name or file_id, provider)
    match block:
        case Image():
            return AttachmentView(key, "image", block.name or translate("Attachments", "Image"), detail)
        case Audio():
            return AttachmentView(key, "audio", block.name or translate("Attachments", "Audio"), detail)
        case File():
            return AttachmentView(key, "file", block.name or translate("Attachments", "File"), detail)


def type_text(block: MediaBlock) -> str:
    """The kind of a file in a word or two."""
    kind, _, subtype = block.media_type.partition("/")
    if block.media_type == PDF:
        return "PDF"
    if kind == "text":
        return translate("Attachments", "Text")
    return {"mpeg": "MP3", "x-wav": "WAV", "svg+xml": "SVG"}.get(subtype, subtype.upper()) or translate(
        "Attachments", "File"
    )


def kinds_text(blocks: Iterable[MediaBlock]) -> str:
    """What several attachments are, each kind once."""
    kinds = []
    for block in blocks:
        match block:
            case Image():
                kinds.append(translate("Attachments", "images"))
            case Audio():
                kinds.append(translate("Attachments", "audio"))
            case File() if block.media_type == PDF:
                kinds.append(translate("Attachments", "PDFs"))
            case File():
                kinds.append(translate("Attachments", "files"))
    *first, last = dict.fromkeys(kinds)
    if not first:
        return last
    return translate("Attachments", "{first} and {last}").format(first=", ".join(first), last=last)


def size_text(size_bytes: int) -> str:
    """A size with its unit."""
    if size_bytes < 1_000:
        return f"{size_bytes}{THIN_SPACE}B"
    if size_bytes < 1_000_000:
        return f"{size_bytes / 1_000:.0f}{THIN_SPACE}kB"
    return f"{size_bytes / 1_000_000:.1f}{THIN_SPACE}MB"
