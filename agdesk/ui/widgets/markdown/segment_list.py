"""The segments of one text, and when one ends and the next begins."""

from __future__ import annotations

from agdesk.ui.widgets.markdown.segments import Chunk, CodeSegment, Fence, Segment, SegmentStart, TextSegment

SEGMENT_WEIGHT = 4096  # a segment ends at the first boundary after that: drawing it stays within a frame
CODE_OVERRUN = 1.5  # code waits for an empty line to be cut at, up to that many times the weight


class SegmentList:
    """Takes what is closed and begins new segments where it must.

    Attributes:
        segments: the last one may be open.
        position: characters of the text before what is closed next.
    """

    def __init__(self) -> None:
        self.segments: list[Segment] = []
        self.position = 0
        self._start: SegmentStart = "block"

    def close_chunk(self, chunk: Chunk) -> None:
        """Adds what will not change any more."""
        segment = self._text_segment()
        segment.add(chunk)
        segment.tail = None
        segment.is_closed = segment.weight >= SEGMENT_WEIGHT

    def set_start(self, start: SegmentStart) -> None:
        """What the next chunk is, in case a segment begins with it."""
        self._start = start

    def show_tail(self, tail: Chunk | None) -> None:
        """Replaces the block that may still change."""
        if tail is not None:
            self._text_segment().tail = tail
        elif self.segments and isinstance(self.segments[-1], TextSegment):
            self.segments[-1].tail = None

    def end_text(self) -> None:
        """The next chunk begins a segment."""
        if self.segments and isinstance(self.segments[-1], TextSegment):
            self.segments[-1].tail = None
            self.segments[-1].is_closed = True

    def begin_code(self, language: str, *, is_raw: bool = False) -> None:
        """A fenced code block begins, or what is not looked at any more."""
        self.end_text()
        self._start = "block"
        self._add_code_segment(Fence(language, is_raw=is_raw))

    def add_code(self, code: str) -> None:
        """Adds complete lines of code."""
        segment = self._code_segment()
        weight = segment.weight
        if weight >= SEGMENT_WEIGHT and (segment.text.endswith("\n\n") or weight >= SEGMENT_WEIGHT * CODE_OVERRUN):
            segment = self.roll_code_over()
        segment.text += code

    def roll_code_over(self) -> CodeSegment:
        """The code goes on in a new segment."""
        full = self._code_segment()
        full.partial = ""
        full.is_closed = True
        following = self._add_code_segment(full.fence)
        following.offset = full.offset + len(full.text)
        following.first_line = full.first_line + full.lines
        following.is_continued = not full.text.endswith("\n")
        return following

    def show_partial(self, partial: str) -> None:
        """Replaces the unfinished line of code."""
        self._code_segment().partial = partial

    def end_code(self) -> None:
        """The fenced code block has ended."""
        last = self._code_segment()
        last.partial = ""
        last.is_last = last.is_closed = True

    def end(self) -> None:
        """Nothing will be added."""
        if self.segments:
            match self.segments[-1]:
                case TextSegment():
                    self.end_text()
                case CodeSegment():
                    self.end_code()

    def _text_segment(self) -> TextSegment:
        last = self.segments[-1] if self.segments else None
        if not isinstance(last, TextSegment) or last.is_closed:
            last = TextSegment(self._start, self.position)
            self.segments.append(last)
        return last

    def _code_segment(self) -> CodeSegment:
        segment = self.segments[-1]
        assert isinstance(segment, CodeSegment)
        return segment

    def _add_code_segment(self, fence: Fence) -> CodeSegment:
        segment = CodeSegment(fence, position=self.position)
        fence.segments.append(segment)
        self.segments.append(segment)
        return segment
