"""An older database becomes a newer one on a copy; whatever happens on the way, a usable file stays."""

import sqlite3
import stat
from contextlib import closing

import pytest

from agdesk.core.errors import SchemaTooNew, StoreCorrupt, StoreError, StoreInUse
from agdesk.core.ir.messages import user
from agdesk.core.ir.request import RequestParameters
from agdesk.core.store.migrations import STEPS, migrate, set_aside
from agdesk.core.store.rows import save_conversation, write_milestone
from agdesk.core.store.store import set_aside as set_store_aside
from agdesk.core.store.values import Setup
from agdesk.core.trace.events import TurnCompleted, TurnStarted
from agdesk.core.trace.recorder import Recorder
from tests.fakes.storing import Recorded, conversation_of, open_store, trace_of


def one(connection):
    connection.execute("CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT)")
    connection.execute("CREATE TABLE child (parent_id INTEGER REFERENCES parent (id))")


def two(connection):
    connection.execute("ALTER TABLE parent ADD COLUMN age INTEGER NOT NULL DEFAULT 7")


def three(connection):
    connection.execute("UPDATE parent SET name = upper(name)")


def orphan(connection):
    connection.execute("INSERT INTO child VALUES (99)")


def tag(connection):
    connection.execute("CREATE TABLE tag (name)")


def rows(path, query="SELECT * FROM parent"):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def version(path):
    return rows(path, "PRAGMA user_version")[0][0]


@pytest.fixture
def old(tmp_path):
    """A database of version 1 whose last change still stands in its -wal."""
    path = tmp_path / "agdesk.db"
    migrate(path, [one])
    source = sqlite3.connect(path, isolation_level=None)
    source.execute("PRAGMA journal_mode = WAL")
    source.execute("INSERT INTO parent VALUES (1, 'ada')")
    content = {name: (tmp_path / name).read_bytes() for name in ("agdesk.db", "agdesk.db-wal")}
    source.close()
    for name, file in content.items():
        (tmp_path / name).write_bytes(file)
    return path


def test_a_new_file_is_made_by_all_steps_and_nothing_is_kept_beside_it(tmp_path):
    path = tmp_path / "agdesk.db"
    assert migrate(path, [one, two, three]) is None
    assert version(path) == 3
    assert [file.name for file in tmp_path.iterdir()] == ["agdesk.db"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_only_the_missing_steps_run_and_the_old_file_is_kept(old):
    kept = migrate(old, [one, two, three])

    assert rows(old) == [(1, "ADA", 7)]
    assert version(old) == 3
    assert (rows(kept), version(kept), kept.name) == ([(1, "ada")], 1, "agdesk.db.v1-1")
    assert migrate(old, [one, two, three]) is None
    assert sorted(file.name for file in old.parent.iterdir()) == ["agdesk.db", "agdesk.db.v1-1"]


def test_a_kept_file_is_never_written_over(old):
    (old.parent / "agdesk.db.v1-1").write_text("kept before")
    kept = migrate(old, [one, two])

    assert kept.name == "agdesk.db.v1-2"
    assert (old.parent / "agdesk.db.v1-1").read_text() == "kept before"


def test_a_file_system_without_links_keeps_a_copy(old, monkeypatch):
    def refuse(*_):
        raise OSError("no links here")

    monkeypatch.setattr("os.link", refuse)
    (old.parent / "agdesk.db.v1-1").write_text("kept before")
    kept = migrate(old, [one, two])

    assert (rows(kept), rows(old)) == ([(1, "ada")], [(1, "ada", 7)])
    assert kept.name == "agdesk.db.v1-2"


class Crash(BaseException):
    """Stands for the end of the process: nothing may catch and repair it."""


@pytest.mark.parametrize("place", ["backup", "step", "link", "replace"])
def test_a_crash_at_any_point_leaves_the_old_file_usable(old, monkeypatch, place):
    def crash(*_arguments, **_options):
        raise Crash

    steps = [one, two]
    with monkeypatch.context() as patch:
        match place:
            case "backup":
                patch.setattr("agdesk.core.store.migrations._verify", crash)
            case "step":
                steps = [one, crash]
            case "link":
                patch.setattr("os.link", crash)
            case "replace":
                patch.setattr("pathlib.Path.replace", crash)
        # a killed process cleans nothing up either
        patch.setattr("pathlib.Path.unlink", lambda *_, **__: None)
        with pytest.raises(Crash):
            migrate(old, steps)
    assert version(old) == 1
    assert rows(old) == [(1, "ada")]

    assert migrate(old, [one, two]) is not None
    assert rows(old) == [(1, "ada", 7)]
    assert not (old.parent / "agdesk.db.migrating").exists()


def test_a_step_that_fails_changes_nothing(old):
    def broken(connection):
        connection.execute("DELETE FROM parent")
        connection.execute("SELECT * FROM nothing")

    with pytest.raises(sqlite3.OperationalError):
        migrate(old, [one, broken])
    assert (rows(old), version(old)) == ([(1, "ada")], 1)
    assert [file.name for file in old.parent.iterdir() if "db" in file.name] == ["agdesk.db"]


def test_a_step_that_breaks_references_changes_nothing(old):
    with pytest.raises(StoreError, match="version 2"):
        migrate(old, [one, orphan])
    assert (rows(old), version(old)) == ([(1, "ada")], 1)


def test_a_newer_file_is_refused_and_left_as_it_is(old):
    migrate(old, [one, two])
    content = old.read_bytes()
    with pytest.raises(SchemaTooNew, match="newer agdesk"):
        migrate(old, [one])
    assert old.read_bytes() == content


def test_a_database_that_is_set_aside_is_whole_and_writes_over_nothing(old):
    (old.parent / "agdesk.db.aside-1-wal").write_text("set aside before")
    aside = set_aside(old)

    assert aside.name == "agdesk.db.aside-2"
    assert (rows(aside), version(aside)) == ([(1, "ada")], 1)
    assert sorted(file.name for file in old.parent.iterdir() if "aside" not in file.name) == []
    assert (old.parent / "agdesk.db.aside-1-wal").read_text() == "set aside before"


def test_the_wal_of_a_database_that_was_removed_does_not_get_into_a_new_one(old):
    old.unlink()
    migrate(old, [one, two])
    assert rows(old) == []
    assert (old.parent / "agdesk.db.aside-1-wal").exists()


async def test_a_store_that_cannot_be_opened_is_set_aside_and_a_new_one_begins(tmp_path):
    (tmp_path / "agdesk.db").write_bytes(b"no database" * 100)
    with pytest.raises(StoreCorrupt):
        open_store(tmp_path)
    assert set_store_aside(tmp_path).read_bytes() == b"no database" * 100
    store = open_store(tmp_path)
    with pytest.raises(StoreInUse):
        set_store_aside(tmp_path)
    await store.aclose()


async def test_a_store_is_brought_up_to_date_with_all_it_holds(tmp_path):
    store = open_store(tmp_path)
    chat = Recorded(store)
    chat.turn("1")
    await store.aclose()
    migrate(tmp_path / "agdesk.db", [*STEPS, tag])
    with pytest.raises(SchemaTooNew):
        open_store(tmp_path)
    (tmp_path / f"agdesk.db.v{len(STEPS)}-1").replace(tmp_path / "agdesk.db")

    store = open_store(tmp_path)
    assert trace_of(store, "chat") == chat.records
    await store.aclose()


async def test_a_file_of_version_1_opens_with_its_conversations_and_keeps_setups_from_then_on(tmp_path):
    path = tmp_path / "agdesk.db"
    migrate(path, STEPS[:1])
    recorder = Recorder("chat")
    records = []
    recorder.records.subscribe(records.append)
    recorder.turn_id = "turn-1"
    recorder.emit(TurnStarted(user("Hello"), "test/model"))
    recorder.emit(TurnCompleted())
    with closing(sqlite3.connect(path)) as connection:
        save_conversation(connection, conversation_of(recorder))
        for record in records:
            write_milestone(connection, record)
        connection.commit()

    store = open_store(tmp_path)
    assert version(path) == len(STEPS)
    assert version(tmp_path / "agdesk.db.v1-1") == 1
    assert store.load("chat").records == tuple(records)
    assert store.setups.load("chat") == Setup()
    store.setups.set("chat", Setup(RequestParameters(seed=7)))
    await store.aclose()

    store = open_store(tmp_path)
    assert store.setups.load("chat").parameters.seed == 7
    await store.aclose()
