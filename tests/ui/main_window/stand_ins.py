"""Small widgets in the place of the panels and dialogs, which have tests of their own."""

import sys
import types
from collections.abc import Set
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QLineEdit, QVBoxLayout, QWidget


class ConversationPanel(QWidget):
    open_requested = Signal(str)
    new_requested = Signal()
    undo_offered = Signal(str, object)

    def __init__(self, conversations: Any) -> None:
        super().__init__()
        self.current: str | None = None
        self.busy: Set[str] = frozenset()
        self.folded = "[]"
        self.search = QLineEdit(self)
        self.search.setAccessibleName("Search conversations")

    def set_current(self, conversation_id: str | None) -> None:
        self.current = conversation_id

    def set_busy(self, ids: Set[str]) -> None:
        self.busy = ids

    def focus_search(self) -> None:
        self.search.setFocus()

    def state(self) -> str:
        return self.folded

    def restore(self, state: str) -> None:
        self.folded = state


class InspectorPanel(QWidget):
    def __init__(self, workspace: Any) -> None:
        super().__init__()
        self.session: Any = None
        self.splitter = b"as it was"

    def splitter_state(self) -> bytes:
        return self.splitter

    def restore_splitter(self, state: bytes) -> None:
        self.splitter = state

    def show_session(self, session: Any) -> None:
        self.session = session


class CommandPalette(QDialog):
    def __init__(self, registry: Any, parent: QWidget) -> None:
        super().__init__(parent)
        self.registry = registry
        self.sources: list[Any] = []

    def add_source(self, source: Any) -> None:
        self.sources.append(source)


@dataclass(frozen=True)
class Entry:
    text: str
    detail: str
    run: Any


class ShortcutPage(QWidget):
    shortcut_chosen = Signal(str, str)
    shortcut_reset = Signal(str)

    def __init__(self, registry: Any) -> None:
        super().__init__()


class SettingsDialog(QDialog):
    def __init__(self, workspace: Any, parent: QWidget, *, pages: Any = ()) -> None:
        super().__init__(parent)
        self.page = ""
        layout = QVBoxLayout(self)
        for _, page in pages:
            layout.addWidget(page)

    def open_page(self, page: str) -> None:
        self.page = page


PACKAGES: dict[str, tuple[type, ...]] = {
    "agdesk.ui.conversations": (ConversationPanel,),
    "agdesk.ui.inspector": (InspectorPanel,),
    "agdesk.ui.palette": (CommandPalette, Entry, ShortcutPage),
    "agdesk.ui.settings": (SettingsDialog,),
}


def install(monkeypatch: Any) -> None:
    """Puts the stand-ins where the window looks for the real ones."""
    for name, classes in PACKAGES.items():
        module = types.ModuleType(name)
        for stand_in in classes:
            setattr(module, stand_in.__name__, stand_in)
        monkeypatch.setitem(sys.modules, name, module)
