"""Splits ``<think>…</think>`` off the start of an answer (R05, R06, R07); only where the dialect says so."""

from __future__ import annotations

from enum import Enum

OPEN = "<think>"
CLOSE = "</think>"


class _Stage(Enum):
    START = 1  # nothing but white space so far
    THINKING = 2
    TEXT = 3  # no tag at the start; a close tag alone may still come
    ANSWER = 4  # one close tag was seen: every later tag is text


class ThinkTagSplitter:
    """Gives text out at once, except what may be the beginning of a tag.

    A close tag without its open tag (a template that opens the thought itself) is left out; what came before it was
    given out as text and stays that.
    """

    __slots__ = ("_held", "_skips_space", "_stage")

    def __init__(self) -> None:
        self._stage = _Stage.START
        self._held = ""
        self._skips_space = False

    @property
    def is_done(self) -> bool:
        """Whether all further text is simply the answer."""
        return self._stage is _Stage.ANSWER and not self._skips_space

    def split(self, text: str) -> list[tuple[bool, str]]:
        """The parts of ``text`` that are certain now, each with whether it is thinking."""
        text = self._held + text
        self._held = ""
        parts: list[tuple[bool, str]] = []
        if self._stage is _Stage.START:
            stripped = text.lstrip()
            if OPEN.startswith(stripped[: len(OPEN)]) and len(stripped) < len(OPEN):
                self._held = text
                return parts
            if stripped.startswith(OPEN):
                text = stripped[len(OPEN) :]
                self._stage, self._skips_space = _Stage.THINKING, True
            else:
                self._stage = _Stage.TEXT
        if self._stage in (_Stage.THINKING, _Stage.TEXT):
            is_thinking = self._stage is _Stage.THINKING
            before, tag, after = text.partition(CLOSE)
            if tag:
                self._add(parts, is_thinking, before)
                self._stage, self._skips_space, text = _Stage.ANSWER, True, after
            else:
                kept = len(before) - _length_of_tag_start(before)
                self._held = before[kept:]
                self._add(parts, is_thinking, before[:kept])
                return parts
        self._add(parts, False, text)
        return parts

    def flush(self) -> list[tuple[bool, str]]:
        """What was held back, now that no more comes."""
        held, self._held = self._held, ""
        return [(self._stage is _Stage.THINKING, held)] if held else []

    def _add(self, parts: list[tuple[bool, str]], is_thinking: bool, text: str) -> None:
        if self._skips_space:
            text = text.lstrip()
            self._skips_space = not text
        if text:
            parts.append((is_thinking, text))


def _length_of_tag_start(text: str) -> int:
    """How many characters at the end of ``text`` may be the beginning of the close tag."""
    for length in range(min(len(CLOSE) - 1, len(text)), 0, -1):
        if text.endswith(CLOSE[:length]):
            return length
    return 0
