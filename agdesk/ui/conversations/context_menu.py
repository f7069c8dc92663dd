"""What can be done with the conversations that are selected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from agdesk.ui.widgets.text import safe_text

if TYPE_CHECKING:
    from agdesk.core.workspace import Conversation


class ConversationMenu(QMenu):
    """The menu of one or more conversations; it is gone when it closes.

    Args:
        chosen: the conversations, one at least.
        groups: names of the groups that there are.

    Signals:
        open_chosen(), rename_chosen(), new_group_chosen(), delete_chosen()
        pin_chosen(bool), trace_chosen(bool): how it shall be.
        group_chosen(str): empty for no group.
    """

    open_chosen = Signal()
    rename_chosen = Signal()
    pin_chosen = Signal(bool)
    group_chosen = Signal(str)
    new_group_chosen = Signal()
    trace_chosen = Signal(bool)
    delete_chosen = Signal()

    def __init__(self, chosen: Sequence[Conversation], groups: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent)
        self.aboutToHide.connect(self.deleteLater)
        is_one = len(chosen) == 1
        is_pinned = all(conversation.is_pinned for conversation in chosen)
        is_traced = all(conversation.is_traced for conversation in chosen)
        self._add(self.tr("Open"), self.open_chosen.emit).setEnabled(is_one)
        self._add(self.tr("Rename"), self.rename_chosen.emit).setEnabled(is_one)
        self._add(self.tr("Unpin") if is_pinned else self.tr("Pin"), lambda: self.pin_chosen.emit(not is_pinned))
        self._add_groups(groups, {conversation.group for conversation in chosen})
        trace = self._add(self.tr("Record traffic"), lambda: self.trace_chosen.emit(not is_traced))
        trace.setCheckable(True)
        trace.setChecked(is_traced)
        self.addSeparator()
        self._add(self.tr("Delete"), self.delete_chosen.emit)

    def _add_groups(self, groups: Sequence[str], current: set[str]) -> None:
        menu = self.addMenu(self.tr("Move to group"))
        for group in groups:
            self._add_group(menu, safe_text(group).replace("&", "&&"), group, is_current=current == {group})
        if groups:
            menu.addSeparator()
        self._add_group(menu, self.tr("No group"), "", is_current=current == {""})
        menu.addAction(self.tr("New group…")).triggered.connect(lambda _checked=False: self.new_group_chosen.emit())

    def _add_group(self, menu: QMenu, text: str, group: str, *, is_current: bool) -> None:
        action = menu.addAction(text)
        action.setCheckable(True)
        action.setChecked(is_current)
        action.triggered.connect(lambda _checked=False: self.group_chosen.emit(group))

    def _add(self, text: str, handler: Callable[[], object]) -> QAction:
        action = self.addAction(text)
        action.triggered.connect(lambda _checked=False: handler())
        return action
