"""The tabs that can be opened again."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from agdesk.core.settings.window_state import TabState

_MOST = 10


@dataclass(frozen=True, slots=True)
class ClosedTab:
    """A tab that was closed, and the place that it had in the bar."""

    tab: TabState
    index: int


class ClosedTabs:
    """The last ten that were closed, and those that went with a conversation that was deleted."""

    def __init__(self) -> None:
        self._closed: deque[ClosedTab] = deque(maxlen=_MOST)
        self._deleted: dict[str, ClosedTab] = {}

    @property
    def last(self) -> ClosedTab | None:
        """The one that was closed last."""
        return self._closed[-1] if self._closed else None

    def add(self, closed: ClosedTab) -> None:
        """Remembers one."""
        self._closed.append(closed)

    def discard(self, closed: ClosedTab) -> None:
        """Forgets one: it is open again."""
        if closed in self._closed:
            self._closed.remove(closed)

    def discard_conversation(self, session_id: str) -> None:
        """Forgets those of a conversation: it was deleted."""
        self._closed = deque((closed for closed in self._closed if closed.tab.session_id != session_id), _MOST)

    def add_deleted(self, closed: ClosedTab) -> None:
        """Remembers one that comes back only if its conversation does."""
        self._deleted[closed.tab.session_id] = closed

    def take_deleted(self, session_id: str) -> ClosedTab | None:
        """The one that went with a conversation that is back."""
        return self._deleted.pop(session_id, None)
