"""The toast: there for a while, longer while one looks at it, done at most once."""

import pytest
from PySide6.QtCore import QEvent, QMargins, QPointF, Qt
from PySide6.QtGui import QAccessible, QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from agdesk.ui.theme import apply_theme
from agdesk.ui.widgets.toast import SHOWN_MS, Toast


@pytest.fixture
def surface(qapp, qtbot):
    apply_theme(qapp, "light")
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.resize(800, 600)
    QPushButton("other", widget)
    widget.show()
    widget.activateWindow()
    qtbot.waitUntil(widget.isActiveWindow)
    return widget


def other(surface):
    return surface.findChild(QPushButton, options=Qt.FindChildOption.FindDirectChildrenOnly)


def shown(surface, text="Closed", done=None):
    toast = Toast(surface)
    toast.show_text(
        text, action_text="Undo" if done is not None else "", action=None if done is None else lambda: done.append(True)
    )
    return toast


def test_it_says_what_was_done_and_does_not_take_the_keyboard(surface):
    other(surface).setFocus()
    toast = shown(surface, "Closed “a & b”", [])
    assert toast.label.text() == "Closed “a & b”"
    assert toast.action_button.accessibleName() == "Undo"
    assert surface.focusWidget() is other(surface)


def test_its_button_acts_once_and_takes_it_away(surface):
    done = []
    toast = shown(surface, done=done)
    QTest.mouseClick(toast.action_button, Qt.MouseButton.LeftButton)
    toast.act()
    assert done == [True]
    assert not toast.isVisible()


def test_without_an_action_there_is_no_button(surface):
    assert not shown(surface).action_button.isVisible()


def test_it_goes_by_itself(surface, qtbot):
    toast = shown(surface)
    assert toast._timer.interval() == SHOWN_MS
    toast._timer.start(1)
    qtbot.waitUntil(lambda: not toast.isVisible())


def test_the_time_stands_still_while_the_pointer_or_the_keyboard_is_in_it(surface):
    toast = shown(surface, done=[])
    centre = QPointF(toast.rect().center())
    QApplication.sendEvent(toast, QEnterEvent(centre, centre, centre))
    assert not toast._timer.isActive()
    QApplication.sendEvent(toast, QEvent(QEvent.Type.Leave))
    assert toast._timer.isActive()
    toast.action_button.setFocus()
    assert not toast._timer.isActive()
    toast.close_button.setFocus()
    assert not toast._timer.isActive()
    other(surface).setFocus()
    assert toast._timer.isActive()


def test_the_next_text_takes_the_place_of_the_last_and_its_undo(surface):
    first, second = [], []
    toast = shown(surface, done=first)
    toast.show_text("Deleted", action_text="Undo", action=lambda: second.append(True))
    toast.act()
    assert (first, second) == ([], [True])


def test_it_stands_in_the_middle_above_what_it_must_not_cover_and_never_wider_than_the_window(surface):
    toast = shown(surface, "A very long text " * 30, [])
    toast.set_margins(QMargins(0, 0, 0, 100))
    assert toast.geometry().bottom() < 500
    assert abs(toast.geometry().center().x() - 400) <= 1
    surface.resize(300, 400)
    assert toast.geometry().bottom() < 300
    assert surface.rect().contains(toast.geometry())
    toast.set_margins(QMargins(100, 0, 0, 100))
    assert toast.geometry().left() > 100
    assert surface.rect().contains(toast.geometry())


def test_it_is_read_out(surface, monkeypatch):
    told = []
    monkeypatch.setattr(QAccessible, "updateAccessibility", lambda event: told.append(event.message()))
    shown(surface, "Closed", [])
    assert told == ["Closed Undo"]
