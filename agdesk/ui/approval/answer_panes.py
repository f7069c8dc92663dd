"""What an answer asks for before it is given: a reason, a result, a rule."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from agdesk.ui.approval.rule_editor import RuleEditor
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.fitting_area import FittingArea
from agdesk.ui.widgets.flow_layout import FlowLayout
from agdesk.ui.widgets.labels import PlainLabel
from agdesk.ui.widgets.text_area import TextArea

_REASON_LINES = 2
_RESULT_LINES = 4


class AnswerPane(QWidget):
    """A field, and buttons below it, the last of which goes back.

    Signals:
        backed_out(): nothing is answered.
    """

    backed_out = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(current_theme().metrics.space_8)

    def _add_text(self, field: TextArea) -> None:
        label = PlainLabel(self, color="muted")
        label.setText(field.accessibleName())
        label.setBuddy(field)
        self.column.addWidget(label)
        self.column.addWidget(field)

    def _add_buttons(self, *buttons: PushButton) -> None:
        back = answer_button(self.tr("Back"), self)
        back.clicked.connect(lambda: self.backed_out.emit())
        self.column.addWidget(button_row(self, *buttons, back))


class ReasonPane(AnswerPane):
    """Why a call is denied.

    Signals:
        denied(str, bool): the reason, and whether the turn ends.
    """

    denied = Signal(str, bool)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.field = TextArea(self.tr("Reason, which the model is told"), self, lines=_REASON_LINES)
        deny = answer_button(self.tr("Deny with this reason"), self, is_primary=True)
        stop = answer_button(self.tr("Deny with this reason and stop"), self)
        deny.clicked.connect(lambda: self.denied.emit(self.field.toPlainText().strip(), False))
        stop.clicked.connect(lambda: self.denied.emit(self.field.toPlainText().strip(), True))
        self._add_text(self.field)
        self._add_buttons(deny, stop)


class ResultPane(AnswerPane):
    """The result of a call as the user writes it.

    Signals:
        answered(str): the result.
    """

    answered = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.field = TextArea(self.tr("Result that the model gets, marked as yours"), self, lines=_RESULT_LINES)
        give = answer_button(self.tr("Give this answer"), self, is_primary=True)
        give.clicked.connect(lambda: self.answered.emit(self.field.toPlainText()))
        self._add_text(self.field)
        self._add_buttons(give)


class RulePane(AnswerPane):
    """The rule that is saved with an answer.

    Signals:
        accepted(): it is to be saved as it is shown.

    Attributes:
        rules: the editor of the rule.
    """

    accepted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rules = RuleEditor(self)
        self.save_button = answer_button(self.tr("Save rule and run"), self, is_primary=True)
        self.save_button.clicked.connect(lambda: self.accepted.emit())
        self.column.addWidget(FittingArea(self.rules, self))
        self._add_buttons(self.save_button)


def answer_button(text: str, parent: QWidget, *, is_primary: bool = False) -> PushButton:
    """A button with a name."""
    button = PushButton(text, parent)
    button.setAccessibleName(text)
    button.setProperty("primary", is_primary)
    return button


def button_row(parent: QWidget, *buttons: PushButton) -> QWidget:
    """Buttons beside each other as far as there is room."""
    row = QWidget(parent)
    flow = FlowLayout(row, spacing=current_theme().metrics.space_8)
    for button in buttons:
        flow.addWidget(button)
    return row
