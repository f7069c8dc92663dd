"""SEC4: images whose bytes stand in the text are shown; nothing else is, and nothing is loaded."""

import base64
import random
import struct
import zlib

import pytest
from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QColor, QImage

from agdesk.ui.theme import apply_theme
from agdesk.ui.widgets.markdown import parser as parser_module
from agdesk.ui.widgets.markdown import pictures
from agdesk.ui.widgets.markdown.picture_sheet import MAX_HEIGHT
from agdesk.ui.widgets.markdown.pictures import EDGE, MAX_URL_CHARS, decode, is_picture
from agdesk.ui.widgets.transcript import BlockView, MessageView, VirtualTranscript
from tests.ui.widgets.drawing import draw
from tests.ui.widgets.transcript.pages import panes, settle

OBJECT = "\ufffc"
RED = "#ff0000"


def file_of(kind="PNG", *, width=40, height=30):
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor(RED))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert image.save(buffer, kind)
    return bytes(buffer.data().data())


def url_of(content, media_type="image/png"):
    return f"data:{media_type};base64,{base64.b64encode(content).decode()}"


def png_head(width, height):
    """A file that says it is so large, and holds next to nothing."""

    def part(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = part(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + part(b"IDAT", zlib.compress(bytes(1_000))) + part(b"IEND", b"")


@pytest.fixture
def transcript(qapp, qtbot):
    apply_theme(qapp, "light")
    transcript = VirtualTranscript()
    qtbot.addWidget(transcript)
    transcript.resize(700, 600)
    transcript.show()
    return transcript


@pytest.fixture
def show(transcript, qtbot):
    """Paints an answer; the text of its pane once nothing in it is waited for any more."""

    def showing(text):
        transcript.append_message(MessageView("a", "assistant", "m"))
        transcript.replace_message("a", (BlockView("text", text),))
        qtbot.waitUntil(lambda: transcript._model.message("a").is_cut, timeout=40_000)
        transcript.verticalScrollBar().setValue(0)
        settle()
        pane = next(iter(panes(transcript)))
        qtbot.waitUntil(lambda: not pane.awaits_objects, timeout=40_000)
        settle()
        return pane

    return showing


@pytest.mark.parametrize(("kind", "media_type"), [("PNG", "image/png"), ("JPEG", "image/jpeg"), ("WEBP", "image/webp")])
def test_an_image_in_the_text_is_painted_where_it_stands(show, kind, media_type):
    pane = show(f"before ![a red field]({url_of(file_of(kind), media_type)}) after")
    assert pane.toPlainText() == f"before {OBJECT} after"
    colors = pane.grab().toImage()
    reds = sum(
        colors.pixelColor(x, y).red() > 200 and colors.pixelColor(x, y).green() < 60
        for x in range(0, colors.width(), 2)
        for y in range(0, colors.height(), 2)
    )
    assert reds > 40 * 30 / 4 / 2


def test_it_is_copied_and_read_aloud_in_words(show):
    pane = show(f"see ![a red field]({url_of(file_of())})")
    pane.selectAll()
    assert pane.selected_text() == "see [image: a red field]"


def test_what_it_is_its_bytes_say(show):
    assert OBJECT in show(f"![x]({url_of(file_of('JPEG'), 'image/png')})").toPlainText()


def test_a_large_image_fits_into_the_text(show):
    pane = show(f"![x]({url_of(file_of(width=1_200, height=3_000))})")
    assert OBJECT in pane.toPlainText()
    assert pane.document().size().width() <= pane.width()
    assert pane.document().size().height() <= MAX_HEIGHT + 60
    image = decode(url_of(file_of(width=1_200, height=3_000)))
    assert max(image.width(), image.height()) == EDGE


SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><image href="file:///etc/passwd"/></svg>'
HOSTILE = {
    "svg with a script": url_of(SVG, "image/svg+xml"),
    "svg that says it is a png": url_of(SVG),
    "svg as text": "data:image/svg+xml,%3Csvg%20onload=alert(1)%3E",
    "html that says it is a png": url_of(b"<html><script>alert(1)</script>"),
    "a png that says it is html": url_of(file_of(), "text/html"),
    "a bitmap": url_of(file_of("BMP"), "image/bmp"),
    "a bitmap that says it is a png": url_of(file_of("BMP")),
    "giant dimensions": url_of(png_head(60_000, 60_000)),
    "more than memory": url_of(png_head(2**31 - 1, 2**31 - 1)),
    "no dimensions": url_of(png_head(0, 0)),
    "truncated base64": url_of(file_of())[:-7],
    "a truncated file": url_of(file_of()[:40]),
    "other characters in base64": url_of(file_of()).replace(",", ",$$"),
    "nothing": "data:image/png;base64,",
    "not base64": "data:image/png,abc",
    "a file": "file:///etc/passwd",
    "far away": "https://e.example/x.png",
    "an address behind": f"data:image/png;base64,{base64.b64encode(b'https://e.example/x.png').decode()}",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_whatever_is_no_image_stays_words(show, name):
    pane = show(f"![a field](<{HOSTILE[name]}>)")
    assert OBJECT not in pane.toPlainText()
    assert pane.toPlainText().startswith("[image: a field] (")


def test_fifty_megabytes_are_not_even_looked_at(monkeypatch):
    def looked_at(*_arguments, **_options):
        raise AssertionError("it was decoded")

    monkeypatch.setattr(pictures, "read_pixels", looked_at)
    url = "data:image/png;base64," + "iVBORw0KGgo" * 5_000_000
    assert not is_picture(url) and decode(url) is None
    assert is_picture("data:image/png;base64," + "A" * (MAX_URL_CHARS - 22))


def test_an_address_that_holds_data_is_not_printed_to_its_end(qapp):
    text = draw("![x](data:image/bmp;base64," + "A" * 5_000 + ")").lines[0].text
    assert text.startswith("[image: x] (data:image/bmp;base64,AAAA") and text.endswith("A…)")
    assert len(text) < 120


def test_bytes_in_a_text_are_drawn_the_same_however_they_arrive(show, transcript, qtbot):
    image = url_of(png_of_noise(200, 150))
    assert len(image) > 50_000
    text = f"first ![x]({image}) then ![y][r]\n\n[r]: {image}\n\nlast"
    whole = show(text).toPlainText()
    assert whole.startswith(f"first {OBJECT} then {OBJECT}")
    transcript.append_message(MessageView("b", "assistant", "m"))
    transcript.begin_block("b", 0, "text")
    for start in range(0, len(text), 997):
        transcript.append_text("b", 0, text[start : start + 997])
    transcript.end_block("b", 0)
    live, stored = (transcript._model.message(key).blocks[0] for key in "ba")
    transcript._model.open(transcript._model.message("b"))
    transcript._model.message("b").cut(10_000_000)
    assert [s.source for s in live._splitter.segments] == [s.source for s in stored._splitter.segments]


def png_of_noise(width, height):
    image = QImage(random.Random(1).randbytes(width * height * 4), width, height, QImage.Format.Format_RGB32)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def test_a_megabyte_in_a_text_costs_the_parser_nothing(monkeypatch):
    seen = []
    parser = parser_module._parser()
    monkeypatch.setattr(parser.block, "parse", lambda source, *_: seen.append(len(source)))
    parser_module.parse_blocks(f"![x]({url_of(bytes(750_000))})\n", {})
    assert seen and max(seen) < 100


def test_a_link_reads_as_what_it_is(show):
    pane = show(f"[![bank]({url_of(file_of())})](https://e.example/)")
    assert OBJECT not in pane.toPlainText()


def test_the_images_of_a_part_of_a_message_are_bounded(show):
    images = [url_of(file_of(width=800, height=799 - number)) for number in range(5)]
    text = show(" ".join(f"![n]({url})" for url in images)).toPlainText()
    assert 1 <= text.count(OBJECT) <= 2
    assert text.count("[image: n]") == 5 - text.count(OBJECT)
