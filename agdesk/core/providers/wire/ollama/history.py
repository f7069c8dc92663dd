"""Any history → messages that Ollama takes (L04, L10, K12, K20, A06, R03, PROV7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agdesk.core.ir.blocks import (
    BlobRef,
    ContentBlock,
    Extension,
    File,
    Image,
    JsonObject,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
)
from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.media import base64_of, file_as_text
from agdesk.core.ir.messages import Assistant, Message, System
from agdesk.core.ir.notes import note_file_as_text, note_left_out, note_order, note_text
from agdesk.core.ir.openai_chat.to_openai import ERROR_PREFIX
from agdesk.core.providers.base import Endpoint, ReasoningReplay
from agdesk.core.providers.rounds import (
    LEFT_OUT,
    Round,
    is_blank,
    is_of,
    joined,
    note_placeholder,
    rounds,
    sendable_arguments,
    tool_turns,
)
from agdesk.core.providers.wire.ollama.fields import MESSAGE_MEMBERS, WIRE


def sendable(messages: Sequence[Message], *, endpoint: Endpoint, ledger: Ledger) -> list[JsonObject]:
    """The messages as they may be sent; what was left out or changed for it is noted.

    A message has one text, one thought and one list of calls: blocks of one kind are joined.
    """
    sent: list[JsonObject] = []
    with_calls = tool_turns(messages)
    for item in rounds(messages, endpoint=endpoint, ledger=ledger):
        message, position = item.message, item.position
        if isinstance(message, Assistant):
            sent.extend(_AnswerWriter(item, endpoint=endpoint, ledger=ledger).messages(position in with_calls))
            continue
        role = "system" if isinstance(message, System) else "user"
        said = _said(message.content, ledger, position)
        if not said["content"] and "images" not in said:
            note_placeholder(ledger, position)
            said["content"] = LEFT_OUT
        sent.append({"role": role, **said})
    return sent


class _AnswerWriter:
    """Writes one message of the model and the results of its calls.

    Args:
        item: of an ``Assistant``.
    """

    def __init__(self, item: Round, *, endpoint: Endpoint, ledger: Ledger) -> None:
        assert isinstance(item.message, Assistant)
        self._message = item.message
        self._results = item.results
        self._position = item.position
        self._replay = endpoint.dialect.reasoning_replay
        self._is_own = is_of(item.message, wire=WIRE, endpoint=endpoint)
        self._ledger = ledger

    def messages(self, is_tool_turn: bool) -> list[JsonObject]:
        """The message, or nothing if there is nothing to send in it, and one message for each result."""
        texts: list[str] = []
        thoughts: list[str] = []
        calls: list[JsonObject] = []
        members: JsonObject = {}
        kept: list[ContentBlock] = []
        for block in self._message.content:
            match block:
                case Text(text=text):
                    if not self._is_own:
                        note_text(block, self._ledger, self._position)
                    texts.append(text)
                    kept.extend([] if is_blank(block) else [block])
                case Thinking():
                    found = self._thinking(block, is_tool_turn=is_tool_turn)
                    thoughts.extend(found)
                    kept.extend([block] if found else [])
                case ToolUse():
                    calls.append(self._call(block))
                    kept.append(block)
                case Extension():
                    self._add(members, block)
                case ToolResult():
                    pass
                case _:
                    note_left_out(block, self._ledger, self._position)
        # the pieces of an own answer are one text that thinking or calls had parted
        join = "".join if self._is_own else joined
        content, thinking = join(texts), join(thoughts)
        if not (content.strip() or calls or members):
            self._note("an answer without text and calls was left out")
            return []
        if not self._is_own:  # of its own messages the provider keeps no other order either
            note_order(kept, sorted(kept, key=_place), self._ledger, self._position)
        sent = {"role": "assistant", "content": content, **members}
        if thinking:
            sent["thinking"] = thinking
        if calls:
            sent["tool_calls"] = calls
        return [sent, *map(self._result, self._results)]

    def _thinking(self, block: Thinking, *, is_tool_turn: bool) -> list[str]:
        """Own thinking goes back: the template of the model decides what of it is shown to it again."""
        if not block.text and block.signature is None and block.provider_data is None:
            return []
        replay = self._replay
        replays = replay is ReasoningReplay.ALWAYS or (replay is ReasoningReplay.TOOL_TURNS and is_tool_turn)
        if block.text and (self._is_own or replays):
            if block.signature is not None or block.provider_data is not None:
                self._note("the signature of thinking was left out")
            return [block.text]
        self._note("thinking was left out: it is not from this provider")
        return []

    def _call(self, block: ToolUse) -> JsonObject:
        data = block.provider_data
        if data is not None and not (self._is_own and data.origin == WIRE):
            self._note("opaque data of a call was left out: it is not from this provider")
            data = None
        raw: Mapping[str, Any] = {} if data is None else data.raw
        function = raw.get("function")
        call = {
            **(function if isinstance(function, dict) else {}),
            "name": block.name or "unnamed",
            "arguments": sendable_arguments(block, self._ledger, self._position),
        }
        # the id goes along also if it was made here: only by it can results of the same tool be told apart
        return {**raw, **({"id": block.id} if block.id else {}), "function": call}

    def _add(self, members: JsonObject, block: Extension) -> None:
        """Adds a member of an own message that the IR has no type for; lists that came in pieces are joined."""
        if not self._is_own or block.provider != WIRE or block.kind in MESSAGE_MEMBERS:
            self._note(f"a block {block.kind!r} of {block.provider} was left out: it is not from this provider")
            return
        earlier = members.get(block.kind)
        if isinstance(earlier, list) and isinstance(block.raw, list):
            members[block.kind] = [*earlier, *block.raw]
        else:
            members[block.kind] = block.raw

    def _result(self, result: ToolResult) -> JsonObject:
        said = _said(result.content, self._ledger, self._position)
        if result.is_error and not said["content"].startswith(ERROR_PREFIX):
            self._note(f"that a tool failed is said as {ERROR_PREFIX!r} before its result")
            said["content"] = ERROR_PREFIX + said["content"]
        named = {"tool_name": result.name or "unnamed", "tool_call_id": result.tool_use_id}
        return {"role": "tool", **said, **{member: value for member, value in named.items() if value}}

    def _note(self, what: str) -> None:
        self._ledger.note(what, self._position)


def _place(block: ContentBlock) -> int:
    """The place of the member that a block goes into, as templates read them."""
    return 0 if isinstance(block, Thinking) else 2 if isinstance(block, ToolUse) else 1


def _said(content: Sequence[ContentBlock], ledger: Ledger, position: int) -> JsonObject:
    """The text and the images of a message or a result."""
    texts: list[str] = []
    images: list[str] = []
    for block in content:
        match block:
            case Text(text=text):
                note_text(block, ledger, position)
                texts.append(text)
            case Image():
                images.extend(_image(block, ledger, position))
            case File() if (said := file_as_text(block)) is not None:
                note_file_as_text(ledger, position)
                texts.append(said.text)
            case _:
                note_left_out(block, ledger, position)
    return {"content": joined(texts), **({"images": images} if images else {})}


def _image(block: Image, ledger: Ledger, position: int) -> list[str]:
    """The bytes in base64 and nothing else: no address, no prefix, no type (L10)."""
    data = base64_of(block.source)
    if data:
        if block.name is not None:
            ledger.note("the name of an image was left out", position)
        return [data]
    if isinstance(block.source, BlobRef):
        ledger.note("an image was left out: its bytes are not at hand", position)
    else:
        ledger.note("an image was left out: this provider takes only images whose bytes are in the message", position)
    return []
