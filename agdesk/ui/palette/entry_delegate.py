"""How an entry looks: its text with the letters that were hit, what it belongs to, and its keys at the end."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget
from typing_extensions import override

from agdesk.ui.palette.entries import Entry
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.row_painting import (
    State,
    bold,
    mirrored,
    paint_hits,
    paint_row_ground,
    paint_text,
    row_height,
    text_width,
)

Index = QModelIndex | QPersistentModelIndex

_TEXT_SHARE = 0.6  # of the width that the text may take where detail and keys are long too


class EntryDelegate(QStyledItemDelegate):
    """Draws entries.

    Args:
        entry_of: the entry of an index.
        hits_of: which letters of a text to show in the accent colour and bold.
        parent: the view.
    """

    def __init__(
        self, entry_of: Callable[[Index], Entry | None], hits_of: Callable[[str], frozenset[int]], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._entry_of = entry_of
        self._hits_of = hits_of
        self._view = parent

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, row_height())

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry = self._entry_of(index)
        if entry is None:
            return
        painter.save()
        has_ring = bool(option.state & State.State_HasFocus) and self._view.hasFocus()
        paint_row_ground(painter, option, has_ring=has_ring)
        theme = current_theme()
        metrics = theme.metrics
        area = option.rect.adjusted(metrics.space_12, 0, -metrics.space_12, 0)
        body, caption = theme.font("body"), theme.font("caption")
        ink = theme.color("text" if entry.is_enabled else "control_edge")
        muted = theme.color("muted" if entry.is_enabled else "control_edge")
        keys_width = text_width(caption, entry.keys)
        keys_area = QRect(area.right() - keys_width + 1, area.top(), keys_width, area.height())
        rest = area.width() - keys_width - metrics.space_16
        hits = self._hits_of(entry.text) if entry.is_enabled else frozenset()
        widest = bold(body) if hits else body
        width = min(
            text_width(widest, entry.text), max(int(rest * _TEXT_SHARE), rest - text_width(caption, entry.detail))
        )
        text_area = QRect(area.left(), area.top(), width, area.height())
        detail_area = text_area.translated(width + metrics.space_8, 0)
        detail_area.setRight(keys_area.left() - metrics.space_16)
        if hits:
            paint_hits(painter, mirrored(option, text_area), entry.text, hits=hits, color=ink)
        else:
            paint_text(painter, mirrored(option, text_area), entry.text, font=body, color=ink)
        paint_text(painter, mirrored(option, detail_area), entry.detail, font=caption, color=muted)
        paint_text(painter, mirrored(option, keys_area), entry.keys, font=caption, color=muted, at_end=True)
        painter.restore()
