"""The rows of the list of branches."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt
from typing_extensions import override

from agdesk.core.ir.tree import ConversationTree
from agdesk.ui.widgets.row_model import Index, RowModel
from agdesk.ui.widgets.text import safe_text


@dataclass(frozen=True, slots=True)
class OutlineRow:
    """One message.

    Attributes:
        depth: how often the conversation branched above it.
        is_active: it is on the path that is shown.
    """

    message_id: str
    depth: int
    speaker: str
    text: str
    is_active: bool


class OutlineModel(RowModel[OutlineRow]):
    """Every message of a conversation, each before what follows it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._own = self.tr("You")

    def show_tree(self, tree: ConversationTree) -> None:
        """Another state of the tree."""
        active = {node.id for node in tree.path()}
        self._reset(
            [
                OutlineRow(
                    node.id,
                    depth,
                    self._own if node.role == "user" else node.model_ref,
                    safe_text(" ".join(node.head.split())),
                    node.id in active,
                )
                for depth, node in tree.outline()
                if node.role != "tool"  # it belongs to the answer that called
            ]
        )

    def place_of(self, message_id: str | None) -> int:
        """The row of a message; -1 if there is none."""
        return next((at for at, row in enumerate(self.rows) if row.message_id == message_id), -1)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if (row := self.row(index)) is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.ToolTipRole:
                return f"{row.speaker}: {row.text}"
            case Qt.ItemDataRole.AccessibleTextRole:
                level = self.tr("level %1").replace("%1", str(row.depth + 1))
                shown = self.tr("shown now") if row.is_active else self.tr("not shown")
                return f"{row.speaker}: {row.text}, {level}, {shown}"
            case _:
                return None
