"""Parts with a ``functionCall`` → blocks: whole ones at once, those in pieces when their last piece came."""

from __future__ import annotations

import json
from typing import Any

from agdesk.core.ir.blocks import ProviderData
from agdesk.core.ir.stream import ContentBlockStart, ToolCallArgumentsDelta, ToolCallEnd, ToolUseType
from agdesk.core.providers.block_writer import BlockWriter
from agdesk.core.providers.lenient import text_in
from agdesk.core.providers.wire.gemini.fields import WIRE
from agdesk.core.providers.wire.gemini.partial_arguments import PartialArguments

CALL = "functionCall"
_READ_MEMBERS = frozenset({"name", "args", "partialArgs", "willContinue"})


class CallReader:
    """Reads calls into blocks.

    Google rarely gives ids (G02): what it gave beside name and arguments, the part's signature above all, is the
    block's opaque data, in the shape of the part.

    Attributes:
        has_calls: whether there was any call.
    """

    __slots__ = ("_data", "_ids", "_index", "_pieces", "_seed", "_writer", "has_calls")

    def __init__(self, writer: BlockWriter, seed: str) -> None:
        self._writer = writer
        self._seed = seed
        self._ids: set[str] = set()
        self._index = -1
        self._pieces: PartialArguments | None = None  # of the call that still goes on
        self._data: dict[str, Any] = {}
        self.has_calls = False

    def take(self, part: dict[str, Any]) -> None:
        """Takes a part whose ``functionCall`` is an object."""
        call = part[CALL]
        name, arguments, pieces = text_in(call.get("name")), call.get("args"), call.get("partialArgs")
        goes_on = bool(call.get("willContinue"))
        is_new = bool(name) or self._pieces is None
        if is_new:
            if not name and arguments is None and not pieces:
                return  # the terminal piece of a call that has ended
            self.close(is_cut=False)
            self._begin(name, call)
        self._note_data(part, call)
        if is_new and not goes_on and not pieces:
            self._write(_arguments_text(arguments))
            self._end(is_whole=True)
            return
        if self._pieces is None:
            self._pieces = PartialArguments()
        if isinstance(arguments, dict):
            self._pieces.merge(arguments)
        for piece in pieces if isinstance(pieces, list) else ():
            self._pieces.add(piece)
        if not goes_on:
            self.close(is_cut=False)

    def close(self, *, is_cut: bool) -> None:
        """Ends the call that still goes on; its terminal piece may be missing (G13)."""
        if self._pieces is not None:
            self._write(self._pieces.text())
            self._end(is_whole=not is_cut)

    def _begin(self, name: str, call: dict[str, Any]) -> None:
        self._writer.end_running()
        self._index = self._writer.reserve()
        self.has_calls = True
        call_id = text_in(call.get("id"))
        if not call_id or call_id in self._ids:
            call_id = f"call_{self._seed}_{self._index}"
        self._ids.add(call_id)
        self._writer.events.append(ContentBlockStart(self._index, ToolUseType(call_id, name)))

    def _note_data(self, part: dict[str, Any], call: dict[str, Any]) -> None:
        for member in part:
            if member != CALL and (value := part[member]) not in (None, ""):
                self._data[member] = value
        own = {member: call[member] for member in call if member not in _READ_MEMBERS}
        if own:
            self._data[CALL] = {**self._data.get(CALL, {}), **own}

    def _write(self, arguments: str) -> None:
        self._writer.events.append(ToolCallArgumentsDelta(arguments, self._index))

    def _end(self, *, is_whole: bool) -> None:
        if is_whole:
            self._writer.events.append(ToolCallEnd(self._index))
        self._writer.close(self._index, provider_data=ProviderData(WIRE, self._data) if self._data else None)
        self._pieces = None
        self._data = {}


def _arguments_text(arguments: Any) -> str:
    """The arguments in JSON; none are an empty object (G14)."""
    if isinstance(arguments, str):
        return arguments
    return "{}" if arguments is None else json.dumps(arguments, ensure_ascii=False)
