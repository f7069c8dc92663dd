"""Any history → contents that Google takes (G01, G02, G07, G15, G17, K12, PROV7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agdesk.core.ir.blocks import (
    Audio,
    ContentBlock,
    Extension,
    File,
    Image,
    ProviderData,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
)
from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.messages import Assistant, Message, User
from agdesk.core.providers.base import Endpoint
from agdesk.core.providers.lenient import object_of, text_in
from agdesk.core.providers.rounds import (
    INVALID_ARGUMENTS,
    LEFT_OUT,
    Round,
    is_blank,
    is_of,
    joined,
    note_placeholder,
    rounds,
    sendable_arguments,
    sendable_name,
    without_system,
)
from agdesk.core.providers.wire.gemini.calls import CALL
from agdesk.core.providers.wire.gemini.fields import WIRE
from agdesk.core.providers.wire.gemini.media import media_part
from agdesk.core.providers.wire.gemini.parts import SIGNATURE

Part = dict[str, Any]
_SKIPS_CHECK = "skip_thought_signature_validator"
_NAME_CHARACTERS = ".:"
_FIRST_TEXT = "[start]"


def sendable(
    messages: Sequence[Message], *, model: str, endpoint: Endpoint, ledger: Ledger
) -> tuple[str, list[dict[str, Any]]]:
    """The system text and the contents: of users and the model in turns, a user's first; changes are noted.

    Args:
        model: the one that is asked; calls of another one lack what it wants to see with them (G01).
    """
    system, found = without_system(rounds(messages, endpoint=endpoint, ledger=ledger), ledger)
    turn_start = max((index for index, item in enumerate(found) if not isinstance(item.message, Assistant)), default=-1)
    contents: list[dict[str, Any]] = []
    for index, item in enumerate(found):
        writer = _RoundWriter(item, model=model, endpoint=endpoint, ledger=ledger)
        is_model = isinstance(item.message, Assistant)
        _append(contents, "model" if is_model else "user", writer.parts(is_current_turn=index > turn_start))
        _append(contents, "user", writer.results())
    if contents and contents[0]["role"] == "model":
        ledger.note(f"a message {_FIRST_TEXT!r} of the user was put in front: this format begins with one")
        contents.insert(0, {"role": "user", "parts": [{"text": _FIRST_TEXT}]})
    return system, contents


def _append(contents: list[dict[str, Any]], role: str, parts: list[Part]) -> None:
    """Adds parts; those of the role that spoke last go into its content (G17)."""
    if not parts:
        return
    if contents and contents[-1]["role"] == role:
        contents[-1]["parts"].extend(parts)
    else:
        contents.append({"role": role, "parts": parts})


class _RoundWriter:
    """Makes the parts of one message and of what its calls gave back."""

    def __init__(self, item: Round, *, model: str, endpoint: Endpoint, ledger: Ledger) -> None:
        self._item = item
        self._endpoint = endpoint
        self._ledger = ledger
        message = item.message
        self._is_own = isinstance(message, Assistant) and is_of(message, wire=WIRE, endpoint=endpoint)
        origin = message.origin if isinstance(message, Assistant) else None
        self._is_of_model = self._is_own and origin is not None and origin.model == model
        self._is_changed = False  # some signed call is not sent as the model made it
        self._calls: list[tuple[str, str]] = []  # name and Google's own id, which is empty where there is none

    def parts(self, *, is_current_turn: bool) -> list[Part]:
        """The parts of the message itself; ``is_current_turn``: no message of the user follows it."""
        parts: list[Part] = []
        for block in self._item.message.content:
            parts.extend(self._parts(block))
        first = next((part for part in parts if CALL in part), None)
        lacks_signature = first is not None and not first.get(SIGNATURE) and (not self._is_of_model or self._is_changed)
        if is_current_turn and first is not None and lacks_signature:
            self._note("a call got a mark that skips Google's check of its signature")
            first[SIGNATURE] = _SKIPS_CHECK
        if not parts and isinstance(self._item.message, User):
            note_placeholder(self._ledger, self._item.position)
            return [{"text": LEFT_OUT}]
        if not parts:
            self._note("a message with nothing that can be sent was left out")
        return parts

    def results(self) -> list[Part]:
        """The results of the calls, in their order, then the images and files among them."""
        media: list[Part] = []
        responses = []
        for (name, call_id), result in zip(self._calls, self._item.results, strict=True):
            responses.append(_response(result, name, call_id))
            for block in result.content:
                if isinstance(block, Image | Audio | File):
                    media.extend(self._media(block))
                elif not isinstance(block, Text):
                    self._note_left_out(block)
        if media:
            self._note("images and files among the results of tools follow them as parts of their own")
        return responses + media

    def _parts(self, block: ContentBlock) -> list[Part]:
        match block:
            case Text():
                if block.citations:
                    self._note("citations of a text were left out")
                data = self._data(block.provider_data, "a text")
                return [] if data is None and is_blank(block) else _text_parts(block.text, data)
            case Thinking():
                return self._thinking(block)
            case ToolUse() if isinstance(self._item.message, Assistant):
                return [self._call(block)]
            case Image() | Audio() | File():
                return self._media(block)
            case Extension(provider=provider, raw=dict() as raw) if self._is_own and provider == WIRE:
                return [raw]
            case ToolResult():
                return []
            case _:
                self._note_left_out(block)
                return []

    def _thinking(self, block: Thinking) -> list[Part]:
        if not self._is_own:
            self._note("thinking was left out: it is not from this provider")
        elif block.provider_data is None:
            self._note("thinking without a signature was left out: this provider does not take it back")
        elif (data := self._data(block.provider_data, "thinking")) is not None:
            return _text_parts(block.text, data, is_thought=True)
        return []

    def _call(self, block: ToolUse) -> Part:
        data = self._data(block.provider_data, "a call") or {}
        own = object_of(data.get(CALL))
        name = sendable_name(block, self._ledger, self._item.position, also=_NAME_CHARACTERS, begins_with_letter=True)
        self._calls.append((name, text_in(own.get("id"))))
        arguments = sendable_arguments(block, self._ledger, self._item.position)
        is_changed = name != block.name or arguments.keys() == {INVALID_ARGUMENTS}
        if is_changed and data.pop(SIGNATURE, None) is not None:
            self._is_changed = True
            self._note("the signature of a call was left out: the call is not sent as it was made")
        return {**data, CALL: {**own, "name": name, "args": arguments}}

    def _media(self, block: Image | Audio | File) -> list[Part]:
        part = media_part(block, endpoint=self._endpoint, ledger=self._ledger, position=self._item.position)
        return [] if part is None else [part]

    def _data(self, data: ProviderData | None, what: str) -> dict[str, Any] | None:
        """Opaque data, if it may go back."""
        if data is None:
            return None
        if self._is_own and data.origin == WIRE:
            return dict(data.raw)
        self._note(f"opaque data of {what} was left out: it is not from this provider")
        return None

    def _note_left_out(self, block: ContentBlock) -> None:
        kind = f"{block.kind!r} of {block.provider}" if isinstance(block, Extension) else type(block).__name__
        self._note(f"a block {kind} has no place in this message and was left out")

    def _note(self, what: str) -> None:
        self._ledger.note(what, self._item.position)


def _response(result: ToolResult, name: str, call_id: str) -> Part:
    text = joined([block.text for block in result.content if isinstance(block, Text)])
    response = {"name": name, "response": {"error" if result.is_error else "result": text}}
    return {"functionResponse": ({"id": call_id} if call_id else {}) | response}


def _text_parts(text: str, data: dict[str, Any] | None, *, is_thought: bool = False) -> list[Part]:
    """The parts that a block was made of: plain text, and at its end the one with the signature, as it came."""
    plain: Part = {"thought": True} if is_thought else {}
    if data is None:
        return [{"text": text, **plain}]
    end = text_in(data.get("text"))
    if SIGNATURE not in data or not text.endswith(end):
        return [{**plain, **data, "text": text}]
    head = text.removesuffix(end)
    return [{"text": head, **plain}, data] if head else [data]
