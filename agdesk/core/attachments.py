"""Files that go with a message: read, recognised by what is in them, and checked before anything is sent (CHAT7)."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path, PurePath

from agdesk.core.errors import ConfigurationError
from agdesk.core.ir.blocks import Audio, BlobRef, File, Image
from agdesk.core.media_kind import PDF, ImageSize, audio_type, image_size, image_type, is_whole, text_of

MAX_BYTES = {"image": 20_000_000, "audio": 20_000_000, "pdf": 32_000_000, "text": 2_000_000}
MAX_PIXELS = 60_000_000
"""What an image may have: more would not fit into what decoding may take (QImageReader's 256 MB)."""
_TEXT_TYPES = {
    ".csv": "text/csv",
    ".htm": "text/html",
    ".html": "text/html",
    ".markdown": "text/markdown",
    ".md": "text/markdown",
    ".svg": "text/xml",
    ".xml": "text/xml",
}
_NOT_A_FILE = (
    (stat.S_ISDIR, "is a folder", "Attach the files in it."),
    (lambda mode: not stat.S_ISREG(mode), "is no ordinary file", "Copy what is in it into a file."),
)
_NO_TEXT = "Attach an image (PNG, JPEG, GIF, WebP), a PDF, audio (WAV, MP3) or a text file in UTF-8."

MediaBlock = Image | Audio | File


class AttachmentError(ConfigurationError):
    """A file that cannot be attached; the message names it, the hint the next step."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that can be sent.

    Attributes:
        name: without its folder.
        media_type: as found in the content; of text, as its ending says.
        content: as it is sent; text is UTF-8 without a mark.
    """

    name: str
    media_type: str
    content: bytes

    def block(self, reference: BlobRef) -> MediaBlock:
        """The part of a message whose bytes are kept under a reference."""
        match self.media_type.partition("/")[0]:
            case "image":
                return Image(reference, self.media_type, self.name)
            case "audio":
                return Audio(reference, self.media_type, self.name)
            case _:
                return File(reference, self.media_type, self.name)


def read_attachment(path: str | Path) -> Attachment:
    """Reads and checks a file. Blocks.

    Raises:
        AttachmentError: it cannot be read, or is nothing that can be sent.
    """
    name = PurePath(path).name or str(path)
    try:
        # a pipe without a writer would block for ever
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(descriptor, "rb") as file:
            mode = os.fstat(descriptor).st_mode
            for is_it, what, hint in _NOT_A_FILE:
                if is_it(mode):
                    raise AttachmentError(f"{name} {what}", hint)
            content = file.read(max(MAX_BYTES.values()) + 1)
    except IsADirectoryError:
        raise AttachmentError(f"{name} is a folder", "Attach the files in it.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise AttachmentError(f"{name} cannot be read: {reason}", "Check that it is there and that you may.") from error
    return check_attachment(content, name)


def check_attachment(content: bytes, name: str) -> Attachment:
    """Recognises and checks what a file holds. Takes a while for a large one.

    Raises:
        AttachmentError: it is nothing that can be sent, or too much.
    """
    if not content:
        raise AttachmentError(f"{name} is empty", "Attach a file with something in it.")
    if media_type := image_type(content):
        _check_size(content, name, "image")
        _check_image(content, name, media_type)
        return Attachment(name, media_type, content)
    if content[:1024].lstrip().startswith(b"%PDF-"):
        _check_size(content, name, "pdf")
        return Attachment(name, PDF, content)
    if media_type := audio_type(content):
        _check_size(content, name, "audio")
        return Attachment(name, media_type, content)
    if content.startswith(b"PK\x03\x04"):
        raise AttachmentError(
            f"{name} is an archive or an office document", "Save it as PDF or text, or attach what is in it."
        )
    _check_size(content, name, "text")
    if (text := text_of(content)) is None:
        raise AttachmentError(f"{name} is of a kind that no model takes", _NO_TEXT)
    if not text.strip():
        raise AttachmentError(f"{name} is empty", "Attach a file with something in it.")
    return Attachment(name, _TEXT_TYPES.get(PurePath(name).suffix.lower(), "text/plain"), text.encode())


def _check_size(content: bytes, name: str, kind: str) -> None:
    limit = MAX_BYTES[kind]
    if len(content) > limit:
        said = {"image": "an image", "audio": "audio", "pdf": "a PDF", "text": "text"}[kind]
        raise AttachmentError(
            f"{name} is larger than {limit // 1_000_000}\u202fMB, the most that is sent of {said}",
            "Make it smaller, or attach a part of it.",
        )


def _check_image(content: bytes, name: str, media_type: str) -> None:
    size = image_size(content, media_type)
    if size == ImageSize(0, 0) or not is_whole(content, media_type):
        raise AttachmentError(f"{name} is damaged or cut off", "Save or copy the image once more.")
    if size is not None and size.width * size.height > MAX_PIXELS:
        raise AttachmentError(
            f"{name} has {size.width:,} × {size.height:,} pixels, more than can be sent", "Make the image smaller."
        )
