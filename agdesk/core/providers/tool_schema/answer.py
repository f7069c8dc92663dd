"""Events of a constrained answer → calls and text, as early as the text tells which it is."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import AsyncGenerator, Iterator
from dataclasses import replace
from enum import Enum, auto

from agdesk.core.ir.response import StopReason
from agdesk.core.ir.stream import (
    ContentBlockEnd,
    ContentBlockStart,
    MessageComplete,
    StreamError,
    StreamEvent,
    TextDelta,
    TextType,
    ToolCallArgumentsDelta,
    ToolCallEnd,
    ToolUseType,
)
from agdesk.core.providers.tool_schema.request import ANSWER, ARGUMENTS, TOOL

_ANSWER_START = re.compile(rf'\s*\{{\s*"{ANSWER}"\s*:\s*')
_CALL_START = re.compile(rf'\s*\{{\s*"{TOOL}"\s*:')
_CUT_CALL = re.compile(rf'\s*\{{\s*"{TOOL}"\s*:\s*"([^"\\]+)"\s*,\s*"{ARGUMENTS}"\s*:\s*', re.DOTALL)
# Whole characters of a JSON string: what comes after them is its end, or the beginning of an escape.
_CHARACTERS = re.compile(
    r'(?:[^"\\]|\\["\\/bfnrt]|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[0-9a-fA-F]{4}|\\u(?![dD][89abAB])[0-9a-fA-F]{4})*'
)
_NORMAL = (StopReason.END_TURN, StopReason.STOP_SEQUENCE)


class _Kind(Enum):
    UNDECIDED = auto()
    ANSWER = auto()  # a string, given out as it grows
    WHOLE = auto()  # a call, or an answer that is no string: needs its end
    PLAIN = auto()  # not what the schema says: text as it is
    OVER = auto()  # the answer's closing quote was seen


async def read_answer(events: AsyncGenerator[StreamEvent, None], *, seed: str) -> AsyncGenerator[StreamEvent, None]:
    """The events of a constrained answer as those of calls and text; closing it closes ``events``.

    Args:
        seed: of the made-up ids of calls (D11).
    """
    reader = AnswerReader(seed)
    async with contextlib.aclosing(events):
        async for event in events:
            for found in reader.read(event):
                yield found


class AnswerReader:
    """Reads the events of one answer.

    Args:
        seed: of the made-up ids of calls (D11).
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._index: int | None = None  # of the text block that is being read
        self._kind = _Kind.UNDECIDED
        self._held = ""
        self._has_call = False

    def read(self, event: StreamEvent) -> Iterator[StreamEvent]:
        """The events that take this one's place."""
        match event:
            case ContentBlockStart(index=index, block_type=TextType()):
                self._index, self._kind, self._held = index, _Kind.UNDECIDED, ""
            case TextDelta(text=text, index=index) if self._index is not None and index in (None, self._index):
                yield from self._take(text, self._index)
            case ContentBlockEnd(index=index) if index == self._index:
                yield from self._close(index, event)
                self._index = None
            case MessageComplete(stop_reason=reason) if self._has_call and reason in _NORMAL:
                yield replace(event, stop_reason=StopReason.TOOL_USE)
            case StreamError() if self._index is not None:
                yield from self._close(self._index, ContentBlockEnd(self._index))
                self._index = None
                yield event
            case _:
                yield event

    def _take(self, text: str, index: int) -> Iterator[StreamEvent]:
        self._held += text
        if self._kind is _Kind.UNDECIDED and (kind := _kind_of(self._held)) is not _Kind.UNDECIDED:
            self._kind = kind
            if kind is not _Kind.WHOLE:
                yield ContentBlockStart(index, TextType())
            if kind is _Kind.ANSWER:
                self._held = self._held[_string_start(self._held) :]
        if self._kind is _Kind.PLAIN:
            text, self._held = self._held, ""
            yield TextDelta(text, index)
        elif self._kind is _Kind.ANSWER:
            found = _CHARACTERS.match(self._held)
            piece, self._held = self._held[: found.end() if found else 0], self._held[found.end() if found else 0 :]
            if self._held.startswith('"'):
                self._kind = _Kind.OVER
            if piece:
                yield TextDelta(json.loads(f'"{piece}"', strict=False), index)

    def _close(self, index: int, end: ContentBlockEnd) -> Iterator[StreamEvent]:
        if self._kind is _Kind.WHOLE:
            yield from self._close_whole(index, end)
            return
        if self._kind is _Kind.UNDECIDED:
            if not self._held.strip():
                return  # an empty block is none
            yield ContentBlockStart(index, TextType())
        if self._kind in (_Kind.UNDECIDED, _Kind.ANSWER) and self._held:
            yield TextDelta(self._held, index)  # cut in the middle of an escape, or before anything was clear
        yield end

    def _close_whole(self, index: int, end: ContentBlockEnd) -> Iterator[StreamEvent]:
        try:
            document = json.loads(self._held, strict=False)
        except (ValueError, RecursionError):
            document = None
        if isinstance(document, dict) and isinstance(document.get(TOOL), str):
            self._has_call = True
            arguments = json.dumps(document.get(ARGUMENTS, {}), ensure_ascii=False)
            yield ContentBlockStart(index, ToolUseType(self._call_id(index), document[TOOL]))
            yield ToolCallArgumentsDelta(arguments, index)
            yield ToolCallEnd(index)
        elif (cut := _CUT_CALL.match(self._held)) is not None and document is None:
            yield ContentBlockStart(index, ToolUseType(self._call_id(index), cut[1]))
            yield ToolCallArgumentsDelta(self._held[cut.end() :], index)  # never ended, so it cannot run
        else:
            is_answer = isinstance(document, dict) and ANSWER in document
            text = json.dumps(document[ANSWER], ensure_ascii=False) if is_answer else self._held
            yield ContentBlockStart(index, TextType())
            yield TextDelta(text, index)
        yield end

    def _call_id(self, index: int) -> str:
        return f"call_{self._seed}_{index}"


def _kind_of(text: str) -> _Kind:
    if (answer := _ANSWER_START.match(text)) is not None:
        rest = text[answer.end() :]
        if not rest:
            return _Kind.UNDECIDED
        return _Kind.ANSWER if rest.startswith('"') else _Kind.WHOLE
    if _CALL_START.match(text):
        return _Kind.WHOLE
    squeezed = "".join(text.split())
    is_open = any(start.startswith(squeezed) for start in (f'{{"{ANSWER}":', f'{{"{TOOL}":'))
    return _Kind.UNDECIDED if is_open else _Kind.PLAIN


def _string_start(text: str) -> int:
    found = _ANSWER_START.match(text)
    assert found is not None, "the kind was told by this"
    return found.end() + 1
