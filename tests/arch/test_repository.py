"""No file names a package registry's address or a path of one machine."""

import re

from tests.arch.tree import ROOT, repository_files, shown

# written so that this file passes its own test
REGISTRY = re.compile(
    r"\b(pypi|pythonhosted|npmjs|conda|anaconda)\.(org|com|io)\b|\bpkg\.dev\b|\b(extra-)?index[-_]url\b|--find-links|"
    r"\b(deb|security|snapshot)\.debian\.org\b|\b(artifactory|nexus|devpi|jfrog)\b",
    re.IGNORECASE,
)
MACHINE_PATH = re.compile(r"(?<![\w.])/(home|root|srv|opt|work)/\w|(?<![\w.}])/tmp/[a-z]")


def hits(pattern: re.Pattern[str], *, without_tests: bool = False) -> list[str]:
    found = []
    for path in repository_files():
        if path == ROOT / "tests" / "arch" / "test_repository.py" or (
            without_tests and path.is_relative_to(ROOT / "tests")
        ):
            continue
        data = path.read_bytes()
        if b"\0" in data:
            continue
        for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
            if match := pattern.search(line):
                found.append(f"{shown(path)}:{number}: {match[0]}")
    return found


def test_no_file_names_a_package_registry():
    assert hits(REGISTRY) == []


def test_no_file_outside_the_tests_names_a_path_of_one_machine():
    """Tests may: redaction and file tools are tested with such paths."""
    assert hits(MACHINE_PATH, without_tests=True) == []
