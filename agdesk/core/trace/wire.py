"""What went over HTTP (D3, D4). Offsets are half-open, into the body after content decoding.

The record made per frame is a tuple: it costs half of a frozen dataclass.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from agdesk.core.errors import ErrorRecord
from agdesk.core.ir.blocks import BlobRef


class FrameKind(StrEnum):
    """``COMMENT`` is anything without data (keep-alives); ``MALFORMED`` is no field of the format at all."""

    DATA = "data"
    COMMENT = "comment"
    MALFORMED = "malformed"


class CloseReason(StrEnum):
    """Why reading stopped: the connection ended, the terminal marker came, it was cancelled, or it failed."""

    END = "end"
    TERMINAL = "terminal"
    CANCELLED = "cancelled"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class RequestSent:
    """A request as sent, secrets replaced. ``body_blob`` addresses the exact body bytes, redacted alike."""

    method: str
    url: str
    headers: tuple[tuple[str, str], ...]
    body_blob: BlobRef | None


@dataclass(frozen=True, slots=True)
class ResponseStarted:
    status: int
    headers: tuple[tuple[str, str], ...]
    http_version: str


class FrameReceived(NamedTuple):
    """One SSE or NDJSON unit: body bytes ``start`` to ``end`` with its terminator."""

    start: int
    end: int
    event_name: str
    kind: FrameKind


@dataclass(frozen=True, slots=True)
class ResponseClosed:
    """The end of reading; ``byte_count`` counts body bytes after content decoding."""

    reason: CloseReason
    byte_count: int
    error: ErrorRecord | None = None


WireRecord: TypeAlias = RequestSent | ResponseStarted | FrameReceived | ResponseClosed
