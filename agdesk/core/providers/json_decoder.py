"""What the decoders of all formats have in common: JSON in frames, one beginning and one end of the answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from typing_extensions import override

from agdesk.core.errors import LlmError
from agdesk.core.ir.response import StopReason
from agdesk.core.ir.stream import MessageComplete, MessageStart, StreamError, StreamEvent
from agdesk.core.ir.surrogates import SurrogateMender
from agdesk.core.providers.base import Frame, StreamDecoder
from agdesk.core.providers.block_writer import BlockWriter
from agdesk.core.providers.error_fields import is_error_document
from agdesk.core.providers.errors import error_from_event, malformed
from agdesk.core.providers.payload import read_payload
from agdesk.core.providers.raw_json import clean_numbers
from agdesk.core.trace.wire import FrameKind

_NO_EVENTS: tuple[StreamEvent, ...] = ()


class JsonDecoder(StreamDecoder, ABC):
    """Base of the decoder of one response whose frames hold JSON objects.

    A format says what an object means (``_take_object``), what ends the answer, and how what is open is closed. Its
    ``decode`` is its own: it takes the frames that only add text on a short way, and leaves all others to
    ``_decode_special``, ``_decode_payload`` and ``_take_document``.

    Args:
        wire: the name of the format.
        model: as asked for; stands in until the server names one.
        seed: of made-up ids (D11).
        expected: what a frame should hold, in words.
    """

    def __init__(self, wire: str, *, model: str, seed: str, expected: str) -> None:
        self.wrap_document: Callable[[Any], Any] | None = None
        self._expected = expected
        self._seed = seed
        self._writer = BlockWriter(wire)
        self._mender: SurrogateMender | None = None
        self._id = ""
        self._model = model
        self._announced: MessageStart | None = None
        self.is_terminal = False
        self._is_whole = False  # the marker came, or the answer was one document

    @override
    def finish(self) -> Sequence[StreamEvent]:
        if not self.is_terminal:
            self._end()
        return self._flush()

    @override
    def fail(self, error: LlmError) -> Sequence[StreamEvent]:
        if not self.is_terminal:
            self._fail(error)
        return self._flush()

    # --- what a format says ---

    @abstractmethod
    def _take_object(self, document: dict[str, Any], event_name: str) -> None:
        """Takes one object; ``event_name`` is that of its frame, empty if it has none."""

    @abstractmethod
    def _end(self) -> None:
        """Ends the answer as it stands, now that nothing more comes."""

    @abstractmethod
    def _close_content(self, *, is_cut: bool) -> None:
        """Closes every block; calls of a cut answer are not marked as whole."""

    # --- frames that are not simply one object ---

    def _decode_special(self, frame: Frame) -> Sequence[StreamEvent]:
        if self.is_terminal or frame.kind is FrameKind.COMMENT:
            return _NO_EVENTS
        if frame.kind is FrameKind.DATA and frame.event_name != "error":
            return self._decode_payload(frame)
        documents = read_payload(frame.data).documents
        if frame.event_name != "error" and not any(map(is_error_document, documents)):
            return _NO_EVENTS  # what is no field of the stream counts only if it is an error (T22)
        payload = self._wrapped(documents[0]) if documents else frame.data.decode("utf-8", "replace")
        self._fail(error_from_event(payload))
        return self._flush()

    def _decode_payload(self, frame: Frame) -> Sequence[StreamEvent]:
        payload = read_payload(frame.data)
        if payload.is_odd and self._mender is None:
            self._mender = SurrogateMender()
        for document in payload.documents:
            self._take_document(self._wrapped(document), frame.event_name)
        if payload.broken and not self.is_terminal:
            self._fail(malformed(frame.data, expected=self._expected))
        elif payload.is_done and not self.is_terminal:
            self._take_marker()
        return self._flush()

    def _wrapped(self, document: Any) -> Any:
        return document if self.wrap_document is None else self.wrap_document(document)

    def _take_document(self, document: Any, event_name: str = "") -> None:
        """Takes a JSON value: the objects of an array one by one, null as nothing."""
        if self.is_terminal or document is None:
            return
        if isinstance(document, list):
            for item in document:
                self._take_document(item, event_name)
        elif isinstance(document, dict):
            self._take_object(document, event_name)
        else:
            self._fail(malformed(str(document).encode("utf-8", "replace"), expected=self._expected))

    # --- begin and end ---

    def _take_marker(self) -> None:
        """Takes ``[DONE]``, known in every format (T14); without any block before it, it ends no answer."""
        self._is_whole = self._writer.has_blocks
        self._end()

    def _announce(self) -> None:
        self._announced = MessageStart(self._id or f"message_{self._seed}", self._model)
        self._writer.events.insert(0, self._announced)

    def _complete(self, reason: StopReason, word: str | None, *, extra: dict[str, Any], usage: Any = None) -> None:
        """Writes the end; ``extra`` goes with it, and the last raw ``usage``."""
        extra = {**extra, "usage": usage} if usage else extra
        self._writer.events.append(MessageComplete(reason, raw_stop_reason=word, extra=extra or None))
        self.is_terminal = True

    def _fail(self, error: LlmError) -> None:
        self._close(is_cut=True)
        self._writer.events.append(StreamError(error.to_record()))
        self.is_terminal = True

    def _close(self, *, is_cut: bool) -> None:
        self._close_content(is_cut=is_cut)
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
        clean_numbers(events)
        return events if self._mender is None else self._mender.mend(events)
