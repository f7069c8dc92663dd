"""Another model for a conversation: at once, or after a question that says what it would not receive (PROV7)."""

import asyncio

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from agdesk.core.providers.scripted import text_answer
from agdesk.ui.bridge import DrainTimer
from agdesk.ui.chat import ChatTab
from agdesk.ui.chat.ledger.receive_dialog import ReceiveDialog
from agdesk.ui.chat.ledger.switch import ModelSwitch
from agdesk.ui.chat.picker.popup import ModelPopup
from agdesk.ui.qt_async import emission
from agdesk.ui.theme import apply_theme
from tests.ui.chat.ledger.conversations import ANTHROPIC, OPENAI, THOUGHTFUL, conversation


@pytest.fixture(autouse=True)
def theme(qapp):
    apply_theme(qapp, "light")


@pytest.fixture
def open_tab(tmp_path, qtbot):
    """Opens a conversation over scripts on the screen."""

    def open_it(*scripts, model_ref=ANTHROPIC):
        workspace, session = conversation(tmp_path, *scripts, model_ref=model_ref)
        tab = ChatTab(workspace, session, DrainTimer())
        qtbot.addWidget(tab)
        tab.resize(900, 640)
        tab.show()
        tab.activateWindow()
        return tab, workspace

    return open_it


async def until(condition):
    async with asyncio.timeout(15):
        while not condition():
            await asyncio.sleep(0.005)


async def said(tab, *texts):
    for text in texts:
        async with asyncio.TaskGroup() as group:
            group.create_task(emission(tab.turn_ended, timeout_s=15))
            await asyncio.sleep(0)
            await tab.session.submit(text)


async def end(tab, workspace):
    tab.close_session()
    await workspace.aclose()


def choose(tab, model_ref):
    """What the picker tells when a model is chosen in it."""
    tab.picker.button.setFocus()
    tab.picker.chosen.emit(model_ref)


def in_use(tab) -> str:
    """The model that the session has, and the picker shows."""
    assert tab.picker.button.accessibleName().endswith(tab.session.model_ref)
    return tab.session.model_ref


def is_asked(tab) -> bool:
    return not tab.switch.sheet.isHidden() and tab.switch.sheet.switch_button.isVisible()


async def test_an_empty_conversation_switches_at_once(open_tab):
    tab, workspace = open_tab()
    choose(tab, OPENAI)
    assert in_use(tab) == OPENAI
    assert not tab.switch.is_pending
    await end(tab, workspace)


async def test_a_history_that_the_other_model_receives_whole_switches_without_a_question(open_tab):
    tab, workspace = open_tab(text_answer("Bonjour"))
    await said(tab, "hello")
    switched = []
    tab.switch.switched.connect(switched.append)
    choose(tab, OPENAI)
    await until(lambda: tab.session.model_ref == OPENAI)
    assert switched == [OPENAI] and in_use(tab) == OPENAI
    assert tab.switch.sheet.isHidden()
    await end(tab, workspace)


async def test_what_the_present_model_does_not_receive_either_is_no_question(open_tab):
    tab, workspace = open_tab(THOUGHTFUL)
    await said(tab, "What is it?")
    choose(tab, "anthropic/claude-opus-4-1")
    await until(lambda: tab.session.model_ref == "anthropic/claude-opus-4-1")
    assert tab.switch.sheet.isHidden()
    await end(tab, workspace)


async def test_what_would_be_left_out_is_asked_first_and_escape_keeps_the_model(open_tab):
    tab, workspace = open_tab(THOUGHTFUL)
    await said(tab, "What is it?")
    choose(tab, OPENAI)
    await until(lambda: is_asked(tab))
    sheet = tab.switch.sheet
    assert in_use(tab) == ANTHROPIC
    assert OPENAI in sheet.title.text()
    lines = sheet.changes.toPlainText().splitlines()
    assert lines[0] == "Message 2, answer: “It is a cat.”"
    assert lines[1].startswith("thinking was left out")
    assert sheet.isAncestorOf(tab.focusWidget())
    QTest.keyClick(tab.focusWidget(), Qt.Key.Key_Escape)
    assert sheet.isHidden() and not tab.switch.is_pending
    assert tab.session.model_ref == ANTHROPIC
    assert tab.focusWidget() is tab.composer
    await end(tab, workspace)


async def test_the_switch_button_takes_the_model(open_tab):
    tab, workspace = open_tab(THOUGHTFUL, text_answer("Yes."))
    await said(tab, "What is it?")
    choose(tab, OPENAI)
    await until(lambda: is_asked(tab))
    QTest.keyClick(tab.focusWidget(), Qt.Key.Key_Return)
    assert in_use(tab) == OPENAI
    assert tab.switch.sheet.isHidden() and tab.focusWidget() is tab.composer
    await said(tab, "Sure?")
    await end(tab, workspace)


async def test_nothing_is_sent_while_it_is_not_settled_who_answers(open_tab):
    tab, workspace = open_tab(THOUGHTFUL)
    await said(tab, "What is it?")
    tab.composer.setFocus()
    tab.composer.setPlainText("Sure?")
    tab.switch.choose(OPENAI)
    tab.composer.submit()
    assert not tab.session.is_running and tab.composer.toPlainText() == "Sure?"
    await until(lambda: is_asked(tab))
    assert tab.focusWidget() is tab.composer, "the keyboard is not taken from someone who writes"
    QTest.keyClick(tab.composer, Qt.Key.Key_Return)
    assert not tab.session.is_running and tab.focusWidget() is tab.switch.sheet.switch_button
    tab.composer.setFocus()
    tab.stop()
    assert tab.switch.sheet.isHidden() and tab.session.model_ref == ANTHROPIC
    await end(tab, workspace)


async def test_who_has_written_nothing_answers_with_the_keyboard_at_once(open_tab):
    tab, workspace = open_tab(THOUGHTFUL)
    await said(tab, "What is it?")
    tab.composer.setFocus()
    tab.switch.choose(OPENAI)
    await until(lambda: is_asked(tab))
    assert tab.focusWidget() is tab.switch.sheet.switch_button
    await end(tab, workspace)


async def test_a_provider_without_an_address_is_told_and_may_be_chosen_all_the_same(open_tab):
    tab, workspace = open_tab(text_answer("Bonjour"))
    await said(tab, "hello")
    choose(tab, "custom/m")
    await until(lambda: is_asked(tab))
    sheet = tab.switch.sheet
    assert sheet.title.text() == "Custom has no base URL" and "Settings" in sheet.hint.text()
    assert not sheet.look_button.isVisible() and not sheet.changes.isVisible()
    sheet.switch_button.click()
    assert tab.session.model_ref == "custom/m"
    await end(tab, workspace)


async def test_a_model_of_a_provider_that_is_gone_can_be_left(open_tab):
    tab, workspace = open_tab(THOUGHTFUL)
    await said(tab, "What is it?")
    tab.session.model_ref = "gone/m"
    choose(tab, OPENAI)
    await until(lambda: is_asked(tab))
    assert "thinking was left out" in tab.switch.sheet.changes.toPlainText()
    await end(tab, workspace)


async def test_only_the_last_choice_counts_and_the_same_one_is_asked_once(open_tab, monkeypatch):
    tab, workspace = open_tab(THOUGHTFUL)
    await said(tab, "What is it?")
    asked = []
    rendered = workspace.rendered

    async def counted(session, model_ref, draft=""):
        asked.append(model_ref)
        return await rendered(session, model_ref, draft)

    monkeypatch.setattr(workspace, "rendered", counted)
    tab.switch.choose("gemini/gemini-2.5-pro")
    tab.switch.choose(OPENAI)
    tab.switch.choose(OPENAI)
    await until(lambda: is_asked(tab))
    assert asked == [ANTHROPIC, OPENAI] and OPENAI in tab.switch.sheet.title.text()
    tab.switch.choose(ANTHROPIC)
    assert tab.switch.sheet.isHidden() and not tab.switch.is_pending
    await end(tab, workspace)


async def test_what_takes_long_says_so_and_can_be_given_up(open_tab, monkeypatch):
    tab, workspace = open_tab(THOUGHTFUL)
    await said(tab, "What is it?")

    async def never(*_arguments):
        await asyncio.Event().wait()

    monkeypatch.setattr(workspace, "rendered", never)
    tab.switch.choose(OPENAI)
    assert tab.switch.is_pending and "sheet" not in vars(tab.switch), "nothing is shown at once"
    await until(lambda: "sheet" in vars(tab.switch) and tab.switch.sheet.isVisible())
    sheet = tab.switch.sheet
    assert OPENAI in sheet.title.text() and not sheet.switch_button.isVisible()
    sheet.keep_button.click()
    assert sheet.isHidden() and not tab.switch.is_pending and tab.session.model_ref == ANTHROPIC
    await end(tab, workspace)


async def test_the_question_leads_to_the_whole_request(open_tab):
    tab, workspace = open_tab(THOUGHTFUL)
    await said(tab, "What is it?")
    tab.switch.choose(OPENAI)
    await until(lambda: is_asked(tab))
    tab.switch.sheet.look_button.click()
    (dialog,) = tab.findChildren(ReceiveDialog)
    assert dialog.box.currentText() == OPENAI and not dialog.isModal()
    await until(lambda: dialog.view.toPlainText())
    await end(tab, workspace)
    assert not tab.findChildren(ReceiveDialog), "it goes with its conversation"


async def test_a_conversation_that_is_closed_meanwhile_leaves_nothing(open_tab):
    tab, workspace = open_tab(THOUGHTFUL)
    await said(tab, "What is it?")
    tab.switch.choose(OPENAI)
    await end(tab, workspace)
    assert isinstance(tab.switch, ModelSwitch) and not tab.switch.is_pending


async def test_a_model_that_was_chosen_in_the_picker_is_asked_about_and_answered_by_keyboard(open_tab):
    tab, workspace = open_tab(THOUGHTFUL)
    await asyncio.to_thread(workspace.warm_up)
    await said(tab, "What is it?")
    tab.focus_composer()
    tab.picker.open()
    popup = tab.findChild(ModelPopup)
    await until(lambda: popup.isVisible())
    QTest.keyClicks(popup.field, OPENAI)
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    await until(lambda: is_asked(tab))
    assert not popup.isVisible() and tab.focusWidget() is tab.switch.sheet.switch_button
    QTest.keyClick(tab.focusWidget(), Qt.Key.Key_Return)
    assert in_use(tab) == OPENAI and tab.focusWidget() is tab.composer
    await end(tab, workspace)
