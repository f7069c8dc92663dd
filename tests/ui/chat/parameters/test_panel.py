"""The panel of parameters: a row for each, what a model does not take is told, and nothing typed is lost."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget

from agdesk.core.ir.request import RequestParameters, ResponseFormat, ThinkingOptions
from agdesk.core.providers.parameter_names import NAMES
from agdesk.core.providers.parameter_values import value_of
from agdesk.core.providers.parameters import KINDS, Parameter, parameters_of_any
from agdesk.ui.chat.parameters.panel import ParameterPanel
from agdesk.ui.theme import apply_theme
from agdesk.ui.widgets.focus_order import reading_order

FULL = RequestParameters(
    max_tokens=100,
    temperature=0.5,
    top_p=0.25,
    stop=("\n\n", 'say "END"', "\\n"),
    thinking=ThinkingOptions(is_enabled=True, effort="high", budget_tokens=2000),
    response_format=ResponseFormat({"type": "object"}),
    parallel_tool_calls=False,
    seed=7,
    extra={"top_k": 40},
)
ANY = parameters_of_any()


def changed(name, **values):
    """Every parameter, one of them as ``values`` say."""
    return tuple(Parameter(name, KINDS[name], **values) if p.name == name else p for p in ANY)


class Shown:
    """A panel that is told at once what is in force, as by its conversation."""

    def __init__(self, qtbot, parameters=ANY):
        self.owner = QWidget()
        self.owner.resize(900, 1600)
        qtbot.addWidget(self.owner)
        self.panel = ParameterPanel(self.owner)
        self.panel.resize(900, 800)
        self.values, self.prompt = RequestParameters(), None
        self.panel.parameters_chosen.connect(self.take)
        self.panel.prompt_chosen.connect(self.take_prompt)
        self.panel.show_parameters(parameters)
        self.owner.show()

    def take(self, values):
        self.values = values
        self.panel.show_values(values, self.prompt)

    def take_prompt(self, prompt):
        self.prompt = prompt
        self.panel.show_values(self.values, prompt)

    def row(self, name):
        return self.panel.rows[name]

    def write(self, name, text):
        """Types into an empty control."""
        editor = self.row(name).control.editor
        if hasattr(editor, "setPlainText"):
            editor.setPlainText(text)
        else:
            editor.lineEdit().clear()
            QTest.keyClicks(editor.lineEdit(), text)
            QTest.keyClick(editor, Qt.Key.Key_Return)

    def pick(self, name, value):
        box = self.row(name).control.editor
        box.setCurrentIndex(next(index for index in range(box.count()) if box.itemData(index) == value))
        box.activated.emit(box.currentIndex())


@pytest.fixture
def shown(qapp, qtbot):
    apply_theme(qapp, "light")
    return Shown(qtbot)


def test_every_parameter_has_a_named_row_that_says_not_sent(shown):
    assert tuple(shown.panel.rows) == NAMES
    for name, row in shown.panel.rows.items():
        assert row.control.editor.accessibleName() == row.title.text() and row.title.text() not in ("", name)
        assert row.control.value() is None and not row.reset_button.isVisible()
        shown_text = (
            getattr(row.control.editor, "currentText", None)
            or getattr(row.control.editor, "placeholderText", None)
            or row.control.editor.lineEdit().placeholderText
        )
        assert shown_text() == "Not sent"
    assert not shown.panel.reset_button.isEnabled()


def test_what_is_set_is_shown_and_reset_row_by_row(shown):
    shown.take(FULL)
    for name, row in shown.panel.rows.items():
        assert row.control.value() == value_of(FULL, name)
        assert row.reset_button.isVisible()
    for name in NAMES:
        shown.row(name).reset_button.click()
        assert value_of(shown.values, name) is None and shown.row(name).control.value() is None
    assert shown.values == RequestParameters()
    assert not shown.panel.reset_button.isEnabled()


def test_every_kind_of_control_sets_its_value_at_once(shown):
    shown.write("max_tokens", "100")
    shown.write("temperature", "0.5")
    shown.write("top_p", "0,25")
    shown.write("stop", '\\n\\n\nsay "END"\n\n\\\\n')
    shown.write("seed", "7")
    shown.pick("thinking.is_enabled", True)
    shown.pick("thinking.effort", "high")
    shown.write("thinking.budget_tokens", "2000")
    shown.write("response_format", '{"type": "object"}')
    shown.pick("parallel_tool_calls", False)
    shown.write("extra", '{"top_k": 40}')
    assert shown.values == FULL
    shown.pick("parallel_tool_calls", None)
    assert shown.values.parallel_tool_calls is None


def test_the_system_prompt_is_part_of_the_panel(shown):
    shown.panel.prompt.editor.setPlainText("Be brief. 简短")
    assert shown.prompt == "Be brief. 简短" and shown.panel.reset_button.isEnabled()
    shown.panel.prompt.reset_button.click()
    assert shown.prompt is None and shown.panel.prompt.editor.toPlainText() == ""


def test_reset_all_takes_everything_back(shown):
    shown.take(FULL)
    shown.panel.prompt.editor.setPlainText("Be brief")
    shown.write("extra", "{")
    shown.panel.reset_button.click()
    assert (shown.values, shown.prompt) == (RequestParameters(), None)
    assert all(row.control.value() is None and not row.error for row in shown.panel.rows.values())


def test_bad_json_keeps_its_text_and_the_value_in_force_and_names_the_place(shown):
    shown.write("response_format", '{"type": "object"}')
    broken = '{\n  "type": "object",\n}'
    shown.write("response_format", broken)
    row = shown.row("response_format")
    assert "Line 3, column 1" in row.error and row.error.startswith("Not in force")
    assert row.control.editor.accessibleDescription() == row.error
    assert shown.values.response_format == ResponseFormat({"type": "object"})
    shown.take(shown.values)
    shown.panel.show_parameters(changed("response_format", is_refused=True, reason="this model refuses it"))
    shown.panel.show_parameters(ANY)
    assert row.control.editor.toPlainText() == broken and row.error, "another model and back"
    shown.write("response_format", broken.replace(",\n}", "\n}"))
    assert not row.error and shown.values.response_format == ResponseFormat({"type": "object"})


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("response_format", '{"type": "json_object"}', "no type of JSON Schema"),
        ("response_format", "[]", "has to be an object"),
        ("extra", "5", "has to be an object"),
        ("max_tokens", "1.5", "whole number"),
        ("temperature", "warm", "a number"),
        ("temperature", "-1", "at least 0"),
        ("top_p", "1.5", "0 to 1"),
    ],
)
def test_what_a_parameter_cannot_be_is_told_and_not_taken(shown, name, text, said):
    shown.write(name, text)
    assert said in shown.row(name).error
    assert shown.values == RequestParameters() and shown.panel.reset_button.isEnabled()
    shown.row(name).reset_button.click()
    assert not shown.row(name).error and shown.row(name).control.value() is None


def test_an_object_is_not_taken_away_while_it_is_being_typed(shown):
    editor = shown.row("extra").control.editor
    for character in "{}":
        QTest.keyClicks(editor, character)
    assert editor.toPlainText() == "{}" and shown.values == RequestParameters()


def test_what_a_model_cannot_take_is_disabled_with_the_reason_marked_and_not_lost(shown):
    shown.write("seed", "7")
    row = shown.row("seed")
    refusal = {"is_refused": True, "reason": "this provider has no word for it"}
    shown.panel.show_parameters(changed("seed", **refusal))
    assert not row.control.isEnabled() and row.reset_button.isVisible()
    assert row.note == "Set, but not sent: this provider has no word for it."
    assert row.control.editor.accessibleDescription() == row.note and not row.forget_button.isVisible()
    assert row.control.value() == 7 and shown.values.seed == 7
    shown.panel.show_parameters(changed("top_p", **refusal))
    assert row.control.isEnabled() and not row.note
    assert shown.row("top_p").note == "Cannot be set: this provider has no word for it."


def test_what_was_refused_once_says_so_and_can_be_forgotten(shown):
    forgotten = []
    shown.panel.forget_requested.connect(lambda parameter: forgotten.append(parameter.remembered))
    shown.panel.show_parameters(
        changed("temperature", is_refused=True, reason="it was refused once", remembered=("temperature",))
    )
    row = shown.row("temperature")
    assert row.note == "Refused by this model, so it is not sent." and not row.control.isEnabled()
    assert "Temperature" in row.forget_button.accessibleName()
    QTest.keyClick(row.forget_button, Qt.Key.Key_Return)
    assert forgotten == [("temperature",)]


def test_a_value_that_another_model_does_not_take_is_marked_and_one_it_takes_is_taken(shown):
    shown.write("temperature", "1.5")
    shown.pick("thinking.effort", "high")
    shown.panel.show_parameters(changed("temperature", low=0.0, high=1.0, step=0.1))
    row = shown.row("temperature")
    assert row.note.startswith("This model takes 0 to 1;") and row.control.isEnabled() and not row.error
    assert shown.values.temperature == 1.5
    shown.write("temperature", "1.7")
    assert "0 to 1" in row.error and shown.values.temperature == 1.5
    shown.panel.show_parameters(ANY)
    assert not row.error and shown.values.temperature == 1.7, "what was typed suits this model"
    shown.panel.show_parameters(changed("thinking.effort", choices=("minimal", "max")))
    assert "minimal, max" in shown.row("thinking.effort").note and value_of(shown.values, "thinking.effort") == "high"
    assert shown.row("thinking.effort").control.value() == "high"


def test_the_limits_that_are_known_are_told(shown):
    shown.panel.show_parameters(changed("max_tokens", low=1, high=128_000, step=1))
    editor = shown.row("max_tokens").control.editor
    assert editor.accessibleDescription() == "In tokens, thinking included. 1 to 128\u202f000."


def test_it_has_one_column_where_there_is_no_room_for_two(shown):
    places = {row.x() for row in shown.panel.rows.values()}
    assert len(places) == 2
    shown.panel.resize(500, 800)
    shown.panel._body.layout().activate()
    assert {row.x() for row in shown.panel.rows.values()} != places
    assert len({row.x() for row in shown.panel.rows.values()}) == 1


def test_it_leaves_room_for_the_conversation(shown):
    shown.owner.resize(900, 600)
    assert shown.panel.sizeHint().height() <= 0.55 * 600
    shown.owner.resize(900, 3000)
    assert shown.panel.sizeHint().height() < 1200, "no more than it needs"


def test_a_number_that_is_wrong_in_the_end_leaves_in_force_what_was_before_it(shown):
    shown.take(RequestParameters(temperature=1.5))
    shown.panel.show_parameters(changed("temperature", low=0.0, high=2.0, step=0.1))
    line = shown.row("temperature").control.editor.lineEdit()
    line.selectAll()
    QTest.keyClicks(line, "17")
    assert "0 to 2" in shown.row("temperature").error
    assert shown.values.temperature == 1.5, "and not 1, with which 17 begins"
    assert line.text() == "17"
    QTest.keyClick(line, Qt.Key.Key_Backspace)
    assert shown.values.temperature == 1.0 and not shown.row("temperature").error
    QTest.keyClick(line, Qt.Key.Key_Return)
    QTest.keyClicks(line, "7")
    assert shown.values.temperature == 1.0


def test_the_keyboard_walks_through_the_rows_as_they_are_read_also_those_out_of_sight(shown):
    shown.panel.resize(900, 300)
    below = QPushButton("below", shown.owner)
    below.move(0, 310)
    below.show()
    rows = shown.panel.rows.values()
    editors = [shown.panel.prompt.editor, *(row.control.editor for row in rows if not row.control.is_wide)]
    editors += [row.control.editor for row in rows if row.control.is_wide]
    read = [stop for stop in reading_order(shown.owner) if stop in editors or stop is below]
    assert read == [*editors, below]


def test_what_is_wrong_with_the_last_row_comes_into_sight(shown, qtbot):
    shown.panel.resize(900, 300)
    editor = shown.row("extra").control.editor
    shown.owner.activateWindow()
    qtbot.waitUntil(shown.owner.isActiveWindow)
    editor.setFocus()
    QTest.keyClicks(editor, "{,")
    told = shown.row("extra")._error
    qtbot.waitUntil(lambda: told.isVisible() and told.visibleRegion().boundingRect().height() == told.height())


def test_escape_closes_it(shown):
    closed = []
    shown.panel.close_requested.connect(lambda: closed.append(True))
    QTest.keyClick(shown.panel.prompt.editor, Qt.Key.Key_Escape)
    QTest.keyClick(shown.row("seed").control.editor, Qt.Key.Key_Escape)
    shown.panel.close_button.click()
    assert closed == [True] * 3
