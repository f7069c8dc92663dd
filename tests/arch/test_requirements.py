"""The lists of packages: every line at one version, and enough for what ``pyproject.toml`` asks for."""

import re
import tomllib
from importlib.metadata import PackageNotFoundError, packages_distributions, requires

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.arch.tree import ROOT, imported_packages

PIN = re.compile(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+( ; [a-z_]+ (==|<|!=) \"[a-z0-9.]+\")?")
# pydantic is released together with pydantic-core, PySide6 with shiboken6; keyring is what imports SecretStorage
IMPORTED_WITH_ANOTHER = {"pydantic-core", "shiboken6"}
IMPORTED_BY_ANOTHER = {"secretstorage"}
FILES = sorted((ROOT / "requirements").glob("*.txt"))


def lines(path):
    return [line for line in path.read_text().splitlines() if line and not line.startswith("#")]


def pins(*names):
    wanted = [Requirement(line) for name in names for line in lines(ROOT / "requirements" / name)]
    return {canonicalize_name(item.name): Version(next(iter(item.specifier)).version) for item in wanted}


def direct_requirements():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return [Requirement(text) for text in project["dependencies"]]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_requirement_is_pinned_and_nothing_else_stands_there(path):
    assert [line for line in lines(path) if not PIN.fullmatch(line)] == []


def test_every_dependency_of_the_project_is_pinned_within_its_range():
    pinned = pins("app.txt")
    for wanted in direct_requirements():
        assert wanted.specifier.contains(pinned[canonicalize_name(wanted.name)]), wanted


def test_the_list_of_the_application_is_complete():
    """pip would fetch a package that no list names at whatever version is newest."""
    pinned = pins("app.txt")
    missing = []
    for name in pinned:
        try:
            needed = [Requirement(text) for text in requires(name) or ()]
        except PackageNotFoundError:  # for another platform or another Python
            continue
        here = [item for item in needed if item.marker is None or item.marker.evaluate({"extra": ""})]
        missing += [f"{name} needs {item.name}" for item in here if canonicalize_name(item.name) not in pinned]
    assert missing == []


def test_the_lists_do_not_contradict_each_other():
    names = [canonicalize_name(Requirement(line).name) for path in FILES for line in lines(path)]
    assert sorted({name for name in names if names.count(name) > 1}) == []


def test_what_the_program_imports_and_what_it_declares_are_the_same():
    owners = packages_distributions()
    imported = {canonicalize_name(owners[name][0]) for name in imported_packages() if name in owners} - {"agdesk"}
    declared = {canonicalize_name(item.name) for item in direct_requirements()}
    assert sorted(imported - declared - IMPORTED_WITH_ANOTHER) == []
    assert sorted(declared - imported - IMPORTED_BY_ANOTHER) == []
