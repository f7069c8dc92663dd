"""What can be done with the messages of a conversation: other versions, and the way between them (CHAT4)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from agdesk.core.cycle import AgentSession
from agdesk.core.errors import AgdeskError
from agdesk.core.ir.tree import ConversationTree
from agdesk.core.tasks import spawn
from agdesk.core.trace.branches import message_id_of
from agdesk.core.trace.events import BranchDeleted, BranchRestored, TraceRecord
from agdesk.core.workspace import Workspace
from agdesk.ui.core_words import words_of
from agdesk.ui.widgets.text import sentences

if TYPE_CHECKING:
    from agdesk.ui.chat.feed import TranscriptFeed
    from agdesk.ui.chat.tree.dialog import BranchesDialog
    from agdesk.ui.widgets.transcript import EndAction, VirtualTranscript


class BranchControl(QObject):
    """Does with a session what is chosen at its messages, and shows which version of each is the active one.

    Args:
        owner: parent of the menus.

    Signals:
        redraw_needed(Branch): the active path is another one.
        edit_wanted(str): a message is to be edited.
        step_taken(): what was offered below the last answer was chosen.
        model_wanted(str | None): another model is to be chosen, which then answers a message again.
        undo_offered(str, object): what was done, and the call that undoes it.
        forked(str): the id of a new conversation that was made of this one.
        problem_found(str): why something could not be done.
    """

    redraw_needed = Signal(object)
    edit_wanted = Signal(str)
    step_taken = Signal()
    model_wanted = Signal(object)
    undo_offered = Signal(str, object)
    forked = Signal(str)
    problem_found = Signal(str)

    def __init__(self, workspace: Workspace, session: AgentSession, *, owner: QWidget) -> None:
        super().__init__(owner)
        self._workspace = workspace
        self._session = session
        self._owner = owner
        self._transcript: VirtualTranscript | None = None
        self._feed: TranscriptFeed | None = None
        self._subscriptions = (
            session.branches.changed.subscribe(self.redraw_needed.emit),
            session.parameters_changed.subscribe(lambda _: self.show_offer()),
            workspace.models_changed.subscribe(lambda _: self.show_offer()),
        )

    @property
    def _tree(self) -> ConversationTree:
        return self._session.branches.tree

    def attach(self, transcript: VirtualTranscript, feed: TranscriptFeed) -> None:
        """Begins to serve a transcript."""
        self._transcript, self._feed = transcript, feed
        transcript.message_action_chosen.connect(self._act)
        transcript.end_action_chosen.connect(self._take_step)

    def stop_listening(self) -> None:
        """The conversation is closed."""
        for unsubscribe in self._subscriptions:
            unsubscribe()

    # --- what can be done ---

    def regenerate(self, message_id: str | None = None) -> None:
        """Asks for another answer: to the last message, or in place of that one."""
        self._try(lambda: self._session.regenerate(message_id))

    def go_on(self) -> None:
        """Goes on with the answer at the end, which was cut (CHAT5)."""
        self._try(self._session.go_on)

    def step(self, by: int, message_id: str | None = None) -> None:
        """Shows the next version, or the one before, of a message; of the last one that has several without an id."""
        shown = message_id or self._last_with_versions()
        if shown is None:
            return
        versions = [node.id for node in self._tree.siblings(shown)]
        place = versions.index(shown) + by
        if 0 <= place < len(versions):
            self._run(self._session.select(versions[place]), "show another version")

    def edit(self, message_id: str | None = None) -> None:
        """Begins to edit a message; the user's last one without an id."""
        own = (node.id for node in reversed(self._tree.path()) if node.role == "user")
        if (target := message_id or next(own, None)) is not None:
            self.edit_wanted.emit(target)

    def delete(self, message_id: str | None = None) -> None:
        """Deletes a message with all that follows it, and offers to undo that; the last one without an id."""
        if (target := message_id or self._tree.leaf_id) is not None:
            self._run(self._delete(target), "delete a message")

    def fork(self, message_id: str | None = None) -> None:
        """Makes a new conversation of everything up to a message; of everything without an id."""
        if (target := message_id or self._tree.leaf_id) is not None:
            self._run(self._fork(target), "fork a conversation")

    def select(self, message_id: str) -> None:
        """Shows the branch that a message is on."""
        self._run(self._session.select(message_id), "select a branch")

    def when_whole(self, call: Callable[[], object]) -> None:
        """Does what needs the whole conversation, or says that it is not here yet."""
        self._try(self._session.check_whole, call)

    def show_all(self) -> BranchesDialog:
        """Opens the list of all branches."""
        from agdesk.ui.chat.tree.dialog import BranchesDialog

        dialog = BranchesDialog(self._session, self, self._owner)
        dialog.show()
        dialog.activateWindow()
        return dialog

    # --- what is shown ---

    def show_places(self, records: Sequence[TraceRecord]) -> None:
        """Says at messages that were just drawn, and where a version came or went, which of several they are."""
        for record in records:
            match record.payload:
                case BranchDeleted(message_id=changed) | BranchRestored(message_id=changed):
                    for node in self._tree.children(self._tree.node(changed).parent_id):
                        self._show_place(node.id)
                case _:
                    if (message_id := message_id_of(record)) is not None and message_id in self._tree:
                        self._show_place(message_id)

    def show_offer(self) -> None:
        """Offers what can be done about the answer at the end with the model as it is chosen and known now."""
        if self._feed is not None:
            self._feed.offers.show()

    def show_versions(self) -> None:
        """Says at every message of which there are several which of them it is."""
        for node in self._tree.versions():
            self._show_place(node.id)

    def _show_place(self, message_id: str) -> None:
        assert self._transcript is not None and self._feed is not None
        if self._tree.is_marked_deleted(message_id):  # of every message that is drawn: no way up the path
            return  # since it was drawn
        place = self._tree.place(message_id)
        with contextlib.suppress(KeyError):  # it is not drawn
            self._transcript.set_place(self._feed.key_of(message_id), number=place.number, count=place.count)

    def _last_with_versions(self) -> str | None:
        path = self._tree.path()
        return next((node.id for node in reversed(path) if self._tree.place(node.id).count > 1), None)

    # --- from the buttons ---

    def _act(self, key: str, action: str) -> None:
        message_id = self._message_at(key)
        match action:
            case "again":
                self.regenerate(message_id)
            case "edit" if message_id is not None:
                self.edit_wanted.emit(message_id)
            case "previous" | "next" if message_id is not None:
                self.step(-1 if action == "previous" else 1, message_id)
            case "more":
                assert self._transcript is not None
                self.make_menu(key).popup(self._transcript.menu_place(key))
            case _:
                self.problem_found.emit(self.tr("Nothing came of this answer, so there is nothing to edit."))

    def _take_step(self, key: str, action: EndAction) -> None:
        """Goes on with the last answer, or asks again: without the parameter that its model refused, if it was that."""
        assert self._feed is not None
        if (offer := self._feed.offers.at(key)) is None or self._session.is_running:
            return
        self.step_taken.emit()
        error = offer.error
        if action == "continue":
            self.go_on()
        elif error is not None and "removable" in error.details:
            self._try(lambda: self._session.resend_without(error, model_ref=offer.model_ref))
        else:
            self.regenerate()

    def make_menu(self, key: str) -> QMenu:
        """What can be done with a message."""
        message_id = self._message_at(key)
        menu = QMenu(self._owner)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def add(text: str, call: Callable[[], object], *, needs_message: bool = True) -> None:
            action = menu.addAction(text)
            action.triggered.connect(lambda _checked=False: call())
            action.setEnabled(message_id is not None or not needs_message)

        add(self.tr("Edit…"), lambda: self.edit(message_id))
        add(self.tr("Answer again"), lambda: self.regenerate(message_id), needs_message=False)
        again_with = self.tr("Answer again with another model…")
        add(again_with, lambda: self.model_wanted.emit(message_id), needs_message=False)
        add(self.tr("Fork into a new conversation"), lambda: self.fork(message_id))
        add(self.tr("All branches…"), lambda: self.when_whole(self.show_all), needs_message=False)
        menu.addSeparator()
        add(self.tr("Delete this and what follows"), lambda: self.delete(message_id))
        return menu

    def _message_at(self, key: str) -> str | None:
        """What is drawn under a key, as the tree has it; None for an answer that nothing came of."""
        assert self._feed is not None
        found = self._feed.message_id(key)
        return found if found in self._tree else None

    # --- doing it ---

    async def _delete(self, message_id: str) -> None:
        was_active = self._tree.is_active(message_id)
        leaf_id = self._tree.leaf_id
        await self._session.delete(message_id)

        async def restore() -> None:
            self._session.restore(message_id)
            if was_active and leaf_id is not None:
                await self._session.select(leaf_id)

        self.undo_offered.emit(self.tr("Message deleted"), lambda: self._run(restore(), "restore a message"))

    async def _fork(self, message_id: str) -> None:
        self.forked.emit(await self._workspace.fork(self._session, message_id))

    def _try(self, *calls: Callable[[], object]) -> None:
        try:
            for call in calls:
                call()
        except AgdeskError as error:
            self._tell(error)

    def _tell(self, error: AgdeskError) -> None:
        self.problem_found.emit(sentences(*words_of(error)))

    def _run(self, work: Coroutine[Any, Any, None], name: str) -> None:
        async def supervised() -> None:
            try:
                await work
            except AgdeskError as error:
                self._tell(error)

        spawn(supervised(), name=name)
