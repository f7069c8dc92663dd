"""Items of type ``function_call`` and ``custom_tool_call`` (P09, P12, K05, K07, K13, K15)."""

from __future__ import annotations

import json
from typing import Any

from typing_extensions import override

from agdesk.core.ir.arguments import parse_arguments
from agdesk.core.ir.blocks import ProviderData
from agdesk.core.ir.stream import ContentBlockStart, ToolCallArgumentsDelta, ToolCallEnd, ToolUseType
from agdesk.core.providers.block_writer import BlockWriter
from agdesk.core.providers.lenient import text_in
from agdesk.core.providers.wire.openai_responses.fields import CUSTOM, WIRE
from agdesk.core.providers.wire.openai_responses.item import Key, SpokenItem
from agdesk.core.providers.wire.openai_responses.strings import RunningString, text_of

_KNOWN_MEMBERS = frozenset({"type", "id", "object", "status", "call_id", "name", "arguments", "input"})
_WRAPPERS = frozenset({"parallel", "multi_tool_use.parallel"})
_PREFIX = "functions."


class CallItem(SpokenItem):
    """A call stays open until the end of the answer, which decides whether it may run.

    The call of a wrapper that models invent goes out as the calls inside it, if they can be read (K15).

    Args:
        seed: of the id of a call that has none (D11).
        taken_ids: the ids of the answer's calls so far; two calls never share one.
    """

    def __init__(self, kind: str, writer: BlockWriter, *, seed: str, taken_ids: set[str]) -> None:
        super().__init__(kind, writer)
        self.name = ""
        self.is_whole = False
        self._seed = seed
        self._taken_ids = taken_ids
        self._announced: Any = None
        self._status: Any = None
        self._members: dict[str, Any] = {"type": "custom"} if self._is_custom else {}
        self._string = RunningString(self._write)
        self._has_given = False
        self._is_started = False

    @property
    def _is_custom(self) -> bool:
        return self.kind == CUSTOM

    @override
    def string(self, name: str, index: Key) -> RunningString:
        return self._string

    def call_name(self, name: Any) -> None:
        """Takes the name, wherever it stands."""
        self.name = self.name or text_in(name)
        self._start_if_known()

    @override
    def announce(self, item: dict[str, Any]) -> None:
        super().announce(item)
        self._announced = item.get("input" if self._is_custom else "arguments")
        self._note_members(item)

    @override
    def finish(self, item: dict[str, Any]) -> None:
        super().finish(item)
        self._note_members(item)
        self._string.settle(item.get("input" if self._is_custom else "arguments"))
        self._status = item.get("status")

    @override
    def close(self, *, may_run: bool) -> None:
        self._string.settle(self._announced)
        self.is_whole = may_run and self._status != "incomplete"
        if self.is_whole and not self._is_started and self.name in _WRAPPERS and self._expand():
            return
        self._start()
        if self._is_custom and self.is_whole:
            ending = '"}' if self._has_given else '{"input": ""}'
            self._writer.events.append(ToolCallArgumentsDelta(ending, self.block))
        if self.is_whole:
            self._writer.events.append(ToolCallEnd(self.block))
        data = ProviderData(WIRE, self._members) if self._members else None
        self._writer.close(self.block, provider_data=data)

    def _note_members(self, item: dict[str, Any]) -> None:
        for member in item:
            if member not in _KNOWN_MEMBERS and item[member] is not None:
                self._members[member] = item[member]
        self.call_name(item.get("name"))

    def _write(self, string: RunningString, text: str) -> None:
        if self._is_started:
            self._give(text)
        else:
            self._start_if_known()

    def _start_if_known(self) -> None:
        if self.name and self.call_id and self.name not in _WRAPPERS:
            self._start()

    def _start(self) -> None:
        if self._is_started:
            return
        self._is_started = True
        block_type = ToolUseType(self._own_id(self.call_id or self.id, self.block), self.name)
        self._writer.events.append(ContentBlockStart(self.block, block_type))
        if not self._is_custom:
            self._string.kind, self._string.block = ToolCallArgumentsDelta, self.block
        if text := self._string.text:
            self._give(text)

    def _give(self, text: str) -> None:
        if self._is_custom:
            # free text becomes one JSON string, so that it streams and parses like any arguments
            escaped = json.dumps(text, ensure_ascii=False)[1:-1]
            text = escaped if self._has_given else '{"input": "' + escaped
        self._has_given = True
        self._writer.events.append(ToolCallArgumentsDelta(text, self.block))

    def _own_id(self, call_id: str, block: int) -> str:
        found = call_id or f"call_{self._seed}_{block}"
        while found in self._taken_ids:
            found = f"{found}_{block}"
        self._taken_ids.add(found)
        return found

    def _expand(self) -> bool:
        """Writes the calls inside a wrapper, the first in its place."""
        inner = _inner_calls(self._string.text)
        for position, (name, arguments) in enumerate(inner):
            block = self._writer.reserve() if position else self.block
            call_id = self._own_id(f"{self.call_id}_{position}" if self.call_id else "", block)
            self._writer.events.append(ContentBlockStart(block, ToolUseType(call_id, name)))
            self._writer.events.append(ToolCallArgumentsDelta(arguments, block))
            self._writer.events.append(ToolCallEnd(block))
            self._writer.close(block)
        return bool(inner)


def _inner_calls(raw: str) -> list[tuple[str, str]]:
    """Names and arguments of the calls inside a wrapper; nothing if one of them cannot be read."""
    arguments, _ = parse_arguments(raw)
    if arguments is None or list(arguments) != ["tool_uses"] or not isinstance(arguments["tool_uses"], list):
        return []
    calls: list[tuple[str, str]] = []
    for entry in arguments["tool_uses"]:
        match entry:
            case {"recipient_name": str(name), "parameters": dict(parameters)} if name.removeprefix(_PREFIX):
                calls.append((name.removeprefix(_PREFIX), text_of(parameters) or "{}"))
            case _:
                return []
    return calls
