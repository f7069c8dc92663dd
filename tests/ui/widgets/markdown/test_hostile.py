"""SEC4: nothing in a message loads anything, and nothing unsafe can be clicked: every address in every construct."""

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QColor, QImage, QTextDocument, QTextFormat
from PySide6.QtWidgets import QApplication

from agdesk.ui.widgets.markdown import SafeDocument
from agdesk.ui.widgets.markdown.links import clickable, shown
from agdesk.ui.widgets.transcript import BlockView, MessageView, VirtualTranscript
from tests.ui.widgets.drawing import draw

UNSAFE = (
    "file:///etc/passwd",
    "FILE:///C:/Windows/win.ini",
    "file://server/share/x.png",
    r"\\server\share\x.png",
    "//server/share/x.png",
    "/etc/passwd",
    "../../secret.png",
    "C:/Windows/win.ini",
    r"C:\Windows\win.ini",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "javascript&colon;alert(1)",
    "java&#115;cript:alert(1)",
    "javascript&#x3a;alert(1)",
    "&#1;javascript:alert(1)",
    "java%73cript:alert(1)",
    "vbscript:msgbox(1)",
    "data:text/html,<script>alert(1)</script>",
    "data:image/png;base64,iVBORw0KGgo=",
    "data:image/svg+xml,<svg onload=alert(1)>",
    "qrc:/qt-project.org/styles/x.png",
    ":/icons/x.png",
    "image://provider/x",
    "ftp://host/x",
    "smb://host/share",
    "ssh://host",
    "tel:+123",
    "sms:+123",
    "ms-settings:privacy",
    "ms-msdt:/id",
    "search-ms:query=x",
    "vscode://file/x",
    "steam://run/1",
    "x-apple.systempreferences:",
    "about:blank",
    "view-source:https://e.example",
    "blob:https://e.example/1",
    "jar:https://e.example!/x",
    "cid:1",
    "mid:1",
    "ldap://host/x",
    "gopher://host/x",
    "intent://x#Intent;scheme=http;end",
    "feed:https://e.example",
    "http:",
    "http://",
    "https:///path",
    "https:/e.example",
    "https:e.example",
    "http:\\\\e.example",
    "https://e.example\\@evil.example",
    "https://e.example@evil.example/",
    "https://user:secret@e.example/",
    "http://[::1",
    "mailto:",
    "mailto:?subject=x",
    "#fragment",
    "?query",
    "e.example",
    "www.e.example/x.png",
    "",
    "https://e.example/\u202egnp.exe",
    "https://e\u200b.example/",
    "https://e.example/\u2066x\u2069",
    "http\u202e://e.example",
    "%66%69%6c%65:///etc/passwd",
    "file:%2f%2f%2fetc/passwd",
    "url(file:///etc/passwd)",
)
SAFE = (
    "https://e.example/x",
    "http://e.example:8080/a?b=c#d",
    "HTTPS://E.EXAMPLE/",
    "mailto:a@e.example?subject=x",
    "https://münchen.example/straße",
    "https://1.2.3.4/",
    "https://[::1]/",
)
CONSTRUCTS = (
    "[text]({})",
    "[text](<{}>)",
    '[text]({} "title")',
    "<{}>",
    "[text][r]\n\n[r]: {}",
    "[text][r]\n\n[r]: <{}> 'title'",
    "![image]({})",
    "![image](<{}>)",
    "[![image]({0})]({0})",
    "![image][r]\n\n[r]: {}",
    "- [text]({})\n\n> [text]({})\n\n| [a]({}) |\n|---|\n| ![b]({}) |",
    "# [text]({})\n\n*[**te`x`t**]({})*",
    '<img src="{}">',
    "<img src={} onerror=alert(1)>\n\ntext",
    '<a href="{}">text</a>',
    '<p style="background-image:url({})">text</p>',
    '<table><tr><td style="background:url({})" background="{}">x</td></tr></table>',
    '<link rel="stylesheet" href="{}"><style>@import url("{}"); body {{ background: url({}) }}</style>',
    '<body background="{}"><iframe src="{}"></iframe><object data="{}"></object><embed src="{}">',
    '<video src="{}"></video><audio src="{}"></audio><svg><image href="{}"/></svg>',
    "```html\n<img src='{}'>\n```",
    "`<img src='{}'>` [`{}`]({})",
    "[text](  {}  )",
)


@pytest.fixture
def asked(monkeypatch) -> list[str]:
    """What documents were asked to load, by anyone."""
    asked: list[str] = []

    def load(self, type, name):
        asked.append(QUrl(name).toString())
        return QImage()

    monkeypatch.setattr(SafeDocument, "loadResource", load)
    return asked


def every_format(document: QTextDocument):
    block = document.begin()
    while block.isValid():
        yield block.blockFormat()
        fragments = block.begin()
        while not fragments.atEnd():
            yield fragments.fragment().charFormat()
            fragments += 1
        block = block.next()


def hrefs_of(documents) -> set[str]:
    found = set()
    for document in documents:
        for style in every_format(document):
            assert not style.isImageFormat()
            assert not style.hasProperty(QTextFormat.Property.ImageName)
            assert not style.hasProperty(QTextFormat.Property.BackgroundImageUrl)
            if style.isCharFormat():
                look = style.toCharFormat()
                if look.isAnchor() or look.anchorHref():
                    found.add(look.anchorHref())
        document.size()
        assert "<img" not in document.toHtml()
    return found


@pytest.mark.parametrize("address", UNSAFE, ids=ascii)
def test_an_unsafe_address_is_neither_loaded_nor_clickable(qapp, asked, address):
    for construct in CONSTRUCTS:
        drawing = draw(construct.replace("{0}", "{}").replace("{}", address))
        clicked = hrefs_of(drawing.documents.values())
        # an address with hidden characters may survive as the encoded one that is really meant, and is shown so
        assert all(href.isascii() and ("%E2%8" in href or "//xn--" in href) for href in clicked), construct
    assert asked == []


@pytest.mark.parametrize("address", SAFE, ids=ascii)
def test_a_safe_address_is_clickable_and_images_of_it_are_words(qapp, asked, address):
    for construct in CONSTRUCTS[:6]:
        (href,) = hrefs_of(draw(construct.format(address)).documents.values())
        assert href.isascii()
        assert clickable(href) == href
    drawing = draw(f"![a *map*]({address})")
    assert hrefs_of(drawing.documents.values()) == set()
    assert drawing.lines[0].text.startswith("[image: a map] (")
    assert asked == []


@pytest.mark.parametrize("address", ["file:///etc/passwd", "javascript:alert(1)", "ftp://h/x", "docs/read me.md"])
def test_an_address_that_cannot_be_clicked_is_shown(qapp, address):
    assert draw(f"[text](<{address}>)").lines[0].text == f"text ({address.replace(' ', '%20')})"


def test_hidden_characters_neither_change_how_a_link_reads_nor_how_its_address_does(qapp):
    (line,) = draw("[safe\u202eelpmaxe\u2066](https://evil.example) <https://e.example/%E2%80%AEgnp.exe>").lines
    assert "safeelpmaxe" in line.text
    assert not any(char in line.text for char in "\u202e\u2066")
    assert shown("https://e.example/\u202e\u200bx\n") == "https://e.example/x"


def test_an_international_host_is_shown_as_it_is_looked_up(qapp):
    (href,) = hrefs_of(draw("[text](https://pаypal.example/)").documents.values())  # a Cyrillic letter
    assert href == "https://xn--pypal-4ve.example/"


def test_a_document_gives_an_empty_image_for_whatever_it_is_asked(qapp, tmp_path):
    picture = tmp_path / "red.png"
    image = QImage(40, 40, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    assert image.save(str(picture))
    document = SafeDocument(QApplication.font(), indent=20)
    for address in (picture.as_uri(), str(picture), "data:image/png;base64,AAAA", "http://127.0.0.1:9/x.png"):
        for kind in QTextDocument.ResourceType:
            found = document.resource(kind.value, QUrl(address))
            assert found is None or found.isNull()


def test_the_tool_tip_of_a_link_cannot_be_markup(qapp):
    drawing = draw("[text](https://e.example/?a=<img/src=file:///etc/passwd>&b=&lt;i&gt;)")
    (tip,) = {
        style.toCharFormat().toolTip()
        for document in drawing.documents.values()
        for style in every_format(document)
        if style.isCharFormat() and style.toCharFormat().toolTip()
    }
    assert tip.startswith("<qt>https://e.example/")
    assert "<" not in tip.removeprefix("<qt>").removesuffix("</qt>")


@pytest.fixture
def transcript(qtbot) -> VirtualTranscript:
    transcript = VirtualTranscript()
    qtbot.addWidget(transcript)
    transcript.resize(700, 400)
    transcript.show()
    return transcript


def show(transcript: VirtualTranscript, text: str) -> None:
    transcript.append_message(MessageView("m", "assistant", "model"))
    transcript.replace_message("m", (BlockView("text", text),))
    QApplication.processEvents()


def click_on(qtbot, transcript: VirtualTranscript, word: str) -> None:
    from agdesk.ui.widgets.transcript.pane import TextPane

    (pane,) = [pane for pane in transcript.findChildren(TextPane) if word in pane.toPlainText() and pane.isVisible()]
    cursor = pane.document().find(word)
    cursor.setPosition(cursor.selectionStart() + 1)
    place = pane.cursorRect(cursor).center()
    qtbot.mouseClick(pane.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place.x(), place.y()))


def test_a_click_on_a_safe_link_is_reported_and_opens_nothing(qtbot, transcript):
    show(transcript, "see [the page](https://e.example/x?a=b%20c) now")
    with qtbot.waitSignal(transcript.link_activated) as activated:
        click_on(qtbot, transcript, "page")
    assert activated.args == ["https://e.example/x?a=b%20c"]


@pytest.mark.parametrize("address", ["file:///bin/true", "javascript:alert(1)", "qrc:/x", "//host/x"])
def test_a_click_on_an_unsafe_link_does_nothing(qtbot, transcript, address):
    activated = []
    transcript.link_activated.connect(activated.append)
    show(transcript, f"see [the page]({address}) now")
    click_on(qtbot, transcript, "page")
    assert activated == []
    click_on(qtbot, transcript, "now")
    assert "the page" in transcript.message_source("m")


@pytest.mark.parametrize(
    "payload",
    [
        "![x]({})",
        '<img src="{}">',
        '<table><tr><td style="background-image:url({})" width=100 height=100>x</td></tr></table>',
        "[![x]({})]({})",
    ],
)
def test_a_local_picture_is_never_seen(qtbot, transcript, tmp_path, payload):
    picture = tmp_path / "red.png"
    image = QImage(100, 100, QImage.Format.Format_RGB32)
    image.fill(QColor("#FE0102"))
    assert image.save(str(picture))
    for address in (picture.as_uri(), str(picture)):
        transcript.drop_after(None)
        show(transcript, payload.replace("{}", address))
        grabbed = transcript.grab().toImage()
        colors = {grabbed.pixelColor(x, y).name() for x in range(0, 700, 5) for y in range(0, 400, 5)}
        assert "#fe0102" not in colors
