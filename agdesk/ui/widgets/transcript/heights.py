"""Prefix sums over heights that change."""

from __future__ import annotations

from array import array
from collections.abc import Iterable


class HeightIndex:
    """A list of heights with logarithmic look-up: a Fenwick tree (P. Fenwick, 1994).

    Appending, changing one height, the sum before an index and the index at a sum each take O(log n).

    Attributes:
        heights: the list; not to be changed.
        total: of all.
    """

    __slots__ = ("_tree", "heights", "total")

    def __init__(self, heights: Iterable[int] = ()) -> None:
        self.heights = array("q", heights)
        # tree[i] is the sum of the i & -i heights that end with the i-th, counted from 1
        tree = self._tree = array("q", (0,)) + self.heights
        self.total = sum(self.heights)
        for node in range(1, len(tree)):
            above = node + (node & -node)
            if above < len(tree):
                tree[above] += tree[node]

    def __len__(self) -> int:
        return len(self.heights)

    def __getitem__(self, index: int) -> int:
        return self.heights[index]

    def append(self, height: int) -> None:
        """Adds a height at the end."""
        self.heights.append(height)
        self.total += height
        node = len(self.heights)
        start = node - (node & -node)
        below = node - 1
        while below > start:
            height += self._tree[below]
            below -= below & -below
        self._tree.append(height)

    def set(self, index: int, height: int) -> None:
        """Changes one height."""
        change = height - self.heights[index]
        if not change:
            return
        self.heights[index] = height
        self.total += change
        node = index + 1
        while node < len(self._tree):
            self._tree[node] += change
            node += node & -node

    def before(self, index: int) -> int:
        """Sum of the heights before an index."""
        total = 0
        while index:
            total += self._tree[index]
            index -= index & -index
        return total

    def find(self, offset: int) -> int:
        """Index of the height that covers an offset; the last one for an offset beyond the end.

        Raises:
            IndexError: there are no heights.
        """
        if not self.heights:
            raise IndexError("no heights")
        node = 0
        step = 1 << (len(self.heights).bit_length() - 1)
        while step:
            following = node + step
            if following < len(self._tree) and self._tree[following] <= offset:
                node = following
                offset -= self._tree[following]
            step >>= 1
        return min(node, len(self.heights) - 1)
