"""What conversations set in their requests: kept when it changes, also before their first message."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TypeVar

from agdesk.core.errors import ProtocolError
from agdesk.core.ir.codec import from_json, to_json
from agdesk.core.ir.parameters import RequestParameters
from agdesk.core.ir.tool_selection import ToolSelection
from agdesk.core.store.feed import Operation
from agdesk.core.store.values import Setup
from agdesk.core.trace.lines import decode_json, encode_json

T = TypeVar("T")
log = logging.getLogger(__name__)


class Setups:
    """The setups of a store.

    Args:
        enqueue: has an operation written.
        reading: gives a connection; may be called from any thread.
    """

    def __init__(
        self,
        *,
        enqueue: Callable[[Operation], None],
        reading: Callable[[], AbstractContextManager[sqlite3.Connection]],
    ) -> None:
        self._enqueue = enqueue
        self._reading = reading
        self._unwritten: set[str] = set()
        with reading() as connection:
            rows = connection.execute(
                "SELECT conversation_id, parameters, system_prompt, tools FROM setup"
                " WHERE conversation_id NOT IN (SELECT id FROM conversation)"
            ).fetchall()
        self._known = {conversation_id: _read(*columns) for conversation_id, *columns in rows}

    def of_empty(self, conversation_id: str) -> Setup:
        """That of a conversation without a message."""
        return self._known.get(conversation_id, Setup())

    def load(self, conversation_id: str) -> Setup:
        """That of any conversation. Blocks.

        Raises:
            StoreError: the database cannot be read.
        """
        if (known := self._known.get(conversation_id)) is not None:
            return known
        with self._reading() as connection:
            row = connection.execute(
                "SELECT parameters, system_prompt, tools FROM setup WHERE conversation_id = ?", (conversation_id,)
            ).fetchone()
        return Setup() if row is None else _read(*row)

    def set(self, conversation_id: str, setup: Setup) -> None:
        """Keeps another one."""
        self._known[conversation_id] = setup
        if conversation_id not in self._unwritten:
            self._unwritten.add(conversation_id)
            self._enqueue(lambda connection: self._write(connection, conversation_id))

    def _write(self, connection: sqlite3.Connection, conversation_id: str) -> None:
        self._unwritten.discard(conversation_id)
        setup = self._known[conversation_id]
        if setup == Setup():
            connection.execute("DELETE FROM setup WHERE conversation_id = ?", (conversation_id,))
            return
        text = setup.system_prompt
        connection.execute(
            "INSERT OR REPLACE INTO setup VALUES (?, ?, ?, ?)",
            (
                conversation_id,
                encode_json(to_json(setup.parameters)),
                None if text is None else text.encode("utf-8", "surrogatepass"),
                None if setup.tools == ToolSelection() else encode_json(to_json(setup.tools)),
            ),
        )


def _read(parameters: bytes, system_prompt: bytes | None, tools: bytes | None) -> Setup:
    """A stored setup; a part that cannot be read is as one that was never set."""
    text = None if system_prompt is None else system_prompt.decode("utf-8", "surrogatepass")
    return Setup(
        _part(parameters, RequestParameters()),
        text,
        ToolSelection() if tools is None else _part(tools, ToolSelection()),
    )


def _part(stored: bytes, unset: T) -> T:
    try:
        found: T = from_json(type(unset), decode_json(stored))
    except (ValueError, RecursionError, ProtocolError) as error:
        log.error("the %s of a conversation cannot be read: %s", type(unset).__name__, error)
        return unset
    return found
