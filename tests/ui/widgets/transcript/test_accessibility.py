"""UX2: names, order and keyboard, as assistive technology finds them."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QVBoxLayout, QWidget

from agdesk.ui.theme import apply_theme
from agdesk.ui.widgets.composer import Composer
from agdesk.ui.widgets.empty_state import EmptyState
from agdesk.ui.widgets.icon_button import IconButton
from agdesk.ui.widgets.labels import StatusLine
from agdesk.ui.widgets.transcript import BlockView, ErrorView, MessageView, VirtualTranscript
from agdesk.ui.widgets.transcript.row_widget import RowWidget
from tests.ui.widgets.transcript.pages import MARKDOWN, add, add_many, panes, settle, widgets


def walk(widget: QWidget):
    """Every visible widget in the order of the children."""
    yield widget
    for child in widget.children():
        if isinstance(child, QWidget) and child.isVisible():
            yield from walk(child)


def name_of(widget: QWidget) -> str:
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


def focus_chain(start: QWidget) -> list[QWidget]:
    """What Tab reaches, from a widget until it comes round."""
    chain, widget = [], start
    while True:
        following = widget.nextInFocusChain()
        assert following is not None
        widget = following
        if widget is start:
            return chain
        if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            chain.append(widget)


def full_page(transcript: VirtualTranscript) -> None:
    transcript.resize(700, 900)
    add(transcript, "u", "a question", role="user")
    add(transcript, "n", "a notice", role="notice")
    transcript.append_message(MessageView("a", "assistant", "model"))
    transcript.replace_message("a", (BlockView("thinking", "hm", 1.0), BlockView("text", MARKDOWN)))
    transcript.set_error("a", ErrorView("It broke", "why", "what now"))
    settle()


def test_everything_that_takes_the_focus_or_a_click_has_a_name(qtbot):
    transcript = VirtualTranscript()
    full_page(transcript)
    window = QWidget()
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    for part in (
        transcript,
        Composer(),
        StatusLine(),
        IconButton("stop", "Stop"),
        EmptyState("a", "b", choices=("c",)),
    ):
        layout.addWidget(part)
    window.resize(800, 1600)
    window.show()
    settle()
    checked = [
        widget
        for widget in walk(window)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus or isinstance(widget, QAbstractButton)
    ]
    assert len(checked) > 9
    assert [widget for widget in checked if not name_of(widget)] == []


def test_messages_are_named_after_who_speaks(transcript):
    full_page(transcript)
    names = [name_of(widget) for widget in widgets(transcript)]
    assert names[:2] == ["You", "You"]
    assert names[2] == "notice"
    assert set(names[3:]) == {"assistant message"}


def test_documents_can_be_read(transcript):
    full_page(transcript)
    texts = []
    for pane in panes(transcript):
        found = QAccessible.queryAccessibleInterface(pane)
        assert found.role() == QAccessible.Role.EditableText or found.role() == QAccessible.Role.StaticText
        texts.append(found.text(QAccessible.Text.Value))
    assert texts[0] == "a question"
    assert any("Some bold text" in text for text in texts)


def test_children_stand_in_the_order_they_are_read_in_after_any_scrolling(transcript):
    add_many(transcript, 120)
    bar = transcript.verticalScrollBar()
    for step in (-400, -37, -900, 500, -60, 250, -3000, 2000):
        bar.setValue(bar.value() + step)
        settle()
        tops = [widget.y() for widget in widgets(transcript)]
        assert tops == sorted(tops)
        found = QAccessible.queryAccessibleInterface(transcript.viewport())
        children = [found.child(at) for at in range(found.childCount())]
        objects = [child.object() for child in children if child is not None]
        assert [row for row in objects if isinstance(row, RowWidget) and row.isVisible()] == widgets(transcript)


def test_widgets_that_wait_for_rows_are_hidden(transcript):
    add_many(transcript, 60)
    transcript.verticalScrollBar().setValue(0)
    settle()
    transcript.drop_after(None)
    settle()
    assert list(walk(transcript.viewport())) == [transcript.viewport()]


def test_tab_walks_down_the_messages(transcript):
    add_many(transcript, 40)
    bar = transcript.verticalScrollBar()
    for step in (-700, 300, -1500):
        bar.setValue(bar.value() + step)
        settle()
        chain = [widget for widget in focus_chain(transcript) if transcript.viewport().isAncestorOf(widget)]
        rows = [part for widget in widgets(transcript) for part in widget.focus_widgets()]
        assert [part for part in chain if part in rows] == rows


def test_the_focus_by_keyboard_is_seen_and_by_mouse_does_not_disturb(qapp, transcript):
    theme = apply_theme(qapp, "light")
    add(transcript, "u", "a question", role="user")
    settle()
    (pane,) = panes(transcript)
    row = widgets(transcript)[1]
    accent = theme.color("accent").name()

    def edge() -> list[str]:
        image = row.grab().toImage()
        return [image.pixelColor(x, image.height() // 2).name() for x in (0, 1)]

    pane.setFocus(Qt.FocusReason.MouseFocusReason)
    assert accent not in edge()
    transcript.setFocus()
    pane.setFocus(Qt.FocusReason.TabFocusReason)
    assert edge() == [accent, accent]
    transcript.setFocus(Qt.FocusReason.TabFocusReason)
    assert accent not in edge()
    image = transcript.grab().toImage()
    assert [image.pixelColor(x, 100).name() for x in (0, 1)] == [accent, accent]


def test_a_link_is_reached_and_followed_by_keyboard(qtbot, transcript):
    add(transcript, "m", "see [one](https://one.example/) and [two](https://two.example/)")
    settle()
    (pane,) = panes(transcript)
    pane.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(pane, Qt.Key.Key_Tab)
    with qtbot.waitSignal(transcript.link_activated) as activated:
        QTest.keyClick(pane, Qt.Key.Key_Return)
    assert activated.args[0] in ("https://one.example/", "https://two.example/")
