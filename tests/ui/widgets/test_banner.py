"""Banner, skeleton and side panels."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from agdesk.ui.theme import apply_theme
from agdesk.ui.widgets.banner import Banner
from agdesk.ui.widgets.side_panels import SidePanels
from agdesk.ui.widgets.skeleton import Skeleton


@pytest.fixture
def banner(qapp, qtbot):
    apply_theme(qapp, "light")
    widget = Banner()
    qtbot.addWidget(widget)
    return widget


def test_it_is_not_there_before_it_has_something_to_say(banner):
    assert banner.isHidden()
    banner.show_text("The disk is full")
    assert banner.isVisible()
    assert banner.label.text() == banner.accessibleName() == "The disk is full"
    assert not banner.action_button.isVisible()
    banner.clear()
    assert banner.isHidden()


def test_foreign_text_is_plain_and_long_text_wraps(banner):
    banner.resize(300, 40)
    banner.show_text("<b>bold</b> " * 30)
    assert banner.label.textFormat() == Qt.TextFormat.PlainText
    assert banner.heightForWidth(300) > banner.heightForWidth(3000)


def test_its_action_may_be_tried_again_and_again(banner):
    tried = []
    banner.show_text("Full", action_text="Try again", action=lambda: tried.append(True))
    for _ in range(2):
        QTest.mouseClick(banner.action_button, Qt.MouseButton.LeftButton)
    assert tried == [True, True]
    assert banner.isVisible()


def test_it_is_put_away_by_the_user(banner, qtbot):
    banner.show_text("Full")
    with qtbot.waitSignal(banner.dismissed):
        QTest.mouseClick(banner.close_button, Qt.MouseButton.LeftButton)
    assert banner.isHidden()


def test_a_text_is_read_out_once(banner, monkeypatch):
    told = []
    monkeypatch.setattr(QAccessible, "updateAccessibility", lambda event: told.append(event.message()))
    for text in ("Full", "Full", "Failed"):
        banner.show_text(text)
    assert told == ["Full", "Failed"]


def test_a_skeleton_is_drawn_after_a_moment_only(qtbot):
    skeleton = Skeleton("Loading the conversation")
    qtbot.addWidget(skeleton)
    skeleton.resize(600, 400)
    skeleton.show()
    assert not skeleton.is_drawn
    qtbot.waitUntil(lambda: skeleton.is_drawn)
    assert skeleton.accessibleName() == "Loading the conversation"
    skeleton.hide()
    skeleton.show()
    assert not skeleton.is_drawn


@pytest.fixture
def panels(qapp, qtbot):
    apply_theme(qapp, "light")
    made = []

    def maker(name):
        def make():
            made.append(name)
            return QLabel(name)

        return make

    widget = SidePanels(QWidget(), left=maker("left"), right=maker("right"))
    qtbot.addWidget(widget)
    widget.resize(1200, 500)
    widget.show()
    return widget, made


def test_a_panel_is_made_when_it_is_unfolded_for_the_first_time(panels):
    panels, made = panels
    assert made == []
    panels.set_folded("left", False)
    assert made == [] and panels.panel("left") is None, "its place is kept free until panels are wanted"
    assert not panels.is_folded("left")
    panels.make_panels()
    assert made == ["left"]
    panels.set_folded("left", True)
    panels.set_folded("left", False)
    panels.set_folded("left", True)
    panels.set_folded("left", False)
    assert made == ["left"]
    assert panels.panel("left").isVisible()
    panels.set_folded("right", False)
    assert made == ["left", "right"]
    assert panels.panel("left").mapTo(panels, QPoint(0, 0)).x() < panels.panel("right").mapTo(panels, QPoint(0, 0)).x()


def test_a_panel_keeps_its_width_when_the_window_or_the_other_panel_changes(panels, qtbot):
    panels, _ = panels
    panels.make_panels()
    panels.set_folded("left", False)
    panels.set_folded("right", False)
    panels.set_panel_width("right", 400)
    assert [panels.sizes()[0], panels.sizes()[2]] == [260, 400]
    panels.set_folded("left", True)
    panels.resize(1500, 500)
    assert panels.sizes()[2] == 400
    panels.set_folded("left", False)
    assert [panels.sizes()[0], panels.sizes()[2]] == [260, 400]


def test_a_width_is_never_too_small_and_leaves_the_content_its_room(panels):
    panels, _ = panels
    panels.make_panels()
    panels.set_folded("left", False)
    panels.set_panel_width("left", 1)
    assert panels.panel_width("left") >= 100
    panels.set_panel_width("left", 50_000)
    assert panels.sizes()[0] <= 600


def test_what_the_user_drags_is_told_and_remembered(panels, qtbot):
    panels, _ = panels
    panels.make_panels()
    panels.set_folded("left", False)
    with qtbot.waitSignal(panels.changed):
        panels.moveSplitter(320, 1)
    assert panels.panel_width("left") == 320
