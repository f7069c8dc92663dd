"""Records ⇄ lines of JSON, as they are stored: ``[seq, ts_ns, turn_id, request_id, payload]``, UTF-8, no newline.

The payload is that of ``payload_to_json``. Two lines are written per event of a stream, so the records made then are
put together by hand. Halves of UTF-16 pairs pass as they are (``surrogatepass``): escaped, two of them in a row would
be read back as one character.
"""

from __future__ import annotations

import functools
import json
from json.encoder import encode_basestring as _quote  # the C one where there is one
from typing import Any

from agdesk.core.errors import ProtocolError
from agdesk.core.ir.stream import RefusalDelta, TextDelta, ThinkingDelta, ToolCallArgumentsDelta
from agdesk.core.trace.events import (
    Payload,
    StreamEventReceived,
    TraceRecord,
    Unknown,
    payload_from_json,
    payload_to_json,
)
from agdesk.core.trace.wire import FrameKind, FrameReceived

_TEXT_DELTAS: dict[type, str] = {
    TextDelta: '{"type":"text_delta","text":',
    ThinkingDelta: '{"type":"thinking_delta","text":',
    RefusalDelta: '{"type":"refusal_delta","text":',
}
_DELTA_CLASSES: dict[object, tuple[Any, str]] = {
    "text_delta": (TextDelta, "text"),
    "thinking_delta": (ThinkingDelta, "text"),
    "refusal_delta": (RefusalDelta, "text"),
    "tool_call_arguments_delta": (ToolCallArgumentsDelta, "arguments"),
}
_FRAME_KINDS: dict[object, FrameKind] = {kind.value: kind for kind in FrameKind}
_new_tuple = tuple.__new__
_dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def encode_json(document: Any) -> bytes:
    """A JSON document as compact bytes, with any string that Python can hold.

    Raises:
        ValueError, TypeError, RecursionError: it is no JSON, or nested too deeply.
    """
    return _dumps(document).encode("utf-8", "surrogatepass")


def decode_json(content: bytes) -> Any:
    """Reads what ``encode_json`` wrote.

    Raises:
        ValueError, RecursionError: it is no JSON, or nested too deeply.
    """
    return json.loads(content.decode("utf-8", "surrogatepass"))


def encode_record(record: TraceRecord) -> bytes:
    """One record as a line without its newline and without the session's id.

    A payload that JSON cannot hold is written as an ``Unknown`` of its kind that says so.
    """
    seq, ts_ns, _session_id, turn_id, request_id, payload = record
    kind = type(payload)
    if kind is FrameReceived:
        start, end, event_name, frame_kind = payload  # type: ignore[misc]
        text = (
            f'[{seq},{ts_ns},{_place(turn_id, request_id)},{{"type":"frame_received","start":{start},"end":{end},'
            f'"event_name":{_quote(event_name)},"kind":"{frame_kind}"}}]'
        )
    elif kind is StreamEventReceived and (delta := _delta(payload.event)):  # type: ignore[union-attr]
        frame_seq = payload.frame_seq  # type: ignore[union-attr]
        text = (
            f'[{seq},{ts_ns},{_place(turn_id, request_id)},{{"type":"stream_event_received",'
            f'"frame_seq":{"null" if frame_seq is None else frame_seq},"event":{delta}}}]'
        )
    else:
        text = f"[{seq},{ts_ns},{_place(turn_id, request_id)},{_payload_text(payload)}]"
    return text.encode("utf-8", "surrogatepass")


def decode_record(line: bytes, session_id: str) -> TraceRecord:
    """Reads a line of ``encode_record``; a payload of a kind this version does not know becomes ``Unknown``.

    Raises:
        ProtocolError: the line is no record.
    """
    try:
        seq, ts_ns, turn_id, request_id, document = decode_json(line)
    except (ValueError, TypeError, RecursionError) as error:
        raise _no_record(line) from error
    if type(seq) is not int or type(ts_ns) is not int or type(turn_id) is not str or type(request_id) is not str:
        raise _no_record(line)
    payload = _read_fast(document) or payload_from_json(document)
    record: TraceRecord = _new_tuple(TraceRecord, (seq, ts_ns, session_id, turn_id, request_id, payload))
    return record


@functools.lru_cache(maxsize=64)
def _place(turn_id: str, request_id: str) -> str:
    return f"{_quote(turn_id)},{_quote(request_id)}"


def _delta(event: Any) -> str:
    """The JSON of a delta; empty for any other event."""
    kind = type(event)
    head = _TEXT_DELTAS.get(kind)
    text: str
    if head is not None:
        text = event.text
    elif kind is ToolCallArgumentsDelta:
        head, text = '{"type":"tool_call_arguments_delta","arguments":', event.arguments
    else:
        return ""
    index = event.index
    return f'{head}{_quote(text)},"index":{"null" if index is None else index}}}'


def _payload_text(payload: Payload) -> str:
    try:
        return _dumps(payload_to_json(payload))
    except (ValueError, TypeError, RecursionError) as error:
        kind = payload.kind if isinstance(payload, Unknown) else type(payload).__name__
        return _dumps({"type": "unwritable_record", "kind": kind, "reason": str(error)})


def _read_fast(document: Any) -> Payload | None:
    """The payload of the two frequent kinds, if it is exactly as written here; None leaves it to the codec."""
    if type(document) is not dict:
        return None
    kind = document.get("type")
    if kind == "stream_event_received" and len(document) == 3 and type(event := document.get("event")) is dict:
        frame_seq = document.get("frame_seq")
        found = _DELTA_CLASSES.get(event.get("type")) if type(event.get("type")) is str else None
        if found is not None and (frame_seq is None or type(frame_seq) is int) and len(event) == 3:
            cls, name = found
            text, index = event.get(name), event.get("index", "")
            if type(text) is str and (index is None or type(index) is int):
                return StreamEventReceived(frame_seq, cls(text, index))
    elif kind == "frame_received" and len(document) == 5:
        start, end, event_name = document.get("start"), document.get("end"), document.get("event_name")
        frame_kind = _FRAME_KINDS.get(document.get("kind")) if type(document.get("kind")) is str else None
        if type(start) is int and type(end) is int and type(event_name) is str and frame_kind is not None:
            return FrameReceived(start, end, event_name, frame_kind)
    return None


def _no_record(line: bytes) -> ProtocolError:
    return ProtocolError(
        "A line of the trace is no record", frame=line[:2048].decode("utf-8", "replace"), expected="a record"
    )
