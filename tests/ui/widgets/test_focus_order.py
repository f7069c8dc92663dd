"""Tab goes through a window as it is read."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QPushButton, QScrollArea, QSpinBox, QVBoxLayout, QWidget

from agdesk.ui.widgets.focus_order import reading_order, set_reading_order


@pytest.fixture
def window(qapp, qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(400, 300)
    return window


def chain(window):
    """The names along the focus chain, which is a ring, from "a" on."""
    names, widget = [], window.nextInFocusChain()
    while widget is not window:
        names.append(widget.objectName())
        widget = widget.nextInFocusChain()
    start = names.index("a")
    return [name for name in (*names[start:], *names[:start]) if name]


def test_parts_are_visited_from_the_top_and_from_the_left_whenever_they_were_made(window):
    for name, x, y in (("c", 0, 100), ("b", 200, 0), ("a", 0, 4)):
        button = QPushButton(name, window)
        button.setObjectName(name)
        button.setGeometry(x, y, 100, 30)
    window.show()
    set_reading_order([window])
    assert chain(window) == ["a", "b", "c"]


@pytest.mark.parametrize(("width", "height"), [(100, 0), (0, 100), (0, 0)])
def test_a_part_without_a_size_is_passed_like_any_other(window, width, height):
    """Such as a view that a splitter has pushed together."""
    layout = QVBoxLayout(window)
    for name in ("a", "b"):
        field = QLineEdit()
        field.setObjectName(name)
        layout.addWidget(field)
    flat = QPushButton("flat", window)
    flat.setObjectName("flat")
    window.show()
    flat.show()
    flat.setGeometry(0, 200, width, height)
    set_reading_order([window])
    assert sorted(chain(window)) == ["a", "b", "flat"]


def test_what_scrolls_is_read_as_a_whole_also_the_part_that_is_out_of_sight(window):
    area = QScrollArea(window)
    area.setGeometry(0, 40, 200, 100)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    body = QWidget()
    body.resize(180, 400)
    for name, parent, y in (("d", window, 160), ("a", window, 4), ("c", body, 300), ("b", body, 10)):
        button = QPushButton(name, parent)
        button.setObjectName(name)
        button.setGeometry(0, y, 100, 30)
    area.setWidget(body)
    window.show()
    set_reading_order([window])
    assert [name for name in chain(window) if len(name) == 1] == ["a", "b", "c", "d"]
    assert [stop.objectName() for stop in reading_order(window)] == ["a", "b", "c", "d"]


def test_the_field_of_a_spin_box_is_no_stop_beside_it(window):
    box = QSpinBox(window)
    window.show()
    assert reading_order(window) == [box]
