"""What the window has to tell: banners above the tabs, and a toast that offers to undo."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QMargins, QObject, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from agdesk.core.workspace import StoreState, Workspace
from agdesk.ui.core_words import words_of
from agdesk.ui.widgets.text import sentences

if TYPE_CHECKING:
    from agdesk.ui.widgets.banner import Banner
    from agdesk.ui.widgets.toast import Toast

_STORE = "store"


class Notices(QObject):
    """The banners, in ``area``, and the toast over ``surface``. They are made when there is something to tell.

    Args:
        surface: what the toast stands over.
        margins: what of ``surface`` the toast leaves free.

    Signals:
        undo_changed(bool): whether there is something to undo.
    """

    undo_changed = Signal(bool)

    def __init__(self, workspace: Workspace, *, surface: QWidget, margins: Callable[[], QMargins]) -> None:
        super().__init__(surface)
        self._workspace = workspace
        self._surface = surface
        self._margins = margins
        self._undo: Callable[[], None] | None = None
        self.toast: Toast | None = None
        self.banners: dict[str, Banner] = {}
        self.area = QWidget()
        self._layout = QVBoxLayout(self.area)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        unsubscribe = workspace.store_states.subscribe(self._show_store_state)
        self.destroyed.connect(lambda: unsubscribe())
        self._show_store_state(workspace.store_state)

    def show_problem(self, message: str, hint: str) -> None:
        """A problem of its own, until the user puts it away. The same one is shown once."""
        banner = self._banner(f"problem: {message}")
        banner.show_text(sentences(message, hint))

    def offer_undo(self, text: str, undo: Callable[[], None]) -> None:
        """Confirms what was done; until the next offer it can be undone, also when the toast has gone."""
        self._undo = undo
        self._toast().show_text(text, action_text=self.tr("Undo"), action=self.undo)
        self.undo_changed.emit(True)

    def confirm(self, text: str) -> None:
        """Says in passing that something was done."""
        self._toast().show_text(text)

    def undo(self) -> None:
        """Undoes what was offered last, once."""
        undo, self._undo = self._undo, None
        if undo is not None:
            self.undo_changed.emit(False)
            if self.toast is not None:
                self.toast.hide()
            undo()

    def _toast(self) -> Toast:
        if self.toast is None:
            from agdesk.ui.widgets.toast import Toast

            self.toast = Toast(self._surface)
        self.toast.set_margins(self._margins())
        return self.toast

    def _banner(self, key: str) -> Banner:
        if key not in self.banners:
            from agdesk.ui.widgets.banner import Banner

            self.banners[key] = Banner()
            self._layout.addWidget(self.banners[key])
        return self.banners[key]

    def _show_store_state(self, state: StoreState) -> None:
        if state.condition != "ok":
            banner = self._banner(_STORE)
            banner.close_button.hide()  # it is true until it is not
            text = sentences(*words_of(state))
            banner.show_text(text, action_text=self.tr("Try again"), action=self._workspace.try_store_again)
        elif _STORE in self.banners:
            self.banners[_STORE].clear()
