"""A JSON value as a tree that is filled as it is opened: nothing in it is cut, and nothing hides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractItemView, QFrame, QTreeWidget, QTreeWidgetItem, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.json_text import json_text, key_text

_PIECE_CHARACTERS = 200  # of a text in one row
_GROUP_ROWS = 100  # below one row; more are put into groups
_OPEN_ROWS = 40  # so many are shown at once

translate = QCoreApplication.translate


class JsonTree(QTreeWidget):
    """Each row is a name and its value; a long text is a row with its pieces below.

    Args:
        name: what is read out for it.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setHeaderHidden(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformRowHeights(True)
        self.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.header().setStretchLastSection(False)
        self.itemExpanded.connect(self._fill)
        current_theme().theme_changed.connect(self._restyle)
        self._restyle()

    def show_value(self, value: Any) -> None:
        """Shows another value, opened as far as that fits."""
        self.clear()
        nodes = list(_below(value)) or [_node("", value)]
        self.addTopLevelItems(nodes)
        room = _OPEN_ROWS - len(nodes)
        while nodes:
            node = nodes.pop(0)
            count = len(node.inner) if isinstance(node.inner, dict | list) else 0
            if 0 < count <= room:
                node.setExpanded(True)
                room -= count
                nodes += [below for at in range(count) if isinstance(below := node.child(at), _Node)]
        self._fit_column()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            theme = current_theme()
            ring = theme.metrics.focus_ring
            painter = QPainter(self.viewport())
            painter.setPen(QPen(theme.color("accent"), ring))
            painter.drawRect(self.viewport().rect().adjusted(ring // 2, ring // 2, -ring // 2, -ring // 2))
            painter.end()

    def _fill(self, item: QTreeWidgetItem) -> None:
        if isinstance(item, _Node) and not item.childCount():
            item.addChildren(list(_below(item.inner)))
            self._fit_column()

    def _fit_column(self) -> None:
        self.resizeColumnToContents(0)

    def _restyle(self) -> None:
        theme = current_theme()
        self.setFont(theme.font("code"))
        self.setStyleSheet(
            f"QTreeWidget {{ background: {theme.tokens.code}; color: {theme.tokens.text}; }}"
            f"QTreeWidget::item:selected {{ background: {theme.tokens.user_block}; color: {theme.tokens.text}; }}"
        )


class _Node(QTreeWidgetItem):
    """A row. What is below it is made of ``inner`` when it is opened: an object, an array, a long text, or a group."""

    def __init__(self, name: str, text: str, inner: Any = None) -> None:
        super().__init__([f"{name}: {text}" if name and text else name or text])
        self.inner = inner
        if inner:
            self.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)


class _Group(list[tuple[str, Any]]):
    """Rows that stand together because there are so many."""


class _Pieces(list[tuple[str, str]]):
    """A text in JSON's notation, piece by piece, each with the characters that it is of."""


def _node(name: str, value: Any) -> _Node:
    match value:
        case dict():
            return _Node(name, translate("JsonTree", "{{…}} {count}").format(count=len(value)), value)
        case list():
            return _Node(name, translate("JsonTree", "[…] {count}").format(count=len(value)), value)
        case str() if len(value) > _PIECE_CHARACTERS:
            text = translate("JsonTree", "text of {count} characters").format(count=f"{len(value):,}")
            return _Node(name, text, _Pieces(_pieces(value)))
        case _:
            return _Node(name, json_text(value, is_pretty=False))


def _below(inner: Any) -> Iterator[_Node]:
    """The rows below what is opened; in groups, and groups of groups, where there are many."""
    match inner:
        case dict():
            rows: list[tuple[str, Any]] = [(key_text(name), item) for name, item in inner.items()]
        case _Group() | _Pieces():
            rows = inner
        case list():
            rows = [(str(at), item) for at, item in enumerate(inner)]
        case _:
            return
    kind = _Pieces if isinstance(inner, _Pieces) else _Group
    if len(rows) > _GROUP_ROWS:
        size = _GROUP_ROWS
        while len(rows) > size * _GROUP_ROWS:
            size *= _GROUP_ROWS
        for at in range(0, len(rows), size):
            part = kind(rows[at : at + size])
            yield _Node(f"{part[0][0]} … {part[-1][0]}", "", part)
        return
    for name, value in rows:
        yield _Node(name, value) if kind is _Pieces else _node(name, value)


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    for at in range(0, len(text), _PIECE_CHARACTERS):
        piece = text[at : at + _PIECE_CHARACTERS]
        yield f"{at + 1:,}", json_text(piece, is_pretty=False)
