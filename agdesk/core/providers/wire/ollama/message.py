"""The message of a line: thinking, text, calls and what stands beside them."""

from __future__ import annotations

from typing import Any

from agdesk.core.ir.stream import TextDelta, ThinkingDelta
from agdesk.core.providers.block_writer import BlockWriter
from agdesk.core.providers.think_tags import ThinkTagSplitter
from agdesk.core.providers.wire.ollama.calls import CallWriter
from agdesk.core.providers.wire.ollama.fields import MESSAGE_MEMBERS


class MessageReader:
    """Reads messages, each of which adds to the one before, into blocks."""

    __slots__ = ("_calls", "_last", "_tags", "_writer")

    def __init__(self, writer: BlockWriter, *, seed: str, parses_think_tags: bool) -> None:
        self._writer = writer
        self._calls = CallWriter(writer, seed)
        self._tags = ThinkTagSplitter() if parses_think_tags else None
        self._last: dict[str, Any] = {}

    @property
    def has_calls(self) -> bool:
        return self._calls.has_calls

    @property
    def plain_member(self) -> str:
        """The member whose text goes into the running block just as it comes; empty if there is none."""
        if self._writer.kind is TextDelta and (self._tags is None or self._tags.is_done):
            return "content"
        return "thinking" if self._writer.kind is ThinkingDelta else ""

    def take(self, message: dict[str, Any]) -> None:
        """Takes the message of one line. Thinking comes before the text that stands with it."""
        if isinstance(thinking := message.get("thinking"), str):
            self._writer.write(ThinkingDelta, thinking)
        if isinstance(content := message.get("content"), str):
            self._write_text(content)
        if calls := message.get("tool_calls"):
            self._calls.take(calls)
        for member in message:
            if member not in MESSAGE_MEMBERS:
                value = dict.get(message, member)  # a glance past ``explain``: only what is kept counts as read
                if isinstance(value, dict | list) and value and self._last.get(member) != value:
                    self._last[member] = value
                    self._writer.extension(member, value)

    def close(self, *, is_cut: bool) -> None:
        """Closes every block; calls of a cut answer are not marked as whole."""
        if self._tags is not None:
            self._write_parts(self._tags.flush())
        self._writer.end_running()
        self._calls.close(is_cut=is_cut)

    def _write_text(self, text: str) -> None:
        if self._tags is None:
            self._writer.write(TextDelta, text)
        elif text:
            self._write_parts(self._tags.split(text))

    def _write_parts(self, parts: list[tuple[bool, str]]) -> None:
        for is_thinking, piece in parts:
            self._writer.write(ThinkingDelta if is_thinking else TextDelta, piece)
