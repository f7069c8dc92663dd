"""The rooms of the house: their size, their sign on the door, their place; and calls that no file may make."""

import ast

from tests.arch.tree import PACKAGE, ROOT, calls, python_files, shown

FORBIDDEN_NAMES = ("utils", "helpers", "manager", "common", "misc")
TASK_CALLS = ("create_task", "ensure_future")


def longer_than(limit, paths):
    lengths = {shown(path): len(path.read_text(encoding="utf-8").splitlines()) for path in paths}
    return {name: length for name, length in lengths.items() if length > limit}


def test_no_file_of_the_program_is_longer_than_300_lines():
    assert longer_than(300, [*python_files(), ROOT / "dev.py"]) == {}


def test_no_file_of_tests_or_benchmarks_is_longer_than_500_lines():
    assert longer_than(500, [*python_files(ROOT / "tests"), *python_files(ROOT / "benchmarks")]) == {}


def test_every_package_says_what_lives_in_it():
    folders = sorted({path.parent for path in python_files()})
    unnamed = [shown(folder) for folder in folders if not (folder / "__init__.py").is_file()]
    assert unnamed == []
    trees = {folder: ast.parse((folder / "__init__.py").read_text(encoding="utf-8")) for folder in folders}
    assert [shown(folder) for folder, tree in trees.items() if not ast.get_docstring(tree)] == []


def test_no_module_has_a_name_that_says_nothing():
    assert [shown(path) for path in python_files() if {path.stem, path.parent.name} & set(FORBIDDEN_NAMES)] == []


def test_every_folder_of_unit_tests_mirrors_a_package():
    unit = ROOT / "tests" / "unit"
    folders = {path.parent.relative_to(unit) for path in unit.rglob("test_*.py")}
    assert [str(folder) for folder in sorted(folders) if not (PACKAGE / folder).is_dir()] == []


def test_no_dialog_or_menu_runs_an_event_loop_of_its_own():
    """``exec`` re-enters the loop inside a task and wedges it: ``open()`` and await a future."""
    found = [
        f"{shown(path)}:{line}" for path in python_files() for line, name in calls(path) if name in ("exec", "exec_")
    ]
    assert found == []


def test_tasks_are_started_in_one_place():
    """The linter bans ``asyncio.create_task``; a loop's or a group's own method needs a look at the calls."""
    files = [path for path in python_files() if path != PACKAGE / "core" / "tasks.py"]
    assert [f"{shown(path)}:{line}" for path in files for line, name in calls(path) if name in TASK_CALLS] == []
