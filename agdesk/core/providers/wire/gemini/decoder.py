"""Frames of a generateContent response → stream events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic_core import from_json
from typing_extensions import override

from agdesk.core.ir.response import StopReason
from agdesk.core.ir.stream import (
    CostUpdate,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
)
from agdesk.core.providers.base import Frame
from agdesk.core.providers.error_fields import is_error_document
from agdesk.core.providers.errors import error_from_event
from agdesk.core.providers.json_decoder import JsonDecoder
from agdesk.core.providers.lenient import object_of, objects_of, text_in
from agdesk.core.providers.non_answers import GEMINI, foreign_format, holds, no_answer
from agdesk.core.providers.wire.gemini.ending import enum_word, stop_reason
from agdesk.core.providers.wire.gemini.failures import EXPECTED, blocked, stopped
from agdesk.core.providers.wire.gemini.fields import (
    EXTRA_CANDIDATE_MEMBERS,
    EXTRA_MEMBERS,
    PLAIN_MEMBERS,
    WIRE,
    WRAPPER,
)
from agdesk.core.providers.wire.gemini.parts import PartReader
from agdesk.core.providers.wire.gemini.usage import UsageReader
from agdesk.core.trace.wire import FrameKind

_DATA = FrameKind.DATA
_EMPTY: tuple[Any, ...] = (None, "", [], {})
_NO_EVENTS: tuple[StreamEvent, ...] = ()


class GeminiDecoder(JsonDecoder):
    """The decoder of one response.

    There is no marker: the answer ends with the body, because parts, usage and another finish reason may follow a
    finish reason (G05).

    Args:
        model: as asked for; stands in until the server names one.
        seed: of made-up ids (D11).
    """

    def __init__(self, *, model: str, seed: str) -> None:
        super().__init__(WIRE, model=model, seed=seed, expected=EXPECTED)
        self._parts = PartReader(self._writer, seed)
        self._usage = UsageReader()
        self._raw_usage: Any = None  # of the last frame on the short way
        self._extra: dict[str, Any] = {}
        self._finish_word: str | None = None

    @property
    @override
    def is_complete(self) -> bool:
        return self._finish_word is not None or self._is_whole or self._block_reason is not None

    @override
    def decode(self, frame: Frame) -> Sequence[StreamEvent]:
        if frame.kind is not _DATA or frame.event_name or self.is_terminal:
            return self._decode_special(frame)
        try:
            document = from_json(frame.data)
        except ValueError:
            return self._decode_payload(frame)
        if self.wrap_document is not None:
            document = self.wrap_document(document)
        elif self._mender is None and (kind := self._writer.kind) is not None and self._announced is not None:
            # nearly every frame adds text to the running block and says nothing else but usage
            try:
                (candidate,) = document["candidates"]
                (part,) = candidate["content"]["parts"]
                text = part["text"]
                is_thought = kind is ThinkingDelta
                if (
                    text.__class__ is str
                    and text
                    and len(part) == 1 + is_thought
                    and (part["thought"] is True if is_thought else kind is TextDelta)
                    and len(candidate) == 1 + ("index" in candidate)
                    and not candidate.get("index")
                    and PLAIN_MEMBERS.issuperset(document)
                    and (document.get("modelVersion") or self._model) == self._model
                ):
                    delta = kind(text, self._writer.running_index)
                    raw = document.get("usageMetadata")
                    if raw is None or raw == self._raw_usage:
                        return (delta,)
                    self._raw_usage = raw
                    usage = self._usage.take(raw)
                    return (delta,) if usage is None else (delta, CostUpdate(usage))
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
        document = _unwrapped(document) if isinstance(document, dict) else document
        if not holds(document, "candidates") and not holds(document, "promptFeedback"):
            failure = foreign_format(object_of(document), own=GEMINI, expected=EXPECTED)
            self._fail(failure or no_answer("candidates"))
        self._take_document(document)
        # an array is a stream, which may have been cut (G12)
        self._is_whole = isinstance(document, dict) and self._writer.has_blocks
        return self._flush()

    @property
    def _block_reason(self) -> str | None:
        return enum_word(object_of(self._extra.get("promptFeedback")).get("blockReason"))

    # --- one document ---

    @override
    def _take_object(self, document: dict[str, Any], event_name: str) -> None:
        document = _unwrapped(document)
        candidates = document.get("candidates")
        if document.get("error") or (not candidates and is_error_document(document)):
            if self._announced is not None:
                self._take_usage(document)
            self._fail(error_from_event(document))
            return
        if "candidates" not in document and (
            failure := foreign_format(document, event_name, own=GEMINI, expected=EXPECTED)
        ):
            self._fail(failure)
            return
        self._take_identity(document)
        for member in EXTRA_MEMBERS:
            self._note(member, document.get(member))
        for position, candidate in enumerate(objects_of(candidates)):
            # only one answer is ever asked for (C14)
            if not (position if candidate.get("index") is None else candidate["index"]):
                self._take_candidate(candidate)
        self._take_usage(document)

    def _take_candidate(self, candidate: dict[str, Any]) -> None:
        parts = object_of(candidate.get("content")).get("parts")
        for part in parts if isinstance(parts, list) else (parts,):
            self._parts.take(part)
        for member in EXTRA_CANDIDATE_MEMBERS:
            self._note(member, candidate.get(member))
        if (word := enum_word(candidate.get("finishReason"))) is not None:
            self._finish_word = word

    def _note(self, member: str, value: Any) -> None:
        """Keeps the last value of a member; objects that come in several chunks are laid over each other."""
        if value in _EMPTY:
            return
        old = self._extra.get(member)
        if isinstance(old, dict) and isinstance(value, dict):
            value = dict([*old.items(), *value.items()])
        self._extra[member] = value

    def _take_identity(self, document: dict[str, Any]) -> None:
        """The first id counts, and the last model (C21)."""
        if found := text_in(document.get("modelVersion")):
            self._model = found
        if not self._id and (found := text_in(document.get("responseId"))):
            self._id = found
            if self._announced is None:
                self._announce()

    def _take_usage(self, document: dict[str, Any]) -> None:
        self._raw_usage = None
        if (usage := self._usage.take(document.get("usageMetadata"))) is not None:
            self._writer.events.append(CostUpdate(usage))

    # --- the end ---

    @override
    def _end(self) -> None:
        word = self._finish_word
        if word is None and self._block_reason is not None:
            feedback = object_of(self._extra.get("promptFeedback"))
            self._fail(blocked(self._block_reason, text_in(feedback.get("blockReasonMessage")), said=self._extra))
            return
        reason = StopReason.INCOMPLETE
        if self.is_complete:
            reason = stop_reason(word, has_calls=self._parts.calls.has_calls)
        if word is not None and reason is StopReason.ERROR:
            self._fail(stopped(word, text_in(self._extra.get("finishMessage")), said=self._extra))
            return
        self._close(is_cut=reason not in (StopReason.END_TURN, StopReason.TOOL_USE))
        self._complete(reason, word, extra=self._extra, usage=self._usage.raw)

    @override
    def _close_content(self, *, is_cut: bool) -> None:
        self._parts.close(is_cut=is_cut)


def _unwrapped(document: dict[str, Any]) -> dict[str, Any]:
    """The chunk inside a document of Code Assist, which wraps each one."""
    inner = document.get(WRAPPER)
    return inner if isinstance(inner, dict) and not {"candidates", "type"} & document.keys() else document
