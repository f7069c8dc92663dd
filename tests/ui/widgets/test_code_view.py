"""The page of code: nothing hides in it, and nothing is too long for it."""

import asyncio

import pytest

from agdesk.ui.theme import apply_theme, current_theme
from agdesk.ui.widgets.code_view import CodeView
from agdesk.ui.widgets.hidden_characters import revealed
from agdesk.ui.widgets.json_highlighter import utf16_span


@pytest.fixture
def view(qapp, qtbot):
    apply_theme(qapp, "light")
    widget = CodeView("The page")
    qtbot.addWidget(widget)
    return widget


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("abc\u202edef", "abc‹U+202E›def"),
        ("zero\u200bwidth", "zero‹U+200B›width"),
        ("nul\0 esc\x1b", "nul‹U+0000› esc‹U+001B›"),
        ("line\r\n\tnext", "line‹U+000D›\n\tnext"),
        ("普通 ☕ текст", "普通 ☕ текст"),
    ],
)
def test_what_cannot_be_seen_stands_as_its_number(text, shown):
    assert revealed(text) == shown


async def test_a_long_text_comes_piece_by_piece_and_whole(qtbot, view):
    text = "\n".join(f"line {number}" for number in range(20_000))
    view.set_text(text)
    assert view.is_filling
    async with asyncio.timeout(10):
        while view.is_filling:
            await asyncio.sleep(0.005)
    assert view.toPlainText() == text


async def test_another_text_takes_the_place_of_one_that_is_still_coming(qtbot, view):
    view.set_text("x\n" * 100_000)
    view.set_text("short")
    await asyncio.sleep(0.02)
    assert view.toPlainText() == "short"
    assert not view.is_filling


def test_a_line_without_end_is_broken(view):
    view.set_text("a" * 5000)
    assert max(len(line) for line in view.toPlainText().splitlines()) == 2000
    assert view.toPlainText().replace("\n", "") == "a" * 5000


def test_json_is_coloured_and_other_text_is_not(view):
    def color_at(place):
        cursor = view.textCursor()
        cursor.setPosition(place)
        ranges = cursor.block().layout().formats()
        offset = place - cursor.block().position()
        return next(
            (r.format.foreground().color().name() for r in ranges if r.start <= offset < r.start + r.length), None
        )

    syntax = current_theme().syntax
    view.set_text('{\n  "key": "value",\n  "n": 12\n}')
    assert color_at(4) == syntax.type.lower()
    assert color_at(11) == syntax.string.lower()
    assert color_at(view.toPlainText().index("12")) == syntax.number.lower()
    view.set_text("first frame after 12 ms")
    assert color_at(18) is None


def test_spans_count_as_qt_counts():
    assert utf16_span("😀ab", 1, 2) == (2, 3)
    assert utf16_span("a😀b", 1, 2) == (1, 3)


def test_it_can_be_selected_and_not_written(view):
    view.set_text("read me")
    assert view.isReadOnly()
    view.selectAll()
    assert view.textCursor().selectedText() == "read me"
