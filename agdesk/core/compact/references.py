"""Source 4: which results later messages of the model took up, by the words that they share.

A result is referenced by a later message of the model whose texts and call inputs hold at least three distinct words
of it. Every message is read once: for each word one whole number holds, bit by bit, the messages it stands in, so that
a result is compared with a thousand later messages at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from agdesk.core.compact.keywords import says_something, words_among
from agdesk.core.ir.blocks import Text, ToolUse
from agdesk.core.ir.messages import Assistant, Message

LEAST_SHARED = 3
MOST_LISTED = 12


_STRETCH = 1024  # messages that share one table: longer numbers would cost more than they save


class ReferenceIndex:
    """What the messages of the model say, to be asked for results.

    Args:
        messages: the history.
    """

    def __init__(self, messages: Sequence[Message]) -> None:
        self._positions = [at for at, message in enumerate(messages) if isinstance(message, Assistant)]
        self._before = _counts(messages)
        self._spoken = [words_among("\n".join(_spoken(messages[at]))) for at in self._positions]
        starts = range(0, len(self._spoken), _STRETCH)
        self._stretches = [_said_in(self._spoken[start : start + _STRETCH]) for start in starts]

    def last_reference(self, text: str, *, position: int) -> tuple[int, tuple[str, ...]] | None:
        """The last message that took up a result.

        Args:
            text: of the result.
            position: of its message.

        Returns:
            The position of that message and the words, at most 12; None if there is none.
        """
        earlier = self._before[position]
        if earlier == len(self._positions):
            return None
        words = words_among(text)
        for stretch in reversed(range(earlier // _STRETCH, len(self._stretches))):
            start = stretch * _STRETCH
            said_in = self._stretches[stretch]
            known = words & said_in.keys()
            number = _newest_with_enough((said_in[word] for word in known), skipped=max(0, earlier - start))
            if number is not None:
                shared = sorted(known & self._spoken[start + number])
                return self._positions[start + number], tuple(shared[:MOST_LISTED])
        return None


def _said_in(spoken: Sequence[set[str]]) -> dict[str, int]:
    """For every word that says something the messages that it stands in, one bit for each."""
    said_in: dict[str, int] = {}
    for number, words in enumerate(spoken):
        bit = 1 << number
        for word in words:
            said_in[word] = said_in.get(word, 0) | bit
    return {word: bits for word, bits in said_in.items() if says_something(word)}


def _newest_with_enough(holders: Iterable[int], *, skipped: int) -> int | None:
    """The last message that holds three of the words; ``skipped``: how many of the first do not count."""
    once = twice = enough = 0  # the messages with one, two, three of the words, and more
    for bits in holders:
        enough |= twice & bits
        twice |= once & bits
        once |= bits
    number = enough.bit_length() - 1
    return number if number >= skipped else None


def _counts(messages: Sequence[Message]) -> list[int]:
    """For every message how many of the model stand before it or are it."""
    counts, count = [], 0
    for message in messages:
        count += isinstance(message, Assistant)
        counts.append(count)
    return counts


def _spoken(message: Message) -> Iterable[str]:
    content = message.content if isinstance(message, Assistant) else ()
    for block in content:
        if isinstance(block, Text):
            yield block.text
        elif isinstance(block, ToolUse):
            yield from _strings(block.input)


def _strings(value: Any) -> Iterable[str]:
    """The texts in the arguments of a call; the names of its parameters are the same every time and say nothing."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str(text):
                yield text
            case dict(members):
                waiting.extend(members.values())
            case list(items):
                waiting.extend(items)
