"""Calls of tools: whole when they come, on any line, one or several at a time (L02, L03, K05, K09)."""

from __future__ import annotations

import json
from typing import Any

from agdesk.core.ir.blocks import ProviderData
from agdesk.core.ir.stream import ContentBlockStart, ToolCallArgumentsDelta, ToolCallEnd, ToolUseType
from agdesk.core.providers.block_writer import BlockWriter
from agdesk.core.providers.lenient import objects_of, text_in
from agdesk.core.providers.wire.ollama.fields import WIRE

_ENTRY_MEMBERS = frozenset({"id", "type", "function"})
_FUNCTION_MEMBERS = frozenset({"index", "name", "arguments"})


class CallWriter:
    """Writes each call as it comes. All are ended with the answer, for only then is it known whether they may run.

    The same tool called twice with the same arguments is two calls (L03); the same id once more is the same call.
    """

    __slots__ = ("_given", "_open", "_seed", "_writer")

    def __init__(self, writer: BlockWriter, seed: str) -> None:
        self._writer = writer
        self._seed = seed
        self._given: dict[str, tuple[str, str]] = {}
        self._open: list[tuple[int, ProviderData | None]] = []

    @property
    def has_calls(self) -> bool:
        return bool(self._open)

    def take(self, entries: Any) -> None:
        """Takes the ``tool_calls`` of a message."""
        for entry in objects_of([entries] if isinstance(entries, dict) else entries):
            function = entry.get("function")
            source = function if isinstance(function, dict) else entry
            name, arguments = text_in(source.get("name")), _arguments(source.get("arguments"))
            call_id = _id_of(entry.get("id"))
            if call_id and self._given.get(call_id) == (name, arguments):
                continue
            if name or arguments or call_id:
                self._write(call_id, name, arguments, data=_data(entry, source))

    def close(self, *, is_cut: bool) -> None:
        """Ends every call; those of a cut answer are not marked as whole (PROV3)."""
        for block, data in self._open:
            if not is_cut:
                self._writer.events.append(ToolCallEnd(block))
            self._writer.close(block, provider_data=data)

    def _write(self, call_id: str, name: str, arguments: str, *, data: ProviderData | None) -> None:
        self._writer.end_running()
        block = self._writer.reserve()
        if not call_id or call_id in self._given:
            call_id = f"call_{self._seed}_{block}"
        self._given[call_id] = (name, arguments)
        self._writer.events.append(ContentBlockStart(block, ToolUseType(call_id, name)))
        if arguments:
            self._writer.events.append(ToolCallArgumentsDelta(arguments, block))
        self._open.append((block, data))


def _id_of(value: Any) -> str:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _arguments(value: Any) -> str:
    """Arguments as text: an object by the documentation, a string from some servers, or nothing (K09, K13)."""
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _data(entry: dict[str, Any], function: dict[str, Any]) -> ProviderData | None:
    """What goes back with the call beside id, name and arguments, in the shape it came in."""
    raw = _structures(entry, _ENTRY_MEMBERS | _FUNCTION_MEMBERS)
    inner = _structures(function, _FUNCTION_MEMBERS | _ENTRY_MEMBERS)
    index = function.get("index")
    if isinstance(index, int) and not isinstance(index, bool):
        inner["index"] = index
    if inner:
        raw["function"] = inner
    return ProviderData(WIRE, raw) if raw else None


def _structures(table: dict[str, Any], known: frozenset[str]) -> dict[str, Any]:
    """The unknown members that carry structure; a glance past ``explain``: only what is kept counts as read."""
    found = {member: dict.get(table, member) for member in table if member not in known}
    return {member: value for member, value in found.items() if isinstance(value, dict | list) and value}
