"""CHAT4: whatever is edited, asked again, selected and deleted, nothing is overwritten and the active path survives."""

import random
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field

import pytest

from agdesk.core.errors import ConfigurationError, ErrorCategory, ProviderRejection
from agdesk.core.ir import stream as ev
from agdesk.core.ir.messages import text_of
from agdesk.core.ir.response import StopReason
from agdesk.core.store import loading, pieces
from agdesk.core.trace.events import ResponseReceived, TurnStarted
from tests.fakes.workspace import scripted_workspace

CONVERSATIONS = 50
STEPS = 14


def answer(number):
    if number % 7 == 3:
        return (ProviderRejection("no", "", category=ErrorCategory.INVALID_REQUEST, status=400),)
    return (
        ev.MessageStart(f"id-{number}", "model"),
        ev.ContentBlockStart(0, ev.TextType()),
        ev.TextDelta(f"answer {number}", 0),
        ev.ContentBlockEnd(0),
        ev.MessageComplete(StopReason.END_TURN),
    )


@dataclass
class Expected:
    """The tree as it has to be, kept in the simplest way there is."""

    texts: dict = field(default_factory=dict)
    parents: dict = field(default_factory=dict)
    deleted: set = field(default_factory=set)
    path: list = field(default_factory=list)

    def is_gone(self, message_id):
        while message_id is not None:
            if message_id in self.deleted:
                return True
            message_id = self.parents[message_id]
        return False

    def path_to(self, message_id):
        path = []
        while message_id is not None:
            path.insert(0, message_id)
            message_id = self.parents[message_id]
        return path

    def siblings(self, parent):
        return [one for one in self.texts if self.parents[one] == parent and one not in self.deleted]


class Conversation:
    def __init__(self, workspace, session, *, folder):
        self.workspace = workspace
        self.session = session
        self.folder = folder
        self.expected = Expected()
        self.rows = {}

    @property
    def tree(self):
        return self.session.branches.tree

    def ids(self):
        return [node.id for node in self.tree.path()]

    async def play(self, start, kept):
        """A turn: what it adds follows the last of ``kept``, in order; nothing else may change."""
        await start()
        path = self.ids()
        assert path[: len(kept)] == kept
        new = path[len(kept) :]
        for parent, added in zip([kept[-1] if kept else None, *new], new, strict=False):
            assert added not in self.expected.texts
            self.expected.parents[added] = parent
        texts = [text_of(message.content) for message in self.session.next_request("model").messages]
        self.expected.texts |= dict(zip(new, texts[len(kept) :], strict=True))
        self.expected.path = path

    def check(self):
        expected = self.expected
        assert self.ids() == expected.path
        request = self.session.next_request("model")
        assert [text_of(message.content) for message in request.messages] == [expected.texts[i] for i in expected.path]
        for message_id, text in expected.texts.items():
            assert self.tree.node(message_id).parent_id == expected.parents[message_id]
            assert self.tree.node(message_id).head == text[:80]
            if not expected.is_gone(message_id):
                parent = expected.parents[message_id]
                assert [node.id for node in self.tree.children(parent)] == expected.siblings(parent)

    async def check_stored(self):
        await self.workspace.store.settled()
        stored = self.workspace.store.load(self.session.id)
        painted = [record.payload for record in stored.records]
        contents = [
            p.message if isinstance(p, TurnStarted) else p.response.message
            for p in painted
            if isinstance(p, TurnStarted | ResponseReceived)
        ]
        texts = [text_of(message.content) for message in contents if message.content]
        assert texts == [self.expected.texts[message_id] for message_id in self.expected.path]
        assert [text_of(message.content) for message in stored.messages] == texts
        self.check_parts(stored)
        self.check_rows()

    def check_parts(self, stored):
        """Its end, read alone, is the end of the whole; and the whole, read in pieces, is the same."""
        long, session_id = self.workspace.store.long, self.session.id
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(loading, "SHORT_MESSAGES", 0)
            patch.setattr(loading, "END_MESSAGES", 4)
            patch.setattr(pieces, "PIECE_RECORDS", 3)
            end = long.end(session_id)
            outline = long.outline(session_id)
            parts = list(long.pieces(session_id, outline))
        assert end.is_whole == (len(stored.messages) < 4)
        assert end.records == stored.records[len(stored.records) - len(end.records) :]
        assert end.messages == stored.messages[len(stored.messages) - len(end.messages) :]
        assert (end.last_seq, end.last_ts_ns) == (stored.last_seq, stored.last_ts_ns)
        assert tuple(record for part in parts for record in part.records) == stored.records
        assert tuple(usage for part in parts for usage in part.usages) == stored.usages
        for node in (node for part in parts for node in part.nodes):
            outline.tree.fill(node)
        assert outline.tree.outline() == stored.tree.outline()
        assert outline.tree.path() == stored.tree.path()

    def check_rows(self):
        """Every message that was ever made is there, byte for byte, unless it was deleted."""
        with closing(sqlite3.connect(self.folder / "agdesk.db")) as connection:
            found = connection.execute("SELECT id, parent_id, turn_id, role, seq, ts_ns, json, rest FROM message")
            rows = {row[0]: row[1:] for row in found}
        assert {one: rows.get(one) for one in self.rows} == self.rows
        assert rows.keys() >= self.expected.texts.keys()
        self.rows = {one: rows[one] for one in self.expected.texts}

    async def reopen(self):
        await self.workspace.close_session(self.session)
        self.session, _ = await self.workspace.open_conversation(self.session.id)


async def act(chat, chance, number):
    expected, path = chat.expected, chat.expected.path
    alive = [one for one in expected.texts if not expected.is_gone(one)]
    action = chance.choice(["send", "send", "again", "edit", "select", "delete", "restore", "reopen"])
    if action == "send" or not path:
        await chat.play(lambda: chat.session.submit(f"question {number}"), path)
    elif action == "again":
        target = chance.choice(alive)
        question = target
        while question is not None and chat.tree.node(question).role != "user":
            question = expected.parents[question]
        if question is None:
            with pytest.raises(ConfigurationError):
                chat.session.regenerate(target)
        else:
            await chat.play(lambda: chat.session.regenerate(target), expected.path_to(question))
    elif action == "edit":
        target = chance.choice(alive)
        await chat.play(lambda: chat.session.edit(target, f"edited {number}"), expected.path_to(target)[:-1])
    elif action == "select":
        target = chance.choice(alive)
        await chat.session.select(target)
        expected.path = chat.ids()
        assert target in expected.path
        assert not any(expected.is_gone(one) for one in expected.path)
    elif action == "delete":
        target = chance.choice(alive)
        await chat.session.delete(target)
        expected.deleted.add(target)
        if target in path:
            expected.path = chat.ids()
            assert expected.path[: path.index(target)] == path[: path.index(target)]
            assert not any(expected.is_gone(one) for one in expected.path)
    elif action == "restore" and expected.deleted:
        target = chance.choice([one for one in expected.texts if one in expected.deleted])
        expected.deleted.discard(target)
        chat.session.restore(target)
    elif action == "reopen":
        await chat.reopen()


@pytest.mark.parametrize("seed", range(CONVERSATIONS))
async def test_nothing_is_overwritten_and_the_active_path_survives(tmp_path, seed):
    chance = random.Random(seed)
    workspace, _ = scripted_workspace(tmp_path, *(answer(number) for number in range(seed % 7, STEPS * 2 + 7)))
    chat = Conversation(workspace, workspace.open_session(), folder=tmp_path)
    for number in range(STEPS):
        await act(chat, chance, number)
        chat.check()
        if number % 5 == 4:
            await chat.check_stored()
    await chat.check_stored()
    await chat.reopen()
    chat.check()
    await workspace.aclose()

    workspace, _ = scripted_workspace(tmp_path)
    chat.session, _ = await workspace.open_conversation(chat.session.id)
    gone = {one for one in chat.expected.texts if chat.expected.is_gone(one)}
    assert not any(one in chat.tree for one in gone), "what was deleted goes when the store is closed"
    for one in gone:
        del chat.expected.texts[one]
        chat.rows.pop(one, None)
    chat.check()
    chat.check_rows()
    await workspace.aclose()
