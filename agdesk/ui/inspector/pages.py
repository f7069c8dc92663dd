"""What stands below the tree for a row: the pages there are, and the text of each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from PySide6.QtCore import QCoreApplication

from agdesk.core.trace.events import payload_to_json
from agdesk.core.trace.wire import FrameReceived, RequestSent, ResponseClosed, ResponseStarted
from agdesk.ui.core_words import said
from agdesk.ui.inspector.figures import SEPARATOR, amount, count, duration, size
from agdesk.ui.inspector.labels import delta_text
from agdesk.ui.inspector.records import Group, RecordIndex, Role

translate = QCoreApplication.translate

_HEX_BYTES = 8
SHOWN_CHARACTERS = 1_000_000


class Page(Enum):
    """One way to look at a row."""

    RAW = auto()
    TYPED = auto()
    REQUEST = auto()
    RESPONSE = auto()


@dataclass(frozen=True, slots=True)
class PageText:
    """A page, ready to be shown.

    Attributes:
        text: exactly what it is about; what is copied.
        note: one line above it: where it comes from and how large it is.
    """

    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A row, as the numbers of its first and last record; ``is_run`` for deltas that are read as one text."""

    first: int
    last: int
    is_run: bool = False
    is_request: bool = False


def pages_of(index: RecordIndex, chosen: Chosen) -> tuple[Page, ...]:
    """The pages of a row, the one that says most first."""
    if chosen.is_request:
        return Page.REQUEST, Page.RESPONSE, Page.RAW
    kind = index.kind(chosen.last)
    if kind.role is not Role.MILESTONE:
        has_bytes = frames_of(index, chosen) is not None
        return (Page.TYPED, Page.RAW) if has_bytes else (Page.TYPED,)
    match kind.name:
        case "request_sent":
            return Page.REQUEST, Page.TYPED, Page.RAW
        case "response_started" | "response_closed":
            return Page.RESPONSE, Page.TYPED, Page.RAW
        case _:
            return (Page.TYPED,)


def frames_of(index: RecordIndex, chosen: Chosen) -> tuple[int, int] | None:
    """The span of the response's bytes that a row came from; None if it came from none."""
    first, last = _frame(index, chosen.first), _frame(index, chosen.last)
    if first is None or last is None:
        return None
    return first.start, last.end


def typed_text(index: RecordIndex, chosen: Chosen) -> PageText:
    """The values of a row as JSON, or the text of a run. May be called on a thread."""
    if chosen.is_run:
        numbers = [n for n in range(chosen.first, chosen.last + 1) if index.kind(n).role is Role.DELTA]
        text = "".join(delta_text(index.read(number)) for number in numbers)
        note = amount(
            len(numbers), translate("InspectorPages", "delta, joined"), translate("InspectorPages", "deltas, joined")
        )
        return PageText(text, note + SEPARATOR + size(len(text.encode("utf-8", "replace"))))
    first = chosen.first
    if index.kind(first).role is Role.FRAME and chosen.last == first + 1:
        first = chosen.last  # a frame with its one event: the event; the frame is the bytes
    documents = [payload_to_json(index.read(number).payload) for number in range(first, chosen.last + 1)]
    return PageText(pretty(documents[0] if len(documents) == 1 else documents))


def raw_text(body: bytes | None, *, start: int = 0, end: int | None = None) -> PageText:
    """A span of a body exactly as it was on the wire; as a table of bytes where it is no UTF-8."""
    if body is None or len(body) < start or (end is not None and len(body) < end):
        return PageText("", translate("InspectorPages", "These bytes are not kept any more."))
    content = body[start:end]
    where = translate("InspectorPages", "bytes {start}–{end}").format(
        start=count(start), end=count(start + len(content))
    )
    try:
        return PageText(content.decode(), where + SEPARATOR + size(len(content)))
    except UnicodeDecodeError:
        kind = translate("InspectorPages", "not UTF-8")
        return PageText(hex_table(content, start), SEPARATOR.join((where, size(len(content)), kind)))


def request_text(request: RequestSent, body: bytes | None, *, ledger: Sequence[str] = ()) -> PageText:
    """A request: its first line, what was changed for its format, headers and body. May be called on a thread."""
    changes = "".join(f"– {line}\n" for line in ledger)
    if changes:
        changes = translate("InspectorPages", "Changed for this provider") + f":\n{changes}\n"
    head = f"{request.method} {request.url}\n\n{changes}{_headers(request.headers)}"
    if request.body_blob is None:
        return PageText(head, translate("InspectorPages", "no body"))
    note = translate("InspectorPages", "body {size}").format(size=size(request.body_blob.size_bytes))
    if body is None:
        missing = translate("InspectorPages", "the body is not kept any more")
        return PageText(head, note + SEPARATOR + missing)
    return PageText(f"{head}\n\n{pretty_body(body)}", note)


def response_text(index: RecordIndex, group: Group, body: bytes | None) -> PageText:
    """A response: its status, timings and headers, and its body if that is no stream. May be called on a thread."""
    found = {name: index.read(number) for name, number in group.milestones.items()}
    started, closed = found.get("response_started"), found.get("response_closed")
    if started is None or not isinstance(started.payload, ResponseStarted):
        return PageText("", translate("InspectorPages", "No response yet."))
    response = started.payload
    note = [size(group.body_bytes)]
    if group.frame_count:
        note.append(
            amount(group.frame_count, translate("InspectorPages", "frame"), translate("InspectorPages", "frames"))
        )
    lines = [f"{response.http_version} {response.status}", ""]
    if (sent := found.get("request_sent")) is not None:
        moments = [(translate("InspectorPages", "headers after"), started.ts_ns)]
        if group.first_frame >= 0:
            moments.append((translate("InspectorPages", "first frame after"), index.times_ns[group.first_frame]))
        if closed is not None:
            moments.append((translate("InspectorPages", "closed after"), closed.ts_ns))
        lines += [f"{name} {duration(ts_ns - sent.ts_ns)}" for name, ts_ns in moments]
    if closed is not None and isinstance(closed.payload, ResponseClosed):
        lines.append(translate("InspectorPages", "end: {reason}").format(reason=closed.payload.reason.value))
        if closed.payload.error is not None:
            lines.append(said(closed.payload.error.message))
    lines += ["", _headers(response.headers)]
    if body and not group.frame_count:
        lines += ["", pretty_body(body)]
    return PageText("\n".join(lines), SEPARATOR.join(note))


def pretty(document: Any) -> str:
    """JSON as it is read."""
    return json.dumps(document, ensure_ascii=False, indent=2, default=str)


def pretty_body(body: bytes) -> str:
    """A body as it is read: JSON in lines, other text as it is, the rest as a table of bytes."""
    try:
        return pretty(json.loads(body))
    except (ValueError, RecursionError):
        pass
    try:
        return body.decode()
    except UnicodeDecodeError:
        return hex_table(body, 0)


def hex_table(content: bytes, start: int) -> str:
    """Eight bytes a line: where they stand, as numbers, and as the ASCII that is in them."""
    lines = []
    for place in range(0, len(content), _HEX_BYTES):
        row = content[place : place + _HEX_BYTES]
        letters = "".join(chr(byte) if 0x20 <= byte < 0x7F else "·" for byte in row)
        lines.append(f"{start + place:08x}  {row.hex(' '):<{3 * _HEX_BYTES - 1}}  {letters}")
    return "\n".join(lines)


def _headers(headers: tuple[tuple[str, str], ...]) -> str:
    return "\n".join(f"{name}: {value}" for name, value in headers)


def _frame(index: RecordIndex, number: int) -> FrameReceived | None:
    payload = index.read(number).payload
    if isinstance(payload, FrameReceived):
        return payload
    frame_seq = getattr(payload, "frame_seq", None)
    frame_number = index.number_of(frame_seq) if frame_seq is not None else None
    if frame_number is None:
        return None
    frame = index.read(frame_number).payload
    return frame if isinstance(frame, FrameReceived) else None
