"""Writing and sending: keys, input methods, pasting, growing (CHAT11)."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QEvent, QMimeData, Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QKeyEvent, QTextCharFormat, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from agdesk.ui.theme import apply_theme
from agdesk.ui.widgets.composer import COMMIT_S, Composer

SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def composer(qapp, qtbot) -> Iterator[Composer]:
    apply_theme(qapp, "light")
    window = QWidget()
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    layout.addStretch()
    composer = Composer()
    layout.addWidget(composer)
    window.resize(600, 600)
    window.show()
    window.activateWindow()
    composer.setFocus()
    QApplication.processEvents()
    yield composer


@pytest.fixture
def sent(composer) -> list[str]:
    sent: list[str] = []
    composer.submitted.connect(sent.append)
    return sent


def compose(composer: Composer, preedit: str, *, commit: str = "") -> None:
    event = QInputMethodEvent(preedit, [])
    event.setCommitString(commit)
    QApplication.sendEvent(composer, event)


def test_enter_sends(composer, sent):
    QTest.keyClicks(composer, "hello")
    QTest.keyClick(composer, Qt.Key.Key_Return)
    QTest.keyClick(composer, Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    assert sent == ["hello", "hello"]


def test_shift_enter_begins_a_line(composer, sent):
    QTest.keyClicks(composer, "one")
    QTest.keyClick(composer, Qt.Key.Key_Return, SHIFT)
    QTest.keyClicks(composer, "two")
    assert sent == []
    assert composer.toPlainText() == "one\ntwo"
    QTest.keyClick(composer, Qt.Key.Key_Return)
    assert sent == ["one\ntwo"]


def test_the_send_key_can_be_ctrl_enter(composer, sent):
    composer.send_key = "ctrl_enter"
    QTest.keyClicks(composer, "one")
    QTest.keyClick(composer, Qt.Key.Key_Return)
    assert sent == []
    assert composer.toPlainText() == "one\n"
    QTest.keyClick(composer, Qt.Key.Key_Return, CONTROL)
    assert sent == ["one\n"]


def test_blanks_are_not_sent(composer, sent):
    QTest.keyClick(composer, Qt.Key.Key_Return)
    QTest.keyClicks(composer, "  ")
    QTest.keyClick(composer, Qt.Key.Key_Return, SHIFT)
    QTest.keyClick(composer, Qt.Key.Key_Return)
    composer.submit()
    assert sent == []


def test_a_key_that_is_held_down_sends_once(composer, sent):
    QTest.keyClicks(composer, "hello")
    for is_repeat in (False, True, True):
        event = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r", is_repeat, 1)
        QApplication.sendEvent(composer, event)
    assert sent == ["hello"]


def test_enter_while_an_input_method_composes_does_not_send(composer, sent):
    QTest.keyClicks(composer, "a")
    compose(composer, "ni hao")
    QTest.keyClick(composer, Qt.Key.Key_Return)
    assert sent == []
    assert composer.toPlainText() == "a"


def test_the_enter_that_commits_a_composition_does_not_send(composer, sent, monkeypatch):
    """Some input methods commit first and let the key through afterwards."""
    clock = SimpleNamespace(now_s=100.0)
    monkeypatch.setattr("agdesk.ui.widgets.composer.monotonic", lambda: clock.now_s)
    compose(composer, "ni hao")
    compose(composer, "", commit="你好")
    clock.now_s += COMMIT_S / 2
    QTest.keyClick(composer, Qt.Key.Key_Return)
    assert sent == []
    assert composer.toPlainText() == "你好"
    clock.now_s += COMMIT_S
    QTest.keyClick(composer, Qt.Key.Key_Return)
    assert sent == ["你好"]


def test_a_composition_that_is_given_up_does_not_block_sending(composer, sent):
    QTest.keyClicks(composer, "a")
    compose(composer, "ni")
    compose(composer, "")
    QTest.keyClick(composer, Qt.Key.Key_Return)
    assert sent == ["a"]


def test_text_that_was_typed_without_composing_can_be_sent_at_once(composer, sent):
    """An input method that commits every key by itself, as many on-screen keyboards do."""
    compose(composer, "", commit="hi")
    QTest.keyClick(composer, Qt.Key.Key_Return)
    assert sent == ["hi"]


def test_the_text_stays_until_its_owner_clears_it(composer, sent):
    QTest.keyClicks(composer, "hello")
    QTest.keyClick(composer, Qt.Key.Key_Return)
    assert composer.toPlainText() == "hello"
    composer.clear()
    assert composer.toPlainText() == ""


def test_typing_can_be_undone(composer):
    QTest.keyClicks(composer, "hello")
    composer.undo()
    assert composer.toPlainText() == ""
    composer.redo()
    assert composer.toPlainText() == "hello"


def test_up_in_an_empty_composer_does_nothing(composer, sent):
    QTest.keyClick(composer, Qt.Key.Key_Up)
    assert composer.toPlainText() == ""
    assert sent == []
    assert composer.hasFocus()


def test_what_is_pasted_is_plain_text(composer):
    data = QMimeData()
    data.setHtml("<b>bold</b><img src='file:///etc/passwd'>")
    data.setText("bold \ufdd0text")
    QGuiApplication.clipboard().setMimeData(data)
    composer.paste()
    assert composer.toPlainText() == "bold \ufffdtext"


def test_a_picture_alone_is_not_pasted(composer):
    data = QMimeData()
    data.setHtml("<img src='file:///etc/passwd'>")
    composer.insertFromMimeData(data)
    assert composer.toPlainText() == ""


def test_it_grows_with_its_lines_up_to_two_fifths_of_the_window(composer):
    heights = []
    for lines in (1, 2, 5, 200):
        composer.setPlainText("\n".join("x" * lines))
        QApplication.processEvents()
        heights.append(composer.height())
    assert heights == sorted(set(heights))
    assert heights[1] - heights[0] == pytest.approx(composer.fontMetrics().lineSpacing(), abs=1)
    assert heights[-1] == round(0.4 * composer.window().height())
    composer.clear()
    QApplication.processEvents()
    assert composer.height() == heights[0]


def test_a_long_line_wraps_and_makes_it_grow(composer):
    before = composer.height()
    composer.setPlainText("word " * 60 + "x" * 300)
    QApplication.processEvents()
    assert composer.height() > 3 * before
    assert not composer.horizontalScrollBar().isVisible()


def test_it_scrolls_only_when_it_cannot_grow(composer):
    for lines in (1, 2, 4, 8):
        composer.setPlainText("\n".join("x" * lines))
        QApplication.processEvents()
        assert composer.verticalScrollBar().maximum() == 0, lines
    composer.setPlainText("\n" * 200)
    QApplication.processEvents()
    assert composer.verticalScrollBar().maximum() > 0


def test_a_higher_window_gives_it_more_room(composer):
    composer.setPlainText("\n" * 200)
    QApplication.processEvents()
    composer.window().resize(600, 900)
    QApplication.processEvents()
    assert composer.height() == round(0.4 * 900)


def test_tab_leaves_it(composer, qtbot):
    button = QWidget(composer.window())
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.show()
    QTest.keyClick(composer, Qt.Key.Key_Tab)
    assert composer.toPlainText() == ""
    assert not composer.hasFocus()


def test_it_has_a_name_and_a_placeholder(composer):
    assert composer.accessibleName() == "Message"
    assert composer.placeholderText() == "Message…"


@pytest.mark.parametrize(
    ("text", "is_at_end", "is_left"), [("", True, True), ("one", True, True), ("one", False, False)]
)
def test_ctrl_end_is_left_to_the_window_where_it_would_do_nothing(composer, text, is_at_end, is_left):
    composer.setPlainText(text)
    composer.moveCursor(QTextCursor.MoveOperation.End if is_at_end else QTextCursor.MoveOperation.Start)
    event = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_End, CONTROL)
    event.ignore()
    composer.event(event)
    assert event.isAccepted() is not is_left


def test_one_line_that_is_higher_than_the_letters_of_the_font_needs_no_scroll_bar(composer, qtbot):
    # Chinese comes from another font, whose lines are higher; a larger one stands for it on any machine
    low = composer.height()
    QTest.keyClicks(composer, "one line")
    larger = QTextCharFormat()
    larger.setProperty(QTextCharFormat.Property.FontPixelSize, round(composer.font().pixelSize() * 1.5))
    cursor = QTextCursor(composer.document())
    cursor.insertText("x", larger)
    qtbot.waitUntil(lambda: composer.height() > low)
    assert composer.blockCount() == 1
    bar = composer.verticalScrollBar()
    assert bar.maximum() == bar.minimum()
