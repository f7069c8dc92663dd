"""Draws a segment into a document, and brings the drawing up to date when the segment grew."""

from __future__ import annotations

from collections import ChainMap

from agdesk.ui.widgets.markdown.builder import DocumentBuilder
from agdesk.ui.widgets.markdown.document import SafeDocument
from agdesk.ui.widgets.markdown.formats import TextFormats
from agdesk.ui.widgets.markdown.highlight import lex
from agdesk.ui.widgets.markdown.parser import References
from agdesk.ui.widgets.markdown.segments import Chunk, CodeSegment, TextSegment, weight_of
from agdesk.ui.widgets.markdown.walker import draw_chunk

BIG_WEIGHT = 2048  # a block that is still open and weighs more than that is drawn again only now and then,
BIG_PAUSE_S = 0.25  # that often; between, more of a paragraph is added as plain text, other things wait
BIG_TABLE_ROWS = 16
LONG_LINE_CHARS = 2000  # code with longer lines stays plain
COLORED_CHARS = 50_000  # code beyond that stays plain
SLICE_LINES = 16  # code is coloured in slices of that many lines, or that many characters;
SLICE_CHARS = 800
SLICE_STEPS = 4  # a slice that ends inside a string or comment takes in as much again, up to that many times


class TextRenderer:
    """Keeps a document up to date with a run of Markdown blocks.

    Closed chunks are drawn once. The tail, which may still become something else, is removed and drawn again.

    Args:
        document: empty.
        segment: what to draw.
        references: link definitions of the whole text.
        formats: how it looks.
    """

    def __init__(
        self, document: SafeDocument, segment: TextSegment, *, references: References, formats: TextFormats
    ) -> None:
        self._segment = segment
        self._references = references
        self._document = document
        self._builder = DocumentBuilder(document, formats)
        self._start = self._mark = self._builder.mark()
        self._drawn = 0
        self._is_complete = False  # all of a closed segment is drawn
        self._has_gaps = False  # closed chunks show in words what is still being made
        self._tail: Chunk | None = None
        self._drawn_s = 0.0
        self._is_plain_tail = False  # the tail is a paragraph: more of it can be added as plain text
        self._is_rough = False

    def update(self, now_s: float) -> bool:
        """Draws what is new.

        Args:
            now_s: of a monotonic clock.

        Returns:
            True if the end is not drawn as it should be yet: update again after ``BIG_PAUSE_S``.
        """
        has_news = self._document.take_news()
        is_drawn = self._is_complete or (self._segment.merged > 0 and self._segment.merged == self._drawn)
        if is_drawn and not has_news:
            self._is_complete = True
            return self._document.is_waiting
        is_behind = has_news and self._has_gaps
        if is_behind or (self._segment.merged and self._drawn):  # what is drawn can no longer be told from what is not
            self._drawn, self._mark, self._has_gaps = 0, self._start, False
        chunks, tail = self._segment.chunks[self._drawn :], self._segment.tail
        is_waiting = not has_news and now_s - self._drawn_s < BIG_PAUSE_S and self._may_wait(chunks, tail)
        if not chunks and tail == self._tail and not has_news and (is_waiting or not self._is_rough):
            return self._is_rough or self._document.is_waiting
        self._builder.cursor.beginEditBlock()
        if is_waiting:
            self._add_plain(tail)
        else:
            self._draw(chunks, tail)
            self._drawn_s = now_s
        self._is_rough = is_waiting
        self._is_complete = self._segment.is_closed
        self._builder.cursor.endEditBlock()
        return self._is_rough or self._document.is_waiting

    def _may_wait(self, chunks: list[Chunk], tail: Chunk | None) -> bool:
        """Whether drawing what is new costs so much that it is not done for every addition."""
        if self._segment.is_closed:
            return False
        if chunks:
            table = self._builder.table
            return table is not None and table.rows() > BIG_TABLE_ROWS and all(chunk.is_continued for chunk in chunks)
        return tail is not None and self._tail is not None and weight_of(tail.source) > BIG_WEIGHT

    def _draw(self, chunks: list[Chunk], tail: Chunk | None) -> None:
        self._builder.rewind(self._mark)
        if not self._has_gaps:
            self._document.stop_waiting()  # only the tail did, and it is drawn again
        if chunks:
            for chunk in chunks:
                draw_chunk(self._builder, chunk, ChainMap({}, self._references), is_final=True)
            self._drawn += len(chunks)
            self._mark = self._builder.mark()
            self._has_gaps |= self._document.is_waiting
        if tail is not None:
            self._is_plain_tail = draw_chunk(self._builder, tail, ChainMap({}, self._references), is_final=False)
        self._tail = tail

    def _add_plain(self, tail: Chunk | None) -> None:
        known = self._tail.source if self._tail else ""
        if tail is not None and self._is_plain_tail and tail.source.startswith(known):
            self._builder.write(tail.source[len(known) :].replace("\n", " "), self._builder.formats.text)
            self._tail = tail


class CodeRenderer:
    """Keeps a document up to date with a part of a fenced code block.

    Complete lines are coloured slice by slice, with cuts that depend on the code alone. In the slice that still grows,
    new lines are coloured by themselves; when it is full, or nothing more will come, it is drawn again as a whole. The
    unfinished line is plain.

    Args:
        document: empty.
        segment: what to draw.
        formats: how it looks.
    """

    def __init__(self, document: SafeDocument, segment: CodeSegment, *, formats: TextFormats) -> None:
        self._segment = segment
        self._builder = DocumentBuilder(document, formats)
        self._builder.start_block(formats.bare_code_line(), formats.code)
        self._slice_start = 0  # characters of the text in full slices
        self._slice_mark = self._builder.mark()
        self._colored = 0  # characters of the text that are drawn
        self._is_piecemeal = False  # the open slice is not drawn as a whole
        self._is_open_ended = False  # what is drawn ends inside a string or comment
        self._partial = ""
        self._partial_mark = self._slice_mark

    def update(self, now_s: float) -> bool:
        """Draws what is new; see ``TextRenderer.update``. Code is never drawn roughly."""
        text, partial = self._segment.text, self._segment.partial
        has_lines = len(text) > self._colored
        is_settling = self._segment.is_closed and self._is_piecemeal
        if not has_lines and not is_settling and partial == self._partial:
            return False
        builder = self._builder
        builder.cursor.beginEditBlock()
        if has_lines or is_settling:
            if is_settling or self._is_open_ended or _slice_end(text, self._slice_start, 1) is not None:
                builder.rewind(self._slice_mark)
                self._draw_slices(text)
            else:
                builder.rewind(self._partial_mark)
                self._add_lines(text)
            self._colored = len(text)
            self._partial_mark = builder.mark()
            self._partial = ""
        if not partial.startswith(self._partial):
            builder.rewind(self._partial_mark)
            self._partial = ""
        if partial and not self._partial and self._colored:
            builder.write("\n", builder.formats.code)
        builder.write(partial[len(self._partial) :], builder.formats.code)
        self._partial = partial
        builder.cursor.endEditBlock()
        return False

    def _add_lines(self, text: str) -> None:
        """Draws the lines that are not drawn yet."""
        runs, self._is_open_ended = _lex(self._language(self._colored), text[self._colored :])
        self._is_piecemeal = True
        self._write(runs, is_first=self._colored == 0)

    def _draw_slices(self, text: str) -> None:
        """Draws everything from the start of the open slice."""
        is_full = True
        self._is_piecemeal = self._is_open_ended = False
        while is_full and self._slice_start < len(text):
            end, runs, is_full = self._next_slice(text)
            self._write(runs, is_first=self._slice_start == 0)
            if is_full:
                self._slice_start = end
                self._slice_mark = self._builder.mark()

    def _write(self, runs: list[tuple[str, str]], *, is_first: bool) -> None:
        if not is_first:
            self._builder.write("\n", self._builder.formats.code)
        kind, last = runs[-1]
        for style, code in (*runs[:-1], (kind, last.removesuffix("\n"))):
            self._builder.write(code, self._builder.formats.syntax[style])

    def _language(self, start: int) -> str:
        return self._segment.fence.language if self._segment.offset + start < COLORED_CHARS else ""

    def _next_slice(self, text: str) -> tuple[int, list[tuple[str, str]], bool]:
        """End and runs of the next slice, and whether it is a whole one."""
        start = self._slice_start
        language = self._language(start)
        for step in range(1, SLICE_STEPS + 1):
            end = _slice_end(text, start, step)
            if end is None:
                break
            runs, is_open = _lex(language, text[start:end])
            if not is_open or step == SLICE_STEPS:
                return end, runs, True
        runs, self._is_open_ended = _lex(language, text[start:])
        return len(text), runs, False


def _lex(language: str, code: str) -> tuple[list[tuple[str, str]], bool]:
    is_long = any(len(line) > LONG_LINE_CHARS for line in code.split("\n"))
    return lex("" if is_long else language, code)


def _slice_end(text: str, start: int, step: int) -> int | None:
    """Where a slice of ``step`` units ends, None if the text does not reach that far."""
    by_size = text.find("\n", start + SLICE_CHARS * step)
    position = start
    for _ in range(SLICE_LINES * step):
        position = text.find("\n", position) + 1
        if not position:
            return by_size + 1 or None
    return min(position, by_size + 1) if by_size >= 0 else position
