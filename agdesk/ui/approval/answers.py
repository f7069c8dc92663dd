"""The answers to one call: run it, once or further, deny it, or write its result."""

from __future__ import annotations

from functools import cached_property
from typing import TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from agdesk.core.ir.approval import Scope
from agdesk.ui.approval.answer_panes import AnswerPane, ReasonPane, ResultPane, RulePane, answer_button, button_row
from agdesk.ui.approval.words import scope_name
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.labels import StatusLine

_WIDER_SCOPES = (Scope.TURN, Scope.CONVERSATION, Scope.ALWAYS)
_Pane = TypeVar("_Pane", bound=AnswerPane)


class Answers(QWidget):
    """Two rows of buttons, or what one of them asks for; that is made when it is first asked.

    Signals:
        run_chosen(): once.
        rule_chosen(Scope): run, and save a rule; which one is to be shown in ``rule_pane`` by ``ask_about_rule``.
        rule_accepted(): run, and save the rule that is shown.
        denied(str, bool): the reason, and whether the turn ends.
        answered(str): the result that the user wrote.
        backed_out(): the keyboard belongs to the card again.

    Attributes:
        note: one line about the keys.
    """

    run_chosen = Signal()
    rule_chosen = Signal(object)
    rule_accepted = Signal()
    denied = Signal(str, bool)
    answered = Signal(str)
    backed_out = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._pane: AnswerPane | None = None
        self.run_button = answer_button(self.tr("Run once"), self, is_primary=True)
        self.deny_button = answer_button(self.tr("Deny"), self)
        self.more_button = answer_button(self.tr("More answers"), self)
        self.more_button.setCheckable(True)
        self.note = StatusLine(self)
        self.scope_buttons = {scope: answer_button(f"{scope_name(scope)}…", self) for scope in _WIDER_SCOPES}
        self.reason_button = answer_button(self.tr("Deny with a reason…"), self)
        self.stop_button = answer_button(self.tr("Deny and stop"), self)
        self.answer_button = answer_button(self.tr("Answer instead…"), self)
        others = (self.reason_button, self.stop_button, self.answer_button)
        self._more = button_row(self, *self.scope_buttons.values(), *others)
        self._first = self._first_row()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(current_theme().metrics.space_8)
        self._column.addWidget(self._first)
        self._column.addWidget(self._more)
        self._connect()
        self._show(None)

    @property
    def is_asking(self) -> bool:
        """Whether an answer asks for more: a reason, a result, a rule."""
        return self._pane is not None

    @cached_property
    def reason_pane(self) -> ReasonPane:
        """Asks for a reason."""
        pane = ReasonPane(self)
        pane.denied.connect(self.denied)
        return self._added(pane)

    @cached_property
    def result_pane(self) -> ResultPane:
        """Asks for the result."""
        pane = ResultPane(self)
        pane.answered.connect(self.answered)
        return self._added(pane)

    @cached_property
    def rule_pane(self) -> RulePane:
        """Shows the rule."""
        pane = RulePane(self)
        pane.accepted.connect(self.rule_accepted)
        return self._added(pane)

    def ask_about_rule(self) -> None:
        """Shows the rule that ``rule_pane`` holds."""
        self._show(self.rule_pane)
        self.rule_pane.save_button.setFocus()

    def back_out(self) -> None:
        """Asks for nothing more."""
        self._show(None)
        self.backed_out.emit()

    def allow_scope(self, scope: Scope, *, problem: str) -> None:
        """Offers a scope, or says why it cannot be."""
        button = self.scope_buttons[scope]
        button.setEnabled(not problem)
        button.setToolTip(problem)
        button.setAccessibleDescription(problem)

    def _connect(self) -> None:
        self.run_button.clicked.connect(lambda: self.run_chosen.emit())
        self.deny_button.clicked.connect(lambda: self.denied.emit("", False))
        self.stop_button.clicked.connect(lambda: self.denied.emit("", True))
        self.more_button.toggled.connect(self._more.setVisible)
        for scope, button in self.scope_buttons.items():
            button.clicked.connect(lambda _checked=False, scope=scope: self.rule_chosen.emit(scope))
        self.reason_button.clicked.connect(lambda: self._ask(self.reason_pane))
        self.answer_button.clicked.connect(lambda: self._ask(self.result_pane))

    def _ask(self, pane: ReasonPane | ResultPane) -> None:
        self._show(pane)
        pane.field.setFocus()

    def _added(self, pane: _Pane) -> _Pane:
        pane.backed_out.connect(self.back_out)
        self._column.addWidget(pane)
        return pane

    def _show(self, pane: AnswerPane | None) -> None:
        if self._pane is not None:
            self._pane.hide()
        self._pane = pane
        if pane is not None:
            pane.show()
        self._first.setVisible(pane is None)
        self._more.setVisible(pane is None and self.more_button.isChecked())

    def _first_row(self) -> QWidget:
        row = QWidget(self)
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(current_theme().metrics.space_8)
        line.addWidget(self.run_button)
        line.addWidget(self.deny_button)
        line.addWidget(self.more_button)
        line.addWidget(self.note, 1)
        return row
