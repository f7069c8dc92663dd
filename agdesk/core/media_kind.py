"""What bytes are, told by what they begin with and never by a name: pure."""

from __future__ import annotations

import codecs
import re
import struct
from typing import NamedTuple

PDF = "application/pdf"
_PNG_MARK = b"\x89PNG\r\n\x1a\n"
_PNG_END = b"IEND\xaeB`\x82"
_JPEG_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # the segments that tell the size
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_PAGE = re.compile(rb"/Type\s*/Page(?![A-Za-z])")
_LINEAR_PAGES = re.compile(rb"/Linearized\b[^>]*?/N\s+(\d{1,6})")


class ImageSize(NamedTuple):
    """In pixels; 0 × 0 if the image is cut before it tells."""

    width: int
    height: int


def image_type(content: bytes) -> str:
    """The media type of an image; empty for anything else."""
    if content.startswith(_PNG_MARK):
        return "image/png"
    if content.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if content.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if content.startswith(b"RIFF") and content[8:12] == b"WEBP":
        return "image/webp"
    if content[4:8] == b"ftyp" and content[8:12] in (b"heic", b"heix", b"mif1", b"heim"):
        return "image/heic"
    return ""


def audio_type(content: bytes) -> str:
    """The media type of a sound; empty for anything else."""
    if content.startswith(b"RIFF") and content[8:12] == b"WAVE":
        return "audio/wav"
    if content.startswith(b"ID3") or (content[:1] == b"\xff" and len(content) > 3 and content[1] & 0xE6 == 0xE2):
        return "audio/mpeg"  # MPEG layer III with its tags, or from its first frame on
    if content.startswith(b"OggS"):
        return "audio/ogg"
    if content.startswith(b"fLaC"):
        return "audio/flac"
    if content[4:8] == b"ftyp" and content[8:11] == b"M4A":
        return "audio/mp4"
    return ""


def image_size(content: bytes, media_type: str) -> ImageSize | None:
    """The size that an image says it has; None where that is not known to this function."""
    try:
        match media_type:
            case "image/png":
                return ImageSize(*struct.unpack_from(">II", content, 16))
            case "image/gif":
                return ImageSize(*struct.unpack_from("<HH", content, 6))
            case "image/jpeg":
                return _jpeg_size(content)
            case "image/webp":
                return _webp_size(content)
    except struct.error:
        return ImageSize(0, 0)
    return None


def is_whole(content: bytes, media_type: str) -> bool:
    """Whether an image goes on to its end; of a kind that does not tell, yes."""
    match media_type:
        case "image/png":
            return _PNG_END in content[-1024:]  # some programs add something of their own
        case "image/jpeg":
            return content.rfind(b"\xff\xd9") > 0
        case "image/gif":
            return b"\x3b" in content[-16:]
        case "image/webp":
            return len(content) >= int.from_bytes(content[4:8], "little") + 8
        case _:
            return True


def text_of(content: bytes) -> str | None:
    """The text that bytes are: UTF-8, or UTF-16 with its mark; None if they are none."""
    try:
        text = content.decode("utf-16" if content.startswith(_UTF16_MARKS) else "utf-8-sig")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def pdf_pages(content: bytes) -> int | None:
    """How many pages a PDF has, if that can be told without unpacking it."""
    if (found := _LINEAR_PAGES.search(content[:2048])) is not None:
        return int(found[1])
    if b"/ObjStm" in content:  # the pages may be packed
        return None
    return len(_PAGE.findall(content)) or None


def _jpeg_size(content: bytes) -> ImageSize:
    place = 2
    while place + 9 <= len(content):
        if content[place] != 0xFF:
            break
        kind = content[place + 1]
        if kind == 0xFF:  # filling
            place += 1
            continue
        if kind in _JPEG_SIZES:
            height, width = struct.unpack_from(">HH", content, place + 5)
            return ImageSize(width, height)
        if kind == 0x01 or 0xD0 <= kind <= 0xD8:
            place += 2
            continue
        place += 2 + max(2, int.from_bytes(content[place + 2 : place + 4], "big"))
    return ImageSize(0, 0)


def _webp_size(content: bytes) -> ImageSize:
    kind = content[12:16]
    if kind == b"VP8X":
        width, height = (int.from_bytes(content[at : at + 3], "little") + 1 for at in (24, 27))
        return ImageSize(width, height) if len(content) >= 30 else ImageSize(0, 0)
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", content, 21)
        return ImageSize((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    width, height = struct.unpack_from("<HH", content, 26)
    return ImageSize(width & 0x3FFF, height & 0x3FFF)
