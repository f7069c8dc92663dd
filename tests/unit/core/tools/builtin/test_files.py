"""The file tools read and write in the folder of a conversation."""

import asyncio
import os
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from agdesk.core.ir.effect import FileChange, PathRead, Unforeseen
from agdesk.core.tasks import spawn
from agdesk.core.tools.base import ToolContext
from agdesk.core.tools.builtin import confined, file_change, file_tool, list_directory, read_file, search_text
from agdesk.core.tools.builtin.edit_file import EditFile
from agdesk.core.tools.builtin.list_directory import ListDirectory
from agdesk.core.tools.builtin.read_file import ReadFile
from agdesk.core.tools.builtin.search_text import SearchText
from agdesk.core.tools.builtin.write_file import WriteFile
from tests.unit.core.tools.builtin.using import outcome_of, refused, use


@pytest.fixture
def folder(tmp_path):
    return tmp_path.resolve()


@pytest.fixture
def context(folder):
    return ToolContext(folder)


# --- reading ---


async def test_a_file_is_read_by_a_relative_and_by_an_absolute_path(folder, context):
    (folder / "a").mkdir()
    (folder / "a" / "ü.txt").write_text("\ufeffGrüße\n", "utf-8")
    assert await use(ReadFile(), context, path="a/ü.txt") == "Grüße\n"
    assert await use(ReadFile(), context, path=str(folder / "a" / "ü.txt")) == "Grüße\n"
    assert await use(ReadFile(), context, path="a/x/../ü.txt") == "Grüße\n"
    assert await ReadFile().effect({"path": "./a/ü.txt"}, context) == PathRead(str(folder / "a" / "ü.txt"))


async def test_a_part_of_a_long_file_says_how_to_read_on(folder, context):
    (folder / "long").write_text("".join(f"line {n}\n" for n in range(1, 11)))
    assert await use(ReadFile(), context, path="long", line_count=2) == (
        "line 1\nline 2\n[the file goes on with first_line 3]"
    )
    assert await use(ReadFile(), context, path="long", first_line=9) == "line 9\nline 10\n"
    assert await use(ReadFile(), context, path="long", first_line=11) == "[the file ends before line 11]"
    assert await use(ReadFile(), context, path="long", first_line=12) == "[the file ends before line 12]"


async def test_a_huge_file_is_read_as_far_as_the_limit(folder, context, monkeypatch):
    monkeypatch.setattr(read_file, "LIMIT_BYTES", 10)
    with open(folder / "huge", "wb") as file:
        file.write(b"0123456789abc")
        file.truncate(10**12)  # takes no space
    assert "is no text file (1,000,000,000,000 bytes)" in await refused(ReadFile(), context, path="huge")
    (folder / "wide").write_text("0123456789abc\nd\n")
    assert await use(ReadFile(), context, path="wide") == "0123456789\n[the file goes on with line 1, which is cut]"


async def test_what_is_no_text_in_utf_8_is_still_shown_where_it_can(folder, context):
    (folder / "latin").write_bytes(b"caf\xe9\r\n")
    (folder / "empty").touch()
    assert await use(ReadFile(), context, path="latin") == "caf\ufffd\r\n"
    assert await use(ReadFile(), context, path="empty") == "[the file is empty]"


async def test_reading_what_is_not_there_says_so(folder, context):
    (folder / "folder").mkdir()
    assert await refused(ReadFile(), context, path="no/such") == f"There is no {folder}/no/such"
    assert await refused(ReadFile(), context, path="folder") == (
        f"{folder}/folder is a folder. list_directory lists what is in it."
    )
    assert "is a folder" in await refused(ReadFile(), context, path=".")


async def test_a_folder_is_listed_with_sizes_and_kinds(folder, context, monkeypatch):
    (folder / "sub").mkdir()
    (folder / "b.txt").write_text("x" * 1234)
    os.symlink("/etc", folder / "link")
    os.mkfifo(folder / "pipe")
    listed = "b.txt  1,234 bytes\nlink  (a link, not followed)\npipe  (no file)\nsub/"
    assert await use(ListDirectory(), context) == listed
    assert await use(ListDirectory(), context, path="sub") == "[the folder is empty]"
    assert "no folder, or a link" in await refused(ListDirectory(), context, path="b.txt")
    monkeypatch.setattr(list_directory, "LIMIT", 1)
    assert await use(ListDirectory(), context) == "b.txt  1,234 bytes\n[and 3 more]"
    assert await ListDirectory().effect({}, context) == PathRead(str(folder))


async def test_names_that_are_no_unicode_are_shown_as_far_as_they_are(folder, context):
    with open(os.fsencode(folder) + b"/caf\xe9", "wb") as file:
        file.write(b"needle")
    assert await use(ListDirectory(), context) == "caf\ufffd  6 bytes"
    assert await use(SearchText(), context, text="needle") == "caf\ufffd:1: needle"


async def test_text_is_found_with_its_place(folder, context):
    (folder / "src" / "deep").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / "src" / "a.py").write_text("one\n  Needle here\n")
    (folder / "src" / "deep" / "b.txt").write_text("needle\n" + "x" * 500 + "needle\n")
    (folder / ".git" / "c").write_text("needle")
    (folder / "binary").write_bytes(b"needle\0")
    os.symlink("src", folder / "link")
    assert await use(SearchText(), context, text="needle") == (
        "src/deep/b.txt:1: needle\nsrc/deep/b.txt:2: " + "x" * 200
    )
    assert await use(SearchText(), context, text="NEEDLE", ignore_case=True, names="*.py") == (
        "src/a.py:2: Needle here"
    )
    assert await use(SearchText(), context, text="one", path="src/deep") == "[not found]"
    assert await use(SearchText(), context, text="n.*e") == "[not found]"
    assert "There is no" in await refused(SearchText(), context, text="a", path="nowhere")
    assert await SearchText().effect({"text": "a", "path": "src"}, context) == PathRead(str(folder / "src"))


async def test_a_search_tells_what_it_left_out(folder, context, monkeypatch):
    monkeypatch.setattr(search_text, "FILE_LIMIT_BYTES", 20)
    monkeypatch.setattr(search_text, "LIMIT", 2)
    (folder / "long").write_text("a" * 30)
    assert await use(SearchText(), context, text="b") == "[not searched: 1 files, unreadable or over 20 bytes]"
    (folder / "many").write_text("a\n" * 5)
    assert await use(SearchText(), context, text="a") == "many:1: a\nmany:2: a\n[the first 2 lines; there are more]"


# --- writing ---


async def test_a_file_is_written_with_the_folders_on_the_way(folder, context):
    outcome = await outcome_of(WriteFile(), context, path="a/b/c.txt", content="Grüße\n")
    assert (folder / "a/b/c.txt").read_text("utf-8") == "Grüße\n"
    assert outcome.effect == f"wrote {folder}/a/b/c.txt (8 bytes)"
    assert os.listdir(folder / "a/b") == ["c.txt"]


async def test_a_file_that_is_there_keeps_its_mode(folder, context):
    (folder / "run.sh").write_text("old")
    (folder / "run.sh").chmod(0o750)
    await use(WriteFile(), context, path="run.sh", content="new")
    assert (folder / "run.sh").read_text() == "new"
    assert (folder / "run.sh").stat().st_mode & 0o777 == 0o750


async def test_the_effect_of_writing_is_a_diff(folder, context):
    (folder / "a.txt").write_text("one\ntwo\n")
    wanted = {"path": "a.txt", "content": "one\nthree"}
    effect = await WriteFile().effect(wanted, context)
    assert effect.path == str(folder / "a.txt")
    assert effect.diff == ("--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n\\ No newline at end of file\n")
    assert (folder / "a.txt").read_text() == "one\ntwo\n"
    new = await WriteFile().effect({"path": "b.txt", "content": "x\n"}, context)
    assert new == FileChange(str(folder / "b.txt"), "--- /dev/null\n+++ b.txt\n@@ -0,0 +1,1 @@\n+x\n", "")
    assert (await WriteFile().effect({"path": "a.txt", "content": "one\ntwo\n"}, context)).diff == ""


async def test_the_effect_of_writing_over_what_is_no_text_says_so(folder, context):
    (folder / "a.bin").write_bytes(b"\xff\xfe\x00")
    effect = await WriteFile().effect({"path": "a.bin", "content": "x"}, context)
    assert effect.diff == "--- a.bin\n+++ a.bin\n3 bytes that are no text are replaced by 1 bytes\n"


async def test_what_has_changed_since_it_was_shown_is_not_written_over(folder, context):
    (folder / "a.txt").write_text("old")
    wanted = {"path": "a.txt", "content": "new"}
    shown = ToolContext(folder, approved=await WriteFile().effect(wanted, context))
    (folder / "a.txt").write_text("changed by somebody")
    assert "has changed since" in await refused(WriteFile(), shown, **wanted)
    assert (folder / "a.txt").read_text() == "changed by somebody"
    shown = ToolContext(folder, approved=await WriteFile().effect(wanted, context))
    await use(WriteFile(), shown, **wanted)
    assert (folder / "a.txt").read_text() == "new"


async def test_a_write_that_is_cancelled_before_it_begins_is_not_made(folder, context, monkeypatch):
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    is_asked, is_answered = threading.Event(), threading.Event()

    def changed(_self, _before, _wanted):
        is_asked.set()
        is_answered.wait()
        return b"new"

    monkeypatch.setattr(WriteFile, "changed", changed)
    writing = spawn(outcome_of(WriteFile(), context, path="a.txt", content="new"), name="test")
    while not is_asked.is_set():
        await asyncio.sleep(0.01)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    is_answered.set()
    await asyncio.to_thread(lambda: None)  # the only thread is done with the write
    assert os.listdir(folder) == []


async def test_a_piece_is_replaced_where_it_stands_once(folder, context):
    (folder / "a.txt").write_bytes(b"a = 1\r\nb = 1\r\n")
    await use(EditFile(), context, path="a.txt", old_text="b = 1", new_text="b = 2")
    assert (folder / "a.txt").read_bytes() == b"a = 1\r\nb = 2\r\n"
    assert "2 times" in await refused(EditFile(), context, path="a.txt", old_text=" = ", new_text=":")
    await use(EditFile(), context, path="a.txt", old_text=" = ", new_text=":", replace_all=True)
    assert (folder / "a.txt").read_bytes() == b"a:1\r\nb:2\r\n"
    assert "is not in" in await refused(EditFile(), context, path="a.txt", old_text="c", new_text="")
    assert "write_file makes" in await refused(EditFile(), context, path="b.txt", old_text="c", new_text="")


async def test_the_effect_of_an_edit_that_cannot_be_made_says_why(folder, context):
    (folder / "a.txt").write_text("a")
    effect = await EditFile().effect({"path": "a.txt", "old_text": "b", "new_text": ""}, context)
    assert effect == Unforeseen("The old text is not in a.txt. Read the file, and copy the text exactly.")


async def test_a_file_that_is_too_long_is_not_changed(folder, context, monkeypatch):
    monkeypatch.setattr(file_change, "LIMIT_BYTES", 10)
    (folder / "a.txt").write_text("a" * 11)
    assert "longer than 10 bytes" in await refused(WriteFile(), context, path="a.txt", content="")


async def test_half_a_character_cannot_be_written(context):
    assert "half of a character" in await refused(WriteFile(), context, path="a", content="\ud800")


async def test_a_link_is_neither_written_nor_edited(folder, context):
    (folder / "a.txt").write_text("a")
    (folder / "link").symlink_to("a.txt")
    assert "is a link" in await refused(WriteFile(), context, path="link", content="b")
    assert "is a link" in await refused(EditFile(), context, path="link", old_text="a", new_text="b")
    assert (folder / "a.txt").read_text() == "a"


@pytest.mark.parametrize("kind", [confined.ConfinedFolder, confined.CheckedFolder])
async def test_a_failed_write_leaves_the_old_file_and_nothing_else(kind, folder, context, monkeypatch):
    (folder / "a.txt").write_text("old")
    monkeypatch.setattr(file_tool, "confined", kind)

    def full(*_arguments, **_options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert "No space left on device" in await refused(WriteFile(), context, path="a.txt", content="new")
    assert (folder / "a.txt").read_text() == "old"
    assert os.listdir(folder) == ["a.txt"]
