"""What stands beside text and calls: annotations, images, audio, citations, and what nobody knows (C15, C23)."""

from __future__ import annotations

from typing import Any

from agdesk.core.providers.block_writer import BlockWriter
from agdesk.core.providers.wire.openai_chat.fields import (
    DELTA_MEMBERS,
    EXTRA_CHOICE_MEMBERS,
    EXTRA_MEMBERS,
    LATE_MEMBERS,
    OPAQUE_MEMBER,
    PROVIDER_FIELDS,
    REPEATED,
    THINKING_BLOCKS,
)

_EMPTY: tuple[Any, ...] = (None, "", [], {})


class Asides:
    """Turns them into ``Extension`` blocks that do not end the running text, or into members of ``extra``.

    Attributes:
        extra: what goes out with the end of the answer, the last value of each member.
    """

    __slots__ = ("_audio", "_audio_index", "_last", "_late", "_thinking", "_thinking_index", "_writer", "extra")

    def __init__(self, writer: BlockWriter) -> None:
        self._writer = writer
        self._last: dict[str, Any] = {}
        self._late: dict[str, Any] = {}
        self._audio: dict[str, Any] = {}
        self._audio_index = -1
        self._thinking: list[dict[str, Any]] = []
        self._thinking_index = -1
        self.extra: dict[str, Any] = {}

    def take_chunk(self, document: dict[str, Any]) -> None:
        """Takes what stands beside ``choices``."""
        for member in EXTRA_MEMBERS:
            _note(self.extra, member, document.get(member))
        for member in LATE_MEMBERS:
            _note(self._late, member, document.get(member))

    def take_choice(self, choice: dict[str, Any]) -> None:
        """Takes what stands beside ``delta``."""
        for member in EXTRA_CHOICE_MEMBERS:
            _note(self.extra, member, choice.get(member))

    def take_delta(self, delta: dict[str, Any]) -> None:
        """Takes the members of a delta or message that nobody else reads.

        An unknown member counts as content if it has structure; unknown numbers and words are metadata.
        """
        for member in delta:
            if member == "audio":
                self._take_audio(delta["audio"])
            elif member == THINKING_BLOCKS:
                self._take_thinking(delta[member])
            elif member == OPAQUE_MEMBER and isinstance(delta[member], str) and delta[member]:
                self.block(member, delta[member])
            elif member not in DELTA_MEMBERS:
                value = dict.get(delta, member)  # a glance past ``explain``: only what is kept counts as read
                if member == PROVIDER_FIELDS and isinstance(value, dict):
                    value = {inner: value[inner] for inner in value if inner not in REPEATED and value[inner]}
                if isinstance(value, dict | list) and value:
                    self.block(member, value)

    def block(self, kind: str, raw: Any) -> None:
        """One Extension; the same value again, as cumulative servers send it, is not new."""
        if self._last.get(kind) != raw:
            self._last[kind] = raw
            self._writer.extension(kind, raw)

    def close(self) -> None:
        """Writes what was only complete at the end."""
        if self._audio:
            self._writer.extension("audio", self._audio, self._audio_index)
        if self._thinking:
            self._writer.extension(THINKING_BLOCKS, self._thinking, self._thinking_index)
        for member, raw in self._late.items():
            self._writer.extension(member, raw)

    def _take_thinking(self, blocks: Any) -> None:
        """A thought goes on until its signature comes; other blocks are whole."""
        for block in blocks if isinstance(blocks, list) else ():
            if not isinstance(block, dict):
                continue
            if not self._thinking:
                self._thinking_index = self._writer.reserve()
            last = self._thinking[-1] if self._thinking else {}
            if block.get("type") != "thinking" or last.get("type") != "thinking" or last.get("signature"):
                last = {}
                self._thinking.append(last)
            for member in block:
                value, known = block[member], last.get(member)
                is_piece = member == "thinking" and isinstance(value, str) and isinstance(known, str)
                last[member] = known + value if is_piece else value

    def _take_audio(self, audio: Any) -> None:
        """Audio comes in pieces; those of ``data`` are each encoded by themselves and stay apart."""
        if not isinstance(audio, dict):
            return
        for member in audio:
            value = audio[member]
            if value in _EMPTY:
                continue
            if not self._audio:
                self._audio_index = self._writer.reserve()
            if member == "data" and isinstance(value, str):
                self._audio.setdefault("data", []).append(value)
            elif member == "transcript" and isinstance(value, str):
                self._audio["transcript"] = self._audio.get("transcript", "") + value
            else:
                self._audio[member] = value


def _note(target: dict[str, Any], member: str, value: Any) -> None:
    if value not in _EMPTY:
        target[member] = value
