"""Reads one HTTP response, sans-IO: bytes in, frames and events out, errors classified."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from agdesk.core.errors import ErrorRecord, LlmError, ProtocolError
from agdesk.core.ir.stream import StreamError, StreamEvent
from agdesk.core.ir.surrogates import SurrogateMender
from agdesk.core.providers.base import Endpoint, Frame, WireFormat
from agdesk.core.providers.body_kind import BLANK, BodyKind, body_kind
from agdesk.core.providers.error_fields import clean, describe_page, is_error_document
from agdesk.core.providers.errors import error_from_event, error_from_record, malformed, with_header_facts
from agdesk.core.providers.framing import MAX_UNIT_BYTES, Framer, NdjsonFramer, SseFramer, check_bound
from agdesk.core.providers.payload import is_shallow, read_payload
from agdesk.core.trace.wire import FrameKind

Step: TypeAlias = tuple[Frame, Sequence[StreamEvent]]
MAX_ERROR_BODY_BYTES = 1024 * 1024
_DATA = FrameKind.DATA
_FIELD_NAMES = (b"data", b"event", b"id", b"retry")


class ResponseReader:
    """Turns the body of one response into events.

    How the body is read is decided by its status and its first bytes that are no white space, not by what was asked for
    or by the content type (T22, T26): a JSON document is parsed whole, a web page is an error, all else is a stream.

    Feed every read, then call ``flush`` and ``finish``. Nothing but ``finish`` raises, and only when no event was given
    out; after the first event an error is one ``StreamError``, the last event. Once ``is_terminal`` holds, further
    bytes are not looked at. The outcome does not depend on how the reads cut the body.

    Args:
        wire: the format of the endpoint.
        seed: of made-up ids (D11).
        status, headers: of the response.
        now_s: the wall clock, for dates in headers.

    Attributes:
        is_terminal: the terminal marker was seen, or the response failed: nothing more need be read (T15).
        is_complete: the answer has ended as far as its content goes; a connection lost now loses nothing but usage
            (T13).
    """

    def __init__(
        self,
        wire: WireFormat,
        *,
        endpoint: Endpoint,
        model: str,
        seed: str,
        status: int,
        headers: Mapping[str, str],
        now_s: float,
    ) -> None:
        self._wire = wire
        self._decoder = wire.decoder(endpoint=endpoint, model=model, seed=seed)
        self._status = status
        self._headers = headers
        self._now_s = now_s
        self._is_rejected = not 200 <= status < 300
        self._is_document = self._is_rejected
        self._framer: Framer | None = None
        self._parts: list[bytes] = []  # of a document, or of a body whose first telling bytes have not come yet
        self._held_bytes = 0
        self._needs_line = False  # the whole first line is needed to tell
        self._has_emitted = False
        self.is_terminal = False
        self.is_complete = False
        self._is_flushed = False
        self._error: LlmError | None = None  # to be raised: no event was given out before it
        self._failure: StreamError | None = None  # given out, or among ``_due``
        self._due: Sequence[StreamEvent] = ()  # of a failure without a frame, to be given out by ``finish``
        self._mender: SurrogateMender | None = None  # of a document; decoders mend streams themselves, if need be

    def feed(self, chunk: bytes) -> list[Step]:
        """The frames that ``chunk`` completes, each with its events."""
        if self.is_terminal:
            return []
        try:
            if self._framer is None:
                chunk = self._collect(chunk)
            frames = self._framer.feed(chunk) if self._framer is not None else []
        except ProtocolError as error:
            self._due = self._checked(self._decoder.fail(error))
            return []
        return self._decode(frames)

    def flush(self) -> list[Step]:
        """The frames that only the end of the body completes (T06), or the JSON document, each with its events."""
        is_done = self._is_flushed or self._error is not None or self._failure is not None
        self._is_flushed = True
        if is_done:
            return []
        if self._framer is not None:
            return [] if self.is_terminal else self._decode(self._framer.finish(), is_last=True)
        body = b"".join(self._parts)
        if self._is_rejected:
            self._error = self._classified(body)
            return []
        if self._wire.is_ndjson and not self._is_document and body.strip(BLANK):
            lines = self._framer = NdjsonFramer()  # one line that never ended
            return self._decode([*lines.feed(body), *lines.finish()], is_last=True)
        return self._read_document(body)

    def finish(self) -> Sequence[StreamEvent]:
        """The events of the end, with those of ``flush`` if that was not called before.

        Raises:
            LlmError: the response is an error, or failed before its first event.
        """
        events = [event for _, found in self.flush() for event in found]
        events.extend(self._due)
        if self._error is None and self._failure is None:
            found = self._decoder.finish()
            events.extend(self._checked(found if self._mender is None else self._mender.mend(found)))
        self.is_terminal = True
        if self._error is not None:
            raise self._error
        return events

    def fail(self, error: LlmError) -> Sequence[StreamEvent]:
        """The last events of a response that ``error`` ended, as when its connection broke, if any were given out.

        What the decoder held back comes out, and every block is closed; ``error`` is the last event. Nothing if there
        was no event to be given out before it: then ``error`` is to be raised.
        """
        is_done = self._error is not None or self._failure is not None
        return () if is_done else self._checked(self._decoder.fail(error))

    def _collect(self, chunk: bytes) -> bytes:
        """Holds ``chunk`` back; gives out everything held once it is clear that the body is a stream."""
        self._parts.append(chunk)
        self._held_bytes += len(chunk)
        if self._is_rejected:
            self.is_terminal = self._held_bytes >= MAX_ERROR_BODY_BYTES
            return b""
        check_bound(self._held_bytes, MAX_UNIT_BYTES)
        if self._is_document or (self._needs_line and b"\n" not in chunk and b"\r" not in chunk):
            return b""
        if not self._needs_line and not chunk.lstrip(BLANK):
            return b""
        head = b"".join(self._parts).lstrip(BLANK)
        match body_kind(head, is_ndjson=self._wire.is_ndjson):
            case BodyKind.NEEDS_BYTES:
                return b""
            case BodyKind.NEEDS_LINE:
                self._needs_line = True
                return b""
            case BodyKind.DOCUMENT:
                self._is_document = True
                return b""
            case BodyKind.LINES:
                self._framer = NdjsonFramer()
            case BodyKind.EVENTS:
                self._framer = SseFramer()
        held, self._parts = b"".join(self._parts), []
        return held

    def _decode(self, frames: list[Frame], *, is_last: bool = False) -> list[Step]:
        steps: list[Step] = []
        decoder = self._decoder
        for frame in frames:
            events: Sequence[StreamEvent] = ()
            kind = frame.kind
            if is_last and _is_cut(frame):
                frame = frame._replace(kind=FrameKind.MALFORMED)
            elif kind is _DATA or _is_bare_document(frame):
                events = decoder.decode(frame if kind is _DATA else frame._replace(kind=_DATA))
                if decoder.is_terminal:
                    self.is_terminal = True
                    events = self._checked(events)
                if events:
                    self._has_emitted = True
            elif kind is FrameKind.MALFORMED and not decoder.is_complete:
                expected = (
                    "a line of JSON" if isinstance(self._framer, NdjsonFramer) else "a field of a server-sent event"
                )
                events = self._checked(decoder.fail(_malformed_error(frame.data, expected=expected)))
            steps.append((frame, events))
            if self.is_terminal:
                break
        self.is_complete = self._error is None and self._failure is None and decoder.is_complete
        return steps

    def _read_document(self, body: bytes) -> list[Step]:
        text = body.decode("utf-8", "replace").lstrip("\ufeff").strip()
        document = _first_document(text)
        if document is None:
            self._error = _not_an_answer(text, status=self._status)
            return [(Frame(0, len(body), "", body, FrameKind.MALFORMED), ())] if body else []
        frame = Frame(0, len(body), "", body)
        if is_error_document(document):
            self._error = self._classified(json.dumps(document).encode())
            return [(frame, ())]
        self._mender = SurrogateMender()
        events = self._checked(self._mender.mend(self._decoder.decode_document(document)))
        self._has_emitted = bool(events)
        return [(frame, events)]

    def _classified(self, body: bytes) -> LlmError:
        return self._wire.classify_error(self._status, headers=self._headers, body=body, now_s=self._now_s)

    def _checked(self, events: Sequence[StreamEvent]) -> Sequence[StreamEvent]:
        """``events``, a ``StreamError`` at their end made ready to be raised or given out."""
        if not events or not isinstance(events[-1], StreamError):
            return events
        self._has_emitted = self._has_emitted or len(events) > 1
        return (*events[:-1], *self._fail(events[-1].error))

    def _fail(self, record: ErrorRecord) -> Sequence[StreamEvent]:
        self.is_terminal, self.is_complete = True, False
        record = with_header_facts(record, headers=self._headers, now_s=self._now_s)
        if not self._has_emitted:
            self._error = error_from_record(record)
            return ()
        self._failure = StreamError(record)
        return (self._failure,)


def _is_cut(frame: Frame) -> bool:
    """Whether the last frame of a body is only the beginning of one: no error, but an incomplete answer (PROV3)."""
    data = frame.data.strip()
    if frame.kind is FrameKind.MALFORMED:
        return any(name.startswith(data) for name in _FIELD_NAMES)
    return data.startswith((b"{", b"[")) and bool(read_payload(data).broken)


def _is_bare_document(frame: Frame) -> bool:
    """Whether a frame is JSON without a field's name before it: it says what it says all the same (T22)."""
    return frame.kind is FrameKind.MALFORMED and _parsed(frame.data.decode("utf-8", "replace")) is not None


def _malformed_error(data: bytes, *, expected: str) -> LlmError:
    document = _parsed(data.decode("utf-8", "replace"))
    return error_from_event(document) if is_error_document(document) else malformed(data, expected=expected)


def _first_document(text: str) -> dict[str, Any] | list[Any] | None:
    """The JSON of a body; of one that is an error and has more behind it, the error (T22)."""
    document = _parsed(text)
    if document is None and text.startswith(("{", "[")):
        try:
            first, _ = json.JSONDecoder().raw_decode(text)
        except (ValueError, RecursionError):
            return None
        document = first if is_error_document(first) else None
    return document


def _parsed(text: str) -> dict[str, Any] | list[Any] | None:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict | list) and is_shallow(document) else None


def _not_an_answer(text: str, *, status: int) -> ProtocolError:
    if not text:
        message = f"The server answered with HTTP {status} and an empty body"
        hint = "Send again; if it stays, check the base URL of this provider."
    elif text.startswith("<"):
        message = f"Instead of the provider, {describe_page(text)} answered with HTTP {status}"
        hint = (
            "A sign-in page of this network, a proxy or a wrong base URL answers in the provider's place: open the "
            "base URL in a browser, and correct it if need be."
        )
    else:
        message = f"The answer is not valid JSON, it may have been cut: {clean(text[:300])}"
        hint = "Send again; if it stays, the server does not speak this format."
    return ProtocolError(message, hint, frame=text[:2048], expected="a stream or a JSON object")
