"""The tree of records as Qt's views want it; ints only, no object a row.

A node with more than ``BUCKET`` members shows them in buckets of that many: a QTreeView asks for every row below an
expanded one, whenever anything changes.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from typing_extensions import override

from agdesk.core.trace.events import TraceRecord
from agdesk.ui.inspector.columns import Column, explanation, figure, spoken, title
from agdesk.ui.inspector.filter import RecordFilter
from agdesk.ui.inspector.labels import RowLabel, bucket_label, node_label, record_label
from agdesk.ui.inspector.records import RecordIndex
from agdesk.ui.inspector.tree import ROOT, NodeKind, TraceTree
from agdesk.ui.widgets.text import plain_tool_tip

BUCKET = 1000
LABEL_ROLE = int(Qt.ItemDataRole.UserRole)
_NODE, _RECORD, _BUCKET = 0, 1, 2
_BUCKET_BITS = 24
_BUCKET_MASK = (1 << _BUCKET_BITS) - 1
_COLUMNS = len(Column)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_Index = QModelIndex | QPersistentModelIndex


class TraceModel(QAbstractItemModel):
    """Turn › request › records, over one ``RecordIndex`` that it fills.

    Stored and live records come through the same ``append``.
    """

    def __init__(self, session_id: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.records = RecordIndex(session_id)
        self.tree = TraceTree(self.records)
        self._filter: RecordFilter | None = None

    def append(self, batch: list[TraceRecord]) -> None:
        """Adds records in the order of their seq, in one insertion for each node that gets members."""
        self._place(self.records.append(batch))

    def set_tree(self, tree: TraceTree, chosen: RecordFilter, count: int) -> None:
        """Shows other records of the same index from now on.

        Args:
            tree: built by ``chosen``.
            chosen: which records are wanted.
            count: how many records the index had then; those that came since are added.
        """
        chosen.extend(tree, range(count, len(self.records)))
        self.beginResetModel()
        self.tree, self._filter = tree, chosen if chosen.words else None
        self.endResetModel()

    @property
    def is_filtered(self) -> bool:
        """Whether some records are left out."""
        return self._filter is not None

    def find(self, number: int) -> QModelIndex:
        """The row of a record, or of the frame or run that it is part of; invalid if it is left out."""
        position = self.tree.position_of(number)
        if position is None:
            return QModelIndex()
        node = self.tree.owners[position]
        if self.tree.shown[node] == 0:
            return self._node_index(node)
        if not self.tree.kind(node).is_run and position == self.tree.firsts[node]:
            return self._node_index(node)
        return self._member_index(node, self.tree.place_of(position))

    def last_index(self) -> QModelIndex:
        """The row with the newest record, not going into runs and frames."""
        return self._node_index(self.tree.last_node) if len(self.tree) else QModelIndex()

    def record_span(self, index: _Index) -> tuple[int, int]:
        """The numbers of the first and the last record that a row stands for; of a turn or request: its first twice."""
        kind, node, detail = self._item(index)
        tree = self.tree
        if kind == _RECORD:
            # a delta whose frame is in the same member stands for both
            first = detail - 1 if tree.kind(node) is NodeKind.FRAMED_RUN else detail
            return tree.record_at(first), tree.record_at(detail)
        if kind == _BUCKET:
            last = min((detail + 1) * BUCKET, tree.shown[node]) - 1
            return self.record_span(self._member_index(node, detail * BUCKET))[0], self.record_span(
                self._member_index(node, last)
            )[1]
        first = tree.firsts[node]
        if tree.kind(node).is_run:
            return tree.record_at(first), tree.record_at(tree.member_position(node, tree.counts[node] - 1))
        return tree.record_at(first), tree.record_at(first + max(tree.counts[node], 1) - 1)

    def node_of(self, index: _Index) -> int | None:
        """The node of the tree that a row is; None for a member and a bucket."""
        kind, node, _ = self._item(index)
        return node if kind == _NODE else None

    def is_run(self, index: _Index) -> bool:
        """Whether a row stands for several deltas of a run."""
        kind, node, _ = self._item(index)
        return kind != _RECORD and self.tree.kind(node).is_run

    def label(self, index: _Index) -> RowLabel:
        """The words of a row."""
        kind, node, detail = self._item(index)
        if kind == _RECORD:
            return record_label(self.tree, detail)
        if kind == _BUCKET:
            last = min((detail + 1) * BUCKET, self.tree.shown[node]) - 1
            return bucket_label(self.tree, node, detail * BUCKET, last)
        return node_label(self.tree, node)

    # --- what Qt asks ---

    # An invalid index has the id 0, which is that of the root. Views ask these three for every row below an open one.

    @override
    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.column() > 0 else self._row_count(parent.internalId())

    @override
    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return _COLUMNS

    @override
    def hasChildren(self, parent: _Index = QModelIndex()) -> bool:  # noqa: B008
        return parent.column() <= 0 and self._row_count(parent.internalId()) > 0

    @override
    def index(self, row: int, column: int, parent: _Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        item = parent.internalId()
        if parent.column() > 0 or not (0 <= column < _COLUMNS and 0 <= row < self._row_count(item)):
            return QModelIndex()
        if item & 3 == _BUCKET:
            node, bucket = item >> 2 + _BUCKET_BITS, (item >> 2) & _BUCKET_MASK
            return self.createIndex(row, column, self._member_id(node, bucket * BUCKET + row))
        node = item >> 2
        if self.tree.shown[node] > BUCKET:
            return self.createIndex(row, column, (node << _BUCKET_BITS | row) << 2 | _BUCKET)
        return self.createIndex(row, column, self._member_id(node, row))

    @override
    def parent(self, index: _Index) -> QModelIndex:  # type: ignore[override]
        if not index.isValid():
            return QModelIndex()
        kind, node, detail = self._item(index)
        if kind == _BUCKET:
            return self._node_index(node)
        owner, place = (node, self.tree.place_of(detail)) if kind == _RECORD else self._place_in_parent(node)
        if self.tree.shown[owner] > BUCKET:
            bucket = place // BUCKET
            return self.createIndex(bucket, 0, (owner << _BUCKET_BITS | bucket) << 2 | _BUCKET)
        return self._node_index(owner)

    @override
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if index.column() != Column.NAME:
            if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
                return figure(self.records, self.record_span(index)[0], index.column())
            return _RIGHT if role == Qt.ItemDataRole.TextAlignmentRole else None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.label(index).name
            case Qt.ItemDataRole.AccessibleTextRole:
                return spoken(self.records, self.record_span(index)[0], self.label(index))
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tool_tip(self.label(index).text)
            case _:
                return self.label(index) if role == LABEL_ROLE else None

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return title(section)
            case Qt.ItemDataRole.ToolTipRole:
                return explanation(section)
            case Qt.ItemDataRole.TextAlignmentRole if section != Column.NAME:
                return _RIGHT
            case _:
                return None

    # --- items ---

    def _row_count(self, item: int) -> int:
        kind = item & 3
        if kind == _NODE:
            shown = self.tree.shown[item >> 2]
            return shown if shown <= BUCKET else -(-shown // BUCKET)
        if kind == _RECORD:
            return 0
        shown = self.tree.shown[item >> 2 + _BUCKET_BITS]
        return min(BUCKET, shown - ((item >> 2) & _BUCKET_MASK) * BUCKET)

    def _item(self, index: _Index) -> tuple[int, int, int]:
        """What an index stands for: its kind, its node, and the position or the bucket."""
        item = index.internalId()
        kind = item & 3
        if kind == _NODE:
            return kind, item >> 2, 0
        if kind == _RECORD:
            return kind, self.tree.owners[item >> 2], item >> 2
        return kind, item >> 2 + _BUCKET_BITS, (item >> 2) & _BUCKET_MASK

    def _member_id(self, node: int, place: int) -> int:
        children = self.tree.children.get(node)
        if children is not None:
            return children[place] << 2 | _NODE
        return self.tree.member_position(node, place) << 2 | _RECORD

    def _place_in_parent(self, node: int) -> tuple[int, int]:
        return self.tree.parents[node], self.tree.places[node]

    def _node_index(self, node: int) -> QModelIndex:
        return QModelIndex() if node == ROOT else self._member_index(*self._place_in_parent(node))

    def _member_index(self, node: int, place: int) -> QModelIndex:
        row = place % BUCKET if self.tree.shown[node] > BUCKET else place
        return self.createIndex(row, 0, self._member_id(node, place))

    # --- growing ---

    def _place(self, numbers: range) -> None:
        wanted = numbers if self._filter is None else self._filter.find(numbers)
        if not wanted:
            return
        tree = self.tree
        if tree.continues(wanted[0]):
            self._take_back_last()
        tree.begin_batch()
        tree.extend(wanted)
        for node in tuple(tree.changed):
            self._show(node, tree.member_count(node))
        seen: set[int] = set()
        for node in tree.changed:  # their words and figures, and those of all above
            while node != ROOT and node not in seen:
                seen.add(node)
                index = self._node_index(node)
                self.dataChanged.emit(index, index.siblingAtColumn(_COLUMNS - 1))
                node = tree.parents[node]

    def _take_back_last(self) -> None:
        node = self.tree.last_node
        owner = node if self.tree.kind(node).is_run and self.tree.counts[node] > 1 else self.tree.parents[node]
        self._show(owner, self.tree.shown[owner] - 1)
        self.tree.take_back()

    def _show(self, node: int, count: int) -> None:
        """Tells the view of the members of a node up to ``count``, or that the last one is gone."""
        shown, index = self.tree.shown, self._node_index(node)
        if (shown[node] > BUCKET) != (count > BUCKET) and shown[node]:
            self.beginRemoveRows(index, 0, self.rowCount(index) - 1)
            shown[node] = 0
            self.endRemoveRows()
        if count < shown[node]:
            self._remove_last(node, index)
            return
        if BUCKET < shown[node] < count and shown[node] % BUCKET:  # the last bucket is filled up first
            bucket = self.index(shown[node] // BUCKET, 0, index)
            full = min(count, (shown[node] // BUCKET + 1) * BUCKET)
            self.beginInsertRows(bucket, shown[node] % BUCKET, (full - 1) % BUCKET)
            shown[node] = full
            self.endInsertRows()
        if shown[node] < count:
            rows = -(-count // BUCKET) if count > BUCKET else count
            self.beginInsertRows(index, self.rowCount(index), rows - 1)
            shown[node] = count
            self.endInsertRows()

    def _remove_last(self, node: int, index: QModelIndex) -> None:
        place = self.tree.shown[node] - 1
        if self.tree.shown[node] <= BUCKET:
            self.beginRemoveRows(index, place, place)
        elif place % BUCKET:
            self.beginRemoveRows(self.index(place // BUCKET, 0, index), place % BUCKET, place % BUCKET)
        else:
            self.beginRemoveRows(index, place // BUCKET, place // BUCKET)
        self.tree.shown[node] = place
        self.endRemoveRows()
