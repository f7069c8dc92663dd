"""The order of the records: turn › request › what happened, runs of deltas in one row. Knows nothing of Qt.

A *unit* is a frame with the events that follow it, or one record alone. A unit that is one delta joins the run before
it, if that has the same kind, the same block and the same form; every other unit is a row of its own. The tree is a
function of the records alone: how they were cut into batches does not show.

Records stand at *positions*; without a filter a position is the record's number. All is held in typed arrays: 25 bytes
a node, 4 for its place in its parent, 4 for each position.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable
from enum import IntEnum

from agdesk.ui.inspector.records import RecordIndex, Role

ROOT = 0


class NodeKind(IntEnum):
    """What a node is; ``RUN`` has one record for each of its members, ``FRAMED_RUN`` two: the frame and its delta."""

    TURN = 0
    REQUEST = 1
    UNIT = 2
    RUN = 3
    FRAMED_RUN = 4

    @property
    def is_run(self) -> bool:
        return self >= NodeKind.RUN


class TraceTree:
    """The nodes over some records of an index.

    Attributes:
        rows: the number of the record at each position, in order; None if position and number are the same.
        kinds, parents, places: of each node; the place counts the members of the parent.
        firsts: the first position of each node.
        counts: of each node: positions of a unit, members of a run; 0 for turns and requests.
        shown: how many members of each node the view knows of.
        owners: the node of each position.
        changed: nodes with new members since ``begin_batch`` that the view knew before.
    """

    def __init__(self, index: RecordIndex, *, is_filtered: bool = False) -> None:
        self.index = index
        self.rows: array[int] | None = array("I") if is_filtered else None
        self.kinds = bytearray()
        self.parents = array("I")
        self.places = array("I")
        self.firsts = array("I")
        self.counts = array("I")
        self.shown = array("I")
        self.owners = array("I")
        self.children: dict[int, array[int]] = {}
        self.changed: dict[int, None] = {}
        self._first_new = 0
        self._size = 0  # positions, those of the open unit too
        self._turns: dict[str, int] = {"": ROOT}
        self._requests: dict[int, int] = {}
        self._open = -1  # position at which the open unit begins
        self._last_run = (-1, -1, -1)  # node, parent, code; of the unit that was placed last
        self._run_before = self._last_run
        self._add_node(NodeKind.TURN, ROOT, first=0)

    def __len__(self) -> int:
        return self._size

    def record_at(self, position: int) -> int:
        """The number of the record at a position."""
        return position if self.rows is None else self.rows[position]

    def position_of(self, number: int) -> int | None:
        """The position of a record; None if the tree does not have it."""
        if self.rows is None:
            return number if number < self._size else None
        position = bisect_left(self.rows, number)
        return position if position < self._size and self.rows[position] == number else None

    def kind(self, node: int) -> NodeKind:
        return NodeKind(self.kinds[node])

    def member_count(self, node: int) -> int:
        """How many members a node has: its rows below, before they are put into buckets."""
        kind = self.kinds[node]
        if kind <= NodeKind.REQUEST:
            return len(self.children[node])
        count = self.counts[node]
        return count if kind >= NodeKind.RUN else count - 1 if count > 2 else 0

    def member_position(self, node: int, place: int) -> int:
        """The position of a member of a unit or a run; of the delta, where a member is a frame with its delta."""
        match self.kind(node):
            case NodeKind.UNIT:
                return self.firsts[node] + 1 + place
            case NodeKind.FRAMED_RUN:
                return self.firsts[node] + 2 * place + 1
            case _:
                return self.firsts[node] + place

    def place_of(self, position: int) -> int:
        """Which member of its owner a position is."""
        node = self.owners[position]
        offset = position - self.firsts[node]
        match self.kind(node):
            case NodeKind.UNIT:
                return offset - 1
            case NodeKind.FRAMED_RUN:
                return offset // 2
            case _:
                return offset

    # --- growing ---

    def continues(self, number: int) -> bool:
        """Whether a record, if it comes next, belongs to the unit that was placed last."""
        return self._open >= 0 and self._is_next_of_unit(number)

    @property
    def last_node(self) -> int:
        """The node with the unit that was placed last."""
        return self.owners[-1]

    def take_back(self) -> None:
        """Takes the unit that was placed last out of the tree; it is placed again by the next ``extend``.

        The view must know of it no more.
        """
        node = self.owners[-1]
        del self.owners[self._open :]
        if self.kind(node).is_run and self.counts[node] > 1:
            self.counts[node] -= 1
            self.shown[node] = min(self.shown[node], self.counts[node])
        else:
            parent = self.parents[node]
            self.children[parent].pop()
            self.shown[parent] = min(self.shown[parent], len(self.children[parent]))
            for column in (self.kinds, self.parents, self.places, self.firsts, self.counts, self.shown):
                column.pop()
        self._last_run = self._run_before

    def begin_batch(self) -> None:
        """From here on, nodes that are new are shown whole; others are listed in ``changed``."""
        self.changed.clear()
        self._first_new = len(self.kinds)

    def extend(self, numbers: Iterable[int]) -> None:
        """Adds records in order; the first goes on with the unit that was taken back, if one was."""
        rows, codes, kinds = self.rows, self.index.codes, self.index.kinds
        for number in numbers:
            kind = kinds[codes[number]]
            if not (kind.is_framed and self._open >= 0 and self._is_next_of_unit(number)):
                self._place()
                self._open = self._size
            if rows is not None:
                rows.append(number)
            self._size += 1
        self._place()

    def _is_next_of_unit(self, number: int) -> bool:
        return self.index.kind(number).is_framed and (
            self.rows is None or (self._size > 0 and self.rows[-1] == number - 1 and self._has_frame())
        )

    def _has_frame(self) -> bool:
        return self.index.kind(self.record_at(self._open)).role is Role.FRAME

    def _place(self) -> None:
        """Gives the open unit its place in the tree; does nothing if it has one."""
        first, count = self._open, self._size - self._open
        if first < 0 or len(self.owners) == self._size:
            return
        number = self.record_at(self._size - 1)
        code = self.index.codes[number]
        parent = self._parent_of(number)
        self._run_before = self._last_run
        if count > 2 or self.index.kinds[code].role is not Role.DELTA:
            self._last_run = (-1, -1, -1)
            node = self._add_node(NodeKind.UNIT, parent, first=first, count=count)
        elif self._last_run[1:] == (parent, code) and self._last_stride() == count:
            node = self._last_run[0]
            self.counts[node] += 1
            self._grown(node)
        else:
            node = self._add_node(NodeKind.RUN + count - 1, parent, first=first, count=1)
            self._last_run = (node, parent, code)
        for _ in range(count):
            self.owners.append(node)

    def _last_stride(self) -> int:
        return self.kinds[self._last_run[0]] - NodeKind.RUN + 1

    def _parent_of(self, number: int) -> int:
        group_number = self.index.group_of[number]
        node = self._requests.get(group_number)
        if node is not None:
            return node
        group = self.index.groups[group_number]
        turn = self._turns.get(group.turn_id)
        if turn is None:
            turn = self._turns[group.turn_id] = self._add_node(NodeKind.TURN, ROOT, first=self._open)
        node = turn
        if group.request_id:
            node = self._add_node(NodeKind.REQUEST, turn, first=self._open)
        self._requests[group_number] = node
        return node

    def _add_node(self, kind: int, parent: int, *, first: int, count: int = 0) -> int:
        node = len(self.kinds)
        self.kinds.append(kind)
        self.parents.append(parent)
        self.firsts.append(first)
        self.counts.append(count)
        self.shown.append(0)
        self.places.append(len(self.children[parent]) if node else 0)
        if kind <= NodeKind.REQUEST:
            self.children[node] = array("I")
        if node:
            self.children[parent].append(node)
            self._grown(parent)
        self._grown(node)
        return node

    def _grown(self, node: int) -> None:
        if node < self._first_new:
            self.changed[node] = None
        else:
            self.shown[node] = self.member_count(node)
