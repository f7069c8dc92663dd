"""A number that need not be there."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox

from agdesk.ui.theme import apply_theme
from agdesk.ui.widgets.optional_number_box import OptionalNumberBox


@pytest.fixture
def make(qapp, qtbot):
    apply_theme(qapp, "light")

    def made(*, is_whole=False, low=0.0, high=2.0, step=0.1):
        box = OptionalNumberBox("Temperature", is_whole=is_whole)
        qtbot.addWidget(box)
        box.set_range(low, high, step)
        box.set_placeholder("Not sent")
        box.show()
        return box

    return made


def test_it_is_empty_until_a_number_comes_and_can_be_emptied_again(make):
    box = make()
    edits = []
    box.edited.connect(lambda: edits.append(box.value()))
    assert box.value() is None and box.lineEdit().placeholderText() == "Not sent"
    assert box.accessibleName() == box.lineEdit().accessibleName() == "Temperature"
    box.show_value(0.7)
    assert (box.lineEdit().text(), edits) == ("0.7", [])
    box.lineEdit().selectAll()
    QTest.keyClick(box.lineEdit(), Qt.Key.Key_Delete)
    assert (box.value(), edits) == (None, [None])
    QTest.keyClicks(box.lineEdit(), "1,5")
    assert edits == [None, 1.0, 1.0, 1.5]


@pytest.mark.parametrize(
    ("text", "is_whole", "value"),
    [("1 000", True, 1000), ("-3", True, -3), ("1e-3", False, 0.001), (" 2 ", False, 2.0), ("1_000", True, 1000)],
)
def test_a_number_may_be_written_in_several_ways(make, text, is_whole, value):
    box = make(is_whole=is_whole)
    box.lineEdit().setText(text)
    assert box.value() == value and type(box.value()) is type(value)


@pytest.mark.parametrize(
    ("text", "is_whole"), [("warm", False), ("1.5", True), ("nan", False), ("1e999", False), ("1,5", True), ("-", True)]
)
def test_what_is_no_number_stays_and_is_told(make, text, is_whole):
    box = make(is_whole=is_whole)
    QTest.keyClicks(box.lineEdit(), text)
    assert box.lineEdit().text() == text
    with pytest.raises(ValueError):
        box.value()


def test_it_steps_within_its_range_and_from_empty_to_its_beginning(make):
    box = make()
    QTest.keyClick(box, Qt.Key.Key_Up)
    assert box.value() == 0.0
    for _ in range(3):
        QTest.keyClick(box, Qt.Key.Key_Up)
    assert box.lineEdit().text() == "0.3"
    QTest.keyClick(box, Qt.Key.Key_PageUp)
    QTest.keyClick(box, Qt.Key.Key_PageUp)
    QTest.keyClick(box, Qt.Key.Key_PageUp)
    assert box.value() == 2.0
    assert box.stepEnabled() == QAbstractSpinBox.StepEnabledFlag.StepDownEnabled


@pytest.mark.parametrize(("number", "up", "down"), [(1, 2, 1), (99, 100, 98), (100, 110, 99), (2000, 2100, 1900)])
def test_whole_numbers_step_further_the_larger_they_are(make, number, up, down):
    box = make(is_whole=True, low=1, high=None, step=1)
    box.show_value(number)
    box.stepBy(1)
    assert box.value() == up
    box.show_value(number)
    box.stepBy(-1)
    assert box.value() == down


def test_a_seed_may_be_larger_than_a_machine_s_int(make):
    box = make(is_whole=True, low=None, high=None, step=1)
    box.show_value(2**62)
    assert box.value() == 2**62
    box.show_value(None)
    box.stepBy(1)
    assert box.value() == 0


def test_the_wheel_changes_nothing_that_has_not_the_focus(make):
    box = make()
    box.show_value(1.0)
    box.clearFocus()
    no_keys, no_buttons = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.NoButton
    event = QWheelEvent(
        QPointF(5, 5),
        QPointF(5, 5),
        QPoint(0, 120),
        QPoint(0, 120),
        no_buttons,
        no_keys,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    box.wheelEvent(event)
    assert box.value() == 1.0 and not event.isAccepted()
