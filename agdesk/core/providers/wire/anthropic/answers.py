"""Messages of the model and the results of their calls, as they may go back (A02 to A06, A11, K12, K17)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from agdesk.core.ir.blocks import ContentBlock, Extension, ProviderData, Text, Thinking, ToolResult, ToolUse
from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.messages import Assistant
from agdesk.core.ir.notes import note_left_out
from agdesk.core.providers.base import Endpoint, ReasoningReplay
from agdesk.core.providers.call_ids import CallIds
from agdesk.core.providers.rounds import is_blank, is_of, sendable_arguments, sendable_name
from agdesk.core.providers.wire.anthropic.fields import WIRE
from agdesk.core.providers.wire.anthropic.parts import PartWriter

Part = dict[str, Any]
THOUGHTS = ("thinking", "redacted_thinking")


def note_loose_thinking(ledger: Ledger, position: int) -> None:
    """Notes thinking that ends an answer, be it because what followed it was left out."""
    ledger.note("thinking at the end of an answer was left out: something must follow it", position)


class AnswerWriter:
    """Prepares one message of the model: every block in its place and with its exact text.

    Args:
        ids: of the whole history, in which each id stands once.
        is_tool_turn: whether the message stands in a turn with calls (R03).
    """

    def __init__(
        self, message: Assistant, *, endpoint: Endpoint, ids: CallIds, ledger: Ledger, position: int, is_tool_turn: bool
    ) -> None:
        self._message = message
        self._endpoint = endpoint
        self._is_own = is_of(message, wire=WIRE, endpoint=endpoint)
        replay = endpoint.dialect.reasoning_replay
        self._replays_unsigned = replay is ReasoningReplay.ALWAYS or (
            replay is ReasoningReplay.TOOL_TURNS and is_tool_turn
        )
        self._ids = ids
        self._ledger = ledger
        self._position = position
        self._call_ids: list[str] = []

    def parts(self) -> list[Part]:
        """The content, empty if there is nothing to send in it."""
        parts = [part for block in self._message.content if (part := self._part(block)) is not None]
        kept = len(parts)
        while kept and parts[kept - 1].get("type") in THOUGHTS:
            kept -= 1
        if not kept:
            self._note("an answer without text and calls was left out")
        elif kept < len(parts):
            note_loose_thinking(self._ledger, self._position)
        return parts[:kept]

    def results(self, results: Sequence[ToolResult]) -> list[Part]:
        """The results of the calls, each under its call's new id."""
        return [self._result(call_id, result) for call_id, result in zip(self._call_ids, results, strict=True)]

    def _part(self, block: ContentBlock) -> Part | None:
        match block:
            case Text() if is_blank(block):
                self._members(block.provider_data, "a text")  # for its note
                return None
            case Text():
                return self._text(block)
            case Thinking():
                return self._thinking(block)
            case ToolUse():
                return self._call(block)
            case Extension():
                return self._extension(block)
            case ToolResult():
                return None  # stands in the message that follows
            case _:
                note_left_out(block, self._ledger, self._position)
                return None

    def _text(self, block: Text) -> Part:
        part = {**self._members(block.provider_data, "a text"), "type": "text", "text": block.text}
        if block.citations and self._is_own:
            part["citations"] = list(block.citations)
        elif block.citations:
            self._note("citations of a text were left out")
        return part

    def _thinking(self, block: Thinking) -> Part | None:
        if not self._is_own:
            self._note("thinking was left out: it is not from this provider")
            return None
        if not block.signature and not self._replays_unsigned:
            self._note("thinking without its signature was left out")
            return None
        members = self._members(block.provider_data, "thinking")
        return {**members, "type": "thinking", "thinking": block.text, "signature": block.signature or ""}

    def _call(self, block: ToolUse) -> Part:
        call_id = self._ids.sendable(block.id or f"call_{self._position}")
        if call_id != block.id:
            self._note("the id of a call was changed to one that this provider takes")
        self._call_ids.append(call_id)
        arguments = sendable_arguments(block, self._ledger, self._position)
        members = self._members(block.provider_data, "a call")
        name = sendable_name(block, self._ledger, self._position)
        return {**members, "type": "tool_use", "id": call_id, "name": name, "input": arguments}

    def _extension(self, block: Extension) -> Part | None:
        if not self._is_own or block.provider != WIRE:
            self._note(f"a block {block.kind!r} of {block.provider} was left out: it is not from this provider")
        elif not isinstance(block.raw, dict):
            self._note(f"a block {block.kind!r} that is no object was left out")
        elif isinstance(block.raw.get("input", {}), dict):
            return block.raw
        else:
            self._note("a call of a provider's own tool was left out: its arguments were cut")
        return None

    def _result(self, call_id: str, result: ToolResult) -> Part:
        writer = PartWriter(provider=self._endpoint.id, ledger=self._ledger, position=self._position)
        parts = [part for block in result.content if not is_blank(block) if (part := writer.part(block)) is not None]
        content: Iterable[Part] = parts
        if result.is_error:
            content = [part for part in parts if part.get("type") == "text"]
            if len(content) < len(parts):
                self._note("what is not text in the result of a failed call was left out")
        document: Part = {"type": "tool_result", "tool_use_id": call_id}
        match [*content]:
            case []:
                pass
            case [{"type": "text", "text": text}]:
                document["content"] = text
            case several:
                document["content"] = several
        return {**document, "is_error": True} if result.is_error else document

    def _members(self, data: ProviderData | None, name: str) -> Part:
        if data is None:
            return {}
        if self._is_own and data.origin == WIRE:
            return dict(data.raw)
        self._note(f"opaque data of {name} was left out: it is not from this provider")
        return {}

    def _note(self, what: str) -> None:
        self._ledger.note(what, self._position)
