"""docs/quirks.md and the tests cover the same ids, and all of them."""

import re

from tests.arch.tree import ROOT

LAST = {"T": 30, "C": 26, "K": 20, "R": 14, "P": 18, "A": 20, "G": 19, "L": 16, "E": 12, "U": 8}
IDS = {f"{kind}{number:02}" for kind, last in LAST.items() for number in range(1, last + 1)}
ID = re.compile(r"(?<![A-Za-z0-9])([TCKRPAGLEU]\d\d)(?![A-Za-z0-9])")
NAME = re.compile(r"^\s*(?:async )?def (test_\w+)", re.MULTILINE)


def described():
    """The ids of the document."""
    return set(ID.findall((ROOT / "docs" / "quirks.md").read_text()))


def named():
    """The ids in the names of tests."""
    names = [name for path in (ROOT / "tests").rglob("test_*.py") for name in NAME.findall(path.read_text())]
    return {found for name in names for found in ID.findall(name.replace("_", " ").upper())}


def test_every_quirk_is_described():
    assert sorted(IDS - described()) == []


def test_every_quirk_has_a_test_with_its_id():
    assert sorted(IDS - named()) == []


def test_no_test_carries_an_id_that_is_not_described():
    assert sorted(named() - described()) == []
