"""Tab goes through a window as it is read."""

import pytest
from PySide6.QtWidgets import QLineEdit, QPushButton, QVBoxLayout, QWidget

from agdesk.ui.widgets.focus_order import set_reading_order


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
