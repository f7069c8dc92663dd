"""The tables, step by step (D6).

What paints a conversation lives in ``message`` and ``turn`` and stays for good; what else was recorded lives in
``trace_chunk`` and ``blob`` and goes when it gets too much (INSP1). JSON stands in BLOB columns: it may hold halves of
UTF-16 pairs, which SQLite's TEXT cannot.
"""

from __future__ import annotations

import sqlite3

_TABLES = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    # leaf_id: the message that the active path ends with; last_seq: of the last record, whether it still exists or not
    """CREATE TABLE conversation (
        id TEXT PRIMARY KEY,
        title TEXT NOT NULL,
        group_name TEXT NOT NULL,
        is_pinned INTEGER NOT NULL,
        is_traced INTEGER NOT NULL,
        model_ref TEXT NOT NULL,
        created_ms INTEGER NOT NULL,
        updated_ms INTEGER NOT NULL,
        deleted_ms INTEGER,
        wall_start_ns INTEGER NOT NULL,
        leaf_id TEXT REFERENCES message (id) DEFERRABLE INITIALLY DEFERRED,
        last_seq INTEGER NOT NULL DEFAULT 0
    )""",
    "CREATE INDEX conversation_leaf ON conversation (leaf_id)",
    # id: the turn's of what the user wrote, the request's of an answer. rest: of ResponseReceived all but the message.
    # parent_id does not cascade: SQLite stops at 1,000 levels.
    """CREATE TABLE message (
        id TEXT PRIMARY KEY,
        conversation_id TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
        parent_id TEXT REFERENCES message (id) DEFERRABLE INITIALLY DEFERRED,
        turn_id TEXT NOT NULL,
        role TEXT NOT NULL,
        seq INTEGER NOT NULL,
        ts_ns INTEGER NOT NULL,
        created_ms INTEGER NOT NULL,
        json BLOB NOT NULL,
        rest BLOB,
        model TEXT,
        end_cause TEXT,
        prompt_tokens INTEGER,
        completion_tokens INTEGER
    )""",
    "CREATE INDEX message_place ON message (conversation_id, seq)",
    "CREATE INDEX message_parent ON message (parent_id)",
    # started: of TurnStarted all but the message; end_json: the record that ended it, NULL while it runs
    """CREATE TABLE turn (
        id TEXT PRIMARY KEY,
        conversation_id TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
        model_ref TEXT NOT NULL,
        started BLOB NOT NULL,
        end_seq INTEGER,
        end_ts_ns INTEGER,
        end_json BLOB
    )""",
    "CREATE INDEX turn_conversation ON turn (conversation_id)",
    "CREATE INDEX turn_running ON turn (id) WHERE end_json IS NULL",
    # a request has a row while anything of its trace is kept; is_closed: nothing more comes and its chunks are merged
    """CREATE TABLE request (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        conversation_id TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
        turn_id TEXT NOT NULL,
        is_closed INTEGER NOT NULL DEFAULT 0
    )""",
    "CREATE INDEX request_conversation ON request (conversation_id)",
    "CREATE INDEX request_open ON request (id) WHERE NOT is_closed",
    # kind records: first and last are seqs; kind frames: byte offsets into the response body. request_id is NULL for
    # records outside a request.
    """CREATE TABLE trace_chunk (
        id INTEGER PRIMARY KEY,
        conversation_id TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
        request_id TEXT REFERENCES request (id) ON DELETE CASCADE,
        turn_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        first INTEGER NOT NULL,
        last INTEGER NOT NULL,
        count INTEGER NOT NULL,
        codec TEXT NOT NULL,
        size_bytes INTEGER NOT NULL,
        bytes BLOB NOT NULL
    )""",
    "CREATE INDEX trace_chunk_request ON trace_chunk (request_id, kind, first, size_bytes)",
    "CREATE INDEX trace_chunk_place ON trace_chunk (conversation_id, kind, first)",
    # bytes: NULL for what is a file of that name in the folder blobs
    "CREATE TABLE blob (sha256 TEXT PRIMARY KEY, size_bytes INTEGER NOT NULL, bytes BLOB)",
    "CREATE INDEX blob_size ON blob (size_bytes)",
    """CREATE TABLE request_blob (
        request_id TEXT NOT NULL REFERENCES request (id) ON DELETE CASCADE,
        sha256 TEXT NOT NULL REFERENCES blob (sha256),
        PRIMARY KEY (request_id, sha256)
    ) WITHOUT ROWID""",
    "CREATE INDEX request_blob_content ON request_blob (sha256)",
    # a tab that was never sent from has a draft and no conversation
    "CREATE TABLE draft (conversation_id TEXT PRIMARY KEY, text BLOB NOT NULL)",
)


def create_tables(connection: sqlite3.Connection) -> None:
    """The first step: an empty file becomes a database of version 1."""
    for statement in _TABLES:
        connection.execute(statement)


def add_setups(connection: sqlite3.Connection) -> None:
    """The second step: what a conversation sets in its requests. One without a message has a setup and no row.

    parameters: JSON of ``RequestParameters``; system_prompt: UTF-8 with surrogates, NULL for none.
    """
    connection.execute(
        "CREATE TABLE setup (conversation_id TEXT PRIMARY KEY, parameters BLOB NOT NULL, system_prompt BLOB)"
    )


def add_branches(connection: sqlite3.Connection) -> None:
    """The third step: a message can be deleted with all that follows it, and brought back while the program runs."""
    connection.execute("ALTER TABLE message ADD COLUMN deleted_ms INTEGER")


def add_queue(connection: sqlite3.Connection) -> None:
    """The fourth step: messages that wait for their turn (CHAT6). A conversation without a message has a queue, too.

    json: the content of the message; place: their order.
    """
    connection.execute(
        "CREATE TABLE queue (id TEXT PRIMARY KEY, conversation_id TEXT NOT NULL, place INTEGER NOT NULL,"
        " json BLOB NOT NULL)"
    )
    connection.execute("CREATE INDEX queue_conversation ON queue (conversation_id, place)")


def add_attachments(connection: sqlite3.Connection) -> None:
    """The fifth step: bytes that belong to a message, a draft or a queued message, and go when none needs them (CHAT7).

    owner: ``message:``, ``draft:`` or ``queue:`` and an id. attachments: JSON of the blocks of a draft.
    """
    connection.execute(
        "CREATE TABLE held_blob (owner TEXT NOT NULL, sha256 TEXT NOT NULL REFERENCES blob (sha256),"
        " PRIMARY KEY (owner, sha256)) WITHOUT ROWID"
    )
    connection.execute("CREATE INDEX held_blob_content ON held_blob (sha256)")
    connection.execute("ALTER TABLE draft ADD COLUMN attachments BLOB")


def add_edits(connection: sqlite3.Connection) -> None:
    """The sixth step: a message that was being edited when the program ended (CHAT4)."""
    connection.execute(
        "CREATE TABLE edit (conversation_id TEXT PRIMARY KEY, message_id TEXT NOT NULL, text BLOB NOT NULL)"
    )


def add_tools(connection: sqlite3.Connection) -> None:
    """The seventh step: a conversation's tools, what became of its calls, and rules (TOOL3, TOOL7).

    call_record: a record of a call, as JSON; kept as messages are. permission.conversation_id: empty for all.
    setup.tools: JSON of ``ToolSelection``, NULL for none.
    """
    connection.execute(
        "CREATE TABLE call_record (conversation_id TEXT NOT NULL, seq INTEGER NOT NULL, ts_ns INTEGER NOT NULL,"
        " turn_id TEXT NOT NULL, kind TEXT NOT NULL, tool_use_id TEXT NOT NULL, json BLOB NOT NULL,"
        " PRIMARY KEY (conversation_id, seq)) WITHOUT ROWID"
    )
    connection.execute("CREATE INDEX call_record_turn ON call_record (turn_id)")
    connection.execute(
        "CREATE TABLE permission (id TEXT PRIMARY KEY, conversation_id TEXT NOT NULL, json BLOB NOT NULL,"
        " created_ms INTEGER NOT NULL, used_ms INTEGER NOT NULL, hits INTEGER NOT NULL)"
    )
    connection.execute("ALTER TABLE setup ADD COLUMN tools BLOB")
