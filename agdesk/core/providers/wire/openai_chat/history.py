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
    Url,
)
from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.media import IMAGE_TYPES, data_type, file_as_text, file_name
from agdesk.core.ir.messages import Assistant, Message, System, Tool, User
from agdesk.core.ir.notes import note_file_as_text, note_image_type, note_left_out, note_order, note_text
from agdesk.core.ir.openai_chat.parts import part_of
from agdesk.core.ir.openai_chat.thinking import details_of
from agdesk.core.ir.openai_chat.types import CONTENT_PART, WIRE
from agdesk.core.providers.base import Endpoint
from agdesk.core.providers.call_ids import CallIds, IdRule
from agdesk.core.providers.dialect import Dialect, MediaKind, ReasoningReplay
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
    without_system,
)


def sendable(messages: Sequence[Message], *, endpoint: Endpoint, ledger: Ledger) -> list[tuple[int, Message]]:
    """The messages as they may be sent, each with its place in the history; what was changed for it is noted.

    Texts of one message become one. Foreign opaque data does not leave.
    """
    prepared: list[tuple[int, Message]] = []
    with_calls = tool_turns(messages)
    found = rounds(messages, endpoint=endpoint, ledger=ledger)
    if endpoint.dialect.alternates_roles:
        found = _system_first(found, ledger)
    for item in found:
        place, message = item.position, item.message
        if isinstance(message, User):
            prepared.append((place, User(_said(message, endpoint.dialect, ledger, place))))
            continue
        if isinstance(message, System):
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
        for block in self._message.content:
            match block:
                case Text():
                    note_text(block, self._ledger, self._position)
                    blocks.extend([] if is_blank(block) else [Text(block.text, block.is_refusal and self._is_own)])
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
        if not any(map(_is_substance, blocks)):
            self._note("an answer without text and calls was left out")
            return []
        return [Assistant(self._in_order(blocks))]

    def results(self, results: Sequence[ToolResult]) -> Tool:
        """The results of the calls, each under its call's new id."""
        return Tool(tuple(self._result(call, result) for call, result in zip(self._calls, results, strict=True)))

    def _in_order(self, blocks: Sequence[ContentBlock]) -> tuple[ContentBlock, ...]:
        """Thinking, the texts as one, what else is spoken, other members, the calls: the format's order."""
        ordered = sorted(blocks, key=_place)
        if not self._is_own:  # of its own messages the provider keeps no other order either
            note_order(blocks, ordered, self._ledger, self._position)
        texts = [block for block in ordered if isinstance(block, Text) and not block.is_refusal]
        if len(texts) > 1:
            first = ordered.index(texts[0])
            ordered[first : first + len(texts)] = [Text(joined([text.text for text in texts]))]
        return tuple(ordered)

    def _thinking(self, block: Thinking, *, is_tool_turn: bool) -> list[Thinking]:
        if self._is_own and details_of(block):
            return [block]  # opaque, and goes back as it came whatever the policy is for plain thinking (R08)
        replay = self._dialect.reasoning_replay
        if not block.text and block.signature is None and block.provider_data is None:
            return []
        replays = replay is ReasoningReplay.ALWAYS or (replay is ReasoningReplay.TOOL_TURNS and is_tool_turn)
        if replays and block.text:
            if block.signature is not None or block.provider_data is not None:
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
        name = sendable_name(block, self._ledger, self._position)
        call = ToolUse(call_id, name, arguments, arguments_text(block, arguments), provider_data=data)
        self._calls.append(call)
        return call

    def _result(self, call: ToolUse, result: ToolResult) -> ToolResult:
        """A result under its call's new id, its texts as one: not every server takes a list here."""
        text = joined([block.text for block in result.content if isinstance(block, Text)])
        media = tuple(block for block in result.content if isinstance(block, Image | Audio | File))
        taken = _taken(media, self._dialect, self._ledger, self._position)
        for block in result.content:
            if not isinstance(block, Text | Image | Audio | File):
                note_left_out(block, self._ledger, self._position)
        return dataclasses.replace(result, tool_use_id=call.id, name=call.name, content=(Text(text), *taken))

    def _note(self, what: str) -> None:
        self._ledger.note(what, self._position)


def _system_first(found: Sequence[Round], ledger: Ledger) -> list[Round]:
    text, others = without_system(found, ledger)
    return [Round(0, System((Text(text),))), *others] if text else others


def _said(message: User, dialect: Dialect, ledger: Ledger, position: int) -> tuple[ContentBlock, ...]:
    """What can be sent of a message of the user."""
    taken = _taken(message.content, dialect, ledger, position)
    if any(part_of(block, Ledger(), position) is not None for block in taken):
        return taken
    note_placeholder(ledger, position)
    return (*taken, Text(LEFT_OUT))  # why the others are not sent is noted when they are converted


def _taken(
    blocks: tuple[ContentBlock, ...], dialect: Dialect, ledger: Ledger, position: int
) -> tuple[ContentBlock, ...]:
    """The blocks without the kinds of media that the server refuses."""
    taken: list[ContentBlock] = []
    for block in blocks:
        match block:
            case Image() if MediaKind.IMAGE not in dialect.media:
                ledger.note("an image was left out: this provider takes none", position)
            case Audio() if MediaKind.AUDIO not in dialect.media:
                ledger.note("an audio clip was left out: this provider takes none", position)
            case File() if (text := file_as_text(block)) is not None:
                note_file_as_text(ledger, position)
                taken.append(text)
            case File() if MediaKind.FILE not in dialect.media:
                ledger.note("a file was left out: this provider takes none", position)
            case Image(source=Url(url=url)) if data_type(url) and data_type(url) not in IMAGE_TYPES:
                note_image_type(data_type(url), ledger, position)
            case File(source=Url(url=url), name=None) if data_type(url):
                taken.append(dataclasses.replace(block, name=file_name(block)))
            case _:
                taken.append(block)
    return tuple(taken)


def _place(block: ContentBlock) -> int:
    """The place of a block's kind in the format's order."""
    match block:
        case Thinking():
            return 0
        case Text(is_refusal=is_refusal):
            return 2 if is_refusal else 1
        case ToolUse():
            return 4
        case Extension(kind=kind) if kind == CONTENT_PART:
            return 2
        case _:
            return 3


def _is_substance(block: ContentBlock) -> bool:
    """Whether a message of the model may consist of this block alone."""
    return isinstance(block, Text | ToolUse) or (isinstance(block, Extension) and block.kind in (CONTENT_PART, "audio"))
