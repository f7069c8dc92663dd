"""``Store``: conversations, messages and traces on disk."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from agdesk.core.emitter import Emitter
from agdesk.core.errors import StoreError
from agdesk.core.ir.blocks import BlobRef
from agdesk.core.store import migrations
from agdesk.core.store.blobs import BlobFolder
from agdesk.core.store.budget import purge
from agdesk.core.store.calls import StoredCalls, interrupted_turns
from agdesk.core.store.chunks import read_body
from agdesk.core.store.conversations import Conversations
from agdesk.core.store.db import Database
from agdesk.core.store.edits import Edits
from agdesk.core.store.feed import Feed, Operation
from agdesk.core.store.held import HeldBlobs, drop_empty_draft
from agdesk.core.store.loading import load_conversation, read_trace
from agdesk.core.store.lock import FolderLock
from agdesk.core.store.permissions import Permissions
from agdesk.core.store.pieces import LongConversations
from agdesk.core.store.queue import Queues
from agdesk.core.store.recovery import ending
from agdesk.core.store.rows import list_conversations, save_conversation
from agdesk.core.store.setups import Setups
from agdesk.core.store.values import Conversation, StoredConversation, StoreState
from agdesk.core.store.writer import Writer
from agdesk.core.trace.events import TraceRecord, TreeChange
from agdesk.core.trace.recorder import Recorder

FILE_NAME = "agdesk.db"

log = logging.getLogger(__name__)


class Store:
    """Made by ``open``. Reading may take a while and is allowed from any thread; everything else returns at once.

    Attributes:
        conversations: the list, in memory.
        setups: what they set in their requests.
        edits: what is written in place of their messages.
        queues: their messages that wait.
        held: the bytes of their attachments.
        calls, permissions: what became of the calls of their answers, and the rules that answer calls.
        long: those that are too long to be waited for.
    """

    def __init__(self, database: Database, lock: FolderLock, *, budget_bytes: Callable[[], int]) -> None:
        self._database = database
        self._lock = lock
        self._blobs = BlobFolder(database.folder)
        self._feeds: dict[str, Feed] = {}
        self._drafts: dict[str, str] = {}
        self._unwritten_drafts: set[str] = set()
        self._writer = Writer(database, self._blobs, budget_bytes=budget_bytes)
        self.calls = StoredCalls(reading=self._reading)
        self.held = HeldBlobs(self._blobs, enqueue=self._writer.enqueue, reading=self._reading)
        try:
            self._put_in_order()
            with self._reading() as connection:
                rows = list_conversations(connection)
            self.setups = Setups(enqueue=self._writer.enqueue, reading=self._reading)
            self.long = LongConversations(reading=self._reading)
            self.edits = Edits(enqueue=self._writer.enqueue, reading=self._reading)
            self.queues = Queues(enqueue=self._write_at_once, reading=self._reading)
            self.permissions = Permissions(enqueue=self._write_at_once, reading=self._reading)
        except BaseException:
            self._writer.close()
            raise
        self.conversations = Conversations(rows, save=self._save)
        self.conversations.changed.subscribe(self._on_changed)

    @classmethod
    def open(cls, folder: Path, *, budget_bytes: Callable[[], int]) -> Store:
        """Opens the store of a data folder. Blocks: for a thread, or before the loop.

        Brings an older database up to date, ends the turns that a crash cut, and removes what was deleted. On a disk
        that is full everything stored can be read, and ``state`` says so.

        Args:
            folder: the data folder, which must exist; it is locked until ``aclose``.
            budget_bytes: how much traces may take; called on the writer's thread whenever a request has ended.

        Raises:
            StoreInUse: another agdesk has the folder.
            StoreCorrupt: the database is damaged; it is left as it is.
            SchemaTooNew: a newer agdesk wrote it.
            StoreError: it cannot be read, made or brought up to date.
        """
        lock = FolderLock(folder)
        database = Database(folder / FILE_NAME)
        try:
            try:
                migrations.migrate(database.path)
            except (sqlite3.Error, OSError) as error:
                raise database.error(error) from error
            database.open()
            return cls(database, lock, budget_bytes=budget_bytes)
        except BaseException:
            database.close()
            lock.release()
            raise

    @property
    def state(self) -> StoreState:
        """Whether what happens is being kept."""
        return self._writer.state

    @property
    def states(self) -> Emitter[StoreState]:
        """Every change of ``state``, on the thread of the loop that last called ``follow`` or ``settled``."""
        return self._writer.states

    def follow(self, recorder: Recorder, conversation: Conversation) -> Callable[[], None]:
        """Keeps everything of ``recorder`` from now on; the row of a new conversation is written with its first turn.

        On the loop's thread, where the recorder records. Returns the call that ends it.
        """
        self._writer.note_loop()
        conversations, conversation_id = self.conversations, conversation.id
        conversations.add_empty(conversation)
        known = conversations.get(conversation_id) or conversation
        feed = self._feeds[conversation_id] = Feed(
            conversation_id,
            blobs=self._blobs,
            row=lambda: conversations.row_to_save(conversation_id),
            is_stored=conversations.is_stored(conversation_id),
            is_traced=known.is_traced,
        )
        writer = self._writer
        writer.add_feed(feed)
        end = feed.listen(
            recorder,
            ring=writer.ring,
            is_idle=lambda: writer.is_idle,
            on_turn=lambda turn: conversations.begin_turn(conversation_id, turn),
        )

        def unfollow() -> None:
            end()
            if self._feeds.get(conversation_id) is feed:
                del self._feeds[conversation_id]
                conversations.drop_empty(conversation_id)

        return unfollow

    def load(self, conversation_id: str, changes: Sequence[TreeChange] = ()) -> StoredConversation:
        """What a session continues from, as it would be after changes of its tree. Blocks.

        Raises:
            StoreError: there is no such conversation, or it cannot be read.
        """
        with self._reading() as connection:
            return load_conversation(connection, conversation_id, changes)

    def trace(self, conversation_id: str) -> Iterator[list[TraceRecord]]:
        """All records that are committed, by seq, in batches of at most 2,000, as they were when it began. Blocks.

        ``settled`` brings those before this moment in. What cannot be read is told of by an ``Unknown`` record in its
        place.

        Raises:
            StoreError: the database cannot be read.
        """
        with self._reading() as connection:
            yield from read_trace(connection, conversation_id)

    def body(self, request_id: str) -> bytes | None:
        """A response's body as received, secrets replaced; None if it is not kept. Blocks.

        Raises:
            StoreError: the database cannot be read.
        """
        with self._reading() as connection:
            return read_body(connection, request_id)

    def blob(self, reference: BlobRef) -> bytes | None:
        """A blob's bytes; None if it is not kept or damaged. Blocks.

        Raises:
            StoreError: the database cannot be read.
        """
        return self.held.read(reference)

    def draft(self, conversation_id: str) -> str:
        """What was written and not sent; empty if nothing. Blocks.

        Raises:
            StoreError: the database cannot be read.
        """
        if conversation_id in self._drafts:
            return self._drafts[conversation_id]
        with self._reading() as connection:
            found = connection.execute(
                "SELECT text FROM draft WHERE conversation_id = ?", (conversation_id,)
            ).fetchone()
        return bytes(found[0]).decode("utf-8", "surrogatepass") if found else ""

    def set_draft(self, conversation_id: str, text: str) -> None:
        """Keeps what is written and not sent; empty removes it."""
        self._drafts[conversation_id] = text
        if conversation_id not in self._unwritten_drafts:
            self._unwritten_drafts.add(conversation_id)
            self._writer.enqueue(lambda connection: self._write_draft(connection, conversation_id))

    async def settled(self) -> None:
        """Returns when everything so far is committed.

        Raises:
            StoreError: it cannot be written now; it waits and is tried again.
        """
        self._writer.note_loop()
        await asyncio.wrap_future(self._writer.flushed())

    def try_again(self) -> None:
        """Writes now what could not be written, instead of at the next attempt two seconds later at most."""
        self._writer.try_again()

    async def aclose(self) -> None:
        """Writes what waits, removes what was deleted, and gives the folder free."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._writer.enqueue(purge)
        self._writer.close()
        self._database.close()
        self._lock.release()

    def _put_in_order(self) -> None:
        """What the last run left undone. On a full disk it waits with everything else."""
        with self._reading() as connection:
            interrupted = interrupted_turns(connection)
            unmerged = [row[0] for row in connection.execute("SELECT id FROM request WHERE NOT is_closed")]
        for conversation_id, turn_id in interrupted:
            self._writer.enqueue(ending(conversation_id, turn_id))
        self._writer.enqueue(purge)
        self._writer.enqueue(self._blobs.remove_unlisted)
        for request_id in unmerged:
            self._writer.merge(request_id)
        try:
            self._writer.flushed().result()
        except StoreError as error:
            log.info("%s", error.message)

    def _write_at_once(self, operation: Operation) -> None:
        self._writer.enqueue(operation)
        self._writer.ring(True)

    def _save(self, conversation_id: str) -> None:
        """Writes the row as it is when its turn comes: records that were made later may be written earlier."""
        row = self.conversations.row_to_save
        self._writer.enqueue(lambda connection: save_conversation(connection, *row(conversation_id)))

    def _on_changed(self, conversation_id: str) -> None:
        feed, row = self._feeds.get(conversation_id), self.conversations.get(conversation_id)
        if feed is not None and row is not None:
            feed.is_traced = row.is_traced

    def _write_draft(self, connection: sqlite3.Connection, conversation_id: str) -> None:
        self._unwritten_drafts.discard(conversation_id)
        connection.execute(
            "INSERT INTO draft (conversation_id, text) VALUES (?, ?)"
            " ON CONFLICT (conversation_id) DO UPDATE SET text = excluded.text",
            (conversation_id, self._drafts[conversation_id].encode("utf-8", "surrogatepass")),
        )
        drop_empty_draft(connection, conversation_id)

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._database.reading() as connection:
                yield connection
        except (sqlite3.Error, OSError) as error:
            raise self._database.error(error) from error


def set_aside(folder: Path) -> Path:
    """Moves the database of a data folder away, for one that cannot be opened; gives its new name. Blocks.

    Raises:
        StoreInUse: another agdesk has the folder.
        StoreError: it cannot be moved.
    """
    lock = FolderLock(folder)
    try:
        return migrations.set_aside(folder / FILE_NAME)
    except OSError as error:
        raise StoreError(
            f"The database {folder / FILE_NAME} cannot be moved: {error.strerror}", "Move it away yourself."
        ) from error
    finally:
        lock.release()
