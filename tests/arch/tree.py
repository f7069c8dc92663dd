"""The files of the repository, as the tests of this folder look at them."""

import ast
import os
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "agdesk"


def python_files(folder: Path = PACKAGE) -> list[Path]:
    """The Python files below ``folder``, sorted."""
    return sorted(folder.rglob("*.py"))


@cache
def repository_files() -> tuple[Path, ...]:
    """Every file that is or may become part of the repository: all but git's own and what ``.gitignore`` names.

    Without git, which a machine that was given the sources as an archive does not have.
    """
    ignored = [".git", *(line.strip("/") for line in (ROOT / ".gitignore").read_text().splitlines())]

    def is_ours(name: str) -> bool:
        return not any(fnmatch(name, pattern) for pattern in ignored)

    files: list[Path] = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = filter(is_ours, folders)
        files += [Path(folder, name) for name in filter(is_ours, names)]
    return tuple(sorted(files))


def calls(path: Path) -> Iterator[tuple[int, str]]:
    """Line and last name of every call in a file: ``(12, "exec")`` for ``dialog.exec()``."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            match node.func:
                case ast.Attribute(attr=name) | ast.Name(id=name):
                    yield node.lineno, name


def imported_packages() -> set[str]:
    """The top-level names that the program imports anywhere, inside functions too."""
    names: set[str] = set()
    for path in python_files():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Import(names=aliases):
                    names.update(alias.name.partition(".")[0] for alias in aliases)
                case ast.ImportFrom(module=str(module), level=0):
                    names.add(module.partition(".")[0])
    return names


def shown(path: Path) -> str:
    """The path as a message names it."""
    return path.relative_to(ROOT).as_posix()
