"""How an entry of the picker looks: the model, its provider, and its abilities, window and prices in columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget
from typing_extensions import override

from agdesk.core.providers.base import ModelInfo
from agdesk.ui.chat.picker.items import Item, ItemKind
from agdesk.ui.models.values import ABILITIES, ICONS, UNKNOWN_MARK, cell_text, value_of
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.row_painting import bold, paint_hits, paint_row_ground, paint_text, row_height, text_width

Index = QModelIndex | QPersistentModelIndex

_ABILITY_WIDTH, _FIGURE_WIDTH = 24, 58
_LEAST_FOR_PRICES, _LEAST_FOR_WINDOW, _LEAST_FOR_ABILITIES = 560, 440, 320
_TEXT_SHARE = 0.7  # of the width that the model's name may take where the provider's is long too


@dataclass(frozen=True, slots=True)
class Columns:
    """Where the parts of a line stand; what has no place is empty."""

    text: QRect
    abilities: Mapping[str, QRect]
    window: QRect
    price_in: QRect
    price_out: QRect


def columns_of(line: QRect, *, is_mirrored: bool) -> Columns:
    """The columns of a line of the list; a narrow one has fewer."""
    metrics = current_theme().metrics
    direction = Qt.LayoutDirection.RightToLeft if is_mirrored else Qt.LayoutDirection.LeftToRight
    end = line.right() + 1 - metrics.space_12

    def take(width: int, *, is_there: bool) -> QRect:
        nonlocal end
        if not is_there:
            return QRect()
        end -= width
        return QStyle.visualRect(direction, line, QRect(end, line.top(), width, line.height()))

    has_prices = line.width() >= metrics.px(_LEAST_FOR_PRICES)
    price_out = take(metrics.px(_FIGURE_WIDTH), is_there=has_prices)
    price_in = take(metrics.px(_FIGURE_WIDTH), is_there=has_prices)
    window = take(metrics.px(_FIGURE_WIDTH), is_there=line.width() >= metrics.px(_LEAST_FOR_WINDOW))
    has_abilities = line.width() >= metrics.px(_LEAST_FOR_ABILITIES)
    slots = {ability: take(metrics.px(_ABILITY_WIDTH), is_there=has_abilities) for ability in reversed(ABILITIES)}
    abilities = {ability: slots[ability] for ability in ABILITIES} if has_abilities else {}
    left = line.left() + metrics.space_12
    text = QRect(left, line.top(), max(0, end - metrics.space_8 - left), line.height())
    return Columns(QStyle.visualRect(direction, line, text), abilities, window, price_in, price_out)


class ItemDelegate(QStyledItemDelegate):
    """Draws entries.

    Attributes:
        used_ref: the model in use, which has a check mark.
    """

    def __init__(
        self, item_of: Callable[[Index], Item | None], hits_of: Callable[[str], frozenset[int]], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.used_ref = ""
        self._item_of = item_of
        self._hits_of = hits_of

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, row_height())

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        item = self._item_of(index)
        if item is None:
            return
        theme = current_theme()
        is_mirrored = option.direction is Qt.LayoutDirection.RightToLeft
        columns = columns_of(option.rect, is_mirrored=is_mirrored)
        painter.save()
        painter.setLayoutDirection(option.direction)
        if item.kind is ItemKind.HEADING:
            paint_text(painter, columns.text, item.text, font=bold(theme.font("caption")), color=theme.color("muted"))
            painter.restore()
            return
        paint_row_ground(painter, option, has_ring=False)
        if item.row is not None:
            _paint_facts(painter, columns, item.row.model, is_mirrored=is_mirrored)
            text = columns.text
        else:
            room = theme.metrics.space_12
            text = option.rect.adjusted(room, 0, -room, 0)
        self._paint_text(painter, text, item, is_mirrored=is_mirrored)
        painter.restore()

    def _paint_text(self, painter: QPainter, area: QRect, item: Item, *, is_mirrored: bool) -> None:
        theme = current_theme()
        metrics = theme.metrics
        is_usable = item.row is None or item.row.is_usable
        ink, muted = theme.color("text" if is_usable else "muted"), theme.color("muted")
        body, caption = theme.font("body"), theme.font("caption")
        mark = metrics.icon + metrics.space_8 if item.ref == self.used_ref else 0
        detail_width = text_width(caption, item.detail)
        hits = self._hits_of(item.text) if item.kind is ItemKind.MODEL else frozenset()
        room = area.width() - mark - metrics.space_8
        wanted = text_width(bold(body) if hits else body, item.text)
        width = max(0, min(wanted, max(int(room * _TEXT_SHARE), room - detail_width)))
        name = QRect(area.left() + mark, area.top(), width, area.height())
        rest = max(0, area.right() + 1 - name.right() - 1 - metrics.space_8)
        detail = QRect(name.right() + 1 + metrics.space_8, area.top(), rest, area.height())
        direction = Qt.LayoutDirection.RightToLeft if is_mirrored else Qt.LayoutDirection.LeftToRight
        name, detail = QStyle.visualRect(direction, area, name), QStyle.visualRect(direction, area, detail)
        if mark:
            place = QRect(area.left(), area.center().y() - metrics.icon // 2, metrics.icon, metrics.icon)
            ratio = painter.device().devicePixelRatioF()
            pixmap = theme.pixmap("check", color="accent", size=metrics.icon, ratio=ratio)
            painter.drawPixmap(QStyle.visualRect(direction, area, place).topLeft(), pixmap)
        if hits:
            paint_hits(painter, name, item.text, hits=hits, color=ink)
        else:
            paint_text(painter, name, item.text, font=body, color=ink)
        paint_text(painter, detail, item.detail, font=caption, color=muted)


def _paint_facts(painter: QPainter, columns: Columns, model: ModelInfo, *, is_mirrored: bool) -> None:
    """An icon for what the model can do, nothing for what it cannot, ``?`` for what nobody knows; then its figures."""
    theme = current_theme()
    size, caption, muted = theme.metrics.px(14), theme.font("caption"), theme.color("muted")
    ratio = painter.device().devicePixelRatioF()
    direction = painter.layoutDirection()
    for ability, area in columns.abilities.items():
        can = value_of(model, ability)
        if can:
            pixmap = theme.pixmap(ICONS[ability], color="text", size=size, ratio=ratio)
            painter.drawPixmap(area.center().x() - size // 2, area.center().y() - size // 2, pixmap)
        elif can is None:
            painter.setFont(caption)
            painter.setPen(muted)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, UNKNOWN_MARK)
    painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # a figure and its unit, wherever they stand
    for field, figure in (
        ("max_context_window", columns.window),
        ("input_per_million", columns.price_in),
        ("output_per_million", columns.price_out),
    ):
        if figure.isEmpty():
            continue
        value = value_of(model, field)
        color = muted if value is None else theme.color("text")
        paint_text(painter, figure, cell_text(field, value), font=caption, color=color, at_end=not is_mirrored)
    painter.setLayoutDirection(direction)
