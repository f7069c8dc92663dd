"""Items without a type in the IR: server-side calls, their results, compaction, and what is yet to come (P13)."""

from __future__ import annotations

from typing import Any

from typing_extensions import override

from agdesk.core.providers.wire.openai_responses.fields import EVENT_MEMBERS
from agdesk.core.providers.wire.openai_responses.item import Item

# Their content stands in the final JSON under another name.
_SAID_AGAIN = (".delta", ".done")


class OtherItem(Item):
    """Goes out whole, as an ``Extension`` in the place where it was first seen."""

    _raw: dict[str, Any] | None = None
    _is_written = False

    @override
    def announce(self, item: dict[str, Any]) -> None:
        super().announce(item)
        self._raw = {member: item[member] for member in item}

    def take_event(self, kind: str, event: dict[str, Any]) -> None:
        """Adds what an event says of the item, which counts if the item's final JSON never comes."""
        if self._raw is None or self._is_written:
            return
        for member in event:
            if member in EVENT_MEMBERS:
                continue
            value: Any = dict.get(event, member)  # a glance past ``explain``
            known = self._raw.get(member)
            if kind.endswith(_SAID_AGAIN) or not isinstance(value, dict | list):
                value = _plain(event[member])
            is_piece = kind.endswith(".delta") and isinstance(value, str) and isinstance(known, str)
            self._raw[member] = known + value if is_piece else value

    @override
    def finish(self, item: dict[str, Any]) -> None:
        super().finish(item)
        for member, said in (self._raw or {}).items():
            if member in item:
                _plain(said)  # what stands in the final JSON too was not lost
        self._raw = item
        self.close(may_run=True)

    @override
    def close(self, *, may_run: bool) -> None:
        if not self._is_written:
            self._is_written = True
            self._writer.extension(self.kind, self._raw, self.block)


def _plain(value: Any) -> Any:
    """The value, all of it read."""
    if isinstance(value, dict):
        return {member: _plain(inner) for member, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value
