"""One agdesk per data folder, told apart by the operating system and not by a file that a crash leaves behind."""

import os
import subprocess
import sys

import pytest

from agdesk.core.errors import StoreError, StoreInUse
from agdesk.core.store.lock import FolderLock

HOLDER = """
import sys, time
from pathlib import Path
from agdesk.core.store.lock import FolderLock
lock = FolderLock(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def test_a_folder_that_another_process_holds_is_refused_with_its_number(tmp_path):
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(StoreInUse, match=rf"process {holder.pid}\b") as caught:
            FolderLock(tmp_path)
        assert str(tmp_path) in caught.value.message
    finally:
        holder.kill()
        holder.communicate()

    FolderLock(tmp_path).release()  # a process that was killed holds nothing
    assert (tmp_path / "agdesk.lock").read_text() == str(os.getpid())


def test_two_stores_of_one_process_are_told_apart_too(tmp_path):
    lock = FolderLock(tmp_path)
    with pytest.raises(StoreInUse):
        FolderLock(tmp_path)
    lock.release()
    FolderLock(tmp_path).release()


def test_a_folder_that_is_not_there_cannot_be_locked(tmp_path):
    with pytest.raises(StoreError, match=r"agdesk\.lock"):
        FolderLock(tmp_path / "missing")
