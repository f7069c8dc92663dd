"""Labels, icon buttons, empty states."""

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from agdesk.ui.theme import apply_theme, current_theme
from agdesk.ui.widgets.empty_state import EmptyState
from agdesk.ui.widgets.icon_button import IconButton
from agdesk.ui.widgets.labels import ElidedLabel, PlainLabel, StatusLine
from agdesk.ui.widgets.text import plain_tool_tip, safe_text, visible_text


def test_a_label_shows_foreign_text_as_it_is(qapp, qtbot):
    for label in (PlainLabel(), ElidedLabel(), StatusLine()):
        qtbot.addWidget(label)
        label.setText("<img src=file:///etc/passwd> \0 \ud800")
        assert label.textFormat() == Qt.TextFormat.PlainText
        assert label.text() == "<img src=file:///etc/passwd> \ufffd \ufffd"


def test_a_label_follows_the_theme(qapp, qtbot):
    apply_theme(qapp, "light")
    label = PlainLabel(color="muted", font="caption")
    qtbot.addWidget(label)
    apply_theme(qapp, "dark", scale=2.0)
    assert label.palette().color(QPalette.ColorRole.WindowText) == current_theme().color("muted")
    assert label.font().pixelSize() == current_theme().metrics.caption == 22
    apply_theme(qapp, "light")


def test_a_line_that_does_not_fit_is_elided_and_tells_all_in_its_tool_tip(qtbot):
    label = ElidedLabel()
    qtbot.addWidget(label)
    text = "a <b>long</b> line " * 20
    label.resize(120, 20)
    label.setText(text)
    label.show()
    whole = " ".join(text.split())
    assert label.text() == label.accessibleName() == whole
    assert label.toolTip() == plain_tool_tip(whole)
    assert label.minimumSizeHint().width() == 0
    label.resize(4000, 20)
    assert label.toolTip() == ""


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_a_line_begins_where_one_begins_to_read(qapp, qtbot, direction):
    apply_theme(qapp, "light")
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.setLayoutDirection(direction)
    label.resize(300, 20)
    label.setText("words")
    image = label.grab().toImage()
    ground = image.pixel(150, 10)
    inked = [x for x in range(image.width()) if any(image.pixel(x, y) != ground for y in range(image.height()))]
    is_mirrored = direction == Qt.LayoutDirection.RightToLeft
    assert inked
    assert (min(inked) > 150) is is_mirrored
    assert (max(inked) < 150) is not is_mirrored


def test_a_line_stays_one_line(qtbot):
    label = StatusLine()
    qtbot.addWidget(label)
    label.setText("one\ntwo\t three")
    assert label.text() == "one two three"


def test_an_icon_button_has_a_name_a_tool_tip_and_room_for_a_finger(qtbot):
    button = IconButton("copy", "Copy message")
    qtbot.addWidget(button)
    assert button.accessibleName() == button.toolTip() == "Copy message"
    assert button.sizeHint().expandedTo(QSize(28, 28)) == button.sizeHint()
    assert button.focusPolicy() == Qt.FocusPolicy.StrongFocus


def test_an_icon_button_confirms_for_a_moment(qtbot, monkeypatch):
    button = IconButton("copy", "Copy")
    qtbot.addWidget(button)
    own = button.icon().pixmap(16, 16).toImage()
    button._back.setInterval(10)
    button.confirm()
    assert button.icon().pixmap(16, 16).toImage() != own
    qtbot.waitUntil(lambda: button.icon().pixmap(16, 16).toImage() == own)


def test_an_icon_button_changes_its_icon_and_follows_the_theme(qapp, qtbot):
    apply_theme(qapp, "light")
    button = IconButton("send", "Send")
    qtbot.addWidget(button)
    seen = [button.icon().pixmap(16, 16).toImage()]
    button.set_icon("stop")
    seen.append(button.icon().pixmap(16, 16).toImage())
    apply_theme(qapp, "dark")
    seen.append(button.icon().pixmap(16, 16).toImage())
    apply_theme(qapp, "light")
    assert all(one != other for at, one in enumerate(seen) for other in seen[at + 1 :])


@pytest.mark.parametrize("has_primary", [True, False])
def test_an_empty_state_reports_what_was_chosen(qtbot, has_primary):
    state = EmptyState("Title", "One <b>sentence</b>.", choices=("First & foremost", "Second"), has_primary=has_primary)
    qtbot.addWidget(state)
    state.show()
    assert [label.text() for label in state.findChildren(QLabel)] == ["Title", "One <b>sentence</b>."]
    assert [button.accessibleName() for button in state.buttons] == ["First & foremost", "Second"]
    assert state.buttons[0].text() == "First && foremost", "an ampersand is no mnemonic"
    assert [button.property("primary") for button in state.buttons] == [has_primary, False]
    with qtbot.waitSignal(state.chosen) as chosen:
        QTest.mouseClick(state.buttons[1], Qt.MouseButton.LeftButton)
    assert chosen.args == [1]


def test_an_empty_state_without_choices_is_a_text(qtbot):
    state = EmptyState("Title", "One sentence.")
    qtbot.addWidget(state)
    assert state.buttons == []


def test_text_keeps_everything_that_qt_can_hold():
    text = "a\tb\n\u202eא\u200f 🙂 é \u2028"
    assert safe_text(text) == text
    assert safe_text("\0\ud83d\ufdd0\ufdd1\ufffc\u2029") == "\ufffd" * 5 + "\u2028"


def test_visible_text_has_nothing_hidden_in_it():
    assert visible_text("a\u202eb\u200bc\x07d\u2066e\ufefff\n") == "abcdef"


def test_a_tool_tip_is_never_taken_for_markup_of_others():
    assert plain_tool_tip("<img src=x>") == "<qt>&lt;img src=x&gt;</qt>"
    assert plain_tool_tip("") == ""
