"""The window as a user has it: typing, sending, stopping, tabs, closing, and what is drawn of it."""

import asyncio

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAccessible, QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from agdesk.core.errors import ErrorCategory, ProviderRejection
from agdesk.core.ir import stream as ev
from agdesk.core.ir.response import StopReason, Usage
from agdesk.core.providers.scripted import Pause, text_answer
from agdesk.ui.chat.link_question import LinkQuestion
from agdesk.ui.main_window import MainWindow
from agdesk.ui.models.dialog import ModelsDialog
from agdesk.ui.qt_async import emission
from agdesk.ui.theme import apply_theme
from agdesk.ui.widgets.transcript.row_widget import RowWidget
from tests.fakes.workspace import scripted_workspace
from tests.ui.main_window import stand_ins

REFUSED = ProviderRejection(
    "The key was refused (HTTP 401): Incorrect API key",
    "Check the key.",
    category=ErrorCategory.AUTH,
    status=401,
    code="invalid_api_key",
    provider_message="Incorrect API key",
    request_id="req_9",
)
BEGUN = (ev.MessageStart("i", "m"), ev.ContentBlockStart(0, ev.TextType()), ev.TextDelta("half an ", 0))


@pytest.fixture
def open_window(qapp, tmp_path, monkeypatch):
    """Opens a window over scripts; everything it started is ended by the test itself."""
    stand_ins.install(monkeypatch)
    apply_theme(qapp, "light")

    windows = []

    def open_it(*scripts):
        workspace, provider = scripted_workspace(tmp_path, *scripts)
        window = MainWindow(workspace)
        windows.append(window)
        window.show()
        return window, workspace, provider

    yield open_it
    for window in windows:
        window.hide()  # it never closes by itself: its owner hides it


def painted(tab) -> str:
    """Everything readable in the transcript, as an assistive technology reads it."""
    texts = []

    def walk(interface):
        for kind in (QAccessible.Text.Name, QAccessible.Text.Value, QAccessible.Text.Description):
            texts.append(interface.text(kind))
        for index in range(interface.childCount()):
            if (child := interface.child(index)) is not None:
                walk(child)

    walk(QAccessible.queryAccessibleInterface(tab.transcript))
    return "\n".join(filter(None, texts))


async def end(window, workspace):
    """What the owner of a window does."""
    await window.finish()
    await workspace.aclose()


async def settled(tab):
    while tab.session.is_running:
        await asyncio.sleep(0.005)
    await asyncio.sleep(0.05)


async def send_by_keyboard(tab, text):
    QTest.keyClicks(tab.composer, text)
    ended = emission(tab.turn_ended, timeout_s=5)
    QTest.keyClick(tab.composer, Qt.Key.Key_Return)
    await ended
    await asyncio.sleep(0.05)


async def test_enter_sends_and_the_answer_is_painted(open_window):
    window, workspace, provider = open_window(text_answer("Bon", "jour **le** monde", usage=Usage(3, 4)))
    tab = window.current_tab
    await send_by_keyboard(tab, "Say hello")
    assert provider.requests[0].messages[-1].content[0].text == "Say hello"
    assert "Bonjour le monde" in painted(tab)
    assert "Say hello" in painted(tab)
    assert tab.composer.toPlainText() == ""
    assert window.tabs.bar.tabText(0) == "Say hello"
    assert tab.status_line.text().startswith("Done")
    await end(window, workspace)


async def test_focus_is_in_the_composer_at_the_start_and_after_an_answer(open_window):
    window, workspace, _ = open_window(text_answer("ok"))
    window.activateWindow()
    tab = window.current_tab
    assert window.focusWidget() is tab.composer
    await send_by_keyboard(tab, "hi")
    assert window.focusWidget() is tab.composer
    await end(window, workspace)


@pytest.mark.parametrize("width", [560, 900, 1600])
async def test_the_field_for_writing_stands_below_the_column_of_the_messages(open_window, width):
    window, workspace, _ = open_window(text_answer("ok"))
    window.panels.splitter.set_folded("left", True)
    window.resize(width, 600)
    tab = window.current_tab
    await send_by_keyboard(tab, "hi")
    rows = [row for row in tab.transcript.viewport().findChildren(RowWidget) if row.isVisible()]
    edges = {tab.mapFromGlobal(widget.mapToGlobal(QPoint())).x() for widget in (*rows, tab.composer, tab.status_line)}
    assert len(rows) > 1
    assert len(edges) == 1
    await end(window, workspace)


async def test_a_blank_message_is_not_sent(open_window):
    window, workspace, provider = open_window()
    QTest.keyClicks(window.current_tab.composer, "   ")
    QTest.keyClick(window.current_tab.composer, Qt.Key.Key_Return)
    await asyncio.sleep(0.02)
    assert provider.requests == []
    await end(window, workspace)


async def test_a_second_enter_while_an_answer_runs_sends_nothing_and_queues_the_message(open_window):
    window, workspace, provider = open_window((*BEGUN, Pause(30)))
    tab = window.current_tab
    QTest.keyClicks(tab.composer, "one")
    QTest.keyClick(tab.composer, Qt.Key.Key_Return)
    while not provider.requests:
        await asyncio.sleep(0.005)
    QTest.keyClicks(tab.composer, "two")
    QTest.keyClick(tab.composer, Qt.Key.Key_Return)
    await asyncio.sleep(0.05)
    assert tab.composer.toPlainText() == ""
    assert len(tab.session.queue.items) == 1
    assert len(provider.requests) == 1
    await end(window, workspace)


async def test_escape_stops_and_what_arrived_stays_with_its_label(open_window):
    window, workspace, provider = open_window((*BEGUN, Pause(30)))
    window.activateWindow()
    tab = window.current_tab
    QTest.keyClicks(tab.composer, "go")
    QTest.keyClick(tab.composer, Qt.Key.Key_Return)
    while "half an" not in painted(tab):
        await asyncio.sleep(0.01)
    window.actions_registry["chat.stop"].trigger()
    await settled(tab)
    assert "half an" in painted(tab)
    assert "Stopped by you" in painted(tab)
    assert tab.status_line.text().startswith("Stopped")
    assert provider.open_count == 0
    await end(window, workspace)


async def test_the_button_is_send_or_stop_and_says_so(open_window):
    window, workspace, _ = open_window((*BEGUN, Pause(30)))
    tab = window.current_tab
    assert tab.send_button.accessibleName() == "Send"
    QTest.keyClicks(tab.composer, "go")
    QTest.mouseClick(tab.send_button, Qt.MouseButton.LeftButton)
    await asyncio.sleep(0.05)
    assert tab.send_button.accessibleName() == "Stop"
    await asyncio.sleep(QApplication.doubleClickInterval() / 1000)
    QTest.mouseClick(tab.send_button, Qt.MouseButton.LeftButton)
    await settled(tab)
    assert tab.send_button.accessibleName() == "Send"
    await end(window, workspace)


async def test_a_double_click_on_send_sends_once_and_stops_nothing(open_window):
    window, workspace, provider = open_window((*BEGUN, Pause(30)))
    tab = window.current_tab
    QTest.keyClicks(tab.composer, "go")
    QTest.mouseClick(tab.send_button, Qt.MouseButton.LeftButton)
    QTest.mouseClick(tab.send_button, Qt.MouseButton.LeftButton)
    await asyncio.sleep(0.1)
    assert tab.session.is_running
    assert len(provider.requests) == 1
    await end(window, workspace)


async def test_the_keyboard_stays_in_the_composer_whatever_is_clicked(open_window):
    window, workspace, _ = open_window((*BEGUN, Pause(30)))
    window.activateWindow()
    tab = window.current_tab
    QTest.keyClicks(tab.composer, "go")
    QTest.mouseClick(tab.send_button, Qt.MouseButton.LeftButton)
    QTest.keyClicks(window.focusWidget(), "a b c")
    assert tab.composer.toPlainText() == "a b c"
    assert tab.session.is_running, "the space pressed no button"
    window.actions_registry["tab.new"].trigger()
    window.actions_registry["tab.close"].trigger()
    assert window.focusWidget() is tab.composer
    tab.picker.button.setFocus()
    window.top_bar.menu_button.menu().aboutToHide.emit()  # what closing it does
    assert window.focusWidget() is tab.composer
    await end(window, workspace)


async def test_a_problem_of_the_settings_file_is_shown_and_blocks_nothing(open_window):
    window, workspace, _ = open_window(text_answer("ok"))
    window.show_problem("settings.toml, line 1: broken", "Correct that line.")
    (banner,) = window.notices.banners.values()
    assert banner.isVisible()
    assert banner.label.text() == "settings.toml, line 1: broken. Correct that line."
    assert window.focusWidget() is window.current_tab.composer
    await send_by_keyboard(window.current_tab, "hi")
    await end(window, workspace)


async def test_an_error_stands_below_the_text_that_arrived(open_window):
    window, workspace, _ = open_window((*BEGUN, REFUSED))
    tab = window.current_tab
    await send_by_keyboard(tab, "go")
    text = painted(tab)
    assert text.index("half an") < text.index("The key was refused")
    assert "Check the key." in text
    assert "req_9" in text
    assert tab.status_line.text().startswith("Failed")
    await end(window, workspace)


async def test_an_error_before_any_text_is_shown_too_and_the_next_message_works(open_window):
    window, workspace, _ = open_window((REFUSED,), text_answer("better"))
    tab = window.current_tab
    await send_by_keyboard(tab, "go")
    assert "The key was refused" in painted(tab)
    await send_by_keyboard(tab, "again")
    assert "better" in painted(tab)
    await end(window, workspace)


@pytest.mark.parametrize(
    ("script", "label"),
    [
        (BEGUN, "Incomplete"),
        (text_answer("a", stop_reason=StopReason.MAX_TOKENS), "Cut at the output limit"),
        (text_answer("a", stop_reason=StopReason.CONTENT_FILTER), "content filter"),
        ((ev.MessageStart("i", "m"), ev.MessageComplete(StopReason.END_TURN)), "empty answer"),
        ((ev.MessageStart("i", "m"), ev.MessageComplete(StopReason.OTHER, raw_stop_reason="eos")), "eos"),
    ],
)
async def test_an_answer_that_did_not_end_by_itself_says_why(open_window, script, label):
    window, workspace, _ = open_window(script)
    await send_by_keyboard(window.current_tab, "go")
    assert label in painted(window.current_tab)
    await end(window, workspace)


async def test_thinking_is_folded_to_one_line_and_opens(open_window):
    script = (
        ev.MessageStart("i", "m"),
        ev.ContentBlockStart(0, ev.ThinkingType()),
        ev.ThinkingDelta("the secret plan", 0),
        ev.ContentBlockEnd(0),
        ev.ContentBlockStart(1, ev.TextType()),
        ev.TextDelta("the answer", 1),
        ev.ContentBlockEnd(1),
        ev.MessageComplete(StopReason.END_TURN),
    )
    window, workspace, _ = open_window(script)
    await send_by_keyboard(window.current_tab, "go")
    assert "the answer" in painted(window.current_tab)
    assert "the secret plan" not in painted(window.current_tab)
    await end(window, workspace)


async def test_a_tool_call_of_the_model_is_shown_and_not_run(open_window):
    script = (
        ev.MessageStart("i", "m"),
        ev.ContentBlockStart(0, ev.ToolUseType("c", "delete_all")),
        ev.ToolCallArgumentsDelta('{"path": "/"}', 0),
        ev.ToolCallEnd(0),
        ev.ContentBlockEnd(0),
        ev.MessageComplete(StopReason.TOOL_USE),
    )
    window, workspace, _ = open_window(script)
    await send_by_keyboard(window.current_tab, "go")
    assert "delete_all" in painted(window.current_tab)
    await end(window, workspace)


async def test_a_model_is_chosen_by_the_keyboard_and_nonsense_changes_nothing(open_window):
    window, workspace, _ = open_window(text_answer("ok"))
    tab = window.current_tab
    for typed, expected in (("test/other", "test/other"), ("nonsense", "test/other"), (" test / x ", "test/x")):
        window.actions_registry["chat.choose_model"].trigger()
        field = window.focusWidget()
        QTest.keyClicks(field, typed)
        QTest.keyClick(field, Qt.Key.Key_Return)
        if window.focusWidget() is field:  # nothing was chosen
            QTest.keyClick(field, Qt.Key.Key_Escape)
        assert tab.session.model_ref == expected
        assert tab.picker.button.accessibleName() == f"Model: {expected}"
        assert window.focusWidget() is tab.composer
    await end(window, workspace)


async def test_no_model_is_chosen_while_an_answer_is_running(open_window):
    window, workspace, _ = open_window((*BEGUN, Pause(30)))
    tab = window.current_tab
    tab.send("go")
    await emission(tab.busy_changed, timeout_s=15)
    window.actions_registry["chat.choose_model"].trigger()
    assert window.focusWidget() is tab.composer
    await end(window, workspace)


async def test_the_abilities_of_the_model_follow_what_is_known_of_it(open_window):
    window, workspace, _ = open_window()
    picker = window.current_tab.picker
    assert picker.abilities.words == (), "nothing is known before the models are"
    await asyncio.to_thread(workspace.warm_up)
    await workspace.correct_model("test/model", "max_context_window", 9_000)
    assert picker.abilities.words == ("abilities unknown",)
    await workspace.correct_model("test/model", "vision", True)
    await workspace.correct_model("test/model", "tool_use", False)
    assert picker.abilities.words == ("vision",)
    assert "vision: yes (you), tools: no (you), thinking: unknown" in picker.abilities.accessibleName()
    window.current_tab.session.model_ref = "auto/best"
    picker.refresh()
    assert picker.abilities.words == () and picker.button.accessibleName() == "Model: Auto"
    await end(window, workspace)


async def test_a_correction_in_the_matrix_is_a_setting_and_the_picker_opens_the_matrix_too(open_window):
    window, workspace, _ = open_window()
    await asyncio.to_thread(workspace.warm_up)
    await workspace.correct_model("test/model", "max_context_window", 9_000)
    window.actions_registry["models.open"].trigger()
    (dialog,) = window.findChildren(ModelsDialog)
    dialog.value.corrected.emit("test/model", "vision", True)
    async with asyncio.timeout(15):
        while dialog.table.matrix.rows[0].model.features.vision is not True:
            await asyncio.sleep(0.01)
    assert workspace.settings.models["test/model"].vision is True
    dialog.hide()
    window.current_tab.picker.all_requested.emit()
    assert dialog.isVisible()
    dialog.hide()
    await end(window, workspace)


async def test_a_provider_nobody_knows_is_an_error_in_the_conversation(open_window):
    window, workspace, _ = open_window()
    tab = window.current_tab
    tab.picker.chosen.emit("nobody/m")
    await send_by_keyboard(tab, "hi")
    assert "There is no provider 'nobody'" in painted(tab)
    await end(window, workspace)


async def test_two_conversations_stream_at_once_without_mixing(open_window):
    window, workspace, _ = open_window(text_answer(*["a"] * 40, delay_s=0.002), text_answer(*["b"] * 40, delay_s=0.002))
    first = window.current_tab
    first.send("one")
    await asyncio.sleep(0.02)
    second = window.open_tab()
    second.send("two")
    await settled(first)
    await settled(second)
    window.tabs.go_to(0)
    await asyncio.sleep(0.05)
    assert "a" * 40 in painted(first)
    assert "b" * 40 in painted(second)
    assert "b" * 40 not in painted(first)
    await end(window, workspace)


async def test_closing_the_window_asks_its_owner_and_does_not_vanish_by_itself(open_window):
    window, workspace, _ = open_window()
    asked = []
    window.close_requested.connect(lambda: asked.append(True))
    window.close()
    assert asked == [True]
    assert window.isVisible()
    await end(window, workspace)


async def test_the_empty_conversation_offers_examples_that_send(open_window):
    window, workspace, provider = open_window(text_answer("Bonjour"))
    tab = window.current_tab
    ended = emission(tab.turn_ended, timeout_s=5)
    QTest.mouseClick(tab.empty_state.buttons[0], Qt.MouseButton.LeftButton)
    await ended
    assert len(provider.requests) == 1
    await end(window, workspace)


async def test_a_link_is_shown_in_full_before_it_is_opened(open_window, monkeypatch):
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    window, workspace, _ = open_window(text_answer("[harmless](https://evil.example/?q=secret)"))
    tab = window.current_tab
    await send_by_keyboard(tab, "go")
    tab.transcript.link_activated.emit("https://evil.example/?q=secret")
    (question,) = tab.findChildren(LinkQuestion)
    assert question.informativeText() == "https://evil.example/?q=secret"
    assert question.defaultButton().text() in ("Cancel", "&Cancel")
    QTest.keyClick(question, Qt.Key.Key_Escape)
    assert opened == []
    tab.transcript.link_activated.emit("https://evil.example/?q=secret")
    question = tab.findChildren(LinkQuestion)[-1]
    next(button for button in question.buttons() if button.text() == "Open in browser").click()
    assert opened == ["https://evil.example/?q=secret"]
    await end(window, workspace)


async def test_every_control_that_takes_the_keyboard_has_a_name(open_window):
    window, workspace, _ = open_window(text_answer("```python\nx = 1\n```\n\nand [a link](https://example.org)"))
    await send_by_keyboard(window.current_tab, "go")
    nameless = []
    for widget in window.findChildren(QWidget):
        if widget.focusPolicy() == Qt.FocusPolicy.NoFocus or not widget.isVisible():
            continue
        interface = QAccessible.queryAccessibleInterface(widget)
        if not interface.text(QAccessible.Text.Name):
            nameless.append(f"{type(widget).__name__} {widget.objectName()} in {type(widget.parent()).__name__}")
    assert nameless == []
    await end(window, workspace)


async def test_a_theme_change_in_the_middle_of_an_answer_loses_nothing(open_window, qapp):
    window, workspace, _ = open_window(text_answer(*[f"word{i} " for i in range(60)], delay_s=0.002))
    tab = window.current_tab
    tab.send("go")
    await asyncio.sleep(0.05)
    apply_theme(qapp, "dark")
    await settled(tab)
    assert "word59" in painted(tab)
    apply_theme(qapp, "light")
    await end(window, workspace)


async def test_a_late_event_for_a_closed_window_is_harmless(open_window, qapp):
    window, workspace, _ = open_window()
    window.hide()
    QApplication.sendEvent(window, QEvent(QEvent.Type.ApplicationPaletteChange))
    assert window.tabs.count() == 1
    await end(window, workspace)
