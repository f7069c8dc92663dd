"""Finds in a transcript while the window stays responsive."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from agdesk.ui.widgets.transcript.block import Block
from agdesk.ui.widgets.transcript.finding.folding import NEEDLE_CHARS, Needle
from agdesk.ui.widgets.transcript.finding.marks import MatchMarks
from agdesk.ui.widgets.transcript.finding.places import place_of_row
from agdesk.ui.widgets.transcript.finding.search import FindPlace, Match, TranscriptSearch
from agdesk.ui.widgets.transcript.message import Message
from agdesk.ui.widgets.transcript.model import TranscriptModel
from agdesk.ui.widgets.transcript.stage import RowStage

SLICE_S = 0.006  # of a frame of 16 ms
GROWTH_PAUSE_MS = 100  # a text that grows is counted again that often


class TranscriptFinder(QObject):
    """What a find bar talks to. It begins with ``start`` and keeps nothing after ``stop``.

    Args:
        model: the messages.
        stage: the rows on the screen.
        reveal: shows a match on the screen.
        parent: the transcript.

    Signals:
        changed(): another number, another count, or the search has ended.
    """

    changed = Signal()

    def __init__(
        self, model: TranscriptModel, stage: RowStage, *, reveal: Callable[[Match], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._stage = stage
        self._reveal = reveal
        self._search = TranscriptSearch(model)
        self._marks = MatchMarks(self._search, model, stage)
        self._is_active = False
        self._told: tuple[int, int, float] = (0, 0, 0.0)
        self._revealed: Match | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_timer)
        self._is_show_next = False

    @property
    def number(self) -> int:
        """Of the match that is shown, from 1; 0 for none."""
        return self._search.number

    @property
    def total(self) -> int:
        """How many matches are known."""
        return self._search.total

    @property
    def progress(self) -> float:
        """Share of the messages that were looked at, 1.0 at the end."""
        return 1.0 if self._search.is_done else min(0.99, self._search.progress)

    def start(self) -> None:
        """Makes the texts ready, before anything is typed."""
        self._is_active = True
        self._timer.start(0)

    def find(self, text: str, *, is_case_sensitive: bool = False) -> None:
        """Searches for a text and shows the first match from where one is; an empty text is nowhere."""
        self._is_active = True
        needle = Needle(text[:NEEDLE_CHARS], is_case_sensitive=is_case_sensitive) if text else None
        near = self._place()
        self._marks.clear()
        self._search.search(needle, near=near)
        self._revealed = None
        self._run()

    def step(self, by: int) -> None:
        """Goes to a match further on, or further back."""
        self._search.step(by)
        self._show()

    def stop(self) -> None:
        """Ends the search and takes the marks away."""
        self._is_active = False
        self._timer.stop()
        self._marks.clear()
        self._search.forget()
        self._revealed = None

    def mark_changed(self, message: Message) -> None:
        """A message has other content."""
        if self._is_active:
            self._search.mark(message)

    def follow(self) -> None:
        """The screen shows something else, or the transcript has changed."""
        if self._is_active:
            self._search.tidy()
            self._marks.refresh()
            self._go_on()

    def _run(self) -> None:
        start_s = time.monotonic()
        self._search.run(SLICE_S)
        if self._search.current is not self._revealed and time.monotonic() - start_s > SLICE_S / 2:
            self._timer.start(0)  # rows are laid out for it: that is a slice of its own
            self._is_show_next = True
        else:
            self._show()
            self._go_on()

    def _on_timer(self) -> None:
        if self._is_show_next:
            self._show()
            self._go_on()
        else:
            self._run()

    def _show(self) -> None:
        """Brings screen and owner up to date."""
        self._is_show_next = False
        current = self._search.current
        if current is not None and current is not self._revealed:
            self._revealed = current
            self._reveal(current)
        self._marks.refresh()
        state = (self.number, self.total, self.progress)
        if state != self._told:
            self._told = state
            self.changed.emit()

    def _go_on(self) -> None:
        if not self._search.is_done and not self._timer.isActive():
            self._timer.start(GROWTH_PAUSE_MS if self._search.progress >= 1 else 0)

    def _place(self) -> FindPlace | None:
        """Where one is: at the match that is shown, else at the top of the screen."""
        if (match := self._search.current) is not None:
            return FindPlace(match.part.message, match.part.number, match.span.start)
        rows = (placed.row for placed in self._stage.visible if placed.height)
        return next((place_of_row(row) for row in rows), None)


def hidden_block(match: Match) -> Block | None:
    """The block that must be unfolded for a match to be seen."""
    origin = match.part.origin
    return origin if isinstance(origin, Block) and not origin.is_expanded else None
