"""Items of type ``reasoning``: summaries, raw thoughts, and hidden ones (P10, R09, R10)."""

from __future__ import annotations

from typing import Any

from typing_extensions import override

from agdesk.core.ir.blocks import ProviderData
from agdesk.core.ir.stream import ContentBlockEnd, ContentBlockStart, ThinkingDelta, ThinkingType
from agdesk.core.providers.block_writer import BlockWriter
from agdesk.core.providers.wire.openai_responses.fields import REASONING, WIRE
from agdesk.core.providers.wire.openai_responses.item import Key, SpokenItem
from agdesk.core.providers.wire.openai_responses.strings import RunningString

_JOINT = "\n\n"
# the thought itself before what it comes down to, where both are there at once
_NAMES = ("content", "summary")


class ReasoningItem(SpokenItem):
    """A thought is one block, its parts separated by a blank line.

    The block opens at once: a hidden thought is one without text. Of summary and raw thought the one that comes first
    is shown; the other is in the item, which is kept whole as the block's ``provider_data``.
    """

    def __init__(self, writer: BlockWriter) -> None:
        super().__init__(REASONING, writer)
        self._raw: dict[str, Any] = {}
        self._strings: dict[tuple[str, Key], RunningString] = {}
        self._shown = ""
        self._current: RunningString | None = None
        self._is_closed = False
        writer.events.append(ContentBlockStart(self.block, ThinkingType()))

    @override
    def string(self, name: str, index: Key) -> RunningString:
        if index is None:
            index = next((known for lane, known in reversed(self._strings) if lane == name), None)
        key = (name, index)
        if key not in self._strings:
            self._strings[key] = RunningString(lambda string, text: self._write(name, string, text))
        return self._strings[key]

    @override
    def announce(self, item: dict[str, Any]) -> None:
        super().announce(item)
        self._raw = item

    @override
    def finish(self, item: dict[str, Any]) -> None:
        super().finish(item)
        self._raw = item
        for name in _NAMES:
            entries = item.get(name)
            waiting = [string for (lane, _), string in self._strings.items() if lane == name]
            for position, entry in enumerate(entries if isinstance(entries, list) else [entries]):
                text = entry.get("text") if isinstance(entry, dict) else entry
                string = self._strings.get((name, position))
                if string not in waiting:
                    string = waiting[0] if waiting else self.string(name, position)
                if string in waiting:
                    waiting.remove(string)
                string.settle(text)
        self.close(may_run=True)

    @override
    def close(self, *, may_run: bool) -> None:
        if not self._is_closed:
            self._is_closed = True
            raw = self._raw
            if raw and not self.is_done:  # its payload may be only the beginning of one
                raw = {member: raw[member] for member in raw} | {"status": "in_progress"}
            data = ProviderData(WIRE, raw) if raw else None
            self._writer.events.append(ContentBlockEnd(self.block, None, data))

    def _write(self, name: str, string: RunningString, text: str) -> None:
        self._shown = self._shown or name
        if name != self._shown:
            return
        if self._current is not string:
            if self._current is not None:
                self._current.kind = None
                self._writer.events.append(ThinkingDelta(_JOINT, self.block))
            self._current = string
            string.kind, string.block = ThinkingDelta, self.block
        self._writer.events.append(ThinkingDelta(text, self.block))
