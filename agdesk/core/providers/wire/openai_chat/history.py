"""Any history → one that a Chat Completions server takes (K12, K13, K17, K20, A06, R03, R08, PROV7)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from agdesk.core.ir.blocks import (
    Audio,
    ContentBlock,
    Extension,
    File,
    Image,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
)
from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.messages import Assistant, Message, Tool
from agdesk.core.ir.openai_chat.parts import note_left_out
from agdesk.core.ir.openai_chat.thinking import details_of
from agdesk.core.ir.openai_chat.types import CONTENT_PART, WIRE
from agdesk.core.providers.base import Endpoint, ReasoningReplay
from agdesk.core.providers.call_ids import CallIds, IdRule
from agdesk.core.providers.rounds import arguments_text, is_of, joined, rounds, sendable_arguments, tool_turns


def sendable(messages: Sequence[Message], *, endpoint: Endpoint, ledger: Ledger) -> list[tuple[int, Message]]:
    """The messages as they may be sent, each with its place in the history; what was changed for it is noted.

    Texts of one message become one. Foreign opaque data does not leave.
    """
    prepared: list[tuple[int, Message]] = []
    with_calls = tool_turns(messages)
    for item in rounds(messages, endpoint=endpoint, ledger=ledger):
        place, message = item.position, item.message
        if not isinstance(message, Assistant):
            prepared.append((place, message))
            continue
        answer = _AnswerWriter(message, endpoint=endpoint, ledger=ledger, position=place)
        prepared.extend((place, kept) for kept in answer.message(is_tool_turn=place in with_calls))
        if item.results:
            prepared.append((place, answer.results(item.results)))
    return prepared


class _AnswerWriter:
    """Prepares one message of the model and the results of its calls."""

    def __init__(self, message: Assistant, *, endpoint: Endpoint, ledger: Ledger, position: int) -> None:
        self._message = message
        self._dialect = endpoint.dialect
        self._is_own = is_of(message, wire=WIRE, endpoint=endpoint)
        self._ledger = ledger
        self._position = position
        self._ids = CallIds(IdRule(40, is_plain=False, exact_length=endpoint.dialect.call_id_length))
        self._calls: list[ToolUse] = []

    def message(self, *, is_tool_turn: bool) -> list[Message]:
        """The message, or nothing if there is nothing to send in it."""
        blocks: list[ContentBlock] = []
        texts: list[str] = []
        for block in self._message.content:
            match block:
                case Text(is_refusal=True) if self._is_own:
                    blocks.append(block)
                case Text(text=text):
                    texts.append(text)
                case Thinking():
                    blocks.extend(self._thinking(block, is_tool_turn=is_tool_turn))
                case ToolUse():
                    blocks.append(self._call(block))
                case Extension(provider=provider) if not self._is_own or provider != WIRE:
                    self._note(f"a block {block.kind!r} of {provider} was left out: it is not from this provider")
                case Extension():
                    blocks.append(block)
                case ToolResult():
                    pass
                case _:
                    note_left_out(block, self._ledger, self._position)
        if text := joined(texts):
            place = next((i for i, block in enumerate(blocks) if not isinstance(block, Thinking)), len(blocks))
            blocks.insert(place, Text(text))
        if not any(map(_is_substance, blocks)):
            self._note("an answer without text and calls was left out")
            return []
        return [Assistant(tuple(blocks))]

    def results(self, results: Sequence[ToolResult]) -> Tool:
        """The results of the calls, each under its call's new id."""
        return Tool(tuple(self._result(call, result) for call, result in zip(self._calls, results, strict=True)))

    def _thinking(self, block: Thinking, *, is_tool_turn: bool) -> list[Thinking]:
        if self._is_own and details_of(block):
            return [block]  # opaque, and goes back as it came whatever the policy is for plain thinking (R08)
        replay = self._dialect.reasoning_replay
        if not block.text:
            return []
        if replay is ReasoningReplay.ALWAYS or (replay is ReasoningReplay.TOOL_TURNS and is_tool_turn):
            if block.signature is not None:
                self._note("the signature of thinking was left out")
            return [Thinking(block.text)]
        self._note("thinking was left out: this provider does not take it back")
        return []

    def _call(self, block: ToolUse) -> ToolUse:
        call_id = self._ids.sendable(block.id or f"call_{self._position}")
        if call_id != block.id:
            self._note("the id of a call was changed to one that this provider takes")
        arguments = sendable_arguments(block, self._ledger, self._position)
        data = block.provider_data
        if data is not None and not self._is_own:
            self._note("opaque data of a call was left out: it is not from this provider")
            data = None
        name = block.name or "unnamed"
        call = ToolUse(call_id, name, arguments, arguments_text(block, arguments), provider_data=data)
        self._calls.append(call)
        return call

    def _result(self, call: ToolUse, result: ToolResult) -> ToolResult:
        """A result under its call's new id, its texts as one: not every server takes a list here."""
        text = joined([block.text for block in result.content if isinstance(block, Text)])
        media = tuple(block for block in result.content if isinstance(block, Image | Audio | File))
        for block in result.content:
            if not isinstance(block, Text | Image | Audio | File):
                note_left_out(block, self._ledger, self._position)
        return dataclasses.replace(result, tool_use_id=call.id, name=call.name, content=(Text(text), *media))

    def _note(self, what: str) -> None:
        self._ledger.note(what, self._position)


def _is_substance(block: ContentBlock) -> bool:
    """Whether a message of the model may consist of this block alone."""
    return isinstance(block, Text | ToolUse) or (isinstance(block, Extension) and block.kind in (CONTENT_PART, "audio"))
