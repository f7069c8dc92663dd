"""Which records match the words of the filter line. Runs on a thread; touches nothing of Qt.

Each word must occur in the record's JSON, which begins with the name of its kind; the case of ASCII letters does not
count.
"""

from __future__ import annotations

import json
import threading
from array import array

from agdesk.ui.inspector.records import RecordIndex
from agdesk.ui.inspector.tree import TraceTree

_STEP = 4096  # records between two looks at whether the result is still wanted


class RecordFilter:
    """The words of one filter line over one index.

    Args:
        text: words with blanks between; only blanks match everything.
    """

    def __init__(self, index: RecordIndex, text: str) -> None:
        self.words = tuple(text.lower().split())
        self._index = index
        # as it stands in JSON; the words are in lower case, so that only the text has to be made so
        self._needles = tuple(
            json.dumps(word, ensure_ascii=False)[1:-1].encode("utf-8", "surrogatepass") for word in self.words
        )

    def find(self, numbers: range) -> array[int]:
        """The numbers of those records that match, in order."""
        wanted: set[int] | None = None
        for needle in self._needles:
            matching = set(self._index.lines.find(needle, numbers.start, numbers.stop))
            wanted = matching if wanted is None else wanted & matching
        return array("I", numbers if wanted is None else sorted(wanted))

    def build(self, count: int, is_given_up: threading.Event) -> TraceTree:
        """A tree of those of the first ``count`` records that match; unfinished if it was given up meanwhile."""
        tree = TraceTree(self._index, is_filtered=bool(self.words))
        for start in range(0, count, _STEP):
            if is_given_up.is_set():
                break
            numbers = range(start, min(count, start + _STEP))
            self.extend(tree, numbers)
        return tree

    def extend(self, tree: TraceTree, numbers: range) -> None:
        """Adds those of the next records that match to a tree that no view shows."""
        wanted = self.find(numbers) if self.words else numbers
        if wanted and tree.continues(wanted[0]):
            tree.take_back()
        tree.extend(wanted)
