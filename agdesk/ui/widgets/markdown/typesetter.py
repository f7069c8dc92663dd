"""Formulas laid out on a thread, and the recent ones kept: one formula takes longer than a frame."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from functools import cache
from typing import Literal, NamedTuple

from agdesk.ui.widgets.markdown.formula import Formula, typeset

CAPACITY = 512

Typesetting = Formula | Literal["waiting"] | None


class FormulaKey(NamedTuple):
    """What makes two formulas look the same.

    Args:
        source: LaTeX, without the marks around it.
        is_display: a formula of its own, not one within a line.
    """

    source: str
    is_display: bool


class Typesetter:
    """Takes orders and hands out what is done. Its thread ends when there is nothing to do."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._done: OrderedDict[FormulaKey, Formula | None] = OrderedDict()
        self._ordered: deque[FormulaKey] = deque()
        self._known_orders: set[FormulaKey] = set()
        self._is_working = False

    def ask(self, key: FormulaKey) -> Typesetting:
        """The formula; None if it cannot be laid out; "waiting" if it is being done: ask again later."""
        with self._lock:
            if key in self._done:
                self._done.move_to_end(key)
                return self._done[key]
            if key not in self._known_orders:
                self._known_orders.add(key)
                self._ordered.append(key)
            if not self._is_working:
                self._is_working = True
                # a daemon: the program does not wait for a formula when it ends
                threading.Thread(target=self._work, name="typesetter", daemon=True).start()
        return "waiting"

    def _work(self) -> None:
        while (key := self._next()) is not None:
            formula: Formula | None = None
            is_done = False
            try:
                formula = typeset(key.source, is_display=key.is_display)
                is_done = True
            finally:
                with self._lock:
                    self._done[key] = formula
                    self._known_orders.discard(key)
                    self._is_working = is_done  # what nobody foresaw ends this thread; the next order starts another
                    if len(self._done) > CAPACITY:
                        self._done.popitem(last=False)

    def _next(self) -> FormulaKey | None:
        with self._lock:
            self._is_working = bool(self._ordered)
            return self._ordered.popleft() if self._ordered else None


@cache
def shared_typesetter() -> Typesetter:
    """The one for all documents: most formulas of a conversation occur more than once."""
    return Typesetter()
