"""Puts tool calls together from pieces that are addressed, named and repeated in every way there is (class K)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from agdesk.core.ir.blocks import ProviderData
from agdesk.core.ir.openai_chat.types import WIRE
from agdesk.core.ir.stream import (
    ContentBlockStart,
    ToolCallArgumentsDelta,
    ToolCallEnd,
    ToolUseType,
)
from agdesk.core.providers.block_writer import BlockWriter

_LEGACY_SLOT = "function_call"
_KNOWN_MEMBERS = frozenset({"id", "index", "type", "function", "custom", "name", "arguments", "input"})


@dataclass(slots=True, eq=False)
class _Call:
    """One call under way.

    Attributes:
        block: its index, reserved at first sight (K07).
        id: as the server gave it; one that comes after the start routes, but the call keeps the one made for it.
        pieces: its arguments as received.
        given: how many of the pieces have gone out.
        repeats: the call whose complete arguments these may be, sent once more (K10); it starts at the end, if at all.
        is_absorbed: it turned out to be no call of its own.
        members: what must go back with the call beside name and arguments.
    """

    block: int
    id: str = ""
    name: str = ""
    pieces: list[str] = field(default_factory=list)
    given: int = 0
    is_started: bool = False
    is_custom: bool = False
    repeats: _Call | None = None
    is_absorbed: bool = False
    members: dict[str, Any] = field(default_factory=dict)

    @property
    def arguments(self) -> str:
        return "".join(self.pieces)


class CallAssembler:
    """Routes each piece to its call and writes the calls' events.

    A piece belongs to the call with its id; without an id to the call last seen at its index; without either to the
    latest call. A new id starts a call, and takes the index over (K02), unless its piece can only go on with one. All
    calls stay open until the end of the answer: arguments that parse so far may not be all of them (K11).
    """

    __slots__ = ("_by_id", "_calls", "_latest", "_seed", "_slots", "_writer")

    def __init__(self, writer: BlockWriter, seed: str) -> None:
        self._writer = writer
        self._seed = seed
        self._calls: list[_Call] = []
        self._latest: _Call | None = None
        self._by_id: dict[object, _Call] = {}
        self._slots: dict[object, _Call] = {}

    @property
    def has_calls(self) -> bool:
        return bool(self._calls)

    def take(self, entries: Any) -> None:
        """Takes the ``tool_calls`` of a delta or message. Several entries without an index are several calls (K01)."""
        if isinstance(entries, dict):
            entries = [entries]
        if not isinstance(entries, list):
            return
        entries = [entry for entry in entries if isinstance(entry, dict)]
        unplaced = 0
        for entry in entries:
            index = entry.get("index")
            slot: object = index if isinstance(index, int | float | str) else None
            if slot is None and len(entries) > 1 and not entry.get("id"):
                slot = ("place", unplaced)
                unplaced += 1
            self._take_entry(entry, slot)

    def take_legacy(self, function_call: Any) -> None:
        """Takes the ``function_call`` of before 2024: one call, without an id."""
        if isinstance(function_call, dict):
            self._take_entry({"function": function_call}, _LEGACY_SLOT)

    def close(self, *, is_cut: bool) -> None:
        """Ends every call. In a cut answer none is marked as whole, so that none can run (PROV3)."""
        for call in self._calls:
            if call.repeats is not None:
                _settle(call)
            if call.is_custom and not is_cut:
                call.pieces.append('"}' if call.pieces else '{"input": ""}')
        calls = [call for call in self._calls if not call.is_absorbed]
        for call in calls:
            self._start(call)
            self._give(call, is_last=True)
        for call in calls:
            if not is_cut:
                self._writer.events.append(ToolCallEnd(call.block))
            data = ProviderData(WIRE, call.members) if call.members else None
            self._writer.close(call.block, provider_data=data)

    # --- one piece ---

    def _take_entry(self, entry: dict[str, Any], slot: object) -> None:
        custom = entry.get("custom")
        is_custom = entry.get("type") == "custom" or isinstance(custom, dict)
        source = custom if is_custom else entry.get("function")
        if not isinstance(source, dict):
            source = entry
        call_id = entry.get("id")
        call_id = str(call_id) if isinstance(call_id, str | int) else ""
        name = source.get("name")
        name = name if isinstance(name, str) else ""
        fragment = _fragment(source.get("input" if is_custom else "arguments"))

        call = self._route(call_id, slot, name, fragment)
        if call is None:
            return
        if not call.id and call.repeats is None and self._by_id.get(call_id) is call:  # one id is never two calls
            call.id = call_id
        if not call.name:
            call.name = name
        elif name and name != call.name and not call.pieces and not call.is_started:
            call.name += name  # some servers send names in pieces, before any argument (K06)
        self._note_members(call, entry, is_custom=is_custom)
        if fragment:
            self._add(call, fragment)

    def _route(self, call_id: str, slot: object, name: str, fragment: str) -> _Call | None:
        found = self._latest if slot is None else self._slots.get(slot)
        call = (self._by_id.get((call_id, slot)) or self._by_id.get(call_id)) if call_id else None
        if call is not None and call is not found and _is_another(call, name, is_whole=slot is not None):
            call = None  # a server that gives one id to several calls
        if call is None:
            if call_id:
                # an id that comes late for a call that has none yet is that call's own
                is_own = found is not None and not found.id and (not name or not found.name or name == found.name)
                call = found if is_own or _is_tail(found, name, fragment) else None
            elif found is not None:
                call = None if _is_another(found, name) else found
            elif not name and isinstance(slot, int) and self._latest is not None:
                # the tail of a call under an index of its own (K02), unless that call is whole and another begins
                is_new = fragment.lstrip().startswith("{") and _object_of(self._latest.arguments) is not None
                call = None if is_new else self._latest
        if call is None:
            if not (call_id or name or fragment):
                return None
            call = self._open()
        if call_id:
            self._by_id.setdefault(call_id, call)
            self._by_id.setdefault((call_id, slot), call)
        if slot is not None:
            self._slots[slot] = call
        self._latest = call
        return call

    def _open(self) -> _Call:
        self._writer.end_running()
        for call in self._calls:
            if call.name and call.repeats is None:
                self._start(call)
        call = _Call(self._writer.reserve())
        self._calls.append(call)
        return call

    def _add(self, call: _Call, fragment: str) -> None:
        if call.is_custom:
            # free text becomes one JSON string, so that it streams and parses like any arguments (K19)
            escaped = json.dumps(fragment, ensure_ascii=False)[1:-1]
            fragment = escaped if call.pieces else '{"input": "' + escaped
        elif fragment.lstrip().startswith("{") and _last_character(call.pieces) == "}":
            so_far = call.arguments
            if not call.given and _is_placeholder(so_far):
                call.pieces.clear()
            elif _object_of(so_far) is not None:
                call = self._repeat(call)
        call.pieces.append(fragment)
        if call.name and call.repeats is None:
            self._start(call)
            self._give(call)

    def _repeat(self, call: _Call) -> _Call:
        """The call that further pieces go to, now that complete arguments are followed by more (K10)."""
        repeat = _Call(self._writer.reserve(), name=call.name, repeats=call)
        self._calls.append(repeat)
        for table in (self._by_id, self._slots):
            for key, value in table.items():
                if value is call:
                    table[key] = repeat
        self._latest = repeat
        return repeat

    # --- events ---

    def _start(self, call: _Call) -> None:
        if not call.is_started:
            call.is_started = True
            call_id = call.id or f"call_{self._seed}_{call.block}"
            self._writer.events.append(ContentBlockStart(call.block, ToolUseType(call_id, call.name)))
            self._give(call)

    def _give(self, call: _Call, *, is_last: bool = False) -> None:
        """Writes the arguments not given out yet; a lone ``{}`` waits, for it may be a placeholder (K11)."""
        text = "".join(call.pieces[call.given :])
        if text and (is_last or call.given or not _is_placeholder(text)):
            call.given = len(call.pieces)
            self._writer.events.append(ToolCallArgumentsDelta(text, call.block))

    def _note_members(self, call: _Call, entry: dict[str, Any], *, is_custom: bool) -> None:
        if is_custom and not call.is_custom:
            call.is_custom = True
            call.members["type"] = "custom"
        for member in entry:
            if member not in _KNOWN_MEMBERS:
                value = dict.get(entry, member)  # a glance past ``explain``: only what is kept counts as read
                if isinstance(value, dict | list) and value:
                    call.members[member] = value


def _fragment(value: Any) -> str:
    """A piece of arguments as text; servers also send objects and null (K09)."""
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _is_placeholder(text: str) -> bool:
    return len(text) < 16 and "".join(text.split()) == "{}"


def _settle(repeat: _Call) -> None:
    """Decides what complete arguments followed by more were (K10): a call of its own only if they differ.

    The same object once more is nothing new, nor is an empty one; anything else spoils the arguments it came after.
    """
    earlier = []
    call = repeat.repeats
    while call is not None:
        if not call.is_absorbed:
            earlier.append(call)
        call = call.repeats
    found = _object_of(repeat.arguments)
    if found is None:
        earlier[0].pieces.extend(repeat.pieces)
    repeat.is_absorbed = not found or any(_object_of(call.arguments) == found for call in earlier)


def _is_another(call: _Call, name: str, *, is_whole: bool = False) -> bool:
    """Whether a piece with this name cannot belong to ``call``: that one is whole, or known to be elsewhere."""
    is_other = bool(name) and name != call.name and bool(call.name)
    return is_other and (is_whole or _object_of(call.arguments) is not None)


def _is_tail(found: _Call | None, name: str, fragment: str) -> bool:
    """Whether a piece goes on with the call at its index although its id is a new one, as with every delta of vLLM.

    Arguments that have begun are gone on with by what can begin none; a call without any takes those without a name.
    """
    if found is None or not found.name or not fragment or name not in ("", found.name):
        return False
    if not found.pieces:
        return not name
    return not fragment.lstrip().startswith("{") and _object_of(found.arguments) is None


def _object_of(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _last_character(pieces: list[str]) -> str:
    for piece in reversed(pieces):
        if stripped := piece.rstrip():
            return stripped[-1]
    return ""
