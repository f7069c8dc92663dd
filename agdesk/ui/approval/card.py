"""One call that waits for a decision: everything that is known of it, and the answers."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QVBoxLayout
from typing_extensions import override

from agdesk.core.ir.approval import ApprovalDecision, ApprovalRequest, ApprovalRule, Scope, Verdict
from agdesk.ui.approval.advice import Advice
from agdesk.ui.approval.answers import Answers
from agdesk.ui.approval.card_body import CardBody
from agdesk.ui.approval.card_head import CardHead
from agdesk.ui.approval.keys import ENTER, CardKeys, key_text
from agdesk.ui.approval.rule_asking import RuleAsking
from agdesk.ui.approval.words import call_line, question
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.announce import announce
from agdesk.ui.widgets.card import Card, is_escape_override
from agdesk.ui.widgets.fitting_area import FittingArea

_USERS_FOCUS = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.MouseFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)
_PASSING_FOCUS = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)


class ApprovalCard(Card):
    """Decides once. Its keys count while it has the focus itself, and none of them decides while the focus was put
    there by something else than the user.

    Signals:
        decided(ApprovalDecision): for this once.
        rule_wanted(ApprovalDecision, ApprovalRule): the same, and a rule is to be saved before.
        step_wanted(int): 1 for the next call, -1 for the one before.
        window_wanted(): in a window of its own.
        left(): the keyboard belongs elsewhere.

    Attributes:
        is_armed: the user has put the focus on it.
    """

    decided = Signal(object)
    rule_wanted = Signal(object, object)
    step_wanted = Signal(int)
    window_wanted = Signal()
    left = Signal()

    def __init__(self, request: ApprovalRequest, advice: Advice, *, keys: CardKeys) -> None:
        super().__init__(background="raised", edge="control_edge")
        self.request = request
        self.is_armed = False
        self._keys = keys
        self._is_decided = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(question(request))
        self.setAccessibleDescription(call_line(request))
        self.head = CardHead(request, self)
        self.body = CardBody(request, advice)
        self.area = FittingArea(self.body, self)
        self.answers = Answers(self)
        self._rules = RuleAsking(request, advice, self.answers, self._permission_or_point_out)
        metrics = current_theme().metrics
        self.column.setContentsMargins(metrics.space_12, metrics.space_8, metrics.space_12, metrics.space_8)
        parts = QVBoxLayout()
        parts.setSpacing(metrics.space_8)
        parts.addWidget(self.head)
        parts.addWidget(self.area, 1)
        parts.addWidget(self.answers)
        self.column.addLayout(parts)
        self._connect()
        self._say_keys()

    # --- what the user does, by key, button or the desk ---

    def run_once(self) -> None:
        """Runs it with the arguments as they are now; if something is wrong with them, the keyboard goes there."""
        if (decision := self._permission_or_point_out(Scope.ONCE)) is not None:
            self._decide(decision)

    def edit(self) -> None:
        """Puts the keyboard into the arguments."""
        self.body.arguments.begin_edit()
        field = self.window().focusWidget()
        if field is not None and self.body.isAncestorOf(field):
            self.area.ensureWidgetVisible(field)

    def deny(self, reason: str = "", stops: bool = False) -> None:
        """Does not run it.

        Args:
            reason: the model is told.
            stops: the turn ends with it.
        """
        self._decide(ApprovalDecision(Verdict.DENY, reason=reason, stop_turn=stops))

    def permission(self, scope: Scope) -> ApprovalDecision | None:
        """The decision to run it; None, with what is wrong at its field, if its arguments cannot run."""
        return ApprovalDecision(Verdict.ALLOW, scope, input=self.body.edited) if self.body.look() else None

    def point_out(self) -> None:
        """Puts the keyboard where the arguments cannot run as they are."""
        announce(self, self.tr("The arguments cannot run as they are"))
        self.edit()

    def take_focus(self, *, is_users: bool) -> None:
        """Puts the keyboard on the card.

        Args:
            is_users: the user wanted it there; else no key decides until the user comes by Tab, mouse or a shortcut.
        """
        self.setFocus(Qt.FocusReason.ShortcutFocusReason if is_users else Qt.FocusReason.OtherFocusReason)
        self.is_armed = is_users  # also if it had the focus already
        self._say_keys()

    def close_down(self) -> None:
        """It is done with: it decides nothing any more."""
        self._is_decided = True
        self.body.close_down()

    def _connect(self) -> None:
        answers = self.answers
        answers.run_chosen.connect(self.run_once)
        answers.denied.connect(self.deny)
        answers.answered.connect(lambda text: self._decide(ApprovalDecision(Verdict.ANSWER, result=text)))
        answers.backed_out.connect(lambda: self.take_focus(is_users=True))
        self._rules.accepted.connect(self._decide_with_rule)
        self.head.window_button.clicked.connect(lambda: self.window_wanted.emit())
        self.head.close_button.clicked.connect(lambda: self.deny())

    def _permission_or_point_out(self, scope: Scope) -> ApprovalDecision | None:
        decision = self.permission(scope)
        if decision is None:
            self.point_out()
        return decision

    def _decide(self, decision: ApprovalDecision) -> None:
        if not self._is_decided:
            self.close_down()
            self.decided.emit(decision)

    def _decide_with_rule(self, decision: ApprovalDecision, rule: ApprovalRule) -> None:
        if not self._is_decided:
            self.close_down()
            self.rule_wanted.emit(decision, rule)

    def _say_keys(self) -> None:
        keys = self._keys
        if self.hasFocus() and not self.is_armed:
            text = self.tr("The focus came here by itself: go on by Tab or with the mouse")
        else:
            text = self.tr("{run} run once · {edit} edit · {deny} deny · {next}/{previous} next and previous").format(
                run=keys.run, edit=keys.edit, deny=keys.deny, next=keys.next, previous=keys.previous
            )
        self.answers.note.setText(text)

    # --- keys and focus ---

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._on_escape()
        elif not self.hasFocus() or event.isAutoRepeat() or not self._press(event):
            super().keyPressEvent(event)

    def _press(self, event: QKeyEvent) -> bool:
        """Does what a key means on the card; whether it means anything."""
        keys, text = self._keys, key_text(event)
        scroll = self.area.verticalScrollBar()
        is_deciding = text in (keys.run, keys.edit, keys.deny) or event.key() in ENTER
        if is_deciding and not self.is_armed:
            announce(self, self.answers.note.text())
        elif text == keys.run or event.key() in ENTER:
            self.run_once()
        elif text == keys.edit:
            self.edit()
        elif text == keys.deny:
            self.deny()
        elif text in (keys.next, keys.previous):
            self.step_wanted.emit(1 if text == keys.next else -1)
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            scroll.setValue(scroll.value() + scroll.singleStep() * (1 if event.key() == Qt.Key.Key_Down else -1))
        elif event.key() in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            scroll.setValue(scroll.value() + scroll.pageStep() * (1 if event.key() == Qt.Key.Key_PageDown else -1))
        else:
            return False
        return True

    def _on_escape(self) -> None:
        if not self.hasFocus():
            if self.answers.is_asking:
                self.answers.back_out()
            self.take_focus(is_users=True)
        elif self.is_armed:
            self.deny()
        else:
            self.left.emit()

    @override
    def event(self, event: QEvent) -> bool:
        if is_escape_override(event):
            event.accept()  # the window's own Esc stops the answer
            return True
        return super().event(event)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        if event.reason() not in _PASSING_FOCUS:
            self.is_armed = event.reason() in _USERS_FOCUS
        self._say_keys()
        super().focusInEvent(event)
        self.update()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        if event.reason() not in _PASSING_FOCUS:
            self.is_armed = False
        super().focusOutEvent(event)
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            theme = current_theme()
            ring = theme.metrics.focus_ring
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.color("accent"), ring))
            edge = ring // 2
            radius = theme.metrics.card_radius
            painter.drawRoundedRect(self.rect().adjusted(edge, edge, -edge, -edge), radius, radius)
            painter.end()
