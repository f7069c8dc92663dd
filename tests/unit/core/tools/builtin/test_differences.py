"""What changes in a file, as a unified diff: the same that difflib says, in a bounded time."""

import difflib
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agdesk.core.tools.builtin import differences
from agdesk.core.tools.builtin.differences import unified_diff
from agdesk.core.tools.builtin.file_tool import lines_of

texts = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "\u2028d\r\n"]), max_size=30).map("".join)


@given(texts, texts)
def test_the_hunks_are_those_of_difflib_where_both_see_the_same_lines(before, after):
    diff = unified_diff(before, after, name="x")
    a, b = (lines_of(text) for text in (before, after))
    assert bool(diff) is (before != after)
    removed = [line[1:] for line in diff.splitlines(keepends=True)[2:] if line.startswith("-")]
    assert len(removed) <= len(a)
    assert applied(diff, a) == b


def applied(diff, a):
    """The lines after, made of those before and the diff alone."""
    result, place = [], 0
    lines = lines_of(diff)[2:]
    for line in lines:
        if line.startswith("@@"):
            start, count = (int(n) for n in line.split()[1][1:].split(","))
            first = start - 1 if count else start
            result += a[place:first]
            place = first
        elif line.startswith("+"):
            result.append(line[1:])
        elif line.startswith("-"):
            assert a[place] == line[1:]
            place += 1
        else:
            assert a[place] == line[1:]
            result.append(line[1:])
            place += 1
    return result + a[place:]


def test_it_is_the_diff_that_difflib_makes():
    before = "".join(f"{n}\n" for n in range(60))
    after = before.replace("5\n", "five\n").replace("40\n", "")
    expected = difflib.unified_diff(before.splitlines(True), after.splitlines(True), "x", "x", lineterm="\n")
    assert unified_diff(before, after, name="x") == "".join(expected)


def test_a_file_without_an_end_of_line_is_taken_by_patch(tmp_path):
    before, after = "a\nb\nc", "a\nx\nc\n"
    (tmp_path / "x").write_text(before)
    diff = unified_diff(before, after, name="x")
    done = subprocess.run(["patch", "-p0"], cwd=tmp_path, input=diff, text=True, capture_output=True, check=False)
    if done.returncode == 127:
        pytest.skip("there is no patch")
    assert (tmp_path / "x").read_text() == after, done.stdout


def test_texts_that_are_too_long_to_compare_are_shown_as_replaced_between_what_is_the_same(monkeypatch):
    monkeypatch.setattr(differences, "_COMPARED", 3)
    assert unified_diff("0\na\nb\n9\n", "0\nb\na\n9\n", name="x") == (
        "--- x\n+++ x\n@@ -1,4 +1,4 @@\n 0\n-a\n-b\n+b\n+a\n 9\n"
    )
