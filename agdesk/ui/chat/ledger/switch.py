"""Another model for a conversation: at once if it receives what the present one receives, else after a question."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from agdesk.core.cycle import AgentSession
from agdesk.core.errors import AgdeskError, ConfigurationError
from agdesk.core.ir.blocks import ContentBlock
from agdesk.core.ir.ledger import beyond
from agdesk.core.tasks import spawn
from agdesk.core.workspace import Workspace
from agdesk.ui.core_words import words_of
from agdesk.ui.widgets.composer import Composer

if TYPE_CHECKING:
    from agdesk.ui.chat.ledger.receive_dialog import ReceiveDialog
    from agdesk.ui.chat.ledger.sheet import SwitchSheet

BUSY_MS = 150  # what is found out sooner is not worth a word


class ModelSwitch(QObject):
    """Decides with the user which model a conversation goes on with (PROV7).

    Args:
        session: the conversation; its ``model_ref`` is set here.
        draft: what is written and not sent.
        place: where the question is put.

    Signals:
        switched(str): another model answers from now on.
        closed(): the question is gone; the keyboard belongs where one writes.
    """

    switched = Signal(str)
    closed = Signal()

    def __init__(
        self,
        workspace: Workspace,
        session: AgentSession,
        *,
        draft: Callable[[], tuple[ContentBlock, ...]],
        place: QVBoxLayout,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._session = session
        self._draft = draft
        self._place = place
        self._owner = parent
        self._wanted = ""
        self._then: Callable[[], None] | None = None
        self._task: asyncio.Task[None] | None = None
        self._dialogs: list[ReceiveDialog] = []
        self._busy = QTimer(self)
        self._busy.setSingleShot(True)
        self._busy.setInterval(BUSY_MS)
        self._busy.timeout.connect(lambda: self.sheet.show_busy(self._wanted))

    @property
    def is_pending(self) -> bool:
        """Whether a model was chosen and it is not settled yet if it answers."""
        return bool(self._wanted)

    @cached_property
    def sheet(self) -> SwitchSheet:
        """The question; made when it is first asked."""
        from agdesk.ui.chat.ledger.sheet import SwitchSheet

        sheet = SwitchSheet(self._owner)
        sheet.switch_requested.connect(lambda: self._take(self._wanted))
        sheet.keep_requested.connect(self.keep)
        sheet.look_requested.connect(lambda: self.show_received(self._wanted))
        self._place.addWidget(sheet)
        return sheet

    def choose(self, model_ref: str, *, then: Callable[[], None] | None = None) -> None:
        """The user wants another model.

        Args:
            then: what is to be done once it is the one that answers.
        """
        self._then = then
        if model_ref == self._wanted:
            return  # it is being asked about
        if model_ref == self._session.model_ref:
            self._end(taken=model_ref)
        elif not self._session.has_history:
            self._take(model_ref)
        else:
            self._stop()
            self._wanted = model_ref
            self._busy.start()
            self._task = spawn(self._compare(model_ref), name=f"what {model_ref} would receive")

    def keep(self) -> None:
        """Stays with the model that answers now."""
        self._end()

    def point_out(self) -> None:
        """Puts the keyboard on the question, if there is one that can be answered."""
        if self.is_pending and self._task is not None and self._task.done():
            self.sheet.switch_button.setFocus()

    def show_received(self, model_ref: str = "") -> None:
        """Shows what a model would receive if the draft were sent now; without one, the model in use (PROV8)."""
        from agdesk.ui.chat.ledger.receive_dialog import ReceiveDialog

        dialog = ReceiveDialog(
            self._workspace,
            self._session,
            model_ref=model_ref or self._wanted or self._session.model_ref,
            draft=self._draft,
            parent=self._owner,
        )
        self._dialogs.append(dialog)
        dialog.finished.connect(lambda _result: self._dialogs.remove(dialog))
        dialog.show()
        dialog.activateWindow()

    def close(self) -> None:
        """Ends everything: the conversation is closed."""
        self._stop()
        for dialog in tuple(self._dialogs):
            dialog.close()

    async def _compare(self, model_ref: str) -> None:
        draft = self._draft()
        try:
            try:
                known = (await self._workspace.rendered(self._session, self._session.model_ref, draft)).ledger
            except ConfigurationError:  # the present model cannot be asked: everything is new
                known = ()
            rendering = await self._workspace.rendered(self._session, model_ref, draft)
        except AgdeskError as error:
            self._busy.stop()
            self.sheet.show_problem(*words_of(error))
            self._take_focus()
            return
        lines = await asyncio.to_thread(beyond, rendering.ledger, known)
        if not lines:
            self._take(model_ref)
            return
        from agdesk.ui.chat.ledger.changes import changes_by_message

        messages = self._session.next_request(rendering.model, draft).messages
        groups = await asyncio.to_thread(changes_by_message, lines, messages)
        self._busy.stop()
        self.sheet.show_changes(f"{rendering.provider_id}/{rendering.model}", groups)
        self._take_focus()

    def _take_focus(self) -> None:
        """The keyboard goes to the question, but not away from someone who writes."""
        focused = self._owner.window().focusWidget()
        if not (isinstance(focused, Composer) and focused.toPlainText()):
            self.sheet.switch_button.setFocus()

    def _take(self, model_ref: str) -> None:
        self._session.model_ref = model_ref
        self._end(taken=model_ref)

    def _end(self, *, taken: str = "") -> None:
        was_asked = self.is_pending and "sheet" in self.__dict__ and not self.sheet.isHidden()
        then, self._then = self._then, None
        self._stop()
        if taken:
            self.switched.emit(taken)
        if taken and then is not None:
            then()
        if was_asked:
            self.closed.emit()

    def _stop(self) -> None:
        self._busy.stop()
        self._wanted = ""
        task, self._task = self._task, None
        if task is not None and task is not asyncio.current_task():
            task.cancel()
        if "sheet" in self.__dict__:
            self.sheet.hide()
