"""Ids of calls as an endpoint takes them (K17): the same for a call and for its result, and the same each time."""

from __future__ import annotations

import hashlib
import re

from agdesk.core.providers.base import Dialect

MAX_CHARACTERS = 40
_DIGEST_CHARACTERS = 8


def sendable_id(call_id: str, dialect: Dialect) -> str:
    """``call_id`` if the endpoint takes it, else one made from it."""
    digest = hashlib.sha256(call_id.encode("utf-8", "replace")).hexdigest()
    if (length := dialect.call_id_length) is not None:
        fits = re.fullmatch(f"[A-Za-z0-9]{{{length}}}", call_id)
        return call_id if fits else digest[:length]
    if len(call_id) <= MAX_CHARACTERS:
        return call_id
    return f"{call_id[: MAX_CHARACTERS - _DIGEST_CHARACTERS - 1]}_{digest[:_DIGEST_CHARACTERS]}"
