"""CHAT10: selecting within a message and across messages, and copying what is selected."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtTest import QTest

from agdesk.ui.widgets.attachment_view import AttachmentView
from agdesk.ui.widgets.transcript import BlockView, MessageView, VirtualTranscript
from agdesk.ui.widgets.transcript.head import HeadWidget
from agdesk.ui.widgets.transcript.pane import TextPane
from tests.ui.widgets.transcript.pages import add, add_many, panes, settle


def place_of(pane: TextPane, word: str, *, at_end: bool = False) -> QPoint:
    """The global place of the first or last letter of a word."""
    cursor = pane.document().find(word)
    cursor.setPosition(cursor.selectionEnd() if at_end else cursor.selectionStart())
    return pane.viewport().mapToGlobal(pane.cursorRect(cursor).center())


def drag(start: TextPane, from_place: QPoint, to_place: QPoint) -> None:
    """The mouse goes down in a pane and is dragged anywhere."""
    viewport = start.viewport()
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, pos=viewport.mapFromGlobal(from_place))
    for step in range(1, 6):
        place = from_place + (to_place - from_place) * (step / 5)
        QTest.mouseEvent(
            QTest.MouseAction.MouseMove,
            viewport,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
            viewport.mapFromGlobal(place),
        )
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=viewport.mapFromGlobal(to_place))
    settle()


def copy(pane: TextPane) -> str:
    QGuiApplication.clipboard().clear()
    QTest.keyClick(pane, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    return QGuiApplication.clipboard().text()


def three_messages(transcript: VirtualTranscript) -> list[TextPane]:
    add(transcript, "u", "first question here", role="user")
    add(transcript, "a", "some **bold** answer\n\n```python\nx = 1\n```\n\nlast *words* of it")
    add(transcript, "v", "second question here", role="user")
    settle()
    return list(panes(transcript))


def test_text_within_a_message_is_selected_with_the_mouse(transcript):
    pane = three_messages(transcript)[1]
    drag(pane, place_of(pane, "some"), place_of(pane, "answer", at_end=True))
    assert pane.textCursor().selectedText() == "some bold answer"
    assert copy(pane) == "some bold answer"


def test_a_selection_spans_rows_and_messages(transcript):
    first, text, code, last, second = three_messages(transcript)
    drag(first, place_of(first, "question"), place_of(second, "second", at_end=True))
    assert first.textCursor().selectedText() == "question here"
    assert text.textCursor().selectedText() == "some bold answer"
    assert code.textCursor().selectedText() == "x = 1"
    assert last.textCursor().selectedText() == "last words of it"
    assert second.textCursor().selectedText() == "second"


def test_what_is_selected_over_rows_is_copied_whole_rows_as_markdown(transcript):
    first, *_, second = three_messages(transcript)
    drag(first, place_of(first, "question"), place_of(second, "second", at_end=True))
    expected = "question here\n\nsome **bold** answer\n\n```python\nx = 1\n```\n\nlast *words* of it\n\nsecond"
    assert copy(first) == expected


def test_a_selection_upwards_is_the_same_as_downwards(transcript):
    first, text, code, *_ = three_messages(transcript)
    drag(code, place_of(code, "x = 1", at_end=True), place_of(first, "question"))
    assert first.textCursor().selectedText() == "question here"
    assert text.textCursor().selectedText() == "some bold answer"
    assert copy(code) == "question here\n\nsome **bold** answer\n\n```python\nx = 1\n```"


def test_dragging_back_selects_within_the_first_row_again(transcript):
    first, text, *_ = three_messages(transcript)
    viewport = first.viewport()
    start = place_of(first, "question")
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, pos=viewport.mapFromGlobal(start))
    for place in (place_of(text, "bold"), place_of(first, "here")):
        QTest.mouseEvent(
            QTest.MouseAction.MouseMove,
            viewport,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
            viewport.mapFromGlobal(place),
        )
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=viewport.mapFromGlobal(place))
    assert first.textCursor().selectedText().strip() == "question"
    assert not text.textCursor().hasSelection()


def test_a_click_ends_the_selection(transcript):
    first, text, *_, second = three_messages(transcript)
    drag(first, place_of(first, "question"), place_of(second, "second", at_end=True))
    QTest.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    assert not any(pane.textCursor().hasSelection() for pane in panes(transcript))


def test_a_click_beside_the_messages_ends_the_selection(transcript):
    first, *_, second = three_messages(transcript)
    drag(first, place_of(first, "question"), place_of(second, "second", at_end=True))
    QTest.mouseClick(transcript.windowHandle(), Qt.MouseButton.LeftButton, pos=QPoint(4, 4))
    assert not any(pane.textCursor().hasSelection() for pane in panes(transcript))


def test_a_selection_survives_scrolling_away_and_back(transcript):
    add_many(transcript, 60)
    bar = transcript.verticalScrollBar()
    bar.setValue(0)
    settle()
    first, second = list(panes(transcript))[:2]
    drag(first, place_of(first, "question"), place_of(second, "answer", at_end=True))
    bar.setValue(bar.maximum())
    settle()
    assert not any(pane.textCursor().hasSelection() for pane in panes(transcript))
    bar.setValue(0)
    settle()
    first, second = list(panes(transcript))[:2]
    assert first.textCursor().selectedText() == "question 0"
    assert second.textCursor().selectedText() == "answer"
    assert copy(first) == "question 0\n\nanswer"


def test_dragging_below_the_edge_scrolls(transcript):
    add_many(transcript, 60)
    bar = transcript.verticalScrollBar()
    bar.setValue(0)
    settle()
    first = next(panes(transcript))
    edge = transcript.viewport().mapToGlobal(QPoint(100, transcript.viewport().height() + 60))
    drag(first, place_of(first, "question"), edge)
    assert bar.value() > 0
    assert "question 0\n\n" in copy(next(panes(transcript)))


def press(pane: TextPane, key: Qt.Key, times: int = 1, *, ctrl: bool = False) -> None:
    modifiers = Qt.KeyboardModifier.ShiftModifier
    if ctrl:
        modifiers |= Qt.KeyboardModifier.ControlModifier
    for _ in range(times):
        QTest.keyClick(pane, key, modifiers)
    settle()


def test_the_keyboard_selects_over_the_edge_of_a_row_and_back(transcript):
    first, text, code, *_ = three_messages(transcript)
    QTest.mouseClick(
        first.viewport(), Qt.MouseButton.LeftButton, pos=first.viewport().mapFromGlobal(place_of(first, "here"))
    )
    press(first, Qt.Key.Key_Right, 5)
    assert first.textCursor().selectedText() == "here"
    press(first, Qt.Key.Key_Right, 4)
    assert text.textCursor().selectedText() == "some"
    assert copy(first) == "here\n\nsome"
    press(first, Qt.Key.Key_Right, 3, ctrl=True)
    assert text.textCursor().selectedText() == "some bold answer"
    press(first, Qt.Key.Key_Down, 2)
    assert code.textCursor().selectedText() == "x = 1"
    press(first, Qt.Key.Key_Up, 4)
    assert not code.textCursor().hasSelection()
    assert not text.textCursor().hasSelection()


def test_the_keyboard_selects_on_into_rows_that_come_into_view(transcript):
    add_many(transcript, 60)
    transcript.verticalScrollBar().setValue(0)
    settle()
    first = next(panes(transcript))
    QTest.mouseClick(first.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(3, 10))
    for _ in range(80):
        focused = transcript.window().focusWidget()
        QTest.keyClick(focused, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    settle()
    assert transcript.verticalScrollBar().value() > 0


def test_everything_is_selected_at_once_and_copied_as_its_source(transcript):
    add_many(transcript, 60)
    add(transcript, "end", "- last\n- *item*")
    settle()
    pane = list(panes(transcript))[-1]
    QTest.keyClick(pane, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert all(pane.selected_text() for pane in panes(transcript))
    copied = copy(pane)
    sources = [transcript.message_source(f"m{number}") for number in range(60)]
    assert copied == "\n\n".join([*sources, "- last\n- *item*"])
    transcript.verticalScrollBar().setValue(0)
    settle()
    assert all(pane.selected_text() for pane in panes(transcript)), "rows that come into view are selected too"
    assert sum(message.is_open for message in transcript._model.messages) < 40, "and the rest is not laid out for it"
    QTest.mouseClick(next(panes(transcript)).viewport(), Qt.MouseButton.LeftButton, pos=QPoint(3, 10))
    assert not any(pane.selected_text() for pane in panes(transcript))


def test_the_transcript_itself_selects_and_copies_everything(transcript):
    three_messages(transcript)
    transcript.setFocus()
    QGuiApplication.clipboard().clear()
    QTest.keyClick(transcript, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(transcript, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().startswith("first question here\n\nsome **bold** answer\n\n```python")


def test_a_conversation_is_copied_as_markdown(transcript):
    add(transcript, "u", "what?", role="user")
    transcript.append_message(MessageView("a", "assistant", "acme/large"))
    blocks = (BlockView("thinking", "hm"), BlockView("text", "so:\n\n```py\nx = `1`\n"))
    transcript.replace_message("a", blocks)
    add(transcript, "n", "a notice", role="notice")
    add(transcript, "v", "~~~ is open", role="user")
    expected = "## You\n\nwhat?\n\n## acme/large\n\nso:\n\n```py\nx = `1`\n```\n\n## You\n\n~~~ is open\n~~~\n"
    assert transcript.markdown() == expected


def test_what_is_attached_stands_by_its_name_in_a_copied_conversation(transcript):
    transcript.append_message(MessageView("u", "user", "You"))
    photo = AttachmentView("1", "image", "a photo.png", "PNG · 12 kB")
    tricky = AttachmentView("2", "file", "x`](javascript:1)\n# y.txt", "")
    views = (BlockView("attachment", "", attachment=photo), BlockView("attachment", "", attachment=tricky))
    transcript.replace_message("u", (*views, BlockView("text", "what is this?")))
    transcript.append_message(MessageView("a", "assistant", "acme/large"))
    transcript.replace_message("a", (BlockView("text", "This:"), BlockView("attachment", "", attachment=photo)))
    settle()
    said = "- `a photo.png` (PNG · 12 kB)\n- `` x`](javascript:1) # y.txt ``\n\nwhat is this?"
    answer = "This:\n\n- `a photo.png` (PNG · 12 kB)"
    assert transcript.markdown() == f"## You\n\n{said}\n\n## acme/large\n\n{answer}\n"
    assert transcript.message_source("u") == "what is this?"
    head = next(head for head in transcript.findChildren(HeadWidget) if head.row and head.row.message.view.key == "a")
    head._copy.click()
    assert QGuiApplication.clipboard().text() == answer


def test_a_formula_is_copied_and_read_aloud_as_its_source(transcript, qtbot):
    QAccessible.setActive(True)
    try:
        add(transcript, "a", "so $x^2$ it is")
        settle()
        (pane,) = panes(transcript)
        qtbot.waitUntil(lambda: "\ufffc" in pane.toPlainText(), timeout=40_000)
        pane.selectAll()
        assert copy(pane) == "so $x^2$ it is"
        assert pane.createMimeDataFromSelection().text() == "so $x^2$ it is"
        qtbot.waitUntil(lambda: pane.accessibleDescription() == "so $x^2$ it is", timeout=10_000)
    finally:
        QAccessible.setActive(False)
