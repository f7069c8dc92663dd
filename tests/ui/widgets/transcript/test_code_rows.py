"""CHAT2: code blocks: language, Copy, wrapped or not, numbered or not."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel

from agdesk.ui.widgets.code_look import CodeLook
from agdesk.ui.widgets.icon_button import IconButton
from agdesk.ui.widgets.transcript import VirtualTranscript
from agdesk.ui.widgets.transcript.code_row import CodeWidget
from agdesk.ui.widgets.transcript.document_rows import TextWidget
from tests.ui.widgets.transcript.pages import add, begin, settle, widgets

LONG = "x = " + "'a long line' + " * 30 + "''"
NUMBERED = CodeLook(has_numbers=True)


def code_widgets(transcript: VirtualTranscript) -> list[CodeWidget]:
    return [widget for widget in widgets(transcript) if isinstance(widget, CodeWidget)]


def button(widget: CodeWidget, name: str) -> IconButton:
    (found,) = [button for button in widget.findChildren(IconButton) if button.accessibleName() == name]
    return found


def has_bar(widget: CodeWidget) -> bool:
    return widget.pane.horizontalScrollBar().maximum() > 0


def test_long_lines_are_wrapped_until_the_block_is_told_otherwise(transcript):
    add(transcript, "m", f"```python\n{LONG}\ny = 2\n```\n\n```sh\n{LONG}\n```")
    settle()
    first, second = code_widgets(transcript)
    assert not has_bar(first) and not has_bar(second)
    wrapped = first.height()
    wrap = button(first, "Wrap long lines")
    assert wrap.isChecked()
    wrap.click()
    settle()
    assert has_bar(first) and not has_bar(second), "only this block"
    assert first.height() < wrapped
    assert first.pane.horizontalScrollBar().isVisible()
    wrap.click()
    settle()
    assert not has_bar(first)
    assert first.height() == wrapped


def test_the_choice_for_a_block_outlasts_scrolling_and_the_setting(transcript):
    add(transcript, "m", f"```python\n{LONG}\n```\n\n```sh\n{LONG}\n```")
    settle()
    button(code_widgets(transcript)[0], "Wrap long lines").click()
    transcript.set_code_look(CodeLook(is_wrapped=False))
    settle()
    first, second = code_widgets(transcript)
    assert has_bar(first) and has_bar(second)
    transcript.set_code_look(CodeLook())
    add(transcript, "u", "line\n" * 200, role="user")
    settle()
    assert not code_widgets(transcript)
    transcript.verticalScrollBar().setValue(0)
    settle()
    first, second = code_widgets(transcript)
    assert has_bar(first) and not has_bar(second)


def test_the_parts_of_a_block_scroll_sideways_together(transcript):
    transcript.set_code_look(CodeLook(is_wrapped=False))
    transcript.resize(700, 4000)
    add(transcript, "m", "```python\n" + f"{LONG}\n" * 40 + "```")
    settle()
    first, second, *_ = code_widgets(transcript)
    bar = first.pane.horizontalScrollBar()
    bar.setValue(bar.maximum() // 2)
    assert second.pane.horizontalScrollBar().value() == bar.value() > 0
    wheel = QWheelEvent(
        QPointF(5, 5),
        QPointF(first.pane.mapToGlobal(QPoint(5, 5))),
        QPoint(),
        QPoint(-120, 0),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    before = bar.value()
    QApplication.sendEvent(first.pane.viewport(), wheel)
    assert bar.value() > before
    assert second.pane.horizontalScrollBar().value() == bar.value()


def dark_rows(widget: CodeWidget) -> int:
    """How many runs of pixel rows left of the code have something painted on them."""
    image = widget.grab().toImage()
    ground = image.pixelColor(6, image.height() - 20)
    left, right = 8, widget.pane.x() - 4
    painted = [
        any(image.pixelColor(x, y) != ground for x in range(left, right)) for y in range(40, image.height() - 16)
    ]
    return sum(now and not before for before, now in zip([False, *painted], painted, strict=False))


def test_line_numbers_stand_beside_every_line_and_are_not_copied(transcript):
    code = "a = 1\n\nb = 2\nc = 3"
    add(transcript, "m", f"```python\n{code}\n```")
    settle()
    (widget,) = code_widgets(transcript)
    assert dark_rows(widget) == 0
    transcript.set_code_look(NUMBERED)
    settle()
    (widget,) = code_widgets(transcript)
    assert dark_rows(widget) == 4, "the empty line has one too"
    button(widget, "Copy code").click()
    assert QGuiApplication.clipboard().text() == code
    widget.pane.selectAll()
    assert widget.pane.selected_text() == code
    transcript.set_code_look(CodeLook())
    settle()
    (widget,) = code_widgets(transcript)
    assert dark_rows(widget) == 0


def test_line_numbers_go_on_from_part_to_part_of_a_block(transcript):
    transcript.set_code_look(NUMBERED)
    add(transcript, "m", "```\n" + "".join(f"line {number}\n" for number in range(1, 501)) + "```")
    settle()
    message = transcript._model.message("m")
    while not message.is_cut:
        QApplication.processEvents()
    segments = [row.segment for row in message.rows if hasattr(row, "segment")]
    assert len(segments) > 2
    for segment in segments:
        assert segment.text.startswith(f"line {segment.first_line + 1}\n")


def test_a_line_cut_in_two_is_numbered_once(transcript):
    add(transcript, "m", "```\n" + "x" * 10_000 + "\nsecond\n```")
    settle()
    segments = [row.segment for row in transcript._model.message("m").rows if hasattr(row, "segment")]
    assert [(segment.first_line, segment.is_continued) for segment in segments] == [
        (0, False),
        *[(0, True)] * (len(segments) - 1),
    ]


def test_numbers_grow_with_code_that_streams(transcript):
    transcript.set_code_look(NUMBERED)
    begin(transcript)
    for number in range(1, 4):
        transcript.append_text("live", 0, "```\n" if number == 1 else "")
        transcript.append_text("live", 0, f"line {number}\n")
        transcript.refresh()
    settle()
    (widget,) = code_widgets(transcript)
    assert dark_rows(widget) == 3


def test_a_diagram_is_shown_as_its_source_with_copy(transcript):
    add(transcript, "m", "```mermaid\ngraph TD\n  A --> B\n```")
    settle()
    (widget,) = code_widgets(transcript)
    assert widget.pane.toPlainText() == "graph TD\n  A --> B"
    button(widget, "Copy code").click()
    assert QGuiApplication.clipboard().text() == "graph TD\n  A --> B"
    assert "mermaid" in [label.text() for label in widget.findChildren(QLabel)]


@pytest.mark.parametrize("size", [1, 7, 4000])
def test_what_comes_after_two_megabytes_is_shown_as_it_came_with_a_notice(transcript, monkeypatch, size):
    monkeypatch.setattr("agdesk.ui.widgets.markdown.splitter.RAW_CHARS", 100)
    text = "**bold** words\n" * 8 + "# no *heading*\n\n```py\nx\n```\n- end"
    transcript.append_message(_view())
    transcript.begin_block("live", 0, "text")
    for start in range(0, len(text), size):
        transcript.append_text("live", 0, text[start : start + size])
    transcript.end_block("live", 0)
    settle()
    (text_widget,) = [widget for widget in widgets(transcript) if isinstance(widget, TextWidget)]
    (raw,) = code_widgets(transcript)
    assert text_widget.pane.toPlainText() == " ".join(["bold words"] * 7)
    assert raw.pane.toPlainText() == text[15 * 7 :]
    assert "Beyond 2 MB: shown as it came" in [label.text() for label in raw.findChildren(QLabel)]
    raw_button = button(raw, "Copy code")
    raw_button.click()
    assert QGuiApplication.clipboard().text() == text[15 * 7 :]


def _view():
    from agdesk.ui.widgets.transcript import MessageView

    return MessageView("live", "assistant", "model")
