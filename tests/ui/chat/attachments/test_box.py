"""Files and images that go with a message: pasted, dropped, chosen, removed, checked, sent, and there again later."""

import asyncio
import contextlib
import shutil

import pytest
from PySide6.QtCore import QBuffer, QIODevice, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QImage
from PySide6.QtWidgets import QApplication, QFileDialog, QPlainTextEdit

from agdesk.core.ir.blocks import BlobRef, File, Image, Text
from agdesk.core.providers.scripted import text_answer
from agdesk.ui.bridge import DrainTimer
from agdesk.ui.chat import ChatTab
from agdesk.ui.chat.attachments.preview import AttachmentPreview, ImageArea
from agdesk.ui.qt_async import emission
from agdesk.ui.theme import apply_theme
from agdesk.ui.widgets.attachment_tile import AttachmentTile
from tests.fakes.workspace import scripted_workspace

PATIENCE_S = 20.0


def picture(color="red", size=40, kind="PNG"):
    image = QImage(size, size, QImage.Format.Format_RGB32)
    image.fill(color)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, kind)
    return bytes(buffer.data().data())


def made(folder):
    folder.mkdir(mode=0o700)
    return folder


async def until(condition):
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            await asyncio.sleep(0.01)


@pytest.fixture
def conversation(qapp, qtbot, tmp_path):
    """Opens a tab over a scripted workspace, for as long as the context lasts."""

    @contextlib.asynccontextmanager
    async def open_it():
        apply_theme(qapp, "light")
        workspace, provider = scripted_workspace(made(tmp_path / "data"), *[text_answer("Seen.")] * 3)
        tab = ChatTab(workspace, workspace.open_session(), DrainTimer())
        qtbot.addWidget(tab)
        tab.resize(700, 600)
        tab.show()
        tab.activateWindow()
        yield tab, workspace, provider
        tab.close_session()
        await workspace.aclose()

    return open_it


@pytest.fixture
def files(tmp_path):
    """Paths of files by their names."""
    folder = tmp_path / "files"
    folder.mkdir()

    def write(name, content):
        path = folder / name
        path.write_bytes(content)
        return str(path)

    return write


def of_files(*paths):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(path) for path in paths])
    return data


async def attach(tab, *paths):
    tab.composer.insertFromMimeData(of_files(*paths))
    await until(lambda: tab.attachments.is_ready())


def names(tab):
    return [block.name for block in tab.attachments.blocks]


async def sent(tab, text=""):
    tab.send(text)
    await emission(tab.turn_ended, timeout_s=PATIENCE_S)


async def test_files_that_are_pasted_become_chips_of_their_kind(conversation, files):
    async with conversation() as (tab, _, _):
        await attach(tab, files("a.png", picture()), files("notes.md", b"# Notes"))
        assert [type(block) for block in tab.attachments.blocks] == [Image, File]
        assert [chip.tile.view.kind for chip in tab.attachments.tray.chips] == ["image", "file"]
        assert tab.attachments.tray.isVisible()
        first, second = (chip.tile.accessibleName() for chip in tab.attachments.tray.chips)
        assert first.startswith("a.png, PNG") and second.startswith("notes.md, Text")
        assert tab.composer.toPlainText() == ""


async def test_an_image_of_the_clipboard_is_attached_and_a_text_with_its_picture_is_pasted_as_text(conversation):
    async with conversation() as (tab, _, _):
        encoded = QMimeData()
        encoded.setData("image/png", picture())
        tab.composer.insertFromMimeData(encoded)
        pixels = QMimeData()
        image = QImage(8, 8, QImage.Format.Format_RGB32)
        image.fill("blue")
        pixels.setImageData(image)
        tab.composer.insertFromMimeData(pixels)
        both = QMimeData()
        both.setText("a cell")
        both.setData("image/png", picture())
        tab.composer.insertFromMimeData(both)
        await until(lambda: len(tab.attachments.blocks) == 2)
        assert {block.media_type for block in tab.attachments.blocks} == {"image/png"}
        assert tab.composer.toPlainText() == "a cell"


async def test_files_are_dropped_anywhere_on_the_conversation(conversation, files):
    async with conversation() as (tab, _, _):
        data = of_files(*(files(f"{number}.txt", b"text") for number in range(50)))
        event = QDropEvent(
            QPointF(50, 50),
            Qt.DropAction.CopyAction,
            data,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        tab.dropEvent(event)
        await until(lambda: len(tab.attachments.blocks) == 50)
        await until(lambda: tab.attachments.is_ready())
        assert event.isAccepted()
        assert tab.attachments.tray.height() < tab.height() / 2
        assert names(tab)[0] == "0.txt"


async def test_the_same_file_twice_is_attached_twice_and_kept_once(conversation, files):
    async with conversation() as (tab, _, _):
        path = files("a.txt", b"same")
        await attach(tab, path, path)
        first, second = tab.attachments.blocks
        assert first.source == second.source and len(tab.attachments.tray.chips) == 2


async def test_what_cannot_be_attached_is_named_with_the_next_step_and_the_rest_is_attached(conversation, files):
    async with conversation() as (tab, _, _):
        broken = [files(f"b{number}.bin", b"\0\1\2") for number in range(5)]
        await attach(tab, *broken, files("good.txt", b"good"))
        assert names(tab) == ["good.txt"]
        text = tab.notice.label.text()
        assert "b0.bin" in text and "PDF" in text and "2 more" in text


async def test_a_chip_is_removed_by_the_keyboard_and_put_back(conversation, files, qtbot):
    async with conversation() as (tab, _, _):
        await attach(tab, files("a.txt", b"a"), files("b.txt", b"b"), files("c.txt", b"c"))
        offered = []
        tab.branches.undo_offered.connect(lambda text, undo: offered.append((text, undo)))
        button = tab.attachments.tray.chips[1].remove_button
        button.setFocus()
        qtbot.keyClick(button, Qt.Key.Key_Return)
        assert names(tab) == ["a.txt", "c.txt"]
        assert tab.attachments.tray.chips[1].remove_button.hasFocus()
        assert "b.txt" in button.accessibleName() and "b.txt" in offered[0][0]
        offered[0][1]()
        assert names(tab) == ["a.txt", "b.txt", "c.txt"]


async def test_attachments_are_sent_with_the_text_and_shown_with_the_message(conversation, files):
    async with conversation() as (tab, workspace, provider):
        await attach(tab, files("a.png", picture()), files("a.txt", b"text"))
        tab.composer.setPlainText("What is this?")
        tab.composer.submit()
        await emission(tab.turn_ended, timeout_s=PATIENCE_S)
        image, file, text = provider.requests[0].messages[-1].content
        assert isinstance(image.source, BlobRef) and file.name == "a.txt" and text == Text("What is this?")
        assert tab.attachments.blocks == () and not tab.attachments.tray.isVisible()
        assert await workspace.draft_attachments(tab.session.id) == ()
        message = tab.transcript._model.messages[0]
        assert [block.kind for block in message.blocks] == ["attachment", "attachment", "text"]
        tiles = [tile for tile in tab.transcript.findChildren(AttachmentTile) if tile.isVisible()]
        assert len(tiles) == 2


async def test_a_message_may_consist_of_an_attachment_alone(conversation, files):
    async with conversation() as (tab, workspace, provider):
        await attach(tab, files("only.txt", b"alone"))
        tab.composer.submit()
        await emission(tab.turn_ended, timeout_s=PATIENCE_S)
        assert [block.name for block in provider.requests[0].messages[0].content] == ["only.txt"]
        assert workspace.conversations.get(tab.session.id).title == "only.txt"
        tab.composer.submit()
        assert len(provider.requests) == 1


async def test_thumbnails_are_made_when_they_are_painted(conversation, files):
    async with conversation() as (tab, _, _):
        await attach(tab, files("a.jpg", picture(size=2000, kind="JPEG")))
        tile = tab.attachments.tray.chips[0].tile
        tile.grab()
        await until(lambda: tile._shelf.image(tile.view.key) is not None)
        assert max(tile._shelf.image(tile.view.key).width(), 0) == 640


@pytest.mark.parametrize(
    ("name", "content"), [("a.png", None), ("a.txt", b"the text"), ("a.pdf", b"%PDF-1.4 /Type /Page ")]
)
async def test_enter_opens_a_preview_that_does_not_block(conversation, files, qtbot, tmp_path, name, content):
    async with conversation() as (tab, _, _):
        content = content or picture()
        await attach(tab, files(name, content))
        qtbot.keyClick(tab.attachments.tray.chips[0].tile, Qt.Key.Key_Return)
        (preview,) = tab.findChildren(AttachmentPreview)
        assert preview.isVisible() and not preview.isModal()
        await until(preview.save_button.isEnabled)
        match name:
            case "a.png":
                await until(lambda: preview.findChildren(ImageArea))
                assert "40 × 40" in preview.detail.text()
            case "a.txt":
                await until(lambda: preview.findChildren(QPlainTextEdit))
                assert preview.findChild(QPlainTextEdit).toPlainText() == "the text"
            case _:
                await until(lambda: "1 page" in preview.detail.text())
        await preview.save_to(tmp_path / "saved")
        assert (tmp_path / "saved").read_bytes() == content
        await preview.save_to(tmp_path / "nowhere" / "saved")
        assert "cannot be saved" in preview.detail.text()
        preview.close()


async def test_the_model_that_cannot_see_is_told_of_beforehand_with_two_ways_out(conversation, files):
    async with conversation() as (tab, workspace, _):
        await workspace.change_settings({"models.test/model.vision": False})
        await attach(tab, files("a.txt", b"a"), files("a.png", picture()))
        tray = tab.attachments.tray
        await until(lambda: tray.problem.isVisible())
        assert "test/model cannot take images" in tray.problem.text
        assert ["not taken" in chip.tile.accessibleName() for chip in tray.chips] == [False, True]
        wanted = []
        tab.attachments.model_wanted.disconnect()
        tab.attachments.model_wanted.connect(lambda: wanted.append(True))
        tray.problem.buttons[1].click()
        assert wanted
        tray.problem.buttons[0].click()
        assert names(tab) == ["a.txt"]
        await until(lambda: not tray.problem.isVisible())


async def test_the_draft_with_its_attachments_is_there_after_a_crash(conversation, files, tmp_path):
    async with conversation() as (tab, workspace, _):
        await attach(tab, files("a.png", picture()), files("a.txt", b"text"))
        await workspace.store.settled()
        copy = tmp_path / "copy"
        shutil.copytree(tmp_path / "data", copy)  # what kill -9 would leave
        again, _ = scripted_workspace(copy)
        try:
            blocks = await again.draft_attachments(tab.session.id)
            assert blocks == tab.attachments.blocks
            source = blocks[0].source
            assert isinstance(source, BlobRef) and await again.blob(source) == picture()
        finally:
            await again.aclose()


async def test_an_edited_message_shows_its_attachments_and_the_draft_keeps_its_own(conversation, files):
    async with conversation() as (tab, workspace, provider):
        await attach(tab, files("first.txt", b"first"))
        await sent(tab, "Look")
        await attach(tab, files("later.txt", b"later"))
        tab.branches.edit()
        assert names(tab) == ["first.txt"]
        await attach(tab, files("more.txt", b"more"))
        assert [b.name for b in await workspace.draft_attachments(tab.session.id)] == ["later.txt"]
        await sent(tab, "Look again")
        assert [getattr(block, "name", None) for block in provider.requests[1].messages[-1].content] == [
            "first.txt",
            "more.txt",
            None,
        ]
        assert names(tab) == ["later.txt"]


async def test_files_are_chosen_in_a_dialog_that_does_not_block(conversation, files):
    async with conversation() as (tab, _, _):
        QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
        tab.attach_button.click()
        (dialog,) = tab.findChildren(QFileDialog)
        dialog.filesSelected.emit([files("a.txt", b"a")])
        dialog.close()
        await until(lambda: names(tab) == ["a.txt"])


async def test_a_key_in_an_attached_text_is_replaced(conversation, files):
    async with conversation() as (tab, workspace, _):
        workspace.registry.secrets.add("sk-very-secret-key-1234567890")
        await attach(tab, files("env.txt", b"KEY=sk-very-secret-key-1234567890"))
        content = await workspace.blob(tab.attachments.blocks[0].source)
        assert b"very-secret" not in content and content.startswith(b"KEY=")
