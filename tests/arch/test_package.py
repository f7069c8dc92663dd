"""What ``make package`` packs and how it finds out whether the result works, without building it."""

import ast
import os
import runpy
import stat
import sys
from importlib.metadata import PackageNotFoundError, requires
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.arch.tree import ROOT, python_files

PACKAGING = ROOT / "packaging"
PNG = "printf '\\211PNG\\r\\n\\032\\n' > \"$5\""


def imported_qt_modules():
    names = set()
    for path in python_files():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Import(names=aliases):
                    found = [alias.name for alias in aliases]
                case ast.ImportFrom(module="PySide6", names=aliases):
                    found = [f"PySide6.{alias.name}" for alias in aliases]
                case ast.ImportFrom(module=str(module)):
                    found = [module]
                case _:
                    continue
            names.update(name.split(".")[1] for name in found if name.startswith("PySide6."))
    return names


@pytest.fixture(scope="module")
def smoke():
    return runpy.run_path(str(PACKAGING / "smoke.py"))


@pytest.fixture
def program(tmp_path):
    """Makes a folder whose program is a shell script."""
    if os.name != "posix":
        pytest.skip("the program is a shell script here")

    def make(script):
        path = tmp_path / "agdesk"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    return make


@pytest.mark.parametrize(
    ("name", "is_packed"),
    [
        ("resources/translations/agdesk_zh_CN.qm", True),
        ("resources/translations/core.txt", True),
        ("resources/translations/agdesk_zh_CN.ts", False),
        ("resources/providers/openai.toml", True),
        ("PySide6/Qt/translations/qtbase_zh_CN.qm", True),
        ("PySide6\\translations\\qtbase_zh_CN.qm", True),
        ("PySide6/Qt/translations/qtbase_de.qm", False),
    ],
)
def test_the_languages_of_the_window_are_packed_and_no_other(name, is_packed):
    recipe = ast.parse((PACKAGING / "agdesk.spec").read_text())
    parts: list[ast.stmt] = [
        node for node in recipe.body if isinstance(node, ast.FunctionDef) and node.name == "is_wanted"
    ]
    names: dict[str, Any] = {"DROPPED": ()}
    exec(compile(ast.Module(parts, []), "agdesk.spec", "exec"), names)
    assert names["is_wanted"]((name, "", "DATA")) is is_packed


def test_the_package_has_the_qt_modules_that_the_program_imports_and_no_other():
    listed = runpy.run_path(str(PACKAGING / "qt_modules.py"))["QT_MODULES"]
    assert sorted(imported_qt_modules()) == list(listed)


def test_the_lists_have_all_that_the_packaging_tools_need():
    """The list itself, and those that ``make package`` installs before it."""
    texts = [(ROOT / "requirements" / f"{name}.txt").read_text() for name in ("app", "dev", "package")]
    lines = [[line for line in text.splitlines() if line and not line.startswith("#")] for text in texts]
    pinned = {canonicalize_name(Requirement(line).name) for text in lines for line in text}
    missing = []
    for line in lines[-1]:
        name = Requirement(line).name
        try:
            needed = [Requirement(text) for text in requires(name) or ()]
        except PackageNotFoundError:
            continue  # make package installs them; make test does not
        here = [item for item in needed if item.marker is None or item.marker.evaluate({"extra": ""})]
        missing += [f"{name} needs {item.name}" for item in here if canonicalize_name(item.name) not in pinned]
    assert missing == []


def test_a_program_that_answers_and_draws_passes(smoke, program, tmp_path):
    path = program(f"{PNG}; echo 'builtin/x: Hi'; echo Bonjour; echo \"The window is in $5\"")
    report = smoke["ask"](path, tmp_path / "window.png", {"QT_QPA_PLATFORM": "offscreen"})
    assert report.endswith(": Bonjour")


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("echo 'no model' >&2; exit 1", "exit status 1: no model"),
        ("echo 'builtin/x: Hi'; echo Bonjour", "there is no picture"),
        (f"{PNG}; echo 'builtin/x: Hi'; echo \"The window is in $5\"", "there is no answer"),
        ('echo text > "$5"; echo "builtin/x: Hi"; echo Bonjour', "there is no picture"),
    ],
)
def test_a_program_that_fails_is_found_out(smoke, program, tmp_path, script, reason):
    with pytest.raises(smoke["Failure"], match=reason):
        smoke["ask"](program(script), tmp_path / "window.png", {"QT_QPA_PLATFORM": "offscreen"})


def test_one_failed_check_makes_the_whole_fail(smoke, program, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PATH", os.path.dirname(sys.executable))  # no X server, no key store
    path = program("exit 4")
    assert smoke["main"](path.parent, tmp_path / "window.png") == 1
    report = capsys.readouterr().out
    assert "offscreen: FAILED: exit status 4" in report
    assert "X server: not checked" in report


def test_the_program_is_tried_out_without_the_developers_environment(smoke, monkeypatch):
    for name in ("OPENAI_API_KEY", "PYTHONPATH", "QT_STYLE_OVERRIDE", "WAYLAND_DISPLAY"):
        monkeypatch.setenv(name, "something")
    own = smoke["environment"]({"DISPLAY": ":5"})
    assert not {"OPENAI_API_KEY", "PYTHONPATH", "QT_STYLE_OVERRIDE", "WAYLAND_DISPLAY"} & set(own)
    assert own["DISPLAY"] == ":5"
    assert own["PYTHON_KEYRING_BACKEND"] == "keyring.backends.fail.Keyring"
