"""All matches of a transcript: how many there are, which one is shown, which one comes next."""

from __future__ import annotations

import time
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

from agdesk.ui.widgets.transcript.finding.folding import Needle
from agdesk.ui.widgets.transcript.finding.parts import Part, Span, parts_of
from agdesk.ui.widgets.transcript.message import Message
from agdesk.ui.widgets.transcript.model import TranscriptModel


@dataclass(frozen=True, slots=True)
class Match:
    """One of the matches.

    Args:
        needle: what was searched for.
        part: the text it is in.
        span: where in that text.
    """

    needle: Needle
    part: Part
    span: Span


@dataclass(frozen=True, slots=True)
class FindPlace:
    """A place in the sources: the first match behind it is the next one.

    Args:
        message: its message.
        part: number of the text among those of the message.
        offset: in characters of that text, line ends as ``\\n``.
    """

    message: Message
    part: int = 0
    offset: int = 0


class TranscriptSearch:
    """Counts in pieces, from the first message to the last, and again what has changed.

    Args:
        model: the messages.

    Attributes:
        needle: what is searched for; None: the messages are only made ready.
        current: the match that is shown.
    """

    def __init__(self, model: TranscriptModel) -> None:
        self.needle: Needle | None = None
        self.current: Match | None = None
        self._model = model
        self._parts: dict[Message, list[Part]] = {}
        self._counts: list[int] = []  # of the messages that are counted, from the first on
        self._total = 0
        self._stale: set[Message] = set()  # their parts are to be looked at again,
        self._recount: set[Message] = set()  # and if they were counted, that too
        self._is_case_sensitive = False
        self._order = model.order
        self._wish: FindPlace | None = None

    @property
    def total(self) -> int:
        """Matches counted so far."""
        return self._total

    @property
    def is_done(self) -> bool:
        """Whether every message is counted."""
        is_in_order = self._order == self._model.order
        return is_in_order and not self._recount and len(self._counts) == len(self._model.messages)

    @property
    def progress(self) -> float:
        """Share of the messages that are counted."""
        return len(self._counts) / max(1, len(self._model.messages))

    @property
    def number(self) -> int:
        """Of the current match, from 1; 0 without one."""
        if self.current is None:
            return 0
        part = self.current.part
        earlier = sum(other.count for other in self._parts[part.message][: part.number])
        before = sum(self._counts[: part.message.index])
        return before + earlier + part.count_before(self.current.span.start) + 1

    def search(self, needle: Needle | None, *, near: FindPlace | None) -> None:
        """Begins to count; the first match behind ``near`` becomes the current one, or the first one of all."""
        is_case_sensitive = needle is not None and needle.is_case_sensitive
        if is_case_sensitive != self._is_case_sensitive:
            self._is_case_sensitive = is_case_sensitive
            self._parts.clear()
        self.needle = needle
        self.current = None
        self._wish = near
        self._begin_again()

    def forget(self) -> None:
        """Ends the search and keeps nothing of the texts."""
        self.search(None, near=None)
        self._parts.clear()
        self._stale.clear()

    def mark(self, message: Message) -> None:
        """The message has changed."""
        if message in self._parts:
            self._stale.add(message)
            if message.index < len(self._counts):
                self._recount.add(message)

    def run(self, budget_s: float) -> None:
        """Counts for that long, at least one page."""
        deadline_s = time.monotonic() + budget_s
        self.tidy()
        messages, counts = self._model.messages, self._counts
        is_in_time = True
        while is_in_time and (self._recount or len(counts) < len(messages)):
            message = next(iter(self._recount)) if self._recount else messages[len(counts)]
            count = self._count(message, deadline_s)
            if count is None:
                break
            if message.index < len(counts):
                self._total += count - counts[message.index]
                counts[message.index] = count
                self._recount.discard(message)
            else:
                self._total += count
                counts.append(count)
            is_in_time = time.monotonic() < deadline_s
        self._keep_current()
        self._fulfil()

    def tidy(self) -> None:
        """Lets go of messages that are no longer there."""
        self._follow_order()
        self._keep_current()

    def step(self, by: int) -> None:
        """The match that many further on becomes the current one; after the last comes the first."""
        if self.total:
            number = self.number - 1 + by if self.current is not None else 0 if by > 0 else -1
            self.current = self._match(number % self.total) or self.current
            self._wish = None

    def _count(self, message: Message, deadline_s: float) -> int | None:
        """The matches of a message, None if the time was not enough."""
        parts = self._parts.get(message)
        if parts is None or message in self._stale:
            parts = self._refresh(message)
        total = 0
        for part in parts:
            if part.count_again(self.needle):
                total += part.count
                continue
            part.set_needle(self.needle)
            while not part.is_done:
                part.advance(is_case_sensitive=self._is_case_sensitive)
                if time.monotonic() >= deadline_s and not part.is_done:
                    return None
            total += part.count
        return total

    def _refresh(self, message: Message) -> list[Part]:
        """The texts of a message as they are now; those that only grew keep their pages."""
        known = {id(part.origin): part for part in self._parts.get(message, ()) if part.origin is not None}
        parts: list[Part] = []
        for part in parts_of(message):
            kept = known.get(id(part.origin))
            if kept is None:
                parts.append(part)
                continue
            kept.reopen()
            kept.number = part.number
            parts.append(kept)
        self._parts[message] = parts
        self._stale.discard(message)
        return parts

    def _follow_order(self) -> None:
        """Messages were taken away, or put before the others."""
        if self._order != self._model.order:
            self._order = self._model.order
            self._begin_again()
            self._parts = {message: parts for message in self._model.messages if (parts := self._parts.get(message))}
            self._stale &= self._parts.keys()

    def _begin_again(self) -> None:
        self._counts = []
        self._total = 0
        self._recount.clear()

    def _keep_current(self) -> None:
        """The current match is let go if its text has gone."""
        if self.current is not None and self.current.part not in self._parts.get(self.current.part.message, ()):
            self.current = None

    def _fulfil(self) -> None:
        """Chooses the match that was wished for, once it is known."""
        wish = self._wish
        if self.needle is None or self.current is not None or not self.total:
            return
        if wish is None or wish.message not in self._parts:
            if self.is_done:
                self.current = self._match(0)
            return
        at = wish.message.index
        if at >= len(self._counts):
            return
        number = sum(self._counts[:at])
        for part in self._parts[wish.message]:
            if part.number < wish.part:
                number += part.count
            elif part.number == wish.part:
                number += part.count_before(wish.offset)
        if number < self.total or self.is_done:
            self.current = self._match(number % self.total)
            self._wish = None

    def _match(self, number: int) -> Match | None:
        """The match of a number from 0; None while its message is being counted again."""
        ends = list(accumulate(self._counts))
        index = bisect_right(ends, number)
        number -= ends[index] - self._counts[index]
        message = self._model.messages[index]
        for part in self._parts[message]:
            if number < part.count and self.needle is not None:
                return Match(self.needle, part, part.span(number))
            number -= part.count
        return None
