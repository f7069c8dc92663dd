"""Frames of a Messages response → stream events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic_core import from_json
from typing_extensions import override

from agdesk.core.ir.response import StopReason
from agdesk.core.ir.stream import CostUpdate, MessageStart, StreamEvent
from agdesk.core.providers.base import Frame
from agdesk.core.providers.error_fields import is_error_document
from agdesk.core.providers.errors import error_from_event
from agdesk.core.providers.json_decoder import JsonDecoder
from agdesk.core.providers.lenient import object_of, objects_of, text_in
from agdesk.core.providers.non_answers import ANTHROPIC, foreign_format, no_answer
from agdesk.core.providers.template import TextTemplate
from agdesk.core.providers.wire.anthropic.block_table import BlockTable
from agdesk.core.providers.wire.anthropic.failures import EXPECTED, another_message
from agdesk.core.providers.wire.anthropic.fields import EXTRA_MEMBERS, WIRE, stop_reason, stop_word
from agdesk.core.providers.wire.anthropic.open_blocks import Plain
from agdesk.core.providers.wire.anthropic.usage import UsageReader
from agdesk.core.trace.wire import FrameKind

_DATA = FrameKind.DATA
_NO_EVENTS: tuple[StreamEvent, ...] = ()


class AnthropicDecoder(JsonDecoder):
    """The decoder of one response.

    Args:
        model: as asked for; stands in until the server names one.
        seed: of made-up ids (D11).
    """

    def __init__(self, *, model: str, seed: str) -> None:
        super().__init__(WIRE, model=model, seed=seed, expected=EXPECTED)
        self._blocks = BlockTable(self._writer, seed)
        self._usage = UsageReader()
        self._stop_word: str | None = None
        self._extra: dict[str, Any] = {}
        # the last frame that only added text, and what it added to
        self._template = TextTemplate()
        self._plain: Plain | None = None

    @property
    @override
    def is_complete(self) -> bool:
        return self._stop_word is not None or self._is_whole

    @override
    def decode(self, frame: Frame) -> Sequence[StreamEvent]:
        if frame.kind is not _DATA or self.is_terminal or frame.event_name == "error":
            return self._decode_special(frame)
        data = frame.data
        if (text := self._template.text_in(data)) and (plain := self._plain) is not None:
            return (plain.kind(text, plain.block),)
        try:
            document = from_json(data)
        except ValueError:
            return self._decode_payload(frame)
        if self.wrap_document is not None:
            document = self.wrap_document(document)
        self._take_document(document, frame.event_name)
        self._learn(data)
        return self._flush()

    @override
    def decode_document(self, document: Any) -> Sequence[StreamEvent]:
        if not self.is_terminal:
            self._take_answer(self._wrapped(document))
        return self._flush()

    @override
    def _decode_payload(self, frame: Frame) -> Sequence[StreamEvent]:
        events = super()._decode_payload(frame)
        self._template.forget()
        self._blocks.plain = None
        return events

    def _learn(self, data: bytes) -> None:
        """Takes down the shape of a frame that only added text, or forgets the one it had."""
        self._template.forget()
        plain = self._plain = self._blocks.plain
        self._blocks.plain = None
        is_short_way_open = self._mender is None and self.wrap_document is None
        if plain is not None and is_short_way_open:
            self._template.learn(data, member=plain.member, text=plain.text)

    # --- one document ---

    @override
    def _take_object(self, document: dict[str, Any], event_name: str) -> None:
        kind = text_in(document.get("type")) or event_name
        if kind == "content_block_delta":
            self._blocks.take_delta(document.get("index"), document.get("delta"))
            return
        if document.get("error") or (kind == "error" and is_error_document(document)):
            self._fail(error_from_event(document))
            return
        match kind:
            case "content_block_start":
                self._take_block(document.get("index"), document.get("content_block"))
            case "content_block_stop":
                self._blocks.stop(document.get("index"))
            case "message_start":
                self._take_start(document.get("message"))
            case "message_delta":
                self._take_end(object_of(document.get("delta")), document)
            case "message_stop":
                self._is_whole = True
                self._end()
            case "message":
                self._take_answer(document)
            case _:
                if failure := foreign_format(document, kind, own=ANTHROPIC, expected=EXPECTED):
                    self._fail(failure)
                elif not kind and is_error_document(document):
                    self._fail(error_from_event(document))

    def _take_start(self, message: Any) -> None:
        message = object_of(message)
        found = text_in(message.get("id"))
        if found and self._id and found != self._id:
            self._fail(another_message(self._id, message))
            return
        self._id = self._id or found
        self._name_model(text_in(message.get("model")))
        self._note_extra(message)
        self._take_usage(message)

    def _take_block(self, index: Any, block: Any) -> None:
        """A block's start; one that says who answers instead of the model that was asked, names the model."""
        self._blocks.start(index, block)
        if isinstance(block, dict) and block.get("type") == "fallback":
            self._name_model(text_in(object_of(block.get("to")).get("model")))

    def _take_end(self, end: dict[str, Any], document: dict[str, Any]) -> None:
        self._stop_word = stop_word(end.get("stop_reason")) or self._stop_word
        self._note_extra(end)
        self._note_extra(document)
        self._take_usage(document)

    def _take_answer(self, answer: Any) -> None:
        """A whole answer; without content and without an end it is none (C02)."""
        answer = object_of(answer)
        if failure := foreign_format(answer, own=ANTHROPIC, expected=EXPECTED):
            self._fail(failure)
            return
        content = answer.get("content")
        if not isinstance(content, list) and stop_word(answer.get("stop_reason")) is None:
            self._fail(no_answer("content"))
            return
        self._take_start(answer)
        for position, block in enumerate(objects_of(content)):
            self._take_block(position, block)
            self._blocks.stop(position)
        self._stop_word = stop_word(answer.get("stop_reason")) or self._stop_word
        self._is_whole = True

    def _note_extra(self, document: dict[str, Any]) -> None:
        for member in EXTRA_MEMBERS:
            if value := document.get(member):
                self._extra[member] = value

    def _take_usage(self, document: dict[str, Any]) -> None:
        if (usage := self._usage.take(document.get("usage"))) is not None:
            self._writer.events.append(CostUpdate(usage))

    def _name_model(self, model: str) -> None:
        """Announces the answer, and once more if another model turns out to give it."""
        is_news = model and model != self._model
        self._model = model or self._model
        if self._announced is None:
            self._announce()
        elif is_news:
            self._announced = MessageStart(self._announced.id, self._model)
            self._writer.events.append(self._announced)

    # --- the end ---

    @override
    def _end(self) -> None:
        reason = StopReason.INCOMPLETE
        if self.is_complete:
            reason = stop_reason(self._stop_word, has_calls=self._blocks.has_calls)
        self._close(is_cut=reason not in (StopReason.END_TURN, StopReason.TOOL_USE))
        self._complete(reason, self._stop_word, extra=self._extra, usage=self._usage.raw)

    @override
    def _close_content(self, *, is_cut: bool) -> None:
        self._blocks.close(is_whole=not is_cut)
