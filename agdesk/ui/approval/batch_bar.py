"""Answers to several calls at once, and steps through them (TOOL6)."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from agdesk.core.ir.approval import ApprovalRequest
from agdesk.core.ir.request import ResultSemantic
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.flow_layout import FlowLayout
from agdesk.ui.widgets.hidden_characters import revealed

_NAME_CHARACTERS = 30


class BatchBar(QWidget):
    """A button is there while it would do something that the card's own would not.

    Signals:
        run_wanted(tuple): these calls are to run, ids in their order.
        deny_wanted(tuple): these are not.
    """

    run_wanted = Signal(tuple)
    deny_wanted = Signal(tuple)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ids: dict[PushButton, tuple[str, ...]] = {}
        flow = FlowLayout(self, spacing=current_theme().metrics.space_8)
        self.until_action_button = PushButton(self)
        self.factual_button = PushButton(self)
        self.tool_button = PushButton(self)
        self.all_button = PushButton(self)
        self.deny_button = PushButton(self)
        for button in (
            self.until_action_button,
            self.factual_button,
            self.tool_button,
            self.all_button,
            self.deny_button,
        ):
            flow.addWidget(button)
            signal = self.deny_wanted if button is self.deny_button else self.run_wanted
            button.clicked.connect(lambda _checked=False, button=button, signal=signal: signal.emit(self._ids[button]))

    def show_calls(self, requests: tuple[ApprovalRequest, ...], current: ApprovalRequest) -> None:
        """Offers what can be done with the calls that wait; what may act on the world stops "until the next Action"."""
        before_action: list[ApprovalRequest] = []
        for request in requests:
            if request.semantic is not ResultSemantic.FACTUAL:
                break
            before_action.append(request)
        factual = [request for request in requests if request.semantic is ResultSemantic.FACTUAL]
        same = [request for request in requests if (request.server, request.tool) == (current.server, current.tool)]
        has_more = len(factual) > len(before_action)
        name = revealed(current.tool)
        name = name if len(name) <= _NAME_CHARACTERS else f"{name[:_NAME_CHARACTERS]}…"
        until = before_action if len(before_action) < len(requests) else []
        self._offer(self.until_action_button, self.tr("Run until the next Action ({count})"), until)
        self._offer(self.factual_button, self.tr("Run all Factual ({count})"), factual if has_more else [])
        some_of_tool = same if 1 < len(same) < len(requests) else []
        self._offer(self.tool_button, self.tr("Run all of {tool} ({count})").replace("{tool}", name), some_of_tool)
        self._offer(self.all_button, self.tr("Run all ({count})"), list(requests))
        self._offer(self.deny_button, self.tr("Deny all ({count})"), list(requests))

    def _offer(self, button: PushButton, text: str, requests: list[ApprovalRequest]) -> None:
        text = text.replace("{count}", str(len(requests)))
        self._ids[button] = tuple(request.call_id for request in requests)
        button.setText(text.replace("&", "&&"))
        button.setAccessibleName(text)
        button.setVisible(bool(requests))
