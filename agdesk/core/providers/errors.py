"""Bytes → ``LlmError``: the one place where a provider's error gets its meaning (PROV6, E01 to E11)."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import TypeVar

from agdesk.core.errors import ErrorCategory, ErrorRecord, LlmError, ProtocolError, ProviderRejection, TransportError
from agdesk.core.providers.error_category import HEADLINES, HINTS, categorise, is_retryable
from agdesk.core.providers.error_fields import ErrorFields, read_error, read_error_text
from agdesk.core.providers.retry_after import retry_after_s

T = TypeVar("T")
MAX_BODY_BYTES = 16 * 1024
# of the provider first, of what stands in front of it last
_REQUEST_ID_HEADERS = (
    "x-request-id",
    "request-id",
    "apim-request-id",
    "x-ms-request-id",
    "x-amzn-requestid",
    "x-generation-id",
)


def classify_rejection(status: int, *, headers: Mapping[str, str], body: bytes, now_s: float) -> ProviderRejection:
    """The error that a response stands for: one with an error status, or one of success that holds an error (T22).

    Args:
        status: as received.
        headers: of the response, names in any case.
        body: the whole body, or as much as was read.
        now_s: the wall clock, for dates in headers.
    """
    fields = read_error_text(body.decode("utf-8", "replace"))
    return _rejection(fields, status=status, headers=headers, body=body, now_s=now_s)


def error_from_event(
    payload: object, *, status: int = 200, headers: Mapping[str, str] | None = None, now_s: float = 0.0
) -> ProviderRejection:
    """The error that an object (or a string) inside a stream stands for (T23, T24).

    A decoder knows no headers: the reader of the response adds what they tell, with ``with_header_facts``.
    """
    text = payload if isinstance(payload, str) else json.dumps(payload, ensure_ascii=False)
    body = text.encode("utf-8", "replace")
    return _rejection(read_error(payload), status=status, headers=headers or {}, body=body, now_s=now_s)


def malformed(data: bytes, *, expected: str) -> ProtocolError:
    """The error for a frame whose data is not what the format says, with the text itself (T12, T25)."""
    text = read_error_text(data.decode("utf-8", "replace")).message
    text = text or data.decode("utf-8", "replace")
    shown = text if len(text) <= 300 else text[:300] + "…"
    return ProtocolError(
        f"The stream is malformed, {expected} was expected: {shown}",
        "If this repeats, the server or a proxy before it breaks the stream.",
        frame=data[:2048].decode("utf-8", "replace"),
        expected=expected,
    )


def with_header_facts(record: ErrorRecord, *, headers: Mapping[str, str], now_s: float) -> ErrorRecord:
    """The record of an error inside a response, completed by what its headers tell: request id and time to wait.

    Some providers send ``retry-after`` with every success (A19): it counts only for a rejection that may pass.
    """
    headers = _lower_case(headers)
    details = dict(record.details)
    if "request_id" not in details:
        details["request_id"] = request_id_of(headers, None)
    if record.kind == "provider_rejection" and record.is_retryable and "retry_after_s" not in details:
        is_rate_limited = record.category is ErrorCategory.RATE_LIMIT
        details["retry_after_s"] = retry_after_s(headers, body_delay=None, now_s=now_s, is_rate_limited=is_rate_limited)
    known = {key: value for key, value in details.items() if value is not None}
    return dataclasses.replace(record, details=known)


def error_from_record(record: ErrorRecord) -> LlmError:
    """The exception again that a record was made of, to be raised before the first event."""
    details = record.details
    if record.kind == "provider_rejection":
        return ProviderRejection(
            record.message,
            record.hint,
            category=record.category,
            status=_typed(details, "status", int) or 200,
            code=_typed(details, "code", str),
            provider_message=_typed(details, "provider_message", str) or "",
            retry_after_s=_typed(details, "retry_after_s", float),
            request_id=_typed(details, "request_id", str),
            body=_typed(details, "body", str) or "",
            param=_typed(details, "param", str),
            is_retryable=record.is_retryable,
        )
    if record.kind == "transport_error":
        is_timeout = bool(details.get("is_timeout"))
        return TransportError(record.message, record.hint, is_timeout=is_timeout, is_retryable=record.is_retryable)
    if record.kind == "protocol_error":
        frame, expected = _typed(details, "frame", str), _typed(details, "expected", str)
        request_id = _typed(details, "request_id", str)
        return ProtocolError(
            record.message, record.hint, frame=frame or "", expected=expected or "", request_id=request_id
        )
    error = LlmError(record.message, record.hint)
    error.category = record.category
    return error


def error_document(record: ErrorRecord) -> dict[str, object]:
    """An error as ``agdesk ask`` and ``agdesk replay`` print it; what is not known is null."""
    details = record.details
    return {
        "kind": record.kind,
        "category": record.category.value,
        "message": record.message,
        "status": details.get("status"),
        "code": details.get("code"),
        "retry_after": details.get("retry_after_s"),
        "request_id": details.get("request_id"),
        "retryable": record.is_retryable,
    }


def _rejection(
    fields: ErrorFields, *, status: int, headers: Mapping[str, str], body: bytes, now_s: float
) -> ProviderRejection:
    headers = _lower_case(headers)
    meant_status = status if status >= 300 else fields.status or status
    category = categorise(fields, status=meant_status)
    wait_s = retry_after_s(
        headers, body_delay=fields.delay, now_s=now_s, is_rate_limited=category is ErrorCategory.RATE_LIMIT
    )
    headline, hint = HEADLINES[category], HINTS[category]
    if 300 <= status < 400:
        headline = f"The address has moved to {headers.get('location', 'an unknown place')}"
        hint = "Use the new address as the base URL of this provider."
    number = f"HTTP {status}" if status >= 300 else f"error {fields.status}" if fields.status else ""
    origin = ", ".join(filter(None, (number, fields.code)))
    words = fields.message or _reason_phrase(meant_status)
    return ProviderRejection(
        headline + (f" ({origin})" if origin else "") + (f": {words}" if words else ""),
        hint,
        category=category,
        status=status,
        code=fields.code,
        provider_message=fields.message,
        retry_after_s=wait_s,
        request_id=request_id_of(headers, fields.request_id),
        body=body[:MAX_BODY_BYTES].decode("utf-8", "replace"),
        param=fields.param if category is ErrorCategory.INVALID_REQUEST else None,
        is_retryable=is_retryable(
            category, status=meant_status, should_retry=headers.get("x-should-retry", "").strip().lower()
        ),
    )


def _lower_case(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def request_id_of(headers: Mapping[str, str], in_body: str | None = None) -> str | None:
    """The provider's id of a request: from its own header (names in lower case), else from the body, else a proxy's."""
    candidates = [*(headers.get(name) for name in _REQUEST_ID_HEADERS), in_body, headers.get("cf-ray")]
    return next(filter(None, candidates), None)


def _reason_phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase if status >= 300 else ""
    except ValueError:
        return ""


def _typed(details: Mapping[str, object], key: str, kind: type[T]) -> T | None:
    value = details.get(key)
    return value if isinstance(value, kind) else None
