"""What a transcript shows: live and stored messages, thinking, errors, copying, themes."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QStackedWidget, QToolButton

from agdesk.ui.theme import apply_theme, current_theme
from agdesk.ui.widgets.transcript import BlockView, ErrorView, MessageView, VirtualTranscript
from agdesk.ui.widgets.transcript.end_rows import ErrorWidget
from agdesk.ui.widgets.transcript.head import HeadWidget
from agdesk.ui.widgets.transcript.line_rows import ThinkingWidget
from tests.ui.widgets.transcript.pages import MARKDOWN, add, add_many, begin, panes, settle, shown_text, widgets


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def button(transcript: VirtualTranscript, name: str) -> QAbstractButton:
    found = [
        part
        for widget in widgets(transcript)
        for part in widget.findChildren(QAbstractButton)
        if part.isVisible() and part.accessibleName() == name
    ]
    return found[0]


def picture(transcript: VirtualTranscript):
    settle()
    return transcript.viewport().grab().toImage()


@pytest.mark.parametrize("size", [1, 5, 40, 10_000])
def test_a_live_message_looks_like_the_stored_one(qtbot, transcript, size):
    """A stored turn paints what was painted live."""
    other = VirtualTranscript()
    qtbot.addWidget(other)
    other.resize(transcript.size())
    other.show()
    thought = "I *think*.\n\n- so\n"
    add(other, "u", "A question\nin two lines", role="user")
    other.append_message(MessageView("live", "assistant", "model"))
    other.replace_message("live", (BlockView("thinking", thought, 1.5), BlockView("text", MARKDOWN)))
    other.set_error("live", ErrorView("It broke", "their words", "try again"))
    other.set_footer("live", "Stopped by you")

    add(transcript, "u", "A question\nin two lines", role="user")
    transcript.append_message(MessageView("live", "assistant", "model"))
    for index, kind, text in ((0, "thinking", thought), (1, "text", MARKDOWN)):
        transcript.begin_block("live", index, kind)
        for start in range(0, len(text), size):
            transcript.append_text("live", index, text[start : start + size])
            QApplication.processEvents()
        transcript.end_block("live", index, duration_s=1.5 if kind == "thinking" else None)
    transcript.set_error("live", ErrorView("It broke", "their words", "try again"))
    transcript.set_footer("live", "Stopped by you")
    for view in (transcript, other):
        view.jump_to_latest()
        view.setFocus()
    assert picture(transcript) == picture(other)
    for view in (transcript, other):
        view.verticalScrollBar().setValue(0)
    assert picture(transcript) == picture(other)


def test_settling_a_live_message_with_what_it_has_changes_nothing_on_the_screen(transcript):
    begin(transcript)
    transcript.append_text("live", 0, MARKDOWN)
    transcript.end_block("live", 0)
    before = picture(transcript)
    documents = [pane.document() for pane in panes(transcript)]
    transcript.replace_message("live", (BlockView("text", MARKDOWN),))
    transcript.finish_message("live")
    assert picture(transcript) == before
    assert [pane.document() for pane in panes(transcript)] == documents


def test_settling_with_other_content_shows_that(transcript):
    begin(transcript)
    transcript.append_text("live", 0, "what came over the wire")
    settle()
    transcript.replace_message("live", (BlockView("text", "what it settled to"),))
    settle()
    assert shown_text(transcript) == "what it settled to"


def test_a_users_message_is_shown_as_typed(transcript):
    add(transcript, "u", "  **not bold**\n<b>&amp;</b>\t\n# no heading", role="user")
    settle()
    assert shown_text(transcript) == "  **not bold**\n<b>&amp;</b>\t\n# no heading"


def test_a_notice_is_a_line_between_messages(transcript):
    add(transcript, "n", "<b>Compacted</b>", role="notice")
    settle()
    (widget,) = widgets(transcript)
    (label,) = widget.findChildren(QLabel)
    assert label.text() == "<b>Compacted</b>"
    assert label.textFormat() == Qt.TextFormat.PlainText


def test_an_error_stands_below_the_text_and_never_instead_of_it(transcript):
    begin(transcript)
    transcript.append_text("live", 0, "what did arrive")
    transcript.set_error("live", ErrorView("<i>anthropic</i> is overloaded", "Overloaded", "Wait and retry"))
    settle()
    kinds = [type(widget).__name__ for widget in widgets(transcript)]
    assert kinds == ["HeadWidget", "TextWidget", "ErrorWidget"]
    assert shown_text(transcript) == "what did arrive"
    (error,) = transcript.findChildren(ErrorWidget)
    labels = [label for label in error.findChildren(QLabel) if label.text()]
    assert [label.text() for label in labels] == ["<i>anthropic</i> is overloaded", "Overloaded", "Wait and retry"]
    assert {label.textFormat() for label in labels} == {Qt.TextFormat.PlainText}
    transcript.set_error("live", None)
    settle()
    assert [type(widget).__name__ for widget in widgets(transcript)] == ["HeadWidget", "TextWidget"]


def test_thinking_is_folded_to_a_line_with_its_duration(qtbot, transcript):
    transcript.append_message(MessageView("live", "assistant", "model"))
    transcript.begin_block("live", 0, "thinking")
    transcript.append_text("live", 0, "the thought")
    settle()
    (thinking,) = transcript.findChildren(ThinkingWidget)
    (line,) = thinking.findChildren(QToolButton)
    assert line.text() == "Thinking…"
    transcript.end_block("live", 0, duration_s=3.24)
    transcript.begin_block("live", 1, "text")
    transcript.append_text("live", 1, "the answer")
    settle()
    assert line.text() == line.accessibleName() == "Thought for 3.2\u202fs"
    assert shown_text(transcript) == "the answer"


def test_thinking_is_unfolded_and_folded_by_mouse_and_keyboard(qtbot, transcript):
    transcript.append_message(MessageView("live", "assistant", "model"))
    transcript.replace_message("live", (BlockView("thinking", "the thought", 1.0), BlockView("text", "the answer")))
    settle()
    line = button(transcript, "Thought for 1.0\u202fs")
    place = line.mapTo(transcript, QPoint(0, 0))
    qtbot.mouseClick(line, Qt.MouseButton.LeftButton)
    settle()
    assert shown_text(transcript) == "the thought\nthe answer"
    assert line.isChecked()
    assert line.mapTo(transcript, QPoint(0, 0)) == place, "what was clicked stays under the mouse"
    line.setFocus()
    qtbot.keyClick(line, Qt.Key.Key_Space)
    settle()
    assert shown_text(transcript) == "the answer"
    assert not line.isChecked()


def test_unfolding_at_the_end_does_not_move_the_line_away(qtbot, transcript):
    for number in range(10):
        add(transcript, f"m{number}", "text " * 60)
    transcript.append_message(MessageView("live", "assistant", "model"))
    transcript.replace_message(
        "live", (BlockView("thinking", "thought\n\n" * 40, 1.0), BlockView("text", "the answer"))
    )
    settle()
    assert transcript.is_following
    line = button(transcript, "Thought for 1.0\u202fs")
    place = line.mapTo(transcript, QPoint(0, 0))
    qtbot.mouseClick(line, Qt.MouseButton.LeftButton)
    settle()
    assert line.mapTo(transcript, QPoint(0, 0)) == place
    assert not transcript.is_following


def test_copy_on_a_message_copies_its_markdown(qtbot, transcript):
    transcript.append_message(MessageView("m", "assistant", "model"))
    transcript.replace_message(
        "m", (BlockView("thinking", "no"), BlockView("text", MARKDOWN), BlockView("text", "more"))
    )
    settle()
    transcript.verticalScrollBar().setValue(0)
    settle()
    (head,) = transcript.findChildren(HeadWidget)
    (copy,) = [one for one in head.findChildren(QToolButton) if one.accessibleName() == "Copy message"]
    qtbot.mouseClick(copy, Qt.MouseButton.LeftButton)
    assert transcript.message_source("m") == MARKDOWN + "\n\nmore"
    assert clipboard() == transcript.message_source("m")


def test_copy_on_code_copies_all_of_the_block(qtbot, transcript):
    code = "\n".join(f"line_{number} = {number}" for number in range(400))
    add(transcript, "m", f"before\n\n```python\n{code}\n```\nafter")
    settle()
    transcript.verticalScrollBar().setValue(0)
    settle()
    qtbot.mouseClick(button(transcript, "Copy code"), Qt.MouseButton.LeftButton)
    assert clipboard() == code


def test_code_shows_its_language(transcript):
    add(transcript, "m", "```rust\nfn main() {}\n```\n\n```\nplain\n```")
    settle()
    texts = {label.text() for widget in widgets(transcript) for label in widget.findChildren(QLabel)}
    assert {"rust", "code"} <= texts


def test_the_menu_of_a_message_copies_message_and_link(qtbot, transcript):
    add(transcript, "m", "see [the page](https://e.example/x) now")
    settle()
    (_, widget) = widgets(transcript)
    pane = widget.pane
    assert pane is not None
    cursor = pane.document().find("page")
    menu = transcript._make_menu(widget, pane.viewport().mapToGlobal(pane.cursorRect(cursor).center() - QPoint(4, 0)))
    actions = {action.text(): action for action in menu.actions()}
    assert not actions["Copy"].isEnabled()
    actions["Copy link address"].trigger()
    assert clipboard() == "https://e.example/x"
    actions["Copy message as Markdown"].trigger()
    assert clipboard() == "see [the page](https://e.example/x) now"


def test_a_change_of_theme_draws_what_is_shown_again(qapp, transcript):
    add(transcript, "u", "question", role="user")
    add(transcript, "m", MARKDOWN)
    light = picture(transcript)
    theme = apply_theme(qapp, "dark")
    dark = picture(transcript)
    middle = dark.pixelColor(dark.width() // 2, dark.height() - 3)
    assert middle == theme.color("surface")
    colors = {
        fragment.charFormat().foreground().color().name()
        for pane in panes(transcript)
        for fragment in fragments_of(pane.document())
        if fragment.charFormat().isAnchor()
    }
    assert colors == {theme.color("accent").name()}
    apply_theme(qapp, "light")
    assert picture(transcript) == light


def fragments_of(document):
    block = document.begin()
    while block.isValid():
        fragments = block.begin()
        while not fragments.atEnd():
            yield fragments.fragment()
            fragments += 1
        block = block.next()


def test_a_change_of_size_draws_what_is_shown_larger(qapp, transcript):
    add(transcript, "m", "one line of text")
    settle()
    (pane,) = panes(transcript)
    before = pane.height()
    apply_theme(qapp, "light", scale=2.0)
    settle()
    (pane,) = panes(transcript)
    assert pane.height() == pytest.approx(2 * before, abs=3)
    apply_theme(qapp, "light")


def test_a_late_definition_makes_the_link_that_came_before_it(transcript):
    begin(transcript)
    transcript.append_text("live", 0, "see [the page][1] here\n\nmore\n\n")
    settle()
    assert "[the page][1]" in shown_text(transcript)
    transcript.append_text("live", 0, "[1]: https://e.example/x\n")
    transcript.end_block("live", 0)
    settle()
    assert shown_text(transcript) == "see the page here\nmore"


def test_odd_characters_do_no_harm(transcript):
    text = "nul \0 surrogate \ud800 separators \u2028 \u2029 \ufdd0 bidi \u202eabc\u202c end"
    add(transcript, "u", text, role="user")
    transcript.append_message(MessageView("m", "assistant", text))
    transcript.replace_message(
        "m", (BlockView("thinking", text, 1.0), BlockView("text", f"{text}\n\n```\n{text}\n```"))
    )
    transcript.set_error("m", ErrorView(text, text, text))
    transcript.set_footer("m", text)
    settle()
    shown = shown_text(transcript)
    assert "nul \ufffd surrogate \ufffd separators" in shown
    assert "\u202eabc\u202c" in shown


def test_a_finished_answer_is_announced_once(monkeypatch, transcript):
    said: list[str] = []

    def update(event):
        if isinstance(event, QAccessibleAnnouncementEvent):
            said.append(event.message())

    monkeypatch.setattr(QAccessible, "updateAccessibility", update)
    begin(transcript)
    transcript.append_text("live", 0, "answer")
    transcript.end_block("live", 0)
    assert said == []
    transcript.finish_message("live")
    transcript.finish_message("live")
    assert said == ["model: the answer is complete"]
    add(transcript, "stored", "a stored answer")
    transcript.finish_message("stored")
    assert len(said) == 1
    begin(transcript, "failed")
    transcript.set_error("failed", ErrorView("It broke"))
    transcript.finish_message("failed")
    assert said[1:] == ["It broke"]


def test_clear_removes_everything(transcript):
    add(transcript, "m", MARKDOWN)
    settle()
    transcript.drop_after(None)
    settle()
    assert widgets(transcript) == []
    assert transcript.verticalScrollBar().maximum() == 0
    add(transcript, "m", "again")
    settle()
    assert shown_text(transcript) == "again"


def test_a_transcript_that_is_hidden_catches_up_when_it_is_shown(transcript):
    transcript.hide()
    begin(transcript)
    transcript.append_text("live", 0, "while it was hidden")
    settle()
    assert transcript.document_count == 0
    transcript.show()
    settle()
    assert shown_text(transcript) == "while it was hidden"


def test_widths_from_narrow_to_very_wide_break_nothing(transcript):
    add(transcript, "u", "w" * 300, role="user")
    add(transcript, "m", MARKDOWN + "\n\n" + "x" * 300 + "\n\n你好 مرحبا\n\n| a |\n|---|\n| " + "y" * 300 + " |\n")
    for width in (120, 900, 2560):
        transcript.resize(width, 700)
        settle()
        for widget in widgets(transcript):
            assert widget.x() >= 0
            assert widget.geometry().right() < transcript.viewport().width()
            if widget.pane is not None:
                assert widget.pane.document().size().width() <= widget.pane.width() + 1
    assert max(widget.width() for widget in widgets(transcript)) <= current_theme().metrics.text_column + 24


def test_a_message_that_was_there_before_the_transcript_is_shown_takes_the_place_it_needs(qtbot, transcript):
    """A stored conversation is drawn before its page is shown."""
    question = "A question that does not fit into a hundred pixels"
    stack = QStackedWidget()
    qtbot.addWidget(stack)
    stack.resize(transcript.size())
    stack.show()
    other = VirtualTranscript()
    for view in (other, transcript):
        add(view, "u", question, role="user")
    stack.addWidget(other)
    settle()
    heights = [[widget.height() for widget in widgets(view)] for view in (other, transcript)]
    assert heights[0] == heights[1]


def test_the_column_stands_still_when_the_scroll_bar_comes(transcript):
    add(transcript, "u", "A question", role="user")
    settle()
    before = [transcript.mapFromGlobal(widget.mapToGlobal(QPoint())).x() for widget in widgets(transcript)]
    width = widgets(transcript)[0].width()
    add_many(transcript, 20)
    assert transcript.verticalScrollBar().isVisible()
    after = {transcript.mapFromGlobal(widget.mapToGlobal(QPoint())).x() for widget in widgets(transcript)}
    assert after == set(before)
    assert widgets(transcript)[0].width() == width
