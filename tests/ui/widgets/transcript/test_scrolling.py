"""CHAT10, PERF3: only what is on the screen exists, what is looked at stands still, the end is followed on demand."""

import gc
import random
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from agdesk.ui.widgets.markdown import SafeDocument
from agdesk.ui.widgets.transcript import BlockView, MessageView, ScrollPlace, VirtualTranscript
from agdesk.ui.widgets.transcript.documents import CAPACITY
from tests.ui.widgets.transcript.pages import add, add_many, begin, panes, settle, shown_text, top_of, widgets


def jump_button(transcript: VirtualTranscript) -> QPushButton:
    (button,) = transcript.findChildren(QPushButton)
    return button


def turn_wheel(transcript: VirtualTranscript, notches: int) -> None:
    """Over the middle of the transcript, where a document is."""
    QTest.wheelEvent(transcript.windowHandle(), QPointF(transcript.rect().center()), QPoint(0, 120 * notches))
    settle()


def test_of_ten_thousand_messages_only_the_visible_ones_are_laid_out(transcript):
    add_many(transcript, 10_000)
    assert transcript.document_count == len(list(panes(transcript)))
    assert len(widgets(transcript)) < 20
    assert "answer 9999" in shown_text(transcript)
    opened = [message for message in transcript._model.messages if message.is_open]
    assert len(opened) < 12


def test_documents_and_widgets_are_used_again(transcript):
    gc.collect()
    others = sum(type(found) is SafeDocument for found in gc.get_objects())  # of transcripts before this one
    add_many(transcript, 600)
    bar = transcript.verticalScrollBar()
    for _ in range(400):
        bar.setValue(bar.value() - 300)
        settle()
    assert transcript.document_count <= CAPACITY + 20
    made = [widget for widget in transcript.viewport().children() if hasattr(widget, "row")]
    assert len(made) < 40
    alive = [found for found in gc.get_objects() if type(found) is SafeDocument]
    assert len(alive) - others < CAPACITY + 20 + len(made), "PySide never lets go of a document that a widget was given"
    documents = {id(pane.document()) for pane in panes(transcript)}
    assert len(documents) == len(list(panes(transcript)))
    assert all(isinstance(pane.document(), SafeDocument) for pane in panes(transcript))


def test_the_end_stays_in_view_while_it_is_in_view(transcript):
    add_many(transcript, 20)
    begin(transcript)
    for number in range(60):
        transcript.append_text("live", 0, f"paragraph {number}\n\n")
        settle()
        assert f"paragraph {number}" in shown_text(transcript)
    assert transcript.is_following
    assert not jump_button(transcript).isVisible()


def test_what_is_read_stands_still_while_the_end_grows(transcript):
    add_many(transcript, 20)
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    settle()
    before = [(widget.y(), widget.pane.toPlainText()) for widget in widgets(transcript) if widget.pane]
    begin(transcript)
    for number in range(60):
        transcript.append_text("live", 0, f"paragraph {number}\n\n")
        settle()
    assert [(widget.y(), widget.pane.toPlainText()) for widget in widgets(transcript) if widget.pane] == before
    assert not transcript.is_following
    assert jump_button(transcript).isVisible()


def test_the_button_leads_to_the_latest_and_stays_there(qtbot, transcript):
    add_many(transcript, 20)
    transcript.verticalScrollBar().setValue(0)
    settle()
    qtbot.mouseClick(jump_button(transcript), Qt.MouseButton.LeftButton)
    settle()
    assert "answer 19" in shown_text(transcript)
    assert not jump_button(transcript).isVisible()
    add(transcript, "new", "the newest")
    settle()
    assert "the newest" in shown_text(transcript)


def test_scrolling_back_to_the_end_follows_again(transcript):
    add_many(transcript, 20)
    turn_wheel(transcript, 3)
    assert not transcript.is_following
    turn_wheel(transcript, -40)
    assert transcript.is_following
    assert not jump_button(transcript).isVisible()


def test_keys_scroll(qtbot, transcript):
    add_many(transcript, 30)
    transcript.setFocus()
    bar = transcript.verticalScrollBar()
    qtbot.keyClick(transcript, Qt.Key.Key_Home)
    settle()
    assert bar.value() == 0
    assert "question 0" in shown_text(transcript)
    for key, is_down in (
        (Qt.Key.Key_PageDown, True),
        (Qt.Key.Key_Down, True),
        (Qt.Key.Key_Space, True),
        (Qt.Key.Key_Up, False),
        (Qt.Key.Key_PageUp, False),
    ):
        before = bar.value()
        qtbot.keyClick(transcript, key)
        settle()
        assert (bar.value() > before) == is_down, key
    qtbot.keyClick(transcript, Qt.Key.Key_End)
    settle()
    assert transcript.is_following
    assert "answer 29" in shown_text(transcript)


def test_keys_scroll_while_the_focus_is_in_a_message(qtbot, transcript):
    add_many(transcript, 30)
    pane = list(panes(transcript))[-1]
    pane.setFocus()
    before = transcript.verticalScrollBar().value()
    qtbot.keyClick(pane, Qt.Key.Key_PageUp)
    settle()
    assert transcript.verticalScrollBar().value() < before


def test_the_focus_goes_to_the_transcript_when_its_message_scrolls_away(qtbot, transcript):
    add_many(transcript, 30)
    list(panes(transcript))[-1].setFocus()
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Home)
    settle()
    assert transcript.hasFocus()


def test_small_steps_move_everything_by_the_step(transcript):
    """Even where heights were only estimated before."""
    add_many(transcript, 200)
    bar = transcript.verticalScrollBar()
    for _ in range(150):
        tops = {widget.pane.toPlainText(): widget.y() for widget in widgets(transcript) if widget.pane}
        bar.setValue(bar.value() - 37)
        settle()
        moved = {
            widget.pane.toPlainText(): widget.y() - tops[widget.pane.toPlainText()]
            for widget in widgets(transcript)
            if widget.pane and widget.pane.toPlainText() in tops
        }
        assert set(moved.values()) == {37}


def test_rows_never_overlap_and_leave_no_gap(transcript):
    add_many(transcript, 300)
    chance = random.Random(5)
    bar = transcript.verticalScrollBar()
    for _ in range(60):
        bar.setValue(chance.randrange(bar.maximum()) if chance.random() < 0.5 else bar.value() - chance.randrange(500))
        settle()
        shown = widgets(transcript)
        for above, below in pairwise(shown):
            assert below.y() == above.y() + above.height()
        assert shown[0].y() <= 0
        assert shown[-1].geometry().bottom() >= transcript.viewport().height() - 30
        assert bar.value() == transcript._model.top(shown[0].row) - shown[0].y()


def test_the_start_and_the_end_are_reached_exactly(transcript):
    add_many(transcript, 100)
    bar = transcript.verticalScrollBar()
    for _ in range(3):
        bar.setValue(0)
        settle()
        assert bar.value() == 0
        assert widgets(transcript)[0].y() == 0
        bar.setValue(bar.maximum())
        settle()
        assert bar.value() == bar.maximum()
        assert "answer 99" in shown_text(transcript)


def test_a_few_messages_start_at_the_top(transcript):
    add(transcript, "u", "hello", role="user")
    settle()
    assert widgets(transcript)[0].y() == 0
    assert transcript.verticalScrollBar().maximum() == 0
    assert transcript.is_following


@pytest.mark.parametrize("width", [500, 1200])
def test_a_new_width_keeps_the_first_visible_row_at_its_place(transcript, width):
    add_many(transcript, 60)
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    settle()
    first = next(widget for widget in widgets(transcript) if widget.pane and widget.y() >= 0)
    assert first.pane is not None
    # scrolled so that the row begins at the top of the viewport
    bar.setValue(bar.value() + first.y())
    settle()
    text = first.pane.toPlainText()
    assert top_of(transcript, text) == 0
    transcript.resize(width, transcript.height())
    settle()
    assert top_of(transcript, text) == 0


def test_a_new_width_keeps_the_part_of_a_long_row_that_is_read(transcript):
    add(transcript, "m", "".join(f"sentence number {number} of a long paragraph. " for number in range(90)))
    add_many(transcript, 10)
    bar = transcript.verticalScrollBar()
    bar.setValue(300)
    settle()
    (_, pane) = next((widget, widget.pane) for widget in widgets(transcript) if widget.pane)
    share = -pane.parentWidget().y() / pane.parentWidget().height()
    transcript.resize(420, 500)
    settle()
    (widget, _) = next((widget, widget.pane) for widget in widgets(transcript) if widget.pane)
    assert -widget.y() / widget.height() == pytest.approx(share, abs=0.02)


def test_a_very_long_stored_message_is_cut_in_slices_while_it_is_shown(transcript):
    text = "".join(f"paragraph {number}\n\n" for number in range(20_000))
    transcript.append_message(MessageView("m", "assistant", "model"))
    transcript.replace_message("m", (BlockView("text", text),))
    QApplication.processEvents()
    assert not transcript._model.message("m").is_cut, "the first screen does not wait for the end of the text"
    while not transcript._model.message("m").is_cut:
        QApplication.processEvents()
    settle()
    assert "paragraph 19999" in shown_text(transcript)
    assert transcript.document_count < 10


def test_a_message_that_grows_out_of_sight_costs_no_documents(transcript):
    add_many(transcript, 30)
    transcript.verticalScrollBar().setValue(0)
    settle()
    before = transcript.document_count
    begin(transcript)
    for number in range(500):
        transcript.append_text("live", 0, f"paragraph {number}\n\n" * 3)
        settle()
    assert transcript.document_count == before
    transcript.jump_to_latest()
    settle()
    assert "paragraph 499" in shown_text(transcript)


def test_code_that_grows_is_followed_over_its_segments(transcript):
    begin(transcript)
    transcript.append_text("live", 0, "```python\n")
    for number in range(300):
        transcript.append_text("live", 0, f"value_{number} = {number}\n")
        settle()
    assert "value_299 = 299" in shown_text(transcript)
    transcript.append_text("live", 0, "```\nafter")
    transcript.end_block("live", 0)
    settle()
    assert shown_text(transcript).endswith("value_299 = 299\nafter")


def test_a_place_is_found_again_by_another_transcript_of_the_same_messages(transcript, qtbot):
    add_many(transcript, 200)
    settle()
    transcript.verticalScrollBar().setValue(transcript.verticalScrollBar().maximum() // 2)
    settle()
    place, text = transcript.place(), shown_text(transcript)
    assert place is not None

    other = VirtualTranscript()
    qtbot.addWidget(other)
    add_many(other, 200)
    other.show_place(place)  # before there is a screen
    other.resize(transcript.size())
    other.show()
    settle()
    assert other.place() == place
    assert shown_text(other) == text
    assert not other.is_following


def test_the_place_at_the_end_is_the_end_and_a_place_that_is_gone_too(transcript):
    add_many(transcript, 50)
    settle()
    assert transcript.place() is None
    transcript.show_place(ScrollPlace("gone", 0, 0))
    assert transcript.is_following


def test_what_follows_a_message_is_removed_and_what_stays_does_not_move(transcript):
    add_many(transcript, 40)
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.value() - 700)
    settle()
    before = transcript.place()
    transcript.drop_after("m37")
    add(transcript, "other", "another branch\n\n" + "text " * 900)
    settle()
    assert transcript.place() == before
    assert "another branch" in "\n".join(transcript.message_source(key) for key in ("m37", "other"))
    with pytest.raises(KeyError):
        transcript.message_source("m38")


def test_a_transcript_that_was_emptied_follows_the_end_again(transcript):
    add_many(transcript, 40)
    transcript.verticalScrollBar().setValue(0)
    transcript.drop_after(None)
    add_many(transcript, 30)
    assert transcript.is_following
    assert "answer 29" in shown_text(transcript)


def test_no_button_leads_to_the_end_that_is_on_the_screen(transcript):
    add_many(transcript, 2)
    transcript.show_place(ScrollPlace("m0", 0, 0))
    settle()
    assert jump_button(transcript).isHidden()


def test_the_end_that_came_into_view_by_what_went_stays_in_view(transcript):
    add_many(transcript, 2)
    transcript.drop_after("m0")
    add(transcript, "other", "another branch")
    settle()
    assert transcript.is_following
    add(transcript, "long", "text " * 900 + "end of it")
    settle()
    assert "end of it" in shown_text(transcript)
