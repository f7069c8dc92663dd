"""UI.md: nothing is cut or covered where there is little room, as with larger text in a small window."""

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QStyle, QStyleOptionComboBox, QWidget

from agdesk.ui.chat.gauge.button import GaugeButton
from agdesk.ui.chat.parameters.button import ParametersButton
from agdesk.ui.chat.welcome import make_welcome
from agdesk.ui.theme import apply_theme, current_theme
from agdesk.ui.widgets.choice_box import ChoiceBox
from agdesk.ui.widgets.empty_state import EmptyState


@pytest.fixture(autouse=True)
def _theme(qapp):
    apply_theme(qapp, "light")


def parts(state):
    return [*state._labels, *state.buttons]


def test_a_welcome_without_height_leaves_out_its_examples_from_the_last_on_and_cuts_nothing(qtbot):
    window = QWidget()  # a window would have the least size that its layout asks for
    qtbot.addWidget(window)
    page = make_welcome(lambda _: None)
    page.setParent(window)
    window.show()
    page.resize(700, 500)
    page.show()
    counts = []
    for height in range(page.minimumSizeHint().height(), 500, 10):
        page.resize(700, height)
        shown = [part for part in parts(page) if part.isVisible()]
        assert shown == parts(page)[: len(shown)]
        page.layout().activate()
        for part in shown:
            assert page.rect().contains(part.geometry())
            needed = part.heightForWidth(part.width()) if part in page._labels else part.sizeHint().height()
            assert part.height() >= needed, height
        counts.append(len(shown))
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (1, 5)


def test_what_must_be_done_is_never_left_out(qtbot):
    state = EmptyState("Title", "Sentence", choices=("Try again",))
    qtbot.addWidget(state)
    state.show()
    state.resize(state.minimumSizeHint())
    assert state.buttons[0].isVisible()


def test_a_narrow_gauge_keeps_its_figure_clear_of_the_bar(qtbot):
    gauge = GaugeButton()
    qtbot.addWidget(gauge)
    gauge.show_share("100 %", 1.0, color="danger", name="full")
    side = current_theme().metrics.space_12
    text_end = side + QFontMetrics(gauge.font()).horizontalAdvance("100 %")
    gauge.resize(gauge.minimumSizeHint().width() + 1, gauge.sizeHint().height())
    assert gauge.minimumSizeHint().width() < gauge.sizeHint().width()
    for width in range(gauge.minimumSizeHint().width(), gauge.sizeHint().width() + 1):
        gauge.resize(width, gauge.sizeHint().height())
        image = gauge.grab().toImage()
        y = gauge.height() // 2
        danger = current_theme().color("danger").rgb()
        filled = [x for x in range(text_end, width - side // 2) if image.pixelColor(x, y).rgb() == danger]
        assert not filled or (filled[0] > text_end and filled[-1] < width - side + 1)
        assert bool(filled) is (width - text_end - side >= 12)


def test_narrow_controls_of_the_header_ask_for_less_than_their_text(qtbot):
    button = ParametersButton()
    qtbot.addWidget(button)
    assert button.minimumSizeHint().width() < button.sizeHint().width()


def test_a_choice_that_does_not_fit_ends_in_an_ellipsis(qtbot):
    box = ChoiceBox("Choice")
    qtbot.addWidget(box)
    box.addItem("Thinking: not sent")
    option = QStyleOptionComboBox()
    for width, is_whole in ((box.sizeHint().width(), True), (110, False)):
        box.resize(width, box.sizeHint().height())
        box.initStyleOption(option)
        assert (option.currentText == "Thinking: not sent") is is_whole
        field = box.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, box
        )
        assert box.fontMetrics().horizontalAdvance(option.currentText) <= field.width()
        assert is_whole or option.currentText.endswith("…")
        assert QRect(QPoint(0, 0), box.size()).contains(field)
