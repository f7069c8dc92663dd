"""Asks about the rule of an answer that reaches beyond this once: shown and editable before it is saved (TOOL7)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from PySide6.QtCore import QObject, Signal

from agdesk.core.ir.approval import ApprovalDecision, ApprovalRequest, ApprovalRule, Scope, Verdict
from agdesk.ui.approval.advice import Advice
from agdesk.ui.approval.answers import Answers
from agdesk.ui.approval.rule_editor import RuleEditor
from agdesk.ui.widgets.announce import announce
from agdesk.ui.widgets.schema_form.part import PartProblem


class RuleAsking(QObject):
    """Serves the answers of one call.

    Args:
        permit: the decision to run the call with a scope; None if it cannot run.

    Signals:
        accepted(ApprovalDecision, ApprovalRule): the user wants the rule that was shown.
    """

    accepted = Signal(object, object)

    def __init__(
        self,
        request: ApprovalRequest,
        advice: Advice,
        answers: Answers,
        permit: Callable[[Scope], ApprovalDecision | None],
    ) -> None:
        super().__init__(answers)
        self._request = request
        self._advice = advice
        self._answers = answers
        self._permit = permit
        self._decision: ApprovalDecision | None = None
        answers.more_button.toggled.connect(self._offer)
        answers.rule_chosen.connect(self._ask)
        answers.rule_accepted.connect(self._accept)

    @cached_property
    def _rules(self) -> RuleEditor:
        rules = self._answers.rule_pane.rules
        rules.edited.connect(self._explain)
        return rules

    def _offer(self, is_open: bool) -> None:
        """Always is offered only if the rule can be read whole."""
        if is_open:
            decision = ApprovalDecision(Verdict.ALLOW, Scope.ALWAYS)
            rule = self._advice.propose(self._request, decision)
            self._answers.allow_scope(Scope.ALWAYS, problem=self._advice.explain(self._request, rule).problem)

    def _ask(self, scope: Scope) -> None:
        self._decision = self._permit(scope)
        if self._decision is not None:
            self._rules.show_rule(self._advice.propose(self._request, self._decision))
            self._explain()
            self._answers.ask_about_rule()

    def _explain(self) -> ApprovalRule | None:
        """Shows what the rule grants as it is written now; None if it cannot be saved."""
        try:
            rule = self._rules.rule()
        except PartProblem as problem:
            self._rules.show_words("", str(problem))
            return None
        words = self._advice.explain(self._request, rule)
        self._rules.show_words(words.text, words.problem)
        return None if words.problem else rule

    def _accept(self) -> None:
        rule = self._explain()
        if self._decision is None or rule is None:
            announce(self._answers, self._rules.problem.text())
            self._rules.pattern.setFocus()
        else:
            self.accepted.emit(self._decision, rule)
