"""The texts of a message, in pages that are folded, counted and kept one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from agdesk.ui.widgets.transcript.block import Block
from agdesk.ui.widgets.transcript.finding.folding import NEEDLE_CHARS, FoldedText, Needle
from agdesk.ui.widgets.transcript.message import Message
from agdesk.ui.widgets.transcript.source import SourceText
from agdesk.ui.widgets.transcript.values import ErrorView

PAGE_CHARS = 16_384


class Span(NamedTuple):
    """Start and end of a match in characters of a text whose line ends are ``\\n``."""

    start: int
    end: int


@dataclass(slots=True, eq=False)
class _Page:
    raw_end: int
    start: int  # in the text whose line ends are "\n"
    size: int
    text: FoldedText
    count: int = 0


@dataclass(slots=True, eq=False)
class Part:
    """One text of a message.

    Args:
        message: whose text it is.
        origin: the block it is the source of; the error it tells; None for text that is shown as it is.
        text: what is searched. It may grow.
        number: among the parts of the message.
    """

    message: Message
    origin: Block | ErrorView | None
    text: SourceText
    number: int
    count: int = 0  # of the pages that are counted
    _pages: list[_Page] = field(default_factory=list)
    _read: int = 0
    _counted: int = 0
    _needle: Needle | None = None

    @property
    def is_done(self) -> bool:
        """Whether everything is in pages and counted."""
        return self._read == self.text.size and self._counted == len(self._pages)

    def set_needle(self, needle: Needle | None) -> None:
        """What is counted from now on; the pages stay. Its case sensitivity must be that of the one before."""
        if needle is not self._needle:
            self._needle = needle
            self.count = self._counted = 0

    def count_again(self, needle: Needle | None) -> bool:
        """Counts a short text that is in its page already, which almost all are; False for any other."""
        if len(self._pages) != 1 or self._read != self.text.size:
            return False
        page = self._pages[0]
        self._needle, self._counted = needle, 1
        self.count = page.count = page.text.count(needle) if needle is not None else 0
        return True

    def advance(self, *, is_case_sensitive: bool) -> None:
        """Makes, or counts, one page more."""
        if self._counted < len(self._pages):
            page = self._pages[self._counted]
            page.count = page.text.count(self._needle) if self._needle is not None else 0
            self.count += page.count
            self._counted += 1
            return
        last = self._pages[-1] if self._pages else None
        source = self.text.read(self._read, PAGE_CHARS)
        if source.endswith("\r"):
            source += self.text.read(self._read + len(source), 1)  # the two characters of a line end stay together
        self._read += len(source)
        tail = self.text.read(self._read, NEEDLE_CHARS)
        if "\r" in source or "\r" in tail:
            source, tail = _with_plain_ends(source), _with_plain_ends(tail)
        start = last.start + last.size if last is not None else 0
        text = FoldedText(source, tail, is_case_sensitive=is_case_sensitive)
        self._pages.append(_Page(self._read, start, len(source), text))

    def reopen(self) -> None:
        """The text has grown: what stands at its old end is read again."""
        del self._pages[-2:]  # a match may reach from the last but one into the last
        self._counted = min(self._counted, len(self._pages))
        self.count = sum(page.count for page in self._pages[: self._counted])
        self._read = self._pages[-1].raw_end if self._pages else 0

    def span(self, number: int) -> Span:
        """The match of that number, from 0.

        Raises:
            IndexError: there are not so many.
        """
        for page in self._pages[: self._counted]:
            if number < page.count and self._needle is not None:
                start, end = page.text.spans(self._needle)[number]
                return Span(page.start + start, page.start + end)
            number -= page.count
        raise IndexError(number)

    def count_before(self, place: int) -> int:
        """How many matches begin before a character."""
        count = 0
        for page in self._pages[: self._counted]:
            if page.start >= place:
                break
            if page.start + page.size <= place or not page.count or self._needle is None:
                count += page.count
            else:
                count += sum(1 for start, _ in page.text.spans(self._needle) if page.start + start < place)
        return count


def parts_of(message: Message) -> Iterator[Part]:
    """The texts of a message in the order in which they stand, thinking and error too."""
    number = 0
    if message.view.role == "assistant":
        for block in message.blocks:
            yield Part(message, block, block.source, number)
            number += 1
    else:
        yield Part(message, None, _text_of(message.source), number)
        number += 1
    if message.error is not None:
        error = message.error
        words = "\n".join(text for text in (error.title, error.detail, error.hint) if text)
        yield Part(message, error, _text_of(words), number)


def _text_of(text: str) -> SourceText:
    source = SourceText()
    source.append(text)
    return source


def _with_plain_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
