"""UX2: whatever can be clicked in the transcript is reached by Tab, shows that it is, and does the same by Enter."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from agdesk.ui.widgets.attachment_view import AttachmentView
from agdesk.ui.widgets.transcript import BlockView, ErrorView, MessageView, NextStep
from agdesk.ui.widgets.transcript.head import HeadWidget
from agdesk.ui.widgets.transcript.pane import TextPane
from tests.ui.widgets.transcript.pages import add, add_many, settle, widgets

CODE = "Two [links](https://one.example/) [here](https://two.example/).\n\n```python\nprint(1)\n```\n"


@pytest.fixture
def everything(transcript):
    """A transcript with one of each thing that can be clicked."""
    transcript.resize(700, 1100)
    transcript.append_message(MessageView("u", "user", "You"))
    attachments = [
        BlockView("attachment", "", attachment=AttachmentView(f"k{n}", "file", f"{n}.pdf", "PDF")) for n in range(2)
    ]
    transcript.replace_message("u", (BlockView("text", "a question"), *attachments))
    transcript.append_message(MessageView("a", "assistant", "model"))
    transcript.replace_message("a", (BlockView("thinking", "hm", 1.0), BlockView("text", CODE)))
    transcript.set_error("a", ErrorView("It broke", "why", "what now"))
    transcript.set_steps("a", (NextStep("continue", "Continue"), NextStep("again", "Try again")))
    transcript.set_place("a", number=2, count=3)
    transcript.activateWindow()
    settle()
    return transcript


def clickable(transcript):
    """Every button on the screen that a click would press, as they are read."""
    buttons = transcript.viewport().findChildren(QAbstractButton)
    found = [button for button in buttons if button.isVisible() and button.isEnabled()]
    return sorted(found, key=lambda button: button.mapTo(transcript, QPoint(0, 0)).toTuple()[::-1])


def visited(transcript, key):
    """What gets the focus one after the other, from the transcript until it is left."""
    transcript.setFocus(Qt.FocusReason.TabFocusReason)
    found: list[QWidget] = []
    for _ in range(100):
        focused = QApplication.focusWidget()
        if focused is None or (found and focused is transcript):
            break
        if not found or found[-1] is not focused:
            found.append(focused)
        QTest.keyClick(focused, key)
    return found


@pytest.mark.parametrize("key", [Qt.Key.Key_Tab, Qt.Key.Key_Backtab])
def test_tab_reaches_everything_that_can_be_clicked(everything, key):
    reached = visited(everything, key)
    assert [button.accessibleName() for button in clickable(everything) if button not in reached] == []
    assert len(clickable(everything)) == 16
    assert {pane for pane in everything.viewport().findChildren(TextPane) if pane.isVisible()} <= set(reached)


def test_enter_and_space_do_what_a_click_does(everything):
    told: list[object] = []
    everything.message_action_chosen.connect(lambda *said: told.append(said))
    everything.end_action_chosen.connect(lambda *said: told.append(said))
    everything.attachment_chosen.connect(lambda *said: told.append(said))
    does = []
    for place in range(len(clickable(everything))):
        for press in (
            lambda button: QTest.mouseClick(button, Qt.MouseButton.LeftButton),
            lambda button: QTest.keyClick(button, Qt.Key.Key_Return),
            lambda button: QTest.keyClick(button, Qt.Key.Key_Space),
        ):
            button = clickable(everything)[place]
            button.setFocus(Qt.FocusReason.TabFocusReason)
            QApplication.clipboard().setText("nothing")
            checked = button.isChecked()
            press(button)
            now = button.isChecked() if button.isCheckable() else None
            does.append(
                (
                    button.accessibleName(),
                    tuple(told),
                    QApplication.clipboard().text(),
                    now is not None and now != checked,
                )
            )
            told.clear()
            settle()
    for by_mouse, by_enter, by_space in zip(does[::3], does[1::3], does[2::3], strict=True):
        assert by_mouse[1:] == by_enter[1:] == by_space[1:], by_mouse[0]
        assert by_mouse[1:] != ((), "nothing", False), f"{by_mouse[0]} does nothing"


def test_each_button_shows_that_it_has_the_keyboard(everything):
    for button in clickable(everything):
        everything.setFocus(Qt.FocusReason.TabFocusReason)
        without = button.grab().toImage()
        button.setFocus(Qt.FocusReason.TabFocusReason)
        assert button.grab().toImage() != without, button.accessibleName()


def test_the_menu_of_a_text_opens_by_its_key(everything):
    pane = next(pane for pane in everything.viewport().findChildren(TextPane) if pane.isVisible())
    wanted = []
    pane.menu_wanted.disconnect()
    pane.menu_wanted.connect(wanted.append)
    pane.setFocus(Qt.FocusReason.TabFocusReason)
    place = pane.rect().center()
    reason = QContextMenuEvent.Reason.Keyboard
    QApplication.sendEvent(pane, QContextMenuEvent(reason, place, pane.mapToGlobal(place)))
    assert wanted


def test_what_scrolls_away_with_the_keyboard_leaves_it_where_it_can_be_seen(transcript):
    add_many(transcript, 60)
    add(transcript, "last", "the end")
    transcript.activateWindow()
    settle()
    accent = transcript.palette().accent().color().name()
    parts = [part for row in widgets(transcript) for part in row.focus_widgets()]
    button = next(part for part in reversed(parts) if isinstance(part, QAbstractButton))
    button.setFocus(Qt.FocusReason.TabFocusReason)
    for _ in range(3):
        focused = QApplication.focusWidget()
        assert focused is not None
        QTest.keyClick(focused, Qt.Key.Key_PageUp)
        settle()
    assert QApplication.focusWidget() is transcript
    image = transcript.grab().toImage()
    assert [image.pixelColor(x, 100).name() for x in (0, 1)] == [accent, accent]


def test_from_right_to_left_the_title_is_at_the_right_and_the_buttons_at_the_left(everything):
    everything.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    everything.resize(710, 1100)
    settle()
    head = next(row for row in widgets(everything) if isinstance(row, HeadWidget))
    assert head._title.geometry().right() > head.width() - 30
    copy, more = head._copy.geometry(), head._more.geometry()
    assert more.left() < 20 and more.right() < copy.left() < head._title.geometry().left()
