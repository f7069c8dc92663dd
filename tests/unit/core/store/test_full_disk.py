"""A disk without space: reading goes on, nothing that waits is lost, and writing starts again by itself."""

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from agdesk.core.errors import StoreError
from agdesk.core.trace.events import ResponseReceived, TurnFailed
from tests.fakes.storing import Recorded, open_store, trace_of

pytestmark = pytest.mark.allow_warnings  # a store that says nothing when it cannot keep something would be worse


@pytest.fixture
def small_disk(tmp_path):
    """A folder on a disk of 3 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if sys.platform != "linux":
        pytest.skip("only Linux mounts a tmpfs")
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=3m,mode=700", "tmpfs", str(folder)], capture_output=True, text=True
    )
    if mounted.returncode:
        pytest.skip(f"a tmpfs cannot be mounted here: {mounted.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path) -> Path:
    """Takes every byte that is left."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * 4_096)
        except OSError:
            pass
    return filler


async def until(store, condition):
    while store.state.condition != condition:
        await asyncio.sleep(0.01)


async def test_what_cannot_be_written_waits_and_is_written_when_there_is_space(small_disk):
    store = open_store(small_disk)
    states = []
    store.states.subscribe(states.append)
    chat = Recorded(store)
    chat.turn("1")
    await store.settled()
    before = list(chat.records)

    filler = fill(small_disk)
    second_body = os.urandom(200_000)
    chat.finish(chat.begin("2", request_body=second_body), "two")
    second_ref = chat.body_ref
    chat.turn("3", "word " * 100_000, ("answer " * 50_000,))
    store.set_draft("chat", "half a thought")
    store.conversations.rename("chat", "Renamed on a full disk")
    await until(store, "full")
    assert (store.state.message, store.state.hint) != ("", "")
    with pytest.raises(StoreError, match="full"):
        await store.settled()
    assert [record for record in trace_of(store, "chat") if record in before] == before
    assert store.load("chat").messages
    assert store.draft("chat") == "half a thought"
    assert store.conversations.get("chat").title == "Renamed on a full disk"

    filler.unlink()
    await until(store, "ok")
    await store.settled()
    assert trace_of(store, "chat") == chat.records
    assert store.blob(second_ref) == second_body
    assert [state.condition for state in states] == ["full", "ok"]
    await store.aclose()

    store = open_store(small_disk)
    assert trace_of(store, "chat") == chat.records
    assert store.draft("chat") == "half a thought"
    assert store.conversations.get("chat").title == "Renamed on a full disk"
    await store.aclose()


async def test_trying_again_writes_what_waits(small_disk, monkeypatch):
    monkeypatch.setattr("agdesk.core.store.writer.RETRY_S", 3_600.0)
    store = open_store(small_disk)
    chat = Recorded(store)
    filler = fill(small_disk)
    chat.turn("1", "word " * 100_000)
    await until(store, "full")
    filler.unlink()
    store.try_again()
    await until(store, "ok")
    await store.settled()
    assert trace_of(store, "chat") == chat.records
    await store.aclose()


async def test_ending_on_a_full_disk_does_not_hang_and_loses_nothing_stored(small_disk):
    store = open_store(small_disk)
    chat = Recorded(store)
    chat.turn("1")
    await store.settled()
    filler = fill(small_disk)
    kept = list(chat.records)
    chat.turn("2", "word " * 100_000)
    await until(store, "full")
    await store.aclose()

    filler.unlink()
    store = open_store(small_disk)
    assert trace_of(store, "chat")[: len(kept)] == kept
    await store.aclose()


async def crashed_into(folder, tmp_path):
    """Puts into ``folder`` what a crash leaves in the middle of the second answer, all of it still in the -wal."""
    running = tmp_path / "running"
    running.mkdir()
    store = open_store(running)
    chat = Recorded(store)
    chat.turn("1")
    chat.stream(chat.begin("2", "And then?"), "Once upon")
    await store.settled()
    for name in ("agdesk.db", "agdesk.db-wal"):
        shutil.copy(running / name, folder / name)
    await store.aclose()
    return chat


async def test_a_database_on_a_full_disk_can_be_opened_and_read(small_disk, tmp_path):
    chat = await crashed_into(small_disk, tmp_path)
    with closing(sqlite3.connect(small_disk / "agdesk.db")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # else folding it in gives the disk some space back
    filler = fill(small_disk)

    store = open_store(small_disk)
    assert store.state.condition == "full"
    assert [row.id for row in store.conversations.all()] == ["chat"]
    assert trace_of(store, "chat") == chat.records
    assert store.load("chat").messages[1].content[0].text == "Good day"
    batches = store.trace("chat")  # one reader in the middle of reading
    next(batches)
    with pytest.raises(StoreError, match="full"):
        await store.settled()
    assert store.draft("chat") == ""
    list(batches)

    filler.unlink()
    store.try_again()
    await until(store, "ok")
    stored = store.load("chat")
    assert isinstance(stored.records[-1].payload, TurnFailed)
    assert isinstance(stored.records[-2].payload, ResponseReceived)
    assert stored.messages[-1].content[0].text == "Once upon"
    await store.aclose()


async def test_what_stands_only_in_the_wal_is_read_on_a_full_disk(small_disk, tmp_path):
    chat = await crashed_into(small_disk, tmp_path)
    fill(small_disk)

    store = open_store(small_disk)
    assert [row.id for row in store.conversations.all()] == ["chat"]
    assert trace_of(store, "chat")[: len(chat.records)] == chat.records
    await store.aclose()

    store = open_store(small_disk)
    assert trace_of(store, "chat")[: len(chat.records)] == chat.records
    await store.aclose()


async def test_a_database_cannot_be_made_on_a_full_disk_and_nothing_is_left_behind(small_disk):
    filler = fill(small_disk)
    with pytest.raises(StoreError, match="full"):
        open_store(small_disk)
    assert sorted(path.name for path in small_disk.iterdir()) == ["agdesk.lock", "filler"]
    filler.unlink()
    store = open_store(small_disk)
    assert store.state.condition == "ok"
    await store.aclose()


async def test_a_folder_for_blobs_that_cannot_be_written_is_a_failure_that_passes(tmp_path):
    store = open_store(tmp_path)
    (tmp_path / "blobs").write_text("in the way")
    chat = Recorded(store)
    chat.finish(chat.begin("1", request_body=b"x" * 100_000), "done")
    await until(store, "failed")
    assert str(tmp_path) in store.state.message
    assert store.conversations.all()

    (tmp_path / "blobs").unlink()
    store.try_again()
    await until(store, "ok")
    await store.settled()
    assert trace_of(store, "chat") == chat.records
    assert store.blob(chat.body_ref) == b"x" * 100_000
    await store.aclose()
