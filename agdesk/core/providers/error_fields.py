"""Finds the words of an error in whatever JSON a provider wraps them in (E02, E09, G11)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agdesk.core.providers.error_param import named_parameter
from agdesk.core.providers.retry_after import told_delay

MAX_MESSAGE_CHARS = 2000
_MAX_DEPTH = 8
_NESTS = ("error", "errors", "detail", "message", "response", "metadata", "raw", "innererror")
_MESSAGE_KEYS = ("message", "msg", "error_message", "error_description", "Message", "detail", "error", "title")
_CODE_KEYS = ("code", "error_code", "status", "type", "error_type", "reason")
_STATUS_KEYS = ("status_code", "raw_status_code", "http_code", "code", "status")
_ANSWER_KEYS = frozenset({"choices", "output", "candidates", "content"})
_TITLE = re.compile(r"<title[^>]*>(.*?)</title", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class ErrorFields:
    """What an error says of itself.

    Attributes:
        message: the provider's words, the innermost of a nest; empty if there are none.
        code: the provider's own code or type, the most telling one.
        words: every code, type and status word of the nest, for classification.
        status: an HTTP status named inside the body; None if there is none.
        delay: the text of a retry delay in the body, e.g. ``34.4s``.
        request_id: the provider's id of the request, if the body has it.
        param: the parameter that the error names, in the provider's words; None if it names none.
    """

    message: str = ""
    code: str | None = None
    words: tuple[str, ...] = ()
    status: int | None = None
    delay: str | None = None
    request_id: str | None = None
    param: str | None = None


def read_error(payload: object) -> ErrorFields:
    """The fields of an error: an object, an array of one, a string, or a nest of these."""
    layers = list(_layers(payload, depth=0))
    tables = [layer for layer in layers if isinstance(layer, Mapping)]
    inner_first = tables[::-1]
    # a reason in Google's details is more exact than the status beside them
    details = [item for table in tables for item in _objects(table.get("details"))]
    words = [word for table in [*inner_first, *details] for word in _words(table)]
    if any("flagged_input" in table for table in tables):
        words.append("flagged_input")
    message = clean(next(filter(None, map(_message, layers[::-1])), ""))
    param = named_parameter([*_located(inner_first), *inner_first, *details], message=message)
    return ErrorFields(
        message=message,
        code=next(filter(None, map(_code, inner_first)), None),
        words=tuple(words),
        status=next(filter(None, map(_status, inner_first)), None),
        delay=next(filter(None, (*map(_google_delay, details), *map(_delay, inner_first), told_delay(message))), None),
        request_id=next((clean(t["request_id"]) for t in tables if isinstance(t.get("request_id"), str)), None),
        param=clean(param) if param is not None else None,
    )


def _google_delay(detail: Mapping[str, Any]) -> str | None:
    delay = detail.get("retryDelay")
    return delay if isinstance(delay, str) else None


def _delay(table: Mapping[str, Any]) -> str | None:
    """A wait that a body tells; OpenRouter quotes the headers of the provider behind it (E09)."""
    headers = table.get("headers")
    quoted = {name.lower(): value for name, value in headers.items()} if isinstance(headers, Mapping) else {}
    candidates = (table.get("retry_after"), quoted.get("retry-after"), quoted.get("x-ratelimit-reset"))
    return next((str(value) for value in candidates if _is_told(value)), None)


def _is_told(value: object) -> bool:
    return bool(value) and isinstance(value, str | int | float) and not isinstance(value, bool)


def read_error_text(text: str) -> ErrorFields:
    """The fields of an error body: JSON, a web page (E10) or plain text (T25)."""
    text = text.lstrip("\ufeff").strip()
    payload = _parsed(text)
    if payload is not None:
        return read_error(payload)
    if text.startswith("<"):
        return ErrorFields(message=describe_page(text))
    words = clean(text)
    return ErrorFields(message=words, delay=told_delay(words), param=named_parameter((), message=words))


def is_error_document(document: object) -> bool:
    """Whether a JSON body that came with a status of success is an error all the same (T22)."""
    if isinstance(document, list):
        return len(document) == 1 and is_error_document(document[0])
    if not isinstance(document, Mapping):
        return False
    if document.get("error") or document.get("errors") or "error" in (document.get("type"), document.get("object")):
        return True
    has_words = isinstance(document.get("message"), str) or "detail" in document
    return has_words and not _ANSWER_KEYS & document.keys()


def describe_page(text: str) -> str:
    """A web page in a few words: its title."""
    import html  # only for this rare case: its table of entities is large

    title = _TITLE.search(text[:65536])
    words = clean(" ".join(html.unescape(title[1]).split())) if title else ""
    return f"an HTML page titled “{words}”" if words else "an HTML page"


def clean(text: str) -> str:
    """Foreign words, fit to be shown and stored: no lone surrogates (T27), not longer than a screen."""
    text = text.strip().encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text if len(text) <= MAX_MESSAGE_CHARS else text[:MAX_MESSAGE_CHARS] + "…"


def _layers(value: object, *, depth: int) -> Iterator[object]:
    """``value`` and what it wraps, outermost first."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, str):
        payload = _parsed(value)
        if payload is not None:
            yield from _layers(payload, depth=depth + 1)
        else:
            yield describe_page(value) if value.lstrip().startswith("<") else value
    elif isinstance(value, list):
        yield "; ".join(filter(None, (_list_item(item) for item in value)))
        if value and isinstance(value[0], Mapping) and not isinstance(value[0].get("loc"), list):
            yield from _layers(value[0], depth=depth + 1)
    elif isinstance(value, Mapping):
        yield value
        for key in _NESTS:
            inner = value.get(key)
            is_text = isinstance(inner, str) and (key == "raw" or _parsed(inner) is not None)
            if is_text or (inner and isinstance(inner, Mapping | list)):
                yield from _layers(inner, depth=depth + 1)
                return


def _list_item(item: object) -> str:
    if isinstance(item, str):
        return item
    if isinstance(item, Mapping) and isinstance(item.get("loc"), list):  # a validation error: where and what
        return f"{'.'.join(map(str, item['loc']))}: {item.get('msg', '')}"
    return ""


def _message(layer: object) -> str:
    if isinstance(layer, str):
        return layer
    assert isinstance(layer, Mapping)
    return next((layer[key] for key in _MESSAGE_KEYS if isinstance(layer.get(key), str) and layer[key].strip()), "")


def _words(table: Mapping[str, Any]) -> Iterator[str]:
    yield from (table[key] for key in _CODE_KEYS if isinstance(table.get(key), str))
    if isinstance(table.get("error"), str) and "message" in table:
        yield table["error"]


def _code(table: Mapping[str, Any]) -> str | None:
    """The code of one layer: a word before a number; an HTTP status is none."""
    words = [word for word in _words(table) if word and word != "error" and _http_status(word) is None]
    if words:
        return clean(words[0])
    number = table.get("code")
    is_own_number = isinstance(number, int) and not isinstance(number, bool) and _http_status(number) is None
    return str(number) if is_own_number else None


def _status(table: Mapping[str, Any]) -> int | None:
    return next(filter(None, (_http_status(table.get(key)) for key in _STATUS_KEYS)), None)


def _http_status(value: object) -> int | None:
    if isinstance(value, str) and value.isdecimal() and len(value) == 3:
        value = int(value)
    return value if isinstance(value, int) and 400 <= value < 600 else None


def _located(tables: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The errors of validators, which stand in lists that are no layers."""
    return [item for table in tables for key in _NESTS for item in _objects(table.get(key)) if "loc" in item]


def _objects(value: object) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _parsed(text: str) -> Mapping[str, Any] | list[Any] | None:
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None
