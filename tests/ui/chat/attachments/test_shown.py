"""Images and files of messages as they are shown: those of models too, and never anything from elsewhere (SEC4)."""

import base64

import pytest
from PySide6.QtGui import QImage

from agdesk.core.ir.blocks import Audio, BlobRef, Extension, File, Image, ProviderFile, Url
from agdesk.core.ir.messages import Assistant, User
from agdesk.core.ir.response import EndCause, MessageResponse, StopReason, Usage
from agdesk.core.ir.tree import ConversationTree
from agdesk.core.trace.events import ResponseReceived, TraceRecord, TurnStarted
from agdesk.ui.chat.attachments.pictures import decoded
from agdesk.ui.chat.attachments.preview import file_name
from agdesk.ui.chat.attachments.sent import images_in
from agdesk.ui.chat.attachments.words import SENT_BYTES, kinds_text, size_text, view_of
from agdesk.ui.chat.feed import TranscriptFeed
from agdesk.ui.theme import apply_theme
from agdesk.ui.widgets.attachment_tile import AttachmentTile
from agdesk.ui.widgets.attachment_view import AttachmentView
from agdesk.ui.widgets.thumbnails import CAPACITY_BYTES, ThumbnailShelf
from agdesk.ui.widgets.transcript import VirtualTranscript
from tests.ui.chat.attachments.test_box import picture

PNG = f"data:image/png;base64,{base64.b64encode(picture()).decode()}"
REFERENCE = BlobRef("ab", 1_200_000)

SHAPES = [
    ([{"type": "image_url", "image_url": {"url": PNG}}], 1),
    ({"inlineData": {"mimeType": "image/png", "data": PNG.partition(",")[2]}}, 1),
    ({"type": "image_generation_call", "result": PNG.partition(",")[2]}, 1),
    ([{"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}], 0),
    ({"inlineData": {"mimeType": "text/html", "data": "YQ=="}}, 0),
    ({"type": "image_generation_call", "result": None}, 0),
    ("text", 0),
]


@pytest.mark.parametrize(("raw", "count"), SHAPES)
def test_the_images_of_a_model_are_found_by_their_bytes(raw, count):
    assert [image.source for image in images_in(Extension("p", "k", raw))] == [Url(PNG)] * count


def test_an_attachment_is_named_with_its_kind_and_size():
    assert view_of(Image(REFERENCE, "image/png", "a.png")) == AttachmentView(
        "ab/a.png", "image", "a.png", "PNG · 1.2\u202fMB"
    )
    assert view_of(Audio(REFERENCE, "audio/mpeg", "a.mp3")).detail.startswith("MP3")
    assert view_of(File(REFERENCE, "text/markdown", "a.md")).detail.startswith("Text")
    assert view_of(File(ProviderFile("openai", "f1"), "application/pdf")).name == "f1"
    assert [size_text(size) for size in (9, 1_500, 2_000_000)] == ["9\u202fB", "2\u202fkB", "2.0\u202fMB"]


def test_kinds_are_listed_once():
    pdf, image = File(REFERENCE, "application/pdf"), Image(REFERENCE, "image/png")
    assert kinds_text([image, image]) == "images"
    assert kinds_text([image, pdf, Audio(REFERENCE, "audio/wav")]) == "images, PDFs and audio"


def test_an_address_is_named_and_a_huge_image_of_a_model_is_not_drawn():
    somewhere = view_of(Image(Url("https://example.org/track.png"), "image/png"))
    assert (somewhere.kind, somewhere.name) == ("file", "https://example.org/track.png")
    huge = Image(Url("data:image/png;base64," + "A" * (SENT_BYTES * 4 // 3 + 8)), "image/png")
    assert view_of(huge).kind == "file"


def test_only_images_of_known_kinds_are_decoded(qapp):
    assert decoded(picture(size=700), edge=640).width() == 640
    assert decoded(picture(size=30), edge=640).width() == 30
    assert decoded(picture(size=3000, kind="JPEG"), edge=640).height() == 640
    svg = b'<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'
    for content in (svg, b"", picture()[:30], b"GIF89a", picture(kind="BMP")):
        assert decoded(content, edge=640) is None


def test_an_image_that_claims_to_be_gigantic_is_not_decoded(qapp):
    content = bytearray(picture())
    content[16:24] = (100_000).to_bytes(4, "big") * 2
    assert decoded(bytes(content), edge=640) is None


def test_a_shelf_asks_once_and_forgets_what_was_painted_longest_ago(qapp):
    shelf = ThumbnailShelf()
    asked = []
    shelf.wanted.connect(asked.append)
    assert shelf.image("a") is None and shelf.image("a") is None
    shelf.put("a", None)
    assert shelf.image("a") is None and asked == ["a"]
    edge = 2000
    for key in ("b", "c", "d", "e"):
        shelf.put(key, QImage(edge, edge, QImage.Format.Format_RGB32))
    assert 4 * edge * edge * 4 > CAPACITY_BYTES
    assert shelf.image("b") is None and asked == ["a", "b"]
    assert shelf.image("e") is not None


def test_a_file_is_saved_under_a_name_without_a_folder():
    assert file_name(Image(REFERENCE, "image/png", "../../.bashrc")) == "bashrc"
    assert file_name(Image(REFERENCE, "image/png", "C:\\x\\a.png")) == "a.png"
    assert file_name(Image(REFERENCE, "image/png")) == "image.png"


def test_a_conversation_shows_tiles_for_what_was_attached_and_for_what_a_model_sent(qapp, qtbot):
    apply_theme(qapp, "light")
    transcript = VirtualTranscript()
    qtbot.addWidget(transcript)
    transcript.resize(600, 900)
    transcript.show()
    asked, chosen = [], []
    transcript.thumbnails.wanted.connect(asked.append)
    transcript.attachment_chosen.connect(chosen.append)
    feed = TranscriptFeed(transcript, tree=ConversationTree(), can_go_on=lambda: False)
    said = TurnStarted(User((Image(REFERENCE, "image/png", "a.png"), File(REFERENCE, "text/plain", "b.txt"))), "t/m")
    content = (Extension("p", "images", SHAPES[0][0]), Image(Url("https://example.org/a.png"), "image/png"))
    answer = MessageResponse("i", "m", Assistant(content), Usage(), StopReason.END_TURN)
    feed.append(
        [
            TraceRecord(1, 0, "s", "t", "", said),
            TraceRecord(2, 0, "s", "t", "r", ResponseReceived(answer, EndCause.SERVER)),
        ]
    )
    transcript.refresh()
    transcript.grab()
    tiles = [tile for tile in transcript.findChildren(AttachmentTile) if tile.isVisible()]
    assert [tile.view.name for tile in tiles] == ["a.png", "b.txt", "Image", "https://example.org/a.png"]
    assert asked == ["ab/a.png", view_of(Image(Url(PNG), "image/png")).key]
    tiles[1].click()
    assert chosen == ["ab/b.txt"] and feed.attached["ab/b.txt"].name == "b.txt"
    assert all(tile.accessibleName() for tile in tiles)
