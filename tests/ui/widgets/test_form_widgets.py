"""The parts of forms: a secret's field, check box, numbers, choices, notices, and lines that break."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from agdesk.ui.theme import apply_theme, current_theme
from agdesk.ui.widgets.card import Card
from agdesk.ui.widgets.check_box import CheckBox
from agdesk.ui.widgets.choice_box import ChoiceBox
from agdesk.ui.widgets.flow_layout import FlowLayout
from agdesk.ui.widgets.notice import Notice
from agdesk.ui.widgets.number_box import NumberBox
from agdesk.ui.widgets.secret_field import SecretField

SECRET = "sk-canary-55aa"


@pytest.fixture(autouse=True)
def _light(qapp):
    apply_theme(qapp, "light")


@pytest.fixture
def field(qtbot):
    field = SecretField("Key of OpenAI")
    qtbot.addWidget(field)
    field.show()
    return field


def test_a_paste_of_a_key_keeps_what_can_be_printed(field):
    QGuiApplication.clipboard().setText(f" \t{SECRET[:5]}\r\n{SECRET[5:]}\u200b\n ")
    field.paste()
    assert field.secret() == SECRET
    QGuiApplication.clipboard().clear()


def test_a_key_cannot_be_copied_cut_or_read_out(field):
    QGuiApplication.clipboard().setText("before")
    field.insert(SECRET)
    field.selectAll()
    for key in (Qt.Key.Key_C, Qt.Key.Key_X, Qt.Key.Key_Insert):
        QTest.keyClick(field, key, Qt.KeyboardModifier.ControlModifier)
    field.copy()
    field.cut()
    assert QGuiApplication.clipboard().text() == "before"
    assert SECRET not in field.displayText()
    interface = QAccessible.queryAccessibleInterface(field)
    assert interface.text(QAccessible.Text.Name) == "Key of OpenAI"
    assert SECRET not in interface.text(QAccessible.Text.Value)
    assert interface.state().passwordEdit


def test_a_wiped_key_does_not_come_back(field):
    QTest.keyClicks(field, SECRET)
    field.wipe()
    for key in (Qt.Key.Key_Z, Qt.Key.Key_Y):
        QTest.keyClick(field, key, Qt.KeyboardModifier.ControlModifier)
    field.undo()
    field.redo()
    assert field.text() == ""
    assert not field.isUndoAvailable()
    assert not field.isRedoAvailable()


def test_undo_keys_do_not_empty_the_field(field):
    QTest.keyClicks(field, SECRET)
    QTest.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert field.secret() == SECRET


def test_a_check_box_is_switched_by_key_and_mouse_and_looks_it(qtbot):
    box = CheckBox("Tell me")
    qtbot.addWidget(box)
    box.show()
    pictures = [box.grab().toImage()]
    QTest.keyClick(box, Qt.Key.Key_Space)
    pictures.append(box.grab().toImage())
    assert box.isChecked()
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert not box.isChecked()
    box.setEnabled(False)
    pictures.append(box.grab().toImage())
    assert all(one != other for at, one in enumerate(pictures) for other in pictures[at + 1 :])
    assert QAccessible.queryAccessibleInterface(box).role() == QAccessible.Role.CheckBox
    assert min(box.sizeHint().width(), box.sizeHint().height()) >= 28


def test_a_number_is_stepped_by_its_arrows_and_follows_the_theme(qapp, qtbot):
    box = NumberBox("Size")
    qtbot.addWidget(box)
    box.setRange(0, 100_000)
    box.setValue(8192)
    box.show()
    light = box.grab().toImage()
    assert box.text().replace(",", "") == "8192"
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(box.width() - 8, 6))
    assert box.value() == 8193
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(box.width() - 8, box.height() - 6))
    assert box.value() == 8192
    apply_theme(qapp, "dark")
    assert box.grab().toImage() != light
    assert box.lineEdit().accessibleName() == "Size"


def test_a_choice_shows_its_arrow(qtbot):
    box = ChoiceBox("Theme")
    qtbot.addWidget(box)
    box.addItems(["a long first choice", "second"])
    box.show()
    picture = box.grab().toImage()
    corner = [picture.pixelColor(x, box.height() // 2) for x in range(box.width() - 24, box.width() - 8)]
    assert any(color != current_theme().color("surface") for color in corner)


def test_a_notice_says_what_is_wrong_and_reports_the_offer_that_was_taken(qtbot):
    notice = Notice(choices=("First", "Second & last"))
    qtbot.addWidget(notice)
    assert notice.isHidden()
    notice.show_text("<b>It failed</b>", "Try again.")
    assert notice.isVisible()
    assert notice.text == "<b>It failed</b>"
    assert notice.accessibleName() == "<b>It failed</b> Try again."
    assert [button.text() for button in notice.buttons] == ["First", "Second && last"]
    with qtbot.waitSignal(notice.chosen) as chosen:
        QTest.mouseClick(notice.buttons[1], Qt.MouseButton.LeftButton)
    assert chosen.args == [1]
    notice.clear()
    assert notice.isHidden()
    assert notice.text == ""


def test_a_card_draws_a_line_between_the_widgets_that_are_shown(qtbot):
    card = Card()
    qtbot.addWidget(card)
    for text in ("one", "two", "three"):
        card.column.addWidget(QLabel(text))
    card.resize(200, 120)
    card.show()

    def lines() -> int:
        picture: QImage = card.grab().toImage()
        border = current_theme().color("border")
        return sum(picture.pixelColor(190 - 16, y) == border for y in range(2, card.height() - 2))

    assert lines() == 2
    card.column.itemAt(1).widget().hide()
    card.layout().activate()
    assert lines() == 1


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_a_line_of_buttons_breaks_where_the_place_ends(qtbot, direction):
    holder = QWidget()
    qtbot.addWidget(holder)
    holder.setLayoutDirection(direction)
    layout = FlowLayout(holder, spacing=8)
    buttons = [QPushButton(text) for text in ("one", "two", "three")]
    for button in buttons:
        layout.addWidget(button)
    holder.resize(layout.sizeHint().width(), 100)
    holder.show()
    assert len({button.y() for button in buttons}) == 1
    width = buttons[0].sizeHint().width() + buttons[1].sizeHint().width() + 8
    holder.resize(width, 200)
    layout.activate()
    assert buttons[0].y() == buttons[1].y() < buttons[2].y()
    assert all(button.x() >= 0 and button.geometry().right() < width for button in buttons)
    is_mirrored = direction is Qt.LayoutDirection.RightToLeft
    assert (buttons[0].x() > buttons[1].x()) == is_mirrored
    assert layout.heightForWidth(width) == buttons[2].geometry().bottom() + 1
    buttons[0].hide()
    layout.activate()
    assert buttons[1].x() == (width - buttons[1].width() if is_mirrored else 0)


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_the_arrow_of_a_choice_stands_where_a_line_ends(qtbot, direction):
    box = ChoiceBox("Theme")
    qtbot.addWidget(box)
    box.setLayoutDirection(direction)
    box.resize(200, 30)
    image = box.grab().toImage()
    ground = image.pixel(100, 15)
    inner = range(8, 192)
    inked = [x for x in inner if any(image.pixel(x, y) != ground for y in range(8, 22))]
    is_mirrored = direction == Qt.LayoutDirection.RightToLeft
    assert inked
    assert all((x < 40) is is_mirrored and (x > 160) is not is_mirrored for x in inked)
