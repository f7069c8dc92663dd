"""Nothing outside the folder is read or written, whatever a path or a link says (TOOL1)."""

import ntpath
import os
import posixpath
import socket
import threading
from pathlib import Path

import pytest

from agdesk.core.errors import ToolFailed
from agdesk.core.tools.builtin.confined import CheckedFolder, ConfinedFolder, confined
from agdesk.core.tools.builtin.folder_path import parts_below

SECRET = b"not for the model"


@pytest.fixture
def outside(tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret").write_bytes(SECRET)
    return tmp_path.resolve() / "outside"


@pytest.fixture
def root(tmp_path):
    (tmp_path / "inside").mkdir()
    return tmp_path.resolve() / "inside"


@pytest.fixture(params=[ConfinedFolder, CheckedFolder])
def folder(request, root):
    return request.param(root)


def read(folder, path):
    with folder.open(folder.parts(path)) as file:
        return file.read()


@pytest.mark.parametrize("path", ["../outside/secret", "a/../../outside/secret", "/etc/passwd", "..", "", "a\0b", "/"])
def test_a_path_that_leads_out_is_refused_before_anything_is_opened(folder, outside, path):
    with pytest.raises(ToolFailed):
        folder.parts(path)


def test_a_folder_whose_name_begins_like_the_root_is_outside(folder, root):
    with pytest.raises(ToolFailed, match="outside the conversation's folder"):
        folder.parts(f"{root}side/secret")


def test_links_are_not_followed_at_the_end_nor_on_the_way(folder, root, outside):
    (root / "file").symlink_to(outside / "secret")
    (root / "folder").symlink_to(outside)
    (root / "self").symlink_to(root)
    (root / "nowhere").symlink_to(root / "missing")
    for path in ("file", "folder/secret", "self/file", "nowhere", "nowhere/a"):
        with pytest.raises(ToolFailed, match="link"):
            read(folder, path)
        with pytest.raises(ToolFailed, match="link"):
            folder.replace(folder.parts(path), b"x")
    with pytest.raises(ToolFailed, match="link"):
        folder.entries(("folder",))
    assert (outside / "secret").read_bytes() == SECRET
    assert os.listdir(outside) == ["secret"] and not (root / "missing").exists()


def test_pipes_devices_and_sockets_are_not_opened(folder, root, monkeypatch):
    os.mkfifo(root / "pipe")
    monkeypatch.chdir(root)  # addresses of sockets are short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        for path in ("pipe", "socket"):
            with pytest.raises(ToolFailed, match="a device, a pipe or a socket"):
                read(folder, path)
            with pytest.raises(ToolFailed, match="a device, a pipe or a socket"):
                folder.replace((path,), b"x")


def test_a_device_is_not_opened():
    with pytest.raises(ToolFailed, match="a device, a pipe or a socket"):
        ConfinedFolder(Path("/dev")).open(("zero",))


@pytest.mark.parametrize(
    ("swap_in", "words"),
    [
        (lambda path, _outside: os.mkfifo(path), "a device, a pipe or a socket"),
        (lambda path, outside: os.symlink(outside / "secret", path), "is a link"),
        (lambda path, _outside: os.mkdir(path), "is a folder"),
    ],
    ids=["pipe", "link", "folder"],
)
def test_a_file_that_becomes_something_else_after_it_was_looked_at(swap_in, words, root, outside, monkeypatch):
    (root / "a").write_bytes(b"x")
    look = os.stat

    def look_and_swap(path, **options):
        status = look(path, **options)
        if path == "a" and not (root / "b").exists():
            os.rename(root / "a", root / "b")
            swap_in(root / "a", outside)
        return status

    monkeypatch.setattr(os, "stat", look_and_swap)
    with pytest.raises(ToolFailed, match=words):
        ConfinedFolder(root).open(("a",))


def test_links_that_are_swapped_in_all_the_time_never_lead_out(root, outside):
    """A real folder and a link out of the root take turns under the same name while it is read."""
    (root / "real").mkdir()
    (root / "real" / "secret").write_bytes(b"harmless")
    folder = confined(root)
    is_over = threading.Event()

    def swap():
        while not is_over.is_set():
            os.symlink(outside, root / "link")
            os.rename(root / "real", root / "away")
            os.rename(root / "link", root / "real")
            os.unlink(root / "real")
            os.rename(root / "away", root / "real")

    swapping = threading.Thread(target=swap)
    swapping.start()
    seen, refused_count = set(), 0
    try:
        while refused_count < 50 or not seen:
            try:
                seen.add(read(folder, "real/secret"))
            except ToolFailed:
                refused_count += 1
    finally:
        is_over.set()
        swapping.join()
    assert seen == {b"harmless"}


def test_the_root_itself_may_be_reached_by_a_link(tmp_path, root):
    (root / "a").write_bytes(b"x")
    (tmp_path / "way").symlink_to(root)
    folder = confined(tmp_path / "way")
    for path in ("a", str(root / "a"), str(tmp_path / "way" / "a")):
        assert read(folder, path) == b"x"


def test_a_file_is_replaced_as_a_whole_and_folders_are_made(folder, root):
    folder.replace(("x", "y", "a"), b"one")
    folder.replace(("x", "y", "a"), b"two")
    assert (root / "x" / "y" / "a").read_bytes() == b"two"
    assert [entry.name for entry in folder.entries(("x", "y"))] == ["a"]
    with pytest.raises(ToolFailed, match="is a folder"):
        folder.replace(("x", "y"), b"")
    with pytest.raises(ToolFailed, match="is a folder"):
        folder.replace((), b"")


def test_a_file_in_place_of_a_folder_is_no_way(folder, root):
    (root / "a").write_bytes(b"x")
    with pytest.raises(ToolFailed):
        read(folder, "a/b")
    with pytest.raises(ToolFailed):
        folder.replace(("a", "b"), b"")


def test_no_descriptor_stays_open(root, outside):
    (root / "link").symlink_to(outside)
    (root / "deep" / "er").mkdir(parents=True)
    folder = ConfinedFolder(root)
    before = len(os.listdir("/proc/self/fd"))
    for path in ("link/secret", "deep/er/missing", "deep/er", "link"):
        with pytest.raises(ToolFailed):
            read(folder, path)
    folder.entries(("deep", "er"))
    folder.replace(("deep", "er", "a"), b"x")
    assert len(os.listdir("/proc/self/fd")) == before


def test_paths_of_posix():
    def below(path):
        return parts_below("/p/q", path, flavour=posixpath)

    assert below("a//./b/") == ("a", "b")
    assert below("/p/q/a") == ("a",)
    assert below(".") == () and below("/p/q") == ()
    assert below("C:\\a") == ("C:\\a",) and below("nul") == ("nul",)
    assert parts_below("/", "etc", flavour=posixpath) == ("etc",)


@pytest.mark.parametrize(
    "path",
    ["..\\a", "D:\\a", "\\a", "\\\\server\\share", "a.txt:stream", "nul", "NUL.txt", "a\\con", "COM1", "a.", "a ",
     "aux.h", "a?b", "a*", "C:\\p\\qx", "lpt¹"],
)  # fmt: skip
def test_paths_of_windows_that_are_no_files_of_the_folder(path):
    with pytest.raises(ToolFailed):
        parts_below("C:\\p\\q", path, flavour=ntpath)


def test_paths_of_windows_that_are():
    assert parts_below("C:\\p\\q", "a/b\\c.txt", flavour=ntpath) == ("a", "b", "c.txt")
    assert parts_below("C:\\p\\q", "C:\\p\\q\\console", flavour=ntpath) == ("console",)
