"""Any history → ``input`` items that a server without state takes (P07 to P09, P12 to P16, K12, K17, K20, R03)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agdesk.core.ir.blocks import ContentBlock, Extension, ProviderData, Text, Thinking, ToolResult, ToolUse
from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.messages import Assistant, Message, System
from agdesk.core.providers.base import Endpoint, ReasoningReplay
from agdesk.core.providers.call_ids import CallIds, IdRule
from agdesk.core.providers.lenient import text_in
from agdesk.core.providers.rounds import (
    LEFT_OUT,
    Round,
    arguments_text,
    is_blank,
    is_of,
    joined,
    note_placeholder,
    rounds,
    sendable_arguments,
    sendable_name,
    tool_turns,
)
from agdesk.core.providers.wire.openai_responses.fields import CUSTOM, FUNCTION, MESSAGE, REASONING, WIRE
from agdesk.core.providers.wire.openai_responses.parts import PartWriter

_ERROR_PREFIX = "Error: "
_MAX_ID_CHARACTERS = 64
_MESSAGE_MEMBERS = ("type", "role", "status", "content")
# of a thought or a server-side call that was cut: no server takes it back
_UNFINISHED = frozenset({"in_progress", "incomplete", "searching", "interpreting", "generating", "calling"})


def input_items(messages: Sequence[Message], *, endpoint: Endpoint, ledger: Ledger) -> list[dict[str, Any]]:
    """The items of a history, in order; what was left out or changed for it is noted."""
    items: list[dict[str, Any]] = []
    # all items of a request stand in one list: an id must not come twice in it
    ids = CallIds(IdRule(_MAX_ID_CHARACTERS, exact_length=endpoint.dialect.call_id_length))
    replay, with_calls = endpoint.dialect.reasoning_replay, tool_turns(messages)
    for item in rounds(messages, endpoint=endpoint, ledger=ledger):
        parts = PartWriter(endpoint=endpoint, ledger=ledger, position=item.position)
        message = item.message
        if isinstance(message, Assistant):
            is_own = is_of(message, wire=WIRE, endpoint=endpoint)
            replays = replay is ReasoningReplay.ALWAYS or (
                replay is ReasoningReplay.TOOL_TURNS and item.position in with_calls
            )
            answer = _AnswerWriter(item, is_own=is_own, replays_thinking=replays, parts=parts, ids=ids, ledger=ledger)
            items.extend(answer.items())
            continue
        role = endpoint.dialect.system_role if isinstance(message, System) else "user"
        content = parts.parts(message.content)
        if not content:
            note_placeholder(ledger, item.position)
            content = [{"type": "input_text", "text": LEFT_OUT}]
        items.append({"role": role, "content": content})
    return items


class _AnswerWriter:
    """Makes the items of one message of the model and of the results of its calls."""

    def __init__(
        self, item: Round, *, is_own: bool, replays_thinking: bool, parts: PartWriter, ids: CallIds, ledger: Ledger
    ) -> None:
        assert isinstance(item.message, Assistant)
        self._blocks = item.message.content
        self._position = item.position
        self._results = item.results
        self._is_own = is_own
        self._replays_thinking = replays_thinking
        self._parts = parts
        self._ids = ids
        self._ledger = ledger
        self._items: list[dict[str, Any]] = []
        self._calls: list[tuple[str, str]] = []  # id and type as sent
        self._group: object = None  # what the parts of the message at the end of the items have in common

    def items(self) -> list[dict[str, Any]]:
        """The items, in the order of the blocks; the results follow."""
        for block in self._blocks:
            self._add(block)
        if self._items and self._items[-1]["type"] == REASONING:
            self._parts.note("thinking at the end of an answer was left out: it must be followed by something")
        while self._items and self._items[-1]["type"] == REASONING:
            self._items.pop()
        outputs = [self._output(*call, result) for call, result in zip(self._calls, self._results, strict=True)]
        return [*self._items, *outputs]

    def _add(self, block: ContentBlock) -> None:
        match block:
            case Text() if is_blank(block):
                self._own_data(block.provider_data, "a text")  # for its note
            case Text():
                self._add_text(block)
            case Thinking():
                self._add_thinking(block)
            case ToolUse():
                self._add_item(self._call(block))
            case Extension(provider=provider, kind=kind) if not self._is_own or provider != WIRE:
                self._parts.note(f"a block {kind!r} of {provider} was left out: it is not from this provider")
            case Extension(raw={"type": "message", "content": list(parts)} as message):  # parts of an unknown type
                self._add_parts(parts, {key: message[key] for key in message if key not in _MESSAGE_MEMBERS})
            case Extension(kind=kind, raw=raw):
                if isinstance(raw, dict) and text_in(raw.get("status")) not in _UNFINISHED:
                    self._add_item({"type": kind, **raw})
                else:
                    self._parts.note(f"a block {kind!r} was left out: it was not finished")
            case ToolResult():
                pass
            case _:
                self._parts.note_left_out(block)

    def _add_item(self, item: dict[str, Any]) -> None:
        self._items.append(item)
        self._group = None

    def _add_text(self, block: Text) -> None:
        members = dict(self._own_data(block.provider_data, "a text"))
        part: dict[str, Any] = {"type": "output_text", "text": block.text, "annotations": []}
        if block.is_refusal and self._is_own:
            part = {"type": "refusal", "refusal": block.text}
        elif block.citations and self._is_own:
            part["annotations"] = list(block.citations)
        elif block.citations:
            self._parts.note("citations of a text were left out")
        part.update(members.pop("content", {}))
        self._add_parts([part], members)

    def _add_parts(self, parts: list[Any], members: dict[str, Any]) -> None:
        """Adds to the last message, or as one of their own."""
        # texts of another provider are one message; of our own, only those that came in one
        group = members.pop("id", object()) if self._is_own else WIRE
        if group != self._group:
            item = {"type": MESSAGE, "role": "assistant", "status": "completed", "content": [], **members}
            self._add_item(item)
            self._group = group
        self._items[-1]["content"].extend(parts)

    def _add_thinking(self, block: Thinking) -> None:
        """Encrypted, and without its id, which a stateless server cannot find (P08); plain as the row says (R03)."""
        data = block.provider_data
        raw = data.raw if data is not None and data.origin == WIRE and self._is_own else {}
        is_opaque = raw.get("encrypted_content") and text_in(raw.get("status")) not in _UNFINISHED
        if not is_opaque and self._is_own and self._replays_thinking and block.text:
            content = [{"type": "reasoning_text", "text": block.text}]
            self._add_item({"type": REASONING, "summary": [], "content": content})
            return
        if not is_opaque:
            self._parts.note("thinking was left out: it cannot be sent back here")
            return
        kept = {key: value for key, value in raw.items() if key not in ("id", "status") and value is not None}
        self._add_item({"summary": [], **kept, "type": REASONING})

    def _call(self, block: ToolUse) -> dict[str, Any]:
        call_id = self._ids.sendable(block.id or f"call_{self._position}")
        if call_id != block.id:
            self._parts.note("the id of a call was changed to one that this provider takes")
        members = dict(self._own_data(block.provider_data, "a call"))
        is_custom = members.pop("type", None) == "custom"
        arguments = sendable_arguments(block, self._ledger, self._position)
        name = sendable_name(block, self._ledger, self._position)
        if is_custom and list(arguments) == ["input"] and isinstance(arguments["input"], str):
            self._calls.append((call_id, CUSTOM))
            return {"type": CUSTOM, "call_id": call_id, "name": name, "input": arguments["input"], **members}
        if is_custom:
            self._parts.note("a call of a custom tool is sent as one of a function")
        self._calls.append((call_id, FUNCTION))
        text = arguments_text(block, arguments)
        return {"type": FUNCTION, "call_id": call_id, "name": name, "arguments": text, **members}

    def _output(self, call_id: str, kind: str, result: ToolResult) -> dict[str, Any]:
        """A result: one text, or, if it holds media, parts."""
        text = joined([block.text for block in result.content if isinstance(block, Text)])
        if result.is_error and not text.startswith(_ERROR_PREFIX):
            self._parts.note(f"that a tool failed is said as {_ERROR_PREFIX!r} before its result")
            text = _ERROR_PREFIX + text
        media = self._parts.parts([block for block in result.content if not isinstance(block, Text)])
        output: Any = text
        if media:
            output = [*([{"type": "input_text", "text": text}] if text else []), *media]
        return {"type": f"{kind}_output", "call_id": call_id, "output": output}

    def _own_data(self, data: ProviderData | None, what: str) -> dict[str, Any]:
        """The opaque data of a block, if it may go back."""
        if data is None:
            return {}
        if not self._is_own or data.origin != WIRE:
            self._parts.note(f"opaque data of {what} was left out: it is not from this provider")
            return {}
        return dict(data.raw)
