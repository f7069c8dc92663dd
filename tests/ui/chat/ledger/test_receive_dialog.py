"""The dialog that shows what any model would receive of a conversation (PROV8)."""

import asyncio
import json

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QPlainTextEdit, QPushButton, QTextEdit, QWidget

from agdesk.core.providers.scripted import text_answer
from agdesk.ui.chat.ledger.receive_dialog import ReceiveDialog
from agdesk.ui.main_window import MainWindow
from agdesk.ui.theme import apply_theme
from tests.ui.chat.ledger.conversations import ANTHROPIC, OPENAI, RESPONSES, THOUGHTFUL, conversation
from tests.ui.main_window import stand_ins


@pytest.fixture(autouse=True)
def theme(qapp):
    apply_theme(qapp, "light")


@pytest.fixture
def open_dialog(tmp_path, qtbot):
    """Asks a conversation over scripts and opens the dialog over it, with a draft that can be changed."""
    window = QWidget()
    qtbot.addWidget(window)
    window.show()

    async def open_it(*scripts, model_ref=OPENAI, draft="Sure?"):
        workspace, session = conversation(tmp_path, *scripts)
        for _ in scripts:
            await session.submit("What is it?")
        await asyncio.to_thread(workspace.warm_up)
        drafts = [draft]
        dialog = ReceiveDialog(workspace, session, model_ref=model_ref, draft=lambda: drafts[0], parent=window)
        dialog.show()
        return dialog, workspace, drafts

    return open_it


async def until(condition):
    async with asyncio.timeout(15):
        while not condition():
            await asyncio.sleep(0.005)


async def shown(dialog, *texts):
    await until(lambda: all(text in dialog.view.toPlainText() for text in texts))
    await until(lambda: dialog.copy_button.isEnabled())


async def end(dialog, workspace):
    dialog.close()
    await asyncio.sleep(0)
    await workspace.aclose()


def body_in(text: str):
    return json.loads(text[text.index("\n{") :])


async def test_the_whole_request_is_shown_with_what_is_left_out(open_dialog):
    dialog, workspace, _ = await open_dialog(THOUGHTFUL)
    await shown(dialog, "Sure?")
    text = dialog.view.toPlainText()
    assert text.startswith("POST https://api.openai.com/v1/chat/completions\n\n")
    assert "Authorization: Bearer $OPENAI_API_KEY\n" in text
    assert [message["content"] for message in body_in(text)["messages"]] == ["What is it?", "It is a cat.", "Sure?"]
    assert dialog.changes.toPlainText().splitlines()[0] == "Message 2, answer: “It is a cat.”"
    assert dialog.changes.isVisible() and not dialog.empty_note.isVisible() and not dialog.all_button.isVisible()
    await end(dialog, workspace)


async def test_another_model_is_found_by_a_part_of_its_name(open_dialog):
    dialog, workspace, _ = await open_dialog(text_answer("Bonjour"))
    await shown(dialog, "api.openai.com")
    assert dialog.changes_title.text() == "Nothing is left out or changed." and not dialog.changes.isVisible()
    completer = dialog.box.completer()
    completer.setCompletionPrefix("claude-sonnet-4-5")
    assert ANTHROPIC in [completer.completionModel().index(at, 0).data() for at in range(completer.completionCount())]
    dialog.box.lineEdit().setText(RESPONSES)
    QTest.keyClick(dialog.box, Qt.Key.Key_Return)
    await shown(dialog, "https://api.openai.com/v1/responses")
    assert dialog.isVisible(), "Enter closes nothing"
    await end(dialog, workspace)


async def test_an_empty_conversation_says_so_until_something_is_written(open_dialog):
    dialog, workspace, drafts = await open_dialog(draft="")
    await shown(dialog, '"messages": []')
    assert dialog.empty_note.isVisible()
    drafts[0] = "你好"
    QApplication.sendEvent(dialog, QEvent(QEvent.Type.WindowActivate))
    await shown(dialog, "你好")
    assert not dialog.empty_note.isVisible()
    await end(dialog, workspace)


async def test_what_cannot_be_rendered_is_told_and_nothing_can_be_copied(open_dialog):
    dialog, workspace, _ = await open_dialog(text_answer("Bonjour"), model_ref="custom/m")
    await until(lambda: dialog.problem.text)
    assert dialog.problem.text == "Custom has no base URL" and "Settings" in dialog.problem.accessibleName()
    assert not dialog.copy_button.isEnabled() and not dialog.curl_button.isEnabled()
    dialog.choose("no model")
    await until(lambda: "names no model" in dialog.problem.text)
    dialog.choose(OPENAI)
    await shown(dialog, "api.openai.com")
    assert dialog.view.isVisible() and dialog.problem.text == ""
    await end(dialog, workspace)


async def test_the_body_and_a_command_line_are_copied_whole(open_dialog):
    dialog, workspace, _ = await open_dialog(text_answer("A" * 4000 + "=="))
    await shown(dialog, "… 4.0 kB of base64")
    assert "AAAAA" not in dialog.view.toPlainText()
    dialog.copy_button.click()
    await until(lambda: dialog.note.text() == "The body was copied.")
    assert json.loads(QApplication.clipboard().text())["messages"][1]["content"] == "A" * 4000 + "=="
    dialog.curl_button.click()
    await until(lambda: dialog.note.text() == "Copied as cURL.")
    command = QApplication.clipboard().text()
    assert command.startswith("curl --request POST https://api.openai.com/v1/chat/completions ")
    assert """'Authorization: Bearer '"$OPENAI_API_KEY\"""" in command and "A" * 4000 in command
    await end(dialog, workspace)


async def test_a_huge_request_is_shown_in_part_until_all_is_wanted(open_dialog, monkeypatch):
    monkeypatch.setattr("agdesk.ui.chat.ledger.receive_dialog.SHOWN_CHARACTERS", 100)
    dialog, workspace, _ = await open_dialog(text_answer("Bonjour"), draft="the end")
    await until(lambda: dialog.all_button.isVisible())
    assert len(dialog.view.toPlainText()) == 100
    dialog.all_button.click()
    await shown(dialog, "the end")
    assert not dialog.all_button.isVisible()
    await end(dialog, workspace)


async def test_everything_in_it_has_a_name_and_escape_closes_it(open_dialog):
    dialog, workspace, _ = await open_dialog(THOUGHTFUL)
    await shown(dialog, "Sure?")
    for kind in (QPushButton, QComboBox, QPlainTextEdit, QTextEdit):
        for widget in dialog.findChildren(kind):
            assert widget.accessibleName(), widget
    closed = []
    dialog.finished.connect(closed.append)
    QTest.keyClick(dialog.view, Qt.Key.Key_Escape)
    assert closed
    await asyncio.sleep(0)
    await workspace.aclose()


async def test_a_dialog_that_is_closed_while_it_loads_leaves_nothing(open_dialog):
    dialog, workspace, _ = await open_dialog(THOUGHTFUL)
    await end(dialog, workspace)


async def test_the_action_opens_it_over_the_conversation_in_front(qapp, tmp_path, monkeypatch):
    stand_ins.install(monkeypatch)
    workspace, _ = conversation(tmp_path)
    window = MainWindow(workspace)
    window.show()
    action = window.actions_registry["chat.receive"]
    assert "receive" in action.text()
    window.current_tab.composer.setPlainText("my draft")
    action.trigger()
    (dialog,) = window.findChildren(ReceiveDialog)
    await shown(dialog, "my draft", "/chat/completions")
    assert dialog.box.currentText() == workspace.registry.default_model_ref
    dialog.close()
    await window.finish()
    await workspace.aclose()
    window.hide()
