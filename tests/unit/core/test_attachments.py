"""Files are recognised by what is in them and checked before they are sent (CHAT7)."""

import os
import struct
import zlib

import pytest

from agdesk.core.attachments import MAX_BYTES, AttachmentError, check_attachment, read_attachment
from agdesk.core.ir.blocks import Audio, BlobRef, File, Image
from agdesk.core.media_kind import PDF, ImageSize, image_size, pdf_pages


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width=2, height=2):
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    rows = zlib.compress(b"\0" * 64)
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


JPEG = b"\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x0b\x08\x00\x03\x00\x05\x01\x01\x11\x00\xff\xda\x00\x02\xff\xd9"
GIF = b"GIF89a" + struct.pack("<HH", 7, 9) + b"\0\0\0\x3b"
WEBP = b"RIFF" + struct.pack("<I", 22) + b"WEBPVP8X" + struct.pack("<I", 10) + b"\0" * 4 + b"\x09\0\0\x04\0\0"
WAV = b"RIFF\x24\0\0\0WAVEfmt "
MP3 = b"ID3\x04\0\0\0\0\0\0"

KINDS = [
    ("a.bin", png(), "image/png"),
    ("a.png", JPEG, "image/jpeg"),
    ("a", GIF, "image/gif"),
    ("a.txt", WEBP, "image/webp"),
    ("a.pdf", b"%PDF-1.7\n...", PDF),
    ("a.wav", WAV, "audio/wav"),
    ("a.mp3", MP3, "audio/mpeg"),
    ("a.mp3", b"\xff\xfb\x90\x00", "audio/mpeg"),
    ("a.py", b"print(1)", "text/plain"),
    ("a.MD", b"# A", "text/markdown"),
    ("a.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "text/xml"),
]


@pytest.mark.parametrize(("name", "content", "media_type"), KINDS)
def test_the_content_says_what_a_file_is(name, content, media_type):
    found = check_attachment(content, name)
    assert (found.name, found.media_type) == (name, media_type)
    kind = {"image": Image, "audio": Audio}.get(media_type.partition("/")[0], File)
    assert found.block(BlobRef("0", 1)) == kind(BlobRef("0", 1), media_type, name)


@pytest.mark.parametrize(
    ("content", "media_type", "size"),
    [
        (png(3, 4), "image/png", ImageSize(3, 4)),
        (JPEG, "image/jpeg", ImageSize(5, 3)),
        (GIF, "image/gif", ImageSize(7, 9)),
        (WEBP, "image/webp", ImageSize(10, 5)),
        (b"....ftypheic", "image/heic", None),
        (b"\x89PNG\r\n", "image/png", ImageSize(0, 0)),
        (b"\xff\xd8\xff\xe0", "image/jpeg", ImageSize(0, 0)),
    ],
)
def test_an_image_says_its_size(content, media_type, size):
    assert image_size(content, media_type) == size


def test_text_is_brought_into_utf_8():
    assert check_attachment("grüß\n".encode("utf-16"), "a.txt").content == "grüß\n".encode()
    assert check_attachment(b"\xef\xbb\xbfa", "a.txt").content == b"a"


HOSTILE = [
    ("zip.png", b"PK\x03\x04rest", "an archive"),
    ("cut.png", png()[:-20], "damaged or cut off"),
    ("cut.png", png()[:20], "damaged or cut off"),
    ("cut.jpg", JPEG[:8], "damaged or cut off"),
    ("cut.gif", GIF[:-1] + b"\0" * 20, "damaged or cut off"),
    ("cut.webp", WEBP[:-3], "damaged or cut off"),
    ("bomb.png", png(100_000, 100_000), "100,000 × 100,000 pixels"),
    ("none.txt", b"", "is empty"),
    ("blank.txt", b" \n\t", "is empty"),
    ("program", b"\x7fELF\x02\x01\0\0", "no model takes"),
    ("latin.txt", "grüß".encode("latin-1"), "no model takes"),
    ("nul.txt", b"a\0b", "no model takes"),
    ("odd.txt", b"\xff\xfea", "no model takes"),
]


@pytest.mark.parametrize(("name", "content", "said"), HOSTILE)
def test_what_cannot_be_sent_is_named_with_the_next_step(name, content, said):
    with pytest.raises(AttachmentError) as caught:
        check_attachment(content, name)
    assert name in caught.value.message and said in caught.value.message and caught.value.hint


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("image", lambda size: png() + b"\0" * size),
        ("pdf", lambda size: b"%PDF-1.7" + b" " * size),
        ("audio", lambda size: WAV + b"\0" * size),
        ("text", lambda size: b"a" * size),
    ],
)
def test_what_is_too_large_says_the_limit(kind, content):
    with pytest.raises(AttachmentError, match=f"larger than {MAX_BYTES[kind] // 1_000_000}"):
        check_attachment(content(MAX_BYTES[kind] + 1), "a")


def test_a_file_is_read_through_a_link(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"text")
    (tmp_path / "link.md").symlink_to(tmp_path / "a.txt")
    found = read_attachment(tmp_path / "link.md")
    assert (found.name, found.media_type, found.content) == ("link.md", "text/markdown", b"text")


@pytest.mark.skipif(os.name != "posix", reason="devices and pipes")
@pytest.mark.timeout(10)
def test_what_is_no_ordinary_file_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero.png").symlink_to("/dev/zero")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "folder").mkdir()
    for name, said in (("pipe", "ordinary"), ("zero.png", "ordinary"), ("loop", "read"), ("folder", "folder")):
        with pytest.raises(AttachmentError, match=f"{name} .*{said}"):
            read_attachment(tmp_path / name)


def test_what_cannot_be_read_says_why(tmp_path, monkeypatch):
    with pytest.raises(AttachmentError, match=r"gone.txt cannot be read: No such file"):
        read_attachment(tmp_path / "gone.txt")
    with pytest.raises(AttachmentError, match="cannot be read"):
        read_attachment(f"{tmp_path}/a\0b")

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(AttachmentError, match=r"a.txt cannot be read: Permission denied"):
        read_attachment(tmp_path / "a.txt")


def test_pages_are_counted_where_that_is_cheap():
    pages = b"%PDF-1.4 /Type /Pages /Type /Page /Type/Page "
    assert pdf_pages(pages) == 2
    assert pdf_pages(b"%PDF-1.5 << /Linearized 1 /L 9 /N 12 /T 3 >> /ObjStm") == 12
    assert pdf_pages(pages + b"/ObjStm") is None
    assert pdf_pages(b"%PDF-1.4") is None
