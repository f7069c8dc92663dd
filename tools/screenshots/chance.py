"""Ids that are counted, not drawn by lot: they stand in the inspector."""

from __future__ import annotations

import hashlib
import uuid

_count = 0


def freeze() -> None:
    """Replaces ``uuid.uuid4``; call it before agdesk is imported."""
    uuid.uuid4 = _next_uuid


def reset() -> None:
    """Begins anew, for the next picture."""
    global _count
    _count = 0


def _next_uuid() -> uuid.UUID:
    global _count
    _count += 1
    return uuid.UUID(bytes=hashlib.sha256(str(_count).encode()).digest()[:16], version=4)
