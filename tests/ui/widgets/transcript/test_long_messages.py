"""CHAT10, PERF3: a message too long to be cut at once is never blank, and places in it are found and kept."""

import re

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel

from agdesk.ui.widgets.transcript import BlockView, MessageView, ScrollPlace, VirtualTranscript
from agdesk.ui.widgets.transcript.line_rows import LineWidget
from tests.ui.widgets.transcript.pages import add, settle, shown_text, widgets

PARAGRAPHS = 120
TEXT = "\n\n".join(f"paragraph {number}: " + f"some words of {number}, " * 120 for number in range(PARAGRAPHS))


@pytest.fixture(autouse=True)
def small_limits(monkeypatch):
    monkeypatch.setattr("agdesk.ui.widgets.transcript.message.CUT_AT_ONCE_CHARS", 16_384)
    monkeypatch.setattr("agdesk.ui.widgets.transcript.scroller.CUT_SLICE_CHARS", 4096)


def says_loading(transcript: VirtualTranscript) -> bool:
    """Whether the first line of such a label is on the screen."""
    for widget in widgets(transcript):
        for label in widget.findChildren(QLabel) if isinstance(widget, LineWidget) else ():
            top = label.mapTo(transcript.viewport(), QPoint(0, 0)).y()
            if label.text() == "Loading…" and 0 <= top < transcript.viewport().height() - label.fontMetrics().height():
                return True
    return False


def is_cut(transcript: VirtualTranscript) -> bool:
    return transcript._model.message("m").is_cut


def cut_step(transcript: VirtualTranscript) -> None:
    QApplication.processEvents()
    assert shown_text(transcript).strip() or says_loading(transcript), "blank"


def numbers_shown(transcript: VirtualTranscript) -> list[int]:
    return [int(number) for number in re.findall(r"some words of (\d+)", shown_text(transcript))]


def open_at(place: ScrollPlace, qtbot, like: VirtualTranscript) -> VirtualTranscript:
    other = VirtualTranscript()
    qtbot.addWidget(other)
    add(other, "m", TEXT)
    other.show_place(place)  # before there is a screen
    other.resize(like.size())
    other.show()
    QApplication.processEvents()
    return other


@pytest.fixture
def place(transcript) -> ScrollPlace:
    """In the middle of the message, found in a transcript that shows it."""
    add(transcript, "m", TEXT)
    while not is_cut(transcript):
        QApplication.processEvents()
    settle()
    transcript.verticalScrollBar().setValue(transcript.verticalScrollBar().maximum() // 2)
    settle()
    place = transcript.place()
    assert place is not None
    return place


def test_a_line_that_comes_faster_than_it_is_cut_is_never_blank(transcript):
    transcript.append_message(MessageView("m", "assistant", "model"))
    transcript.begin_block("m", 0, "text")
    for _ in range(30):
        transcript.append_text("m", 0, "x" * 20_000)
        transcript.refresh()
        assert says_loading(transcript)
    transcript.append_text("m", 0, "the end")
    transcript.end_block("m", 0)
    transcript.replace_message("m", (BlockView("text", "x" * 600_000 + "the end"),))
    transcript.finish_message("m")
    while not is_cut(transcript):
        cut_step(transcript)
    settle()
    assert shown_text(transcript).endswith("the end")
    assert transcript.is_following


def test_a_place_that_is_not_cut_yet_is_waited_for(transcript, place, qtbot):
    text = shown_text(transcript)
    other = open_at(place, qtbot, transcript)
    assert says_loading(other)
    assert other.place() == place, "who leaves now comes back to the same place"
    while says_loading(other):
        cut_step(other)
    settle()
    assert shown_text(other).startswith(text), "of which the last row may not be cut to its end yet"
    assert other.place() == place
    assert not other.is_following
    assert not is_cut(other), "what comes after it waits until it is in view"


@pytest.mark.parametrize("key", [Qt.Key.Key_Home, Qt.Key.Key_End])
def test_who_scrolls_does_not_wait_any_more(transcript, place, qtbot, key):
    other = open_at(place, qtbot, transcript)
    qtbot.keyClick(other, key)
    for _ in range(3 * PARAGRAPHS):
        cut_step(other)
    shown = numbers_shown(other)
    assert (0 if key == Qt.Key.Key_Home else PARAGRAPHS - 1) in shown
    assert other.is_following == (key == Qt.Key.Key_End)
    assert (other.place() is None) == (key == Qt.Key.Key_End)


def test_a_row_is_only_found_when_it_is_cut_to_its_end(transcript):
    add(transcript, "m", TEXT)
    model = transcript._model
    first = model.row_of(ScrollPlace("m", 0, 0))
    rows = model.message("m").rows
    *cut, newest, waiting = rows
    assert first is rows[0]
    assert [model.row_of(ScrollPlace("m", row.index, 0)) for row in cut] == cut
    for index in (newest.index, waiting.index, waiting.index + 50):
        assert model.row_of(ScrollPlace("m", index, 0)) is waiting
    while not is_cut(transcript):
        cut_step(transcript)
    last = model.message("m").rows[-1]
    assert model.row_of(ScrollPlace("m", last.index + 50, 0)) is last


def test_who_scrolls_into_text_that_is_not_cut_stays_there(transcript):
    add(transcript, "m", TEXT)
    QApplication.processEvents()
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    assert says_loading(transcript)
    while says_loading(transcript):
        cut_step(transcript)
    settle()
    shown = numbers_shown(transcript)
    assert PARAGRAPHS // 3 < min(shown) <= max(shown) < 2 * PARAGRAPHS // 3


def test_a_text_that_is_slow_to_cut_is_cut_in_shorter_slices(transcript, monkeypatch):
    monkeypatch.setattr("agdesk.ui.widgets.transcript.block.CUT_BUDGET_S", 0.0)
    add(transcript, "m", "```\nx\n```\n" * 1000)
    QApplication.processEvents()
    assert not is_cut(transcript)
    while not is_cut(transcript):
        cut_step(transcript)
    settle()
    assert len([row for row in transcript._model.message("m").rows if hasattr(row, "segment")]) >= 1000
