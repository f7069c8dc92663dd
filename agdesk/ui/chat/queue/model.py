"""The rows of the queue."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from typing_extensions import override

from agdesk.core.cycle.queue import QueuedMessage
from agdesk.core.ir.blocks import Text
from agdesk.core.ir.messages import heading_of, text_of
from agdesk.ui.widgets.row_model import Index, RowModel
from agdesk.ui.widgets.text import safe_text

_LINE_CHARACTERS = 400


@dataclass(frozen=True, slots=True)
class QueueRow:
    """One message.

    Attributes:
        line: its beginning in one line, or the name of what is attached.
        source: its whole text.
        attached_count: how many things are attached to it.
    """

    id: str
    line: str
    source: str
    attached_count: int


def row_of(message: QueuedMessage) -> QueueRow:
    """How a message is shown."""
    line = " ".join(safe_text(heading_of(message.content)[: 2 * _LINE_CHARACTERS]).split())[:_LINE_CHARACTERS]
    attached_count = sum(not isinstance(block, Text) for block in message.content)
    return QueueRow(message.id, line, text_of(message.content), attached_count)


class QueueModel(RowModel[QueueRow]):
    """The messages that wait, in the order of sending."""

    def show_rows(self, rows: tuple[QueueRow, ...]) -> None:
        """Shows other rows; what stays keeps its selection."""
        ids = {row.id for row in rows}
        for at in range(len(self.rows) - 1, -1, -1):
            if self.rows[at].id not in ids:
                self._remove(at)
        for at, row in enumerate(rows):
            now = self.place_of(row.id)
            if now < 0:
                self._insert(at, row)
                continue
            self._move(now, at)
            if self.rows[at] != row:
                self._replace(at, row)

    def place_of(self, row_id: str) -> int:
        """The place of a message; -1 if it does not wait."""
        return next((at for at, row in enumerate(self.rows) if row.id == row_id), -1)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if (row := self.row(index)) is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.line
            case Qt.ItemDataRole.AccessibleTextRole:
                attached = f", {self.attached_text(row)}" if row.attached_count else ""
                return f"{index.row() + 1}: {row.line}{attached}"
            case _:
                return None

    def attached_text(self, row: QueueRow) -> str:
        """How much is attached to a message, in words."""
        return self.tr("{count} attached").replace("{count}", str(row.attached_count))
