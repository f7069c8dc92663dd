"""The find bar: what it asks for, what it says, and where it stands."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from agdesk.ui.theme import apply_theme
from agdesk.ui.widgets.find_bar import FindBar


@pytest.fixture
def surface(qapp, qtbot) -> QWidget:
    apply_theme(qapp, "light")
    surface = QWidget()
    qtbot.addWidget(surface)
    surface.resize(700, 400)
    surface.show()
    surface.activateWindow()
    QApplication.processEvents()
    return surface


@pytest.fixture
def bar(surface) -> FindBar:
    bar = FindBar(surface)
    bar.open()
    QApplication.processEvents()
    return bar


def test_it_stands_at_the_upper_right_and_stays_there(surface, bar):
    for width in (700, 1100, 260):
        surface.resize(width, 400)
        QApplication.processEvents()
        assert bar.geometry().top() < 20
        assert width - 40 < bar.geometry().right() < width
        assert bar.geometry().left() >= 0


def test_what_is_typed_is_searched_and_enter_steps(bar):
    searched, steps = [], []
    bar.search_changed.connect(lambda text, is_case: searched.append((text, is_case)))
    bar.step_wanted.connect(steps.append)
    assert bar.field.hasFocus()
    QTest.keyClicks(bar.field, "wo")
    QTest.keyClick(bar.field, Qt.Key.Key_Return)
    QTest.keyClick(bar.field, Qt.Key.Key_Enter, Qt.KeyboardModifier.ShiftModifier)
    bar.case.click()
    bar.show_count(1, 3, progress=1.0)
    bar.next.click()
    bar.previous.click()
    assert searched == [("w", False), ("wo", False), ("wo", True)]
    assert steps == [1, -1, 1, -1]


@pytest.mark.parametrize("part", ["field", "case", "next", "close_button"])
def test_escape_closes_from_every_part(bar, part):
    closed = []
    bar.closed.connect(lambda: closed.append(True))
    bar.show_count(1, 3, progress=1.0)
    widget = getattr(bar, part)
    widget.setFocus()
    QTest.keyClick(widget, Qt.Key.Key_Escape)
    assert closed == [True]


@pytest.mark.parametrize(
    ("number", "total", "progress", "expected"),
    [
        (3, 17, 1.0, "3 of 17"),
        (3, 17, 0.4, "3 of 17 · 40%"),
        (0, 17, 0.4, "– of 17 · 40%"),
        (0, 0, 0.4, "Searching… 40%"),
        (0, 0, 1.0, "No matches"),
    ],
)
def test_it_says_how_far_it_is(bar, number, total, progress, expected):
    bar.field.setText("x")
    bar.show_count(number, total, progress=progress)
    assert bar.count.text() == expected
    assert bar.next.isEnabled() == bar.previous.isEnabled() == (total > 0)
    bar.field.clear()
    bar.show_count(0, 0, progress=1.0)
    assert bar.count.text() == ""


def test_opening_it_again_selects_what_was_searched_for(bar):
    bar.field.setText("word")
    bar.hide()
    bar.open()
    assert bar.field.selectedText() == "word"
