"""The one choice that counts, delta by delta: text, refusal, reasoning, calls and what stands beside them."""

from __future__ import annotations

from typing import Any

from agdesk.core.ir.openai_chat.thinking import text_of
from agdesk.core.ir.openai_chat.types import CONTENT_PART, THINKING_PART
from agdesk.core.ir.stream import RefusalDelta, TextDelta, ThinkingDelta
from agdesk.core.providers.block_writer import BlockWriter
from agdesk.core.providers.think_tags import ThinkTagSplitter
from agdesk.core.providers.wire.openai_chat.asides import Asides
from agdesk.core.providers.wire.openai_chat.ending import decisive, finish_word
from agdesk.core.providers.wire.openai_chat.reasoning import ReasoningReader
from agdesk.core.providers.wire.openai_chat.tool_calls import CallAssembler

_PLAIN_THOUGHTS = ("text", "summary_text")


class ChoiceReader:
    """Reads choices into blocks.

    Attributes:
        text_parts: every piece of text so far.
        finish_word: the server's word for why the choice ended; None while it goes on.
        has_refusal: whether the model refused in words (C16).
    """

    __slots__ = ("_asides", "_calls", "_reasoning", "_tags", "_writer", "finish_word", "has_refusal", "text_parts")

    def __init__(self, writer: BlockWriter, *, asides: Asides, seed: str, parses_think_tags: bool) -> None:
        self._writer = writer
        self._asides = asides
        self._calls = CallAssembler(writer, seed)
        self._reasoning = ReasoningReader(writer)
        self._tags = ThinkTagSplitter() if parses_think_tags else None
        self.text_parts: list[str] = []
        self.finish_word: str | None = None
        self.has_refusal = False

    @property
    def has_calls(self) -> bool:
        return self._calls.has_calls

    @property
    def plain_member(self) -> str:
        """The member of a delta whose text goes into the running block just as it comes; empty if there is none."""
        kind = self._writer.kind
        if kind is TextDelta and (self._tags is None or self._tags.is_done):
            return "content"
        return self._reasoning.plain_member if kind is ThinkingDelta else ""

    def take(self, choice: dict[str, Any]) -> None:
        """Takes a choice of a chunk or of a whole answer. A ``delta`` that says something counts before ``message``,
        and so does any once there was text (C10, C11).
        """
        self._asides.take_choice(choice)
        delta, message = choice.get("delta"), choice.get("message")
        if delta is None and message is None and isinstance(text := choice.get("text"), str):
            self._take_text(text)  # the older address for completions; elsewhere it repeats the delta
        if isinstance(delta, dict):
            self._take_delta(delta)
            if self.text_parts or _says_something(delta):
                message = None
        if isinstance(message, dict):
            if not self.text_parts or message.get("content") != "".join(self.text_parts):
                self._take_delta(message)
            else:
                self._calls.take(message.get("tool_calls"))  # the text is only said again
        if (word := finish_word(choice.get("finish_reason"))) is not None:
            self.finish_word = decisive(self.finish_word, word)

    def close(self, *, is_cut: bool) -> None:
        """Closes every block; calls of a cut answer are not marked as whole."""
        for is_thinking, piece in self._tags.flush() if self._tags is not None else ():
            self._writer.write(ThinkingDelta if is_thinking else TextDelta, piece)
        self._writer.end_running()
        self._calls.close(is_cut=is_cut)
        self._reasoning.close()

    def _take_delta(self, delta: dict[str, Any]) -> None:
        self._reasoning.take(delta)
        content = delta.get("content")
        if isinstance(content, str):
            self._take_text(content)
        elif isinstance(content, list | dict):
            for part in content if isinstance(content, list) else (content,):
                self._take_part(part)
        self._refuse(delta.get("refusal"))
        if calls := delta.get("tool_calls"):
            self._calls.take(calls)
        if legacy := delta.get("function_call"):
            self._calls.take_legacy(legacy)
        self._asides.take_delta(delta)

    def _take_part(self, part: Any) -> None:
        """One part of content that is a list, as Mistral and Databricks send it (C13)."""
        if isinstance(part, str):
            self._take_text(part)
        if not isinstance(part, dict):
            return
        match part.get("type"):
            case "text" | "output_text" | None if isinstance(text := part.get("text"), str):
                self._take_text(text)
            case "refusal":
                self._refuse(part.get("refusal"))
            case "thinking" | "reasoning" as kind:
                thinking = part.get("thinking" if kind == "thinking" else "summary")
                self._writer.write(ThinkingDelta, text_of(thinking))
                for inner in thinking if isinstance(thinking, list) else ():
                    if isinstance(inner, dict):
                        if inner.get("type") not in _PLAIN_THOUGHTS:
                            self._asides.block(THINKING_PART, inner)
                        self._reasoning.sign(inner.get("signature"))
                self._reasoning.sign(part.get("signature"))
            case _:
                self._asides.block(CONTENT_PART, part)

    def _take_text(self, text: str) -> None:
        if not text:
            return
        self.text_parts.append(text)
        if self._tags is None:
            self._writer.write(TextDelta, text)
            return
        for is_thinking, piece in self._tags.split(text):
            self._writer.write(ThinkingDelta if is_thinking else TextDelta, piece)

    def _refuse(self, text: Any) -> None:
        if isinstance(text, str) and text:
            self.has_refusal = True
            self._writer.write(RefusalDelta, text)


def _says_something(delta: dict[str, Any]) -> bool:
    return any(dict.get(delta, member) for member in delta if member != "role")  # a glance past ``explain``
