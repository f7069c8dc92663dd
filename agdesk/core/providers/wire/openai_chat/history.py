"""Any history → one that a Chat Completions server takes (K12, K13, K17, K20, A06, R03, R08, PROV7)."""

from __future__ import annotations

import dataclasses
import json
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
from agdesk.core.ir.messages import Assistant, Message, System, Tool, User
from agdesk.core.ir.openai_chat.parts import note_left_out
from agdesk.core.ir.openai_chat.thinking import details_of
from agdesk.core.ir.openai_chat.types import CONTENT_PART, WIRE
from agdesk.core.providers.base import Endpoint, ReasoningReplay
from agdesk.core.providers.wire.openai_chat.call_ids import sendable_id

CANCELLED = "[cancelled]"
INVALID_ARGUMENTS = "INVALID_JSON"
_JOINT = "\n\n"


def sendable(messages: Sequence[Message], *, endpoint: Endpoint, ledger: Ledger) -> list[tuple[int, Message]]:
    """The messages as they may be sent, each with its place in the history; what was changed for it is noted.

    Every call is answered right after its message, by what answered it before the next one of the model; results of no
    call are dropped. Texts of one message become one. Foreign opaque data does not leave.
    """
    prepared: list[tuple[int, Message]] = []
    tool_turns = _tool_turns(messages)
    place = 0
    while place < len(messages):
        message = messages[place]
        end = place + 1
        if not isinstance(message, Assistant):
            _note_orphans(results_in(message), ledger, place)
            prepared.extend((place, kept) for kept in _prepared_other(message, ledger, place))
            place = end
            continue
        while end < len(messages) and not isinstance(messages[end], Assistant):
            end += 1
        answer = _AnswerWriter(message, endpoint=endpoint, ledger=ledger, position=place)
        prepared.extend((place, kept) for kept in answer.message(is_tool_turn=place in tool_turns))
        prepared.extend((place, kept) for kept in answer.results(messages[place:end]))
        for position in range(place + 1, end):
            prepared.extend((position, kept) for kept in _prepared_other(messages[position], ledger, position))
        place = end
    default = endpoint.dialect.default_system
    if default and not any(isinstance(message, System) for _, message in prepared):
        ledger.note("a system text was added, as the provider's row says")
        prepared.insert(0, (0, System((Text(default),))))
    return prepared


def results_in(message: Message) -> tuple[ToolResult, ...]:
    """The tool results of a message, whichever kind it is."""
    if isinstance(message, Tool):
        return message.results
    return tuple(block for block in message.content if isinstance(block, ToolResult))


class _AnswerWriter:
    """Prepares one message of the model and the results of its calls."""

    def __init__(self, message: Assistant, *, endpoint: Endpoint, ledger: Ledger, position: int) -> None:
        origin = message.origin
        self._message = message
        self._dialect = endpoint.dialect
        self._is_own = origin is not None and (origin.wire, origin.provider) == (WIRE, endpoint.id)
        self._ledger = ledger
        self._position = position
        self._calls: list[tuple[str, ToolUse]] = []  # each with the id it had

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
        if text := _joined(texts):
            place = next((i for i, block in enumerate(blocks) if not isinstance(block, Thinking)), len(blocks))
            blocks.insert(place, Text(text))
        if not any(map(_is_substance, blocks)):
            self._note("an answer without text and calls was left out")
            return []
        return [Assistant(tuple(blocks))]

    def results(self, messages: Sequence[Message]) -> list[Message]:
        """One ``Tool`` message with a result for every call, found in the messages up to the next answer."""
        found: dict[str, list[ToolResult]] = {}
        for message in messages:
            for result in results_in(message):
                found.setdefault(result.tool_use_id, []).append(result)
        answered: list[ToolResult] = []
        for old_id, call in self._calls:
            if waiting := found.get(old_id):
                answered.append(self._result(call, waiting.pop(0)))
            else:
                self._note(f"a call without a result got the result {CANCELLED}")
                answered.append(ToolResult(call.id, call.name, (Text(CANCELLED),)))
        for waiting in found.values():
            _note_orphans(waiting, self._ledger, self._position)
        return [Tool(tuple(answered))] if answered else []

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
        call_id = sendable_id(block.id or f"call_{self._position}", self._dialect)
        taken = {call.id for _, call in self._calls}
        if call_id in taken:
            call_id = sendable_id(f"{call_id}_{len(taken)}", self._dialect)
        if call_id != block.id:
            self._note("the id of a call was changed to one that this provider takes")
        arguments = block.input
        if arguments is None:
            arguments = {INVALID_ARGUMENTS: block.raw_arguments}
            self._note(f"arguments that are no JSON object are sent as {INVALID_ARGUMENTS}")
        data = block.provider_data
        if data is not None and not self._is_own:
            self._note("opaque data of a call was left out: it is not from this provider")
            data = None
        call = ToolUse(
            call_id, block.name or "unnamed", arguments, _arguments_text(block, arguments), provider_data=data
        )
        self._calls.append((block.id, call))
        return call

    def _result(self, call: ToolUse, result: ToolResult) -> ToolResult:
        """A result under its call's new id, its texts as one: not every server takes a list here."""
        text = _joined([block.text for block in result.content if isinstance(block, Text)])
        media = tuple(block for block in result.content if isinstance(block, Image | Audio | File))
        for block in result.content:
            if not isinstance(block, Text | Image | Audio | File):
                note_left_out(block, self._ledger, self._position)
        return dataclasses.replace(result, tool_use_id=call.id, name=call.name, content=(Text(text), *media))

    def _note(self, what: str) -> None:
        self._ledger.note(what, self._position)


def _prepared_other(message: Message, ledger: Ledger, position: int) -> list[Message]:
    match message:
        case System(content):
            text = _joined([block.text for block in content if isinstance(block, Text)])
            if any(not isinstance(block, Text) for block in content):
                ledger.note("what is not text in a system message was left out", position)
            return [System((Text(text),))] if text else []
        case User(content):
            kept = tuple(block for block in content if not isinstance(block, ToolResult) and not _is_blank(block))
            if not kept and not results_in(message):
                ledger.note("an empty message was left out", position)
            return [User(kept)] if kept else []
        case _:
            return []  # results stand where their calls are


def _arguments_text(block: ToolUse, arguments: dict[str, object]) -> str:
    """The text received if it says just this object, byte for byte: prompt caches depend on it."""
    try:
        is_said = json.loads(block.raw_arguments) == arguments
    except (ValueError, RecursionError):
        is_said = False
    return block.raw_arguments if is_said else json.dumps(arguments, ensure_ascii=False)


def _tool_turns(messages: Sequence[Message]) -> set[int]:
    """The positions of the model's messages in turns with calls; a turn begins with a message of the user (R03)."""
    turns: list[list[int]] = [[]]
    with_calls: set[int] = set()
    for position, message in enumerate(messages):
        if isinstance(message, User) and any(not isinstance(block, ToolResult) for block in message.content):
            turns.append([])
        elif isinstance(message, Assistant):
            turns[-1].append(position)
            if any(isinstance(block, ToolUse) for block in message.content):
                with_calls.add(len(turns) - 1)
    return {position for turn in with_calls for position in turns[turn]}


def _note_orphans(results: Sequence[ToolResult], ledger: Ledger, position: int) -> None:
    if results:
        ledger.note("results of calls that are not there were left out", position)


def _is_substance(block: ContentBlock) -> bool:
    """Whether a message of the model may consist of this block alone."""
    return isinstance(block, Text | ToolUse) or (isinstance(block, Extension) and block.kind in (CONTENT_PART, "audio"))


def _joined(texts: Sequence[str]) -> str:
    return _JOINT.join(text for text in texts if text.strip())


def _is_blank(block: ContentBlock) -> bool:
    return isinstance(block, Text) and not block.text.strip()
