"""All calls of an answer that wait for the user, docked above the composer; hidden while there are none."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, QSize, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from agdesk.core.ir.approval import ApprovalDecision, ApprovalRequest, ApprovalRule, Scope, Verdict
from agdesk.ui.approval.advice import Advice
from agdesk.ui.approval.batch_bar import BatchBar
from agdesk.ui.approval.call_list import CallList
from agdesk.ui.approval.card import ApprovalCard
from agdesk.ui.approval.card_window import CardWindow, ElsewhereRow
from agdesk.ui.approval.keys import CardKeys
from agdesk.ui.approval.words import call_line, question
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.announce import announce

MOST_LINES = 20
_WINDOW_SHARE = 0.45  # so that the transcript stays in sight


class ApprovalDesk(QWidget):
    """Shows one call, and the list of all if there are more. A card keeps what was written in it while its call waits.

    Signals:
        decided(str, ApprovalDecision): about the call of this id, for this once.
        rule_wanted(str, ApprovalDecision, ApprovalRule): the same; the rule is to be saved, and its id belongs into the
            decision.
        left(): nothing here needs the keyboard any more, which was here.

    Attributes:
        keys: of the cards that are made from now on.
        card: the one that is shown; None while no call waits.
    """

    decided = Signal(str, object)
    rule_wanted = Signal(str, object, object)
    left = Signal()

    def __init__(self, parent: QWidget, *, advice: Advice) -> None:
        super().__init__(parent)
        self.keys = CardKeys()
        self.card: ApprovalCard | None = None
        self._advice = advice
        self._requests: tuple[ApprovalRequest, ...] = ()
        self._given: tuple[ApprovalRequest, ...] = ()
        self._leaving: set[str] = set()  # decided here, while those who listen are being told
        self._cards: dict[str, ApprovalCard] = {}
        self._windows: dict[str, CardWindow] = {}
        self.batch = BatchBar(self)
        self.list = CallList(self)
        self._elsewhere = ElsewhereRow(self)
        self._elsewhere.hide()
        self._place = QVBoxLayout()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(current_theme().metrics.space_8)
        column.addWidget(self.batch)
        column.addWidget(self.list)
        column.addWidget(self._elsewhere)
        column.addLayout(self._place, 1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._elsewhere.back_wanted.connect(self._bring_back)
        self.list.chosen.connect(self._show_call)
        self.list.entered.connect(self.focus_card)
        self.batch.run_wanted.connect(self._run_all)
        self.batch.deny_wanted.connect(self._deny_all)
        current_theme().theme_changed.connect(self._limit_height)
        self.hide()

    @property
    def requests(self) -> tuple[ApprovalRequest, ...]:
        """The calls that wait."""
        return self._requests

    def show_requests(self, requests: tuple[ApprovalRequest, ...]) -> None:
        """Shows the calls that wait now; one that is not among them any more was withdrawn or decided elsewhere."""
        self._given = requests
        requests = tuple(request for request in requests if request.call_id not in self._leaving)
        known = {request.call_id for request in self._requests}
        gone = [call_id for call_id in known if call_id not in {request.call_id for request in requests}]
        self._update(requests, gone, is_users=False)
        self._announce([request for request in requests if request.call_id not in known])

    def focus_card(self) -> None:
        """The user wants the keyboard on the call that is shown."""
        if self.card is not None:
            self.card.window().activateWindow()
            self.card.take_focus(is_users=True)

    def step(self, by: int) -> None:
        """Shows another call that waits: the next one with 1, the one before with -1."""
        if self.card is None:
            return
        was_armed = self.card.is_armed
        ids = [request.call_id for request in self._requests]
        place = ids.index(self.card.request.call_id) + by
        if 0 <= place < len(ids):
            self._show_call(ids[place])
            self.card.take_focus(is_users=was_armed)

    def close_down(self) -> None:
        """The conversation is closed; what waits goes on waiting."""
        self._update((), [request.call_id for request in self._requests], is_users=False)

    @override
    def minimumSizeHint(self) -> QSize:
        """All of its room: the transcript gives way, and has the rest of the window."""
        return QSize(0, min(self.sizeHint().height(), self.maximumHeight()))

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.window().installEventFilter(self)
        self._limit_height()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self.window():
            self._limit_height()
        return super().eventFilter(watched, event)

    # --- what is shown ---

    def _update(self, requests: tuple[ApprovalRequest, ...], gone: list[str], *, is_users: bool) -> None:
        """Shows other calls. The keyboard must not be left to Qt: that would pass it on as if Tab had been pressed."""
        loses_focus = self._loses_focus(gone, len(requests))
        self._replace(requests, gone)
        if loses_focus:
            self._pass_focus_on(is_users=is_users)

    def _replace(self, requests: tuple[ApprovalRequest, ...], gone: list[str]) -> None:
        before = [request.call_id for request in self._requests]
        current_id = self.card.request.call_id if self.card is not None else ""
        self._requests = requests
        ids = [request.call_id for request in requests]
        for call_id in gone:
            self._drop_card(call_id)
        if not requests:
            self.hide()
            return
        if current_id not in ids:  # the one after it, if there is one
            following = before[before.index(current_id) + 1 :] if current_id in before else []
            current_id = next((call_id for call_id in following if call_id in ids), ids[-1] if before else ids[0])
        self._show_call(current_id)
        self.show()

    def _show_call(self, call_id: str) -> None:
        place = next(at for at, request in enumerate(self._requests) if request.call_id == call_id)
        request = self._requests[place]
        card = self._cards.get(call_id) or self._make_card(request)
        if self.card is not None and self.card is not card and self.card.request.call_id not in self._windows:
            self.card.hide()
        self.card = card
        count = len(self._requests)
        card.head.show_place(place + 1, count)
        is_docked = call_id not in self._windows
        if is_docked:
            card.show()
        self._elsewhere.setVisible(not is_docked)
        self.list.setVisible(count > 1)
        self.batch.setVisible(count > 1)
        self.list.show_calls(self._requests, call_id)
        self.batch.show_calls(self._requests, request)
        self._limit_height()

    def _make_card(self, request: ApprovalRequest) -> ApprovalCard:
        call_id = request.call_id
        card = self._cards[call_id] = ApprovalCard(request, self._advice, keys=self.keys)
        card.decided.connect(lambda decision: self._decide({call_id: decision}))
        card.rule_wanted.connect(lambda decision, rule: self._decide({call_id: decision}, rule))
        card.step_wanted.connect(self.step)
        card.window_wanted.connect(lambda: self._open_window(call_id))
        card.left.connect(self.left)
        self._place.addWidget(card)
        return card

    def _drop_card(self, call_id: str) -> None:
        card = self._cards.pop(call_id, None)
        if card is None:
            return
        card.close_down()
        if (window := self._windows.pop(call_id, None)) is not None:
            window.hide()
            window.deleteLater()
        card.hide()
        card.deleteLater()
        if self.card is card:
            self.card = None

    def _limit_height(self) -> None:
        most = round(MOST_LINES * current_theme().metrics.line_height)
        self.setMaximumHeight(min(most, round(_WINDOW_SHARE * self.window().height())))

    def _announce(self, new: list[ApprovalRequest]) -> None:
        """Once for each call, however often it is shown."""
        if len(new) == 1:
            announce(self, f"{question(new[0])}. {call_line(new[0])}")
        elif new:
            names = ", ".join(question(request) for request in new)
            announce(self, self.tr("{count} calls wait for your decision: ").format(count=len(new)) + names)

    # --- decisions ---

    def _decide(self, decisions: Mapping[str, ApprovalDecision], rule: ApprovalRule | None = None) -> None:
        """Takes calls away and tells of them one by one, which may change what waits."""
        before = self._given
        self._leaving |= set(decisions)
        rest = tuple(request for request in self._requests if request.call_id not in decisions)
        self._update(rest, list(decisions), is_users=True)
        for call_id, decision in decisions.items():
            if rule is None:
                self.decided.emit(call_id, decision)
            else:
                self.rule_wanted.emit(call_id, decision, rule)
        self._leaving -= set(decisions)
        if self._given is not before:
            self.show_requests(self._given)

    def _run_all(self, call_ids: tuple[str, ...]) -> None:
        """Runs them with the arguments that their cards have; one that cannot run waits on, and is shown."""
        decisions: dict[str, ApprovalDecision] = {}
        unfit = ""
        for call_id in call_ids:
            card = self._cards.get(call_id)
            decision = ApprovalDecision(Verdict.ALLOW) if card is None else card.permission(Scope.ONCE)
            if decision is None:
                unfit = unfit or call_id
            else:
                decisions[call_id] = decision
        self._decide(decisions)
        if unfit and self.card is not None:
            self._show_call(unfit)
            self.card.point_out()

    def _deny_all(self, call_ids: tuple[str, ...]) -> None:
        self._decide({call_id: ApprovalDecision(Verdict.DENY) for call_id in call_ids})

    # --- keyboard and windows ---

    def _loses_focus(self, gone: list[str], count: int) -> bool:
        """Whether what has the focus, if that is here, is gone when these calls are, and ``count`` are left."""
        parts: list[QWidget] = [card for call_id, card in self._cards.items() if call_id in gone]
        parts += [self.batch] if gone else []
        parts += [self.list] if count < 2 else []
        return any(_has_focus(part) for part in parts)

    def _pass_focus_on(self, *, is_users: bool) -> None:
        if self.card is None:
            self.left.emit()
        elif self.card.request.call_id not in self._windows:
            self.card.take_focus(is_users=is_users)

    def _open_window(self, call_id: str) -> None:
        card = self._cards[call_id]
        window = self._windows[call_id] = CardWindow(card, self)
        window.closed.connect(lambda: self._dock(call_id))
        self._elsewhere.show()
        window.show()
        window.activateWindow()
        card.take_focus(is_users=True)

    def _dock(self, call_id: str) -> None:
        window = self._windows.pop(call_id, None)
        card = self._cards.get(call_id)
        if window is None or card is None:
            return
        self._place.addWidget(card)
        card.head.window_button.show()
        card.setVisible(card is self.card)
        window.deleteLater()
        if card is self.card:
            self._elsewhere.hide()
            card.take_focus(is_users=False)

    def _bring_back(self) -> None:
        if self.card is not None:
            self._dock(self.card.request.call_id)


def _has_focus(part: QWidget) -> bool:
    """Whether a part of a window would get its keys, were it active."""
    focused = part.window().focusWidget()
    return focused is not None and (part is focused or part.isAncestorOf(focused))
