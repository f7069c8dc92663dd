"""Frames of a Chat Completions response → stream events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic_core import from_json
from typing_extensions import override

from agdesk.core.ir.openai_chat.finish import stop_reason
from agdesk.core.ir.openai_chat.types import WIRE
from agdesk.core.ir.response import StopReason, Usage
from agdesk.core.ir.stream import (
    CostUpdate,
    StreamEvent,
    TextDelta,
)
from agdesk.core.providers.base import Endpoint, Frame
from agdesk.core.providers.block_writer import RunningKind
from agdesk.core.providers.error_fields import is_error_document
from agdesk.core.providers.errors import error_from_event
from agdesk.core.providers.json_decoder import JsonDecoder
from agdesk.core.providers.lenient import object_of
from agdesk.core.providers.non_answers import CHAT, foreign_format, holds, no_answer
from agdesk.core.providers.template import TextTemplate
from agdesk.core.providers.wire.openai_chat.asides import Asides
from agdesk.core.providers.wire.openai_chat.choice import ChoiceReader
from agdesk.core.providers.wire.openai_chat.fields import CHUNK_MEMBERS, SPECIAL_CHOICE_MEMBERS, SPECIAL_MEMBERS
from agdesk.core.providers.wire.openai_chat.usage import UsageReader
from agdesk.core.trace.wire import FrameKind

EXPECTED = "a chat.completion.chunk object in JSON"
_DATA = FrameKind.DATA
_NO_EVENTS: tuple[StreamEvent, ...] = ()


class OpenAiChatDecoder(JsonDecoder):
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
        super().__init__(WIRE, model=model, seed=seed, expected=EXPECTED)
        self._asides = Asides(self._writer)
        self._choice = ChoiceReader(
            self._writer, asides=self._asides, seed=seed, parses_think_tags=dialect.parses_think_tags
        )
        self._usage = UsageReader(is_reasoning_extra=dialect.is_reasoning_extra)
        self._text_parts = self._choice.text_parts
        # the running block and the member that fills it, while nothing stands in the way of the short way
        self._fast_kind: RunningKind | None = None
        self._fast_member = ""
        self._fast_index = -1
        self._template = TextTemplate()

    @property
    @override
    def is_complete(self) -> bool:
        return self._choice.finish_word is not None or self._is_whole

    @override
    def decode(self, frame: Frame) -> Sequence[StreamEvent]:
        if frame.kind is not _DATA or frame.event_name or self.is_terminal:
            return self._decode_special(frame)
        data = frame.data
        if (text := self._template.text_in(data)) and (kind := self._fast_kind) is not None:
            if kind is TextDelta:
                self._text_parts.append(text)
            return (kind(text, self._fast_index),)
        try:
            document = from_json(data)
        except ValueError:
            return self._decode_payload(frame)
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
                    self._template.learn(data, member=self._fast_member, text=text)
                    return (kind(text, self._fast_index),)
            except (KeyError, TypeError, ValueError):
                pass
        self._take_document(document)
        return self._flush()

    @override
    def decode_document(self, document: Any) -> Sequence[StreamEvent]:
        if self.is_terminal:
            return _NO_EVENTS
        if self.wrap_document is not None:
            document = self.wrap_document(document)
        if isinstance(document, dict) and not document.get("choices") and isinstance(document.get("provider"), dict):
            document = document["provider"]  # a gateway may wrap the whole answer (E09)
        if not holds(document, "choices"):
            failure = foreign_format(object_of(document), own=CHAT, expected=EXPECTED)
            self._fail(failure or no_answer("choices"))
        self._take_document(document)
        self._is_whole = True
        return self._flush()

    # --- one document ---

    @override
    def _take_object(self, document: dict[str, Any], event_name: str) -> None:
        choices = document.get("choices")
        # an error stands beside choices, too, and comes first (T23)
        if document.get("error") or _groq_error(document) or (not choices and is_error_document(document)):
            if self._announced is not None:
                self._take_usage(document)
            self._fail(error_from_event(_groq_error(document) or document))
            return
        if not isinstance(choices, list) and (
            failure := foreign_format(document, event_name, own=CHAT, expected=EXPECTED)
        ):
            self._fail(failure)
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
        self._template.forget()

    def _take_identity(self, document: dict[str, Any]) -> None:
        """The first id counts, and the last model (C21)."""
        if isinstance(model := document.get("model"), str) and model:
            self._model = model
        if not self._id and isinstance(found := document.get("id"), str) and found:
            self._id = found
            if self._announced is None:
                self._announce()

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

    @override
    def _end(self) -> None:
        choice = self._choice
        reason = StopReason.INCOMPLETE
        if self.is_complete:
            reason = stop_reason(choice.finish_word, has_calls=choice.has_calls, has_refusal=choice.has_refusal)
        self._close(is_cut=reason not in (StopReason.END_TURN, StopReason.TOOL_USE))
        self._complete(reason, choice.finish_word, extra=self._asides.extra, usage=self._usage.raw)

    @override
    def _close_content(self, *, is_cut: bool) -> None:
        self._choice.close(is_cut=is_cut)
        self._asides.close()


def _says_only(delta: dict[str, Any], member: str) -> bool:
    """Whether nothing but ``member`` carries anything; the role says nothing new."""
    return all(other == member or other == "role" or not delta[other] for other in delta)


def _groq_error(document: dict[str, Any]) -> Any:
    groq = document.get("x_groq")
    return groq.get("error") if isinstance(groq, dict) else None
