"""Puts the calls that wait for the user before him, and hands on what he decides."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from agdesk.core.cycle import AgentSession
from agdesk.core.ir.approval import ApprovalDecision, ApprovalRequest, ApprovalRule, Scope
from agdesk.core.ir.blocks import JsonObject
from agdesk.core.ir.codec import Unknown
from agdesk.core.ir.effect import Effect
from agdesk.core.workspace import Workspace

if TYPE_CHECKING:
    from agdesk.ui.approval import ApprovalDesk, RuleWords
    from agdesk.ui.chat.column import ConversationColumn


translate = QCoreApplication.translate


class CallControl(QObject):
    """Serves one session. The desk is made when a call waits for the first time.

    Args:
        column: of the conversation; shows the desk, and gets the keyboard when that is left.

    Signals:
        waiting_changed(bool): calls wait that did not before; or none does any more.
        undo_offered(str, object): what was done, and the call that undoes it.

    Attributes:
        desk: what is seen; None until a call waits.
    """

    waiting_changed = Signal(bool)
    undo_offered = Signal(str, object)

    def __init__(self, workspace: Workspace, session: AgentSession, *, column: ConversationColumn) -> None:
        super().__init__(column)
        self.desk: ApprovalDesk | None = None
        self._workspace = workspace
        self._session = session
        self._approvals = session.approvals
        self._column = column
        self._known: frozenset[str] = frozenset()
        self._unsubscribe = self._approvals.changed.subscribe(lambda _: self._on_changed())
        self._on_changed()

    @property
    def is_waiting(self) -> bool:
        """Whether a call waits for the user."""
        return bool(self._approvals.pending)

    def focus(self) -> None:
        """Puts the keyboard on the call that is shown, if one waits."""
        if self.desk is not None:
            self.desk.focus_card()

    def revoke_rules(self) -> None:
        """Takes back every rule that is kept and answers calls here, those for all conversations among them."""
        permissions = self._workspace.permissions
        here = [one for one in permissions.all if one.conversation_id in ("", self._session.id)]
        if not here:
            self._column.notice.show_text(self.tr("No rule is kept: you are asked about every call."))
            return
        for permission in here:
            permissions.remove(permission.id)

        def restore() -> None:
            for permission in here:
                permissions.restore(permission)

        self.undo_offered.emit(self.tr("Rules for calls revoked: {count}").format(count=len(here)), restore)

    def close(self) -> None:
        """The conversation is closed; what waits goes on waiting."""
        self._unsubscribe()
        if self.desk is not None:
            self.desk.close_down()

    def _on_changed(self) -> None:
        pending = self._approvals.pending
        if pending and self.desk is None:
            self.desk = self._make_desk()
        if self.desk is not None:
            self.desk.show_requests(pending)
        known, self._known = self._known, frozenset(request.call_id for request in pending)
        if self._known - known:
            self.waiting_changed.emit(True)
        elif known and not self._known:
            self.waiting_changed.emit(False)

    def _make_desk(self) -> ApprovalDesk:
        from agdesk.ui.approval import Advice, ApprovalDesk

        advice = Advice(
            validate=self._problems,
            foresee=self._foresee,
            propose=_propose,
            explain=_explain,
            asking_rule=self._asking_rule,
        )
        desk = ApprovalDesk(self._column, advice=advice)
        desk.decided.connect(self._approvals.decide)
        desk.rule_wanted.connect(self._on_rule_wanted)
        desk.left.connect(self._column.focus_composer)
        self._column.queue_place.insertWidget(0, desk)
        return desk

    def _on_rule_wanted(self, call_id: str, decision: ApprovalDecision, rule: ApprovalRule) -> None:
        self._approvals.decide(call_id, dataclasses.replace(decision, rule_id=rule.id))
        if rule.scope is not Scope.TURN:
            kept_for = self._session.id if rule.scope is Scope.CONVERSATION else ""
            self._workspace.permissions.keep(rule, conversation_id=kept_for)
        self._approvals.take_rule(rule)

    def _problems(self, request: ApprovalRequest, arguments: JsonObject) -> tuple[tuple[str, str], ...]:
        tool = self._workspace.known_tool(request.tool)
        return () if tool is None else tuple((problem.path, problem.message) for problem in tool.validate(arguments))

    async def _foresee(self, request: ApprovalRequest, arguments: JsonObject) -> Effect | None:
        return await self._workspace.foresee(request.tool, arguments, folder=request.folder)

    def _asking_rule(self, rule_id: str) -> str:
        from agdesk.core.tools.proposed_rule import rule_text

        for permission in self._workspace.permissions.all:
            if permission.id == rule_id and not isinstance(permission.rule, Unknown):
                return rule_text(permission.rule)
        return ""


def _propose(request: ApprovalRequest, decision: ApprovalDecision) -> ApprovalRule:
    from agdesk.core.tools.proposed_rule import rule_for

    return rule_for(request, decision)


def _explain(request: ApprovalRequest, rule: ApprovalRule) -> RuleWords:
    from agdesk.core.tools.proposed_rule import can_show_whole, rule_text
    from agdesk.core.tools.rule import CompiledRule
    from agdesk.ui.approval import RuleWords

    text = rule_text(rule)
    compiled = CompiledRule(rule)
    if compiled.problem:
        return RuleWords(text, compiled.problem)
    if not compiled.matches(request.server, request.tool, request.input, folder=request.folder):
        return RuleWords(text, translate("CallControl", "This rule does not fit the call that it is made from."))
    if not can_show_whole(rule):
        return RuleWords(text, translate("CallControl", "This rule grants more than its text can show."))
    return RuleWords(text)
