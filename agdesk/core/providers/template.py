"""Frames that repeat: one differs from the one before in nothing but the text it adds, its number and its padding.

A document whose bytes are those of an earlier one, but for one JSON string standing in the same place, says what the
earlier one said, but for that string. So only the string need be parsed, which takes a fifth of the time. OpenAI also
numbers its events and pads them: digits in place of the number and letters in place of the padding say nothing.
"""

from __future__ import annotations

import re

from pydantic_core import from_json

_STRING = re.compile(rb'\s*("(?:[^"\\]|\\.)*")', re.DOTALL)
_NUMBER = re.compile(rb'"sequence_number":\s*(\d+)')
_PADDING = re.compile(rb'"obfuscation":\s*"([0-9A-Za-z]*)"')
_MAX_TRIES = 8


class TextTemplate:
    """What stands around the text of the last frame that only added text; empty until ``learn``."""

    __slots__ = ("_head", "_is_known", "_lead", "_padding", "_tail", "_tries")

    def __init__(self) -> None:
        self._is_known = False
        self._tries = 0  # how often a frame was taken down without another one like it
        self._head = self._tail = b""
        self._lead = b""  # between the number and the text, if a number stands before it
        self._padding = b""  # between the text and the padding, if there is any

    def text_in(self, data: bytes) -> str:
        """The text of a frame that is otherwise like the learned one; empty for any other frame."""
        if not (self._is_known and data.startswith(self._head) and data.endswith(self._tail)):
            return ""
        start, end = len(self._head), len(data) - len(self._tail)
        if lead := self._lead:
            place = data.find(lead, start)
            if place < 0 or not data[start:place].isdigit():
                return ""
            start = place + len(lead)
        if padding := self._padding:
            place = data.find(padding, start)
            if place < 0 or not data[place + len(padding) : end].isalnum():
                return ""
            end = place
        try:
            text = from_json(data[start:end])
        except ValueError:  # the frames are not that much alike
            return ""
        if text.__class__ is not str:
            return ""
        self._tries = 0
        return text

    def learn(self, data: bytes, *, member: str, text: str) -> None:
        """Takes down what stands around the value of ``member``, if that is surely ``text``; not again and again.

        Args:
            data: a JSON document that was parsed.
            member: the name of a member, somewhere in it, whose value is ``text``.
            text: not empty.
        """
        self._is_known = False
        if self._tries >= _MAX_TRIES:
            return
        self._tries += 1
        name = b'"' + member.encode("ascii") + b'":'  # inside a string its quotes would be escaped
        if data.count(name) != 1:
            return
        found = _STRING.match(data, data.index(name) + len(name))
        if found is None or from_json(found[1]) != text:
            return
        start, end = found.span(1)
        self._head, self._tail, self._lead, self._padding = data[:start], data[end:], b"", b""
        if number := _NUMBER.search(data, 0, start):
            self._head, self._lead = data[: number.start(1)], data[number.end(1) : start]
        if padding := _PADDING.search(data, end):
            self._padding, self._tail = data[end : padding.start(1)], data[padding.end(1) :]
        self._is_known = True

    def forget(self) -> None:
        """Nothing is like the learned frame any more."""
        self._is_known = False
