"""The four sources of importance, each with what it found and what it adds (SEED4, DECISIONS D8)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from agdesk.core.ir.compaction import Contribution, Finding, Reference, Source
from agdesk.core.ir.openai_chat.to_openai import ERROR_PREFIX
from agdesk.core.ir.request import ResultSemantic

LEAST_LIST_ITEMS = 3
STATUS_CHARACTERS = 500
STATUS_KEYS = frozenset({"ok", "success", "status", "message", "id", "result", "error"})

_JSON = re.compile(r"\s*[\[{]")
_FAILED_WORDS = frozenset({"error", "failed", "failure"})
_DECLARED = {
    ResultSemantic.FACTUAL: Contribution(Source.DECLARED, 1.0, Finding.FACTUAL),
    ResultSemantic.ACTION: Contribution(Source.DECLARED, -1.0, Finding.ACTION),
    ResultSemantic.MIXED: Contribution(Source.DECLARED, 0.0, Finding.MIXED),
    None: Contribution(Source.DECLARED, 0.0, Finding.UNDECLARED),
}
_CONTENT = {
    Finding.LIST: Contribution(Source.CONTENT, 1.0, Finding.LIST),
    Finding.STATUS: Contribution(Source.CONTENT, -1.0, Finding.STATUS),
    Finding.ERROR: Contribution(Source.CONTENT, 0.0, Finding.ERROR),
    Finding.OTHER_CONTENT: Contribution(Source.CONTENT, 0.0, Finding.OTHER_CONTENT),
}
_NOT_REFERENCED = Contribution(Source.REFERENCE, 0.0, Finding.NOT_REFERENCED)


@dataclass(frozen=True, slots=True)
class Content:
    """What a result looks like: its JSON, None if it is none, and what that is."""

    document: Any
    finding: Finding


def read_content(text: str, *, is_error: bool) -> Content:
    """Source 2, before it counts.

    - An error: said to be one by the tool, or by its text as agdesk writes it for formats without a field for that
      (``Error: …``), or by its JSON: a member ``error`` or ``errors`` that holds something, ``ok`` or ``success``
      false, ``isError`` or ``is_error`` true, ``status`` one of error, failed, failure or a number from 400 to 599.
    - A list: a JSON array of three items or more, alone or as the only member of an object; also if that object
      looks like a status.
    - A status: an object with no other members than ok, success, status, message, id, result, error, in a text under
      500 characters.
    """
    document = _document(text)
    if is_error or text.startswith(ERROR_PREFIX) or (isinstance(document, dict) and _is_failure(document)):
        return Content(document, Finding.ERROR)
    items = next(iter(document.values())) if isinstance(document, dict) and len(document) == 1 else document
    if isinstance(items, list) and len(items) >= LEAST_LIST_ITEMS:
        return Content(document, Finding.LIST)
    if isinstance(document, dict) and document.keys() <= STATUS_KEYS and len(text) < STATUS_CHARACTERS:
        return Content(document, Finding.STATUS)
    return Content(document, Finding.OTHER_CONTENT)


def contributions(
    content: Content,
    *,
    semantic: ResultSemantic | None,
    reference: Reference | None,
    created_turn: int,
    current_turn: int,
    fading_turns: int,
) -> tuple[Contribution, ...]:
    """What each source adds; the reference adds nothing itself, it is from where fading counts.

    Args:
        content: of the result.
        semantic: what its tool declares; None: there is no such tool any more.
        reference: the last one; None: there is none.
        created_turn, current_turn: counted in messages of the user.
        fading_turns: K.
    """
    since = current_turn - (created_turn if reference is None else max(created_turn, reference.turn))
    faded = since // fading_turns
    referenced = _NOT_REFERENCED
    if reference is not None:
        turn, words = reference.turn, reference.words
        referenced = Contribution(Source.REFERENCE, 0.0, Finding.REFERENCED, turn=turn, words=words)
    return (
        _DECLARED[semantic],
        _CONTENT[content.finding],
        Contribution(Source.FADING, -0.5 * faded if faded else 0.0, Finding.AGE, turns=since),
        referenced,
    )


def _document(text: str) -> Any:
    if _JSON.match(text) is None:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _is_failure(document: dict[str, Any]) -> bool:
    status = document.get("status")
    return (
        bool(document.get("error") or document.get("errors"))
        or document.get("ok") is False
        or document.get("success") is False
        or document.get("isError") is True
        or document.get("is_error") is True
        or (isinstance(status, str) and status.lower() in _FAILED_WORDS)
        or (isinstance(status, int) and 400 <= status <= 599)
    )
