"""Frames of a Chat Completions response → stream events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pydantic_core import from_json
from typing_extensions import override

from agdesk.core.errors import LlmError
from agdesk.core.ir.openai_chat.finish import stop_reason
from agdesk.core.ir.openai_chat.types import WIRE
from agdesk.core.ir.response import StopReason, Usage
from agdesk.core.ir.stream import (
    CostUpdate,
    MessageComplete,
    MessageStart,
    StreamError,
    StreamEvent,
    TextDelta,
)
from agdesk.core.ir.surrogates import SurrogateMender
from agdesk.core.providers.base import Endpoint, Frame, StreamDecoder
from agdesk.core.providers.block_writer import BlockWriter, RunningKind
from agdesk.core.providers.error_fields import is_error_document
from agdesk.core.providers.errors import error_from_event, malformed
from agdesk.core.providers.payload import read_payload
from agdesk.core.providers.template import split_at_text
from agdesk.core.providers.wire.openai_chat.asides import Asides
from agdesk.core.providers.wire.openai_chat.choice import ChoiceReader
from agdesk.core.providers.wire.openai_chat.failures import EXPECTED, no_choices, wrong_format
from agdesk.core.providers.wire.openai_chat.fields import CHUNK_MEMBERS, SPECIAL_CHOICE_MEMBERS, SPECIAL_MEMBERS
from agdesk.core.providers.wire.openai_chat.usage import UsageReader
from agdesk.core.trace.wire import FrameKind

_DATA = FrameKind.DATA
_TEMPLATE_TRIES = 8
_NO_EVENTS: tuple[StreamEvent, ...] = ()


class OpenAiChatDecoder(StreamDecoder):
    """The decoder of one response.

    The end of the answer is held back until the marker ``[DONE]`` or the end of the body, because usage, a second
    finish chunk or an error may follow the finish reason (C03, C04, T23).

    Args:
        endpoint: whose dialect applies.
        model: as asked for; stands in until the server names one.
        seed: of made-up ids (D11).
    """

    def __init__(self, *, endpoint: Endpoint, model: str, seed: str) -> None:
        dialect = endpoint.dialect
        self.wrap_document: Callable[[Any], Any] | None = None
        self._seed = seed
        self._writer = BlockWriter(WIRE)
        self._asides = Asides(self._writer)
        self._choice = ChoiceReader(
            self._writer, asides=self._asides, seed=seed, parses_think_tags=dialect.parses_think_tags
        )
        self._usage = UsageReader(is_reasoning_extra=dialect.is_reasoning_extra)
        self._mender: SurrogateMender | None = None
        self._text_parts = self._choice.text_parts
        self._id = ""
        self._model = model
        self._announced: MessageStart | None = None
        self._has_ended = False
        self._is_whole = False  # the marker came, or the answer was one document
        # the running block and the member that fills it, while nothing stands in the way of the short way
        self._fast_kind: RunningKind | None = None
        self._fast_member = ""
        self._fast_index = -1
        # around the text of the last such frame, and how often it was taken down without being met again
        self._template: tuple[bytes, bytes] | None = None
        self._template_tries = 0

    @property
    @override
    def is_terminal(self) -> bool:
        return self._has_ended

    @property
    @override
    def is_complete(self) -> bool:
        return self._choice.finish_word is not None or self._is_whole

    @override
    def decode(self, frame: Frame) -> Sequence[StreamEvent]:
        if frame.kind is not _DATA or frame.event_name or self._has_ended:
            return self._decode_special(frame)
        data = frame.data
        try:
            if (template := self._template) is not None and data.startswith(template[0]) and data.endswith(template[1]):
                text = from_json(data[len(template[0]) : len(data) - len(template[1])])
                if text.__class__ is str and text and (kind := self._fast_kind) is not None:
                    self._template_tries = 0
                    if kind is TextDelta:
                        self._text_parts.append(text)
                    return (kind(text, self._fast_index),)
        except ValueError:
            pass  # the frames are not that much alike
        try:
            document = from_json(data)
        except ValueError:
            return self._decode_payload(data)
        if self.wrap_document is not None:
            document = self.wrap_document(document)
        elif (kind := self._fast_kind) is not None:
            # nearly every frame adds text to the running block and says nothing else
            try:
                (choice,) = document["choices"]
                delta = choice["delta"]
                text = delta[self._fast_member]
                if (
                    text.__class__ is str
                    and text
                    and (len(delta) == 1 or _says_only(delta, self._fast_member))
                    and choice.get("finish_reason") is None
                    and not choice["index"]
                    and (document.get("model") or self._model) == self._model
                    and SPECIAL_MEMBERS.isdisjoint(document)
                    and SPECIAL_CHOICE_MEMBERS.isdisjoint(choice)
                    and document.get("usage") is None
                ):
                    if kind is TextDelta:
                        self._text_parts.append(text)
                    if self._template_tries < _TEMPLATE_TRIES:
                        self._template_tries += 1
                        self._template = split_at_text(data, member=self._fast_member, text=text)
                    return (kind(text, self._fast_index),)
            except (KeyError, TypeError, ValueError):
                pass
        self._take_document(document)
        return self._flush()

    @override
    def decode_document(self, document: Any) -> Sequence[StreamEvent]:
        if self._has_ended:
            return _NO_EVENTS
        if self.wrap_document is not None:
            document = self.wrap_document(document)
        if isinstance(document, dict) and not document.get("choices") and isinstance(document.get("provider"), dict):
            document = document["provider"]  # a gateway may wrap the whole answer (E09)
        if isinstance(document, dict) and not document.get("choices") and not is_error_document(document):
            self._fail(no_choices())  # (C02)
        self._take_document(document)
        self._is_whole = True
        return self._flush()

    @override
    def finish(self) -> Sequence[StreamEvent]:
        if not self._has_ended:
            self._end()
        return self._flush()

    # --- frames that are not simply one chunk ---

    def _decode_special(self, frame: Frame) -> Sequence[StreamEvent]:
        if self._has_ended or frame.kind is FrameKind.COMMENT:
            return _NO_EVENTS
        if frame.kind is FrameKind.DATA and frame.event_name != "error":
            return self._decode_payload(frame.data)
        documents = read_payload(frame.data).documents
        is_error = frame.event_name == "error" or any(map(is_error_document, documents))
        if not is_error:
            return _NO_EVENTS  # what is no field of the format counts only if it is an error (T22)
        payload = self._wrapped(documents[0]) if documents else frame.data.decode("utf-8", "replace")
        self._fail(error_from_event(payload))
        return self._flush()

    def _decode_payload(self, data: bytes) -> Sequence[StreamEvent]:
        payload = read_payload(data)
        if payload.is_odd and self._mender is None:
            self._mender = SurrogateMender()
        for document in payload.documents:
            self._take_document(self._wrapped(document))
        if payload.broken and not self._has_ended:
            self._fail(malformed(data, expected=EXPECTED))
        elif payload.is_done and not self._has_ended:
            self._is_whole = True
            self._end()
        return self._flush()

    def _wrapped(self, document: Any) -> Any:
        return document if self.wrap_document is None else self.wrap_document(document)

    # --- one document ---

    def _take_document(self, document: Any) -> None:
        if self._has_ended:
            return
        if isinstance(document, list):
            for item in document:
                self._take_document(item)
            return
        if not isinstance(document, dict):
            if document is not None:
                self._fail(malformed(str(document).encode("utf-8", "replace"), expected=EXPECTED))
            return
        choices = document.get("choices")
        # an error stands beside choices, too, and comes first (T23)
        if document.get("error") or _groq_error(document) or (not choices and is_error_document(document)):
            if self._announced is not None:
                self._take_usage(document)
            self._fail(error_from_event(_groq_error(document) or document))
            return
        if choices is None and str(document.get("type")).startswith("response."):
            self._fail(wrong_format())
            return
        self._take_identity(document)
        self._take_usage(document)
        if not CHUNK_MEMBERS.isdisjoint(document):
            self._asides.take_chunk(document)
        if isinstance(choices, list):
            for position, choice in enumerate(choices):
                # only one answer is ever asked for; parts of others are not ours (C14)
                if isinstance(choice, dict) and not (position if choice.get("index") is None else choice["index"]):
                    self._give_usage(self._usage.take(choice.get("usage")))
                    self._choice.take(choice)
                    if error := choice.get("error"):
                        self._fail(error_from_event(error))
                        return
        self._fast_member = self._choice.plain_member if self._id and self._mender is None else ""
        self._fast_kind = self._writer.kind if self._fast_member else None
        self._fast_index = self._writer.running_index
        self._template = None

    def _take_identity(self, document: dict[str, Any]) -> None:
        """The first id counts, and the last model (C21)."""
        if isinstance(model := document.get("model"), str) and model:
            self._model = model
        if not self._id and isinstance(found := document.get("id"), str) and found:
            self._id = found
            if self._announced is None:
                self._announce()

    def _announce(self) -> None:
        self._announced = MessageStart(self._id or f"message_{self._seed}", self._model)
        self._writer.events.insert(0, self._announced)

    def _take_usage(self, document: dict[str, Any]) -> None:
        groq = document.get("x_groq")
        for raw in (groq.get("usage") if isinstance(groq, dict) else None, document.get("usage")):
            self._give_usage(self._usage.take(raw))
        if (cost := document.get("cost")) is not None:
            self._give_usage(self._usage.take_cost(cost))

    def _give_usage(self, usage: Usage | None) -> None:
        if usage is not None:
            self._writer.events.append(CostUpdate(usage))

    # --- the end ---

    def _end(self) -> None:
        choice = self._choice
        reason = StopReason.INCOMPLETE
        if self.is_complete:
            reason = stop_reason(choice.finish_word, has_calls=choice.has_calls, has_refusal=choice.has_refusal)
        self._close_blocks(is_cut=reason not in (StopReason.END_TURN, StopReason.TOOL_USE))
        extra = dict(self._asides.extra)
        if self._usage.raw is not None:
            extra["usage"] = self._usage.raw
        self._writer.events.append(MessageComplete(reason, raw_stop_reason=choice.finish_word, extra=extra or None))
        self._has_ended = True

    def _fail(self, error: LlmError) -> None:
        if self._announced is not None or self._writer.events:
            self._close_blocks(is_cut=True)
        self._writer.events.append(StreamError(error.to_record()))
        self._has_ended = True

    def _close_blocks(self, *, is_cut: bool) -> None:
        self._choice.close(is_cut=is_cut)
        self._asides.close()
        if self._announced is not None and self._announced.model != self._model:
            # the model that really answered, known only now (C21)
            self._writer.events.append(MessageStart(self._announced.id, self._model))

    def _flush(self) -> Sequence[StreamEvent]:
        events = self._writer.events
        if not events:
            return _NO_EVENTS
        if self._announced is None and not isinstance(events[0], StreamError):
            self._announce()
        self._writer.events = []
        return events if self._mender is None else self._mender.mend(events)


def _says_only(delta: dict[str, Any], member: str) -> bool:
    """Whether nothing but ``member`` carries anything; the role says nothing new."""
    return all(other == member or other == "role" or not delta[other] for other in delta)


def _groq_error(document: dict[str, Any]) -> Any:
    groq = document.get("x_groq")
    return groq.get("error") if isinstance(groq, dict) else None
