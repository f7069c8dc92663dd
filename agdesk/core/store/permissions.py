"""The rules that answer calls: kept, with how often each has decided (TOOL7, TOOL8)."""

from __future__ import annotations

import dataclasses
import logging
import sqlite3
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from agdesk.core.emitter import Emitter
from agdesk.core.errors import ProtocolError
from agdesk.core.ir.approval import ApprovalRule
from agdesk.core.ir.codec import Unknown, from_json, to_json
from agdesk.core.store.feed import Operation
from agdesk.core.trace.lines import decode_json, encode_json

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Permission:
    """A rule that is kept.

    Attributes:
        rule: an ``Unknown`` could not be read; it denies every call until it is removed.
        conversation_id: the one that it holds for; empty for all.
        created_ms, used_ms: wall clock, milliseconds since 1970; ``used_ms`` 0 if it has never decided.
        hits: how often it has decided.
    """

    id: str
    rule: ApprovalRule | Unknown
    conversation_id: str
    created_ms: int
    used_ms: int = 0
    hits: int = 0


class Permissions:
    """The rules of a store, all in memory; changed on the loop's thread.

    Args:
        enqueue: has an operation written.
        reading: gives a connection.

    Attributes:
        changed: a rule came, went or is another.
    """

    def __init__(
        self,
        *,
        enqueue: Callable[[Operation], None],
        reading: Callable[[], AbstractContextManager[sqlite3.Connection]],
    ) -> None:
        self.changed: Emitter[None] = Emitter()
        self._enqueue = enqueue
        with reading() as connection:
            rows = connection.execute(
                "SELECT id, json, conversation_id, created_ms, used_ms, hits FROM permission ORDER BY created_ms, rowid"
            ).fetchall()
        self._known = {row[0]: Permission(row[0], _read(row[1]), *row[2:]) for row in rows}

    @property
    def all(self) -> tuple[Permission, ...]:
        """Every rule, oldest first."""
        return tuple(self._known.values())

    def rules_for(self, conversation_id: str) -> tuple[ApprovalRule | Unknown, ...]:
        """Those that answer the calls of a conversation."""
        return tuple(one.rule for one in self._known.values() if one.conversation_id in ("", conversation_id))

    def keep(self, rule: ApprovalRule, *, conversation_id: str = "") -> None:
        """Keeps a rule, in place of the one with its id."""
        known = self._known.get(rule.id)
        if known is None:
            known = Permission(rule.id, rule, conversation_id, time.time_ns() // 1_000_000)
        self._set(dataclasses.replace(known, rule=rule, conversation_id=conversation_id))
        self.changed.emit(None)

    def remove(self, rule_id: str) -> Permission | None:
        """Takes a rule back: it decides nothing from now on. Gives it for ``restore``."""
        permission = self._known.pop(rule_id, None)
        if permission is not None:
            self._write("DELETE FROM permission WHERE id = ?", (rule_id,))
            self.changed.emit(None)
        return permission

    def restore(self, permission: Permission) -> None:
        """Puts a rule back that was removed."""
        self._set(permission)
        self.changed.emit(None)

    def note_use(self, rule_id: str) -> None:
        """A rule has decided; one for a single answer is not kept and not counted."""
        if (known := self._known.get(rule_id)) is not None:
            self._set(dataclasses.replace(known, used_ms=time.time_ns() // 1_000_000, hits=known.hits + 1))
            self.changed.emit(None)

    def _set(self, permission: Permission) -> None:
        self._known[permission.id] = permission
        document = permission.rule.raw if isinstance(permission.rule, Unknown) else to_json(permission.rule)
        values = (
            permission.id,
            permission.conversation_id,
            encode_json(document),
            permission.created_ms,
            permission.used_ms,
            permission.hits,
        )
        self._write("INSERT OR REPLACE INTO permission VALUES (?, ?, ?, ?, ?, ?)", values)

    def _write(self, statement: str, values: tuple[object, ...]) -> None:
        def write(connection: sqlite3.Connection) -> None:
            connection.execute(statement, values)

        self._enqueue(write)


def _read(stored: bytes) -> ApprovalRule | Unknown:
    try:
        rule: ApprovalRule | Unknown = from_json(ApprovalRule | Unknown, decode_json(stored))
    except (ValueError, RecursionError, ProtocolError) as error:
        log.error("a permission cannot be read and denies every call: %s", error)
        return Unknown("approval_rule", {"type": "approval_rule"})
    return rule
