"""The queue of a conversation as its tab knows it: shows what waits, and does with it what is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication

from agdesk.core.cycle import AgentSession
from agdesk.ui.chat.ledger.switch import ModelSwitch
from agdesk.ui.chat.queue.words import state_text

if TYPE_CHECKING:
    from agdesk.ui.chat.column import ConversationColumn
    from agdesk.ui.chat.queue.panel import QueuePanel


class QueueControl(QObject):
    """Serves one session. The panel is made when something waits for the first time.

    Args:
        switch: the question for another model; nothing is sent before it is answered.
        column: of the conversation; shows the panel, and gets the keyboard when that is left.

    Signals:
        changed(): something else waits, or it waits for something else.
        undo_offered(str, object): what was done, and the call that undoes it.

    Attributes:
        panel: what is seen; None until something waits.
    """

    changed = Signal()
    undo_offered = Signal(str, object)

    def __init__(self, session: AgentSession, *, switch: ModelSwitch, column: ConversationColumn) -> None:
        super().__init__(column)
        self.panel: QueuePanel | None = None
        self._session = session
        self._queue = session.queue
        self._switch = switch
        self._column = column
        self._queue.is_held = lambda: self.is_editing or switch.is_pending
        # not at once: what was to be done with the other model comes first
        switch.switched.connect(self._proceed, Qt.ConnectionType.QueuedConnection)
        switch.closed.connect(self._proceed, Qt.ConnectionType.QueuedConnection)
        self._unsubscribe = self._queue.changed.subscribe(lambda _: self._on_changed())
        self.refresh()

    @property
    def is_editing(self) -> bool:
        """Whether a message that waits is being edited."""
        return self.panel is not None and bool(self.panel.view.edited_id)

    def pause(self) -> None:
        """Sends nothing more after the running answer."""
        self._queue.pause()

    def resume(self) -> None:
        """Goes on, unless it must be settled first which model answers."""
        if self._switch.is_pending:
            self._switch.point_out()
        self._queue.resume()

    def focus(self) -> None:
        """Puts the keyboard on what waits, if anything does."""
        if self.panel is not None and not self.panel.isHidden():
            self.panel.view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def close(self) -> None:
        """The conversation is closed; what was being edited is taken."""
        self._unsubscribe()
        self._queue.close()
        if self.panel is not None:
            self.panel.view.end_edit()

    def refresh(self) -> None:
        """Shows what waits now."""
        from agdesk.ui.chat.queue.model import row_of

        items, pause = self._queue.items, self._queue.pause_reason
        if not items and self.panel is None:
            return
        panel = self.panel or self._make_panel()
        panel.view.rows.show_rows(tuple(row_of(item) for item in items))
        panel.view.send_key = self._column.composer.send_key
        panel.view.refresh()
        if not items:
            had_focus = (focused := QApplication.focusWidget()) is not None and panel.isAncestorOf(focused)
            panel.hide()
            if had_focus:  # else it would go to the first button of the window
                self._column.focus_composer()
            return
        text = state_text(len(items), pause, is_held=self._queue.is_held())
        is_warning = pause is not None and pause.cause in ("failed", "refused")
        panel.show_state(text, is_paused=pause is not None, is_warning=is_warning)

    def _make_panel(self) -> QueuePanel:
        from agdesk.ui.chat.queue.panel import QueuePanel

        panel = self.panel = QueuePanel(self._column)
        view = panel.view
        panel.pause_chosen.connect(self.pause)
        panel.resume_chosen.connect(self.resume)
        view.moved.connect(self._queue.move)
        view.edited.connect(self._queue.edit)
        view.removed.connect(self._remove)
        view.send_chosen.connect(self._send_now)
        view.editing_began.connect(self._on_changed)
        view.editing_ended.connect(self._proceed)
        view.can_send_now = lambda: not self._session.is_running
        view.left.connect(self._column.focus_composer)
        self._column.queue_place.addWidget(panel)
        return panel

    def _remove(self, item_id: str) -> None:
        item = next((item for item in self._queue.items if item.id == item_id), None)
        if item is None or (place := self._queue.remove(item_id)) is None:
            return
        self.undo_offered.emit(self.tr("Queued message removed"), lambda: self._queue.insert(place, item))

    def _send_now(self, item_id: str) -> None:
        if self._switch.is_pending:
            self._switch.point_out()
        else:
            self._queue.send_now(item_id)

    def _proceed(self) -> None:
        self._queue.proceed()
        self._on_changed()

    def _on_changed(self) -> None:
        self.refresh()
        self.changed.emit()
