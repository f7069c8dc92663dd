"""The rule of an answer that reaches beyond this once: all that it grants, and the fields to change it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from agdesk.core.ir.approval import ApprovalRule, Predicate, PredicateOp
from agdesk.ui.approval.words import op_name
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.choice_box import ChoiceBox
from agdesk.ui.widgets.icon_button import IconButton
from agdesk.ui.widgets.labels import PlainLabel
from agdesk.ui.widgets.lined_view import LinedView
from agdesk.ui.widgets.schema_form.leaves import JsonPart
from agdesk.ui.widgets.schema_form.part import PartProblem, Told
from agdesk.ui.widgets.wrapped_label import WrappedLabel

_TEXT_LINES = 5
_VALUE_LINES = 3
_OPS = tuple(PredicateOp)


class RuleEditor(QWidget):
    """Pattern and conditions, with the text of the rule above.

    Signals:
        edited(): the user has changed the rule; it may be none at the moment.
    """

    edited = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        metrics = current_theme().metrics
        self._rule: ApprovalRule | None = None
        self._shown_pattern = ""
        self._conditions: list[ConditionRow] = []
        self.text = LinedView(self.tr("What the rule grants"), self, most_lines=_TEXT_LINES)
        self.problem = WrappedLabel(self, color="danger")
        self.pattern = QLineEdit(self)
        self.pattern.setAccessibleName(self.tr("Pattern, server:tool"))
        self.pattern.textEdited.connect(lambda _text: self.edited.emit())
        label = PlainLabel(self, color="muted")
        label.setText(self.tr("Pattern"))
        label.setBuddy(self.pattern)
        line = QHBoxLayout()
        line.setSpacing(metrics.space_8)
        line.addWidget(label)
        line.addWidget(self.pattern, 1)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(metrics.space_4)
        self.add_button = PushButton(self.tr("Add condition"), self)
        self.add_button.setAccessibleName(self.tr("Add a condition to the rule"))
        self.add_button.clicked.connect(self._add)
        foot = QHBoxLayout()
        foot.addWidget(self.add_button)
        foot.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(metrics.space_8)
        column.addWidget(self.text)
        column.addWidget(self.problem)
        for layout in (line, self._rows, foot):
            column.addLayout(layout)

    def show_rule(self, rule: ApprovalRule) -> None:
        """Shows another rule."""
        self._rule = rule
        self.pattern.setText(rule.pattern)
        self._shown_pattern = self.pattern.text()  # a line does not hold every character
        for row in tuple(self._conditions):
            self._drop(row)
        for predicate in rule.where:
            self._append(predicate)

    def rule(self) -> ApprovalRule:
        """The rule as it is written now.

        Raises:
            PartProblem: a value is none; its place says so, too.
        """
        assert self._rule is not None
        where = tuple(row.predicate() for row in self._conditions)
        pattern = self.pattern.text()
        return replace(
            self._rule, pattern=self._rule.pattern if pattern == self._shown_pattern else pattern, where=where
        )

    def show_words(self, text: str, problem: str) -> None:
        """Shows all that the rule grants, and why it cannot be saved."""
        self.text.set_lines(text.split("\n"))
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self.pattern.setAccessibleDescription(problem)

    def _append(self, predicate: Predicate) -> ConditionRow:
        row = ConditionRow(predicate, len(self._conditions) + 1, self)
        row.edited.connect(self.edited)
        row.removed.connect(lambda: self._remove(row))
        self._conditions.append(row)
        self._rows.addWidget(row)
        return row

    def _add(self) -> None:
        self._append(Predicate("$", PredicateOp.EQUALS.value, None)).path.setFocus()
        self.edited.emit()

    def _remove(self, row: ConditionRow) -> None:
        self._drop(row)
        self.add_button.setFocus()
        self.edited.emit()

    def _drop(self, row: ConditionRow) -> None:
        self._conditions.remove(row)
        self._rows.removeWidget(row)
        row.hide()
        row.deleteLater()


class ConditionRow(QWidget):
    """Where an argument stands, how it is compared, and with what.

    Signals:
        edited(): the user has changed it.
        removed(): it is to go.
    """

    edited = Signal()
    removed = Signal()

    def __init__(self, predicate: Predicate, number: int, parent: QWidget) -> None:
        super().__init__(parent)
        metrics = current_theme().metrics
        self._given = predicate
        self.path = QLineEdit(predicate.path, self)
        self.path.setAccessibleName(self.tr("Argument of condition {number}").format(number=number))
        self.path.setFixedWidth(metrics.px(150))
        self.op = ChoiceBox(self.tr("Comparison of condition {number}").format(number=number), self)
        for op in _OPS:
            self.op.addItem(op_name(op))
        if predicate.op in _OPS:
            self.op.setCurrentIndex(_OPS.index(PredicateOp(predicate.op)))
        else:  # of a newer version: it denies, and says so
            self.op.addItem(predicate.op)
            self.op.setCurrentIndex(len(_OPS))
        name = self.tr("Value of condition {number}").format(number=number)
        self.value = JsonPart(name, predicate.value, "$", self, most_lines=_VALUE_LINES)
        remove = IconButton("close", self.tr("Remove condition {number}").format(number=number), self)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(metrics.space_8)
        for widget in (self.path, self.op, self.value, remove):
            line.addWidget(widget, 1 if widget is self.value else 0, Qt.AlignmentFlag.AlignTop)
        self.path.textEdited.connect(lambda _text: self.edited.emit())
        self.op.activated.connect(lambda _at: self.edited.emit())
        self.value.edited.connect(self.edited)
        remove.clicked.connect(lambda: self.removed.emit())

    def predicate(self) -> Predicate:
        """The condition as it is written.

        Raises:
            PartProblem: the value is no JSON; its place says so, too.
        """
        try:
            value = self.value.value()
        except PartProblem as problem:
            self.value.show_problems((Told(problem.path, str(problem)),))
            raise
        self.value.show_problems(())
        at = self.op.currentIndex()
        return Predicate(self.path.text(), _OPS[at].value if at < len(_OPS) else self._given.op, value)
