"""Conditions on arguments: what surely holds, what may, what does not."""

import pytest

from agdesk.core.ir.approval import Predicate
from agdesk.core.tools.predicates import Match, compile_predicate

NO, MAYBE, YES = Match


def compare(op, wanted, found, folder=""):
    return compile_predicate(Predicate("$.it", op, wanted))({"it": found}, folder)


@pytest.mark.parametrize(
    ("wanted", "found", "match"),
    [
        ("a", "a", YES),
        ("a", "A", NO),
        ("1", 1, NO),
        (1, 1, YES),
        (1, 1.0, MAYBE),
        (1, True, MAYBE),
        (None, None, YES),
        (None, "", NO),
        ({"a": 1, "b": [2]}, {"b": [2], "a": 1}, YES),
        ({"a": 1}, {"a": 1, "b": 2}, NO),
        (["a"], ["a", "b"], NO),
        ("\ud800", "\ud800", YES),
    ],
)
def test_equals_is_the_same_json(wanted, found, match):
    assert compare("equals", wanted, found) is match


def test_what_is_not_there_equals_null_and_nothing_else():
    missing = Predicate("$.there[2].name", "equals", None)
    assert compile_predicate(missing)({"there": [1]}, "") is YES
    assert compile_predicate(Predicate("$.there", "equals", ""))({}, "") is NO


@pytest.mark.parametrize("op", ["starts_with", "glob", "under_folder", "host_is"])
@pytest.mark.parametrize("found", [None, 3, {"a": "src"}])
def test_what_is_no_text_matches_no_condition_on_texts(op, found):
    assert compare(op, "src", found) is NO


@pytest.mark.parametrize(
    ("wanted", "found", "match"),
    [
        ("git ", "git status", YES),
        ("git ", "gitk", NO),
        ("src/", "src/../etc", MAYBE),
        ("src", "src\\..\\x", MAYBE),
        ("a", "a..b", YES),
        (["git", "log"], ["git", "log", "-1"], YES),
        (["git", "log"], ["git", "status"], NO),
        (["git"], [], NO),
        (["git"], "git", NO),
        ("git", ["git"], NO),
    ],
)
def test_starts_with_takes_a_text_or_the_first_items(wanted, found, match):
    assert compare("starts_with", wanted, found) is match


@pytest.mark.parametrize(
    ("found", "match"), [("src/a.py", YES), ("src/a.pyc", NO), ("src/../../a.py", MAYBE), (["src/a.py"], NO)]
)
def test_a_glob_fits_a_text(found, match):
    assert compare("glob", "src/*.py", found) is match


INSIDE = ["src", "src/", "src/a", "./src/a", "src//a", "src/./a", "src/a/"]
OUTSIDE = ["srcs", "srcs/a", "a/src", "source", "/src", "s"]
DOUBTFUL = [
    "src/../etc", "src/..", "../src/a", "x/../src/a", "src/link/../../etc", "SRC/a", "Src", "src /a", "src./a",
    "~/src/a", "src\\a", "src\\..\\..\\x", "ｓｒｃ/a", "src/．．/x", "file:src/a",
]  # fmt: skip


@pytest.mark.parametrize(
    ("found", "match"), [(t, YES) for t in INSIDE] + [(t, NO) for t in OUTSIDE] + [(t, MAYBE) for t in DOUBTFUL]
)
def test_under_folder_holds_only_for_what_is_surely_inside(found, match):
    assert compare("under_folder", "src", found, folder="/home/me/project") is match
    assert compare("under_folder", "src/", found, folder="/home/me/project") is match


@pytest.mark.parametrize(
    ("wanted", "found", "folder", "match"),
    [
        ("/p/src", "/p/src/a", "", YES),
        ("/p/src", "/p/srcs", "", NO),
        ("/p/src", "/P/src/a", "", MAYBE),
        ("/p/src", "src/a", "/p", YES),
        ("/p/src", "lib/a", "/p", NO),
        ("/p/src", "src/a", "", MAYBE),
        ("src", "/p/src/a", "/p", YES),
        ("src", "/q/src/a", "/p", NO),
        ("src", "/p/src/a", "", MAYBE),
        (".", "a", "", YES),
        (".", "/p/a", "/p", YES),
        ("/", "/etc/passwd", "", YES),
        (".", "~/a", "", MAYBE),
        ("/p", "~/a", "/p", MAYBE),
        ("/p", "https://p/a", "/p", MAYBE),
        ("/p", "file:///p/a", "/p", MAYBE),
        ("/p", "/p/a\0b", "/p", MAYBE),
        ("/p", "", "/p", MAYBE),
        ("C:\\Users\\me", "C:\\Users\\me\\a.txt", "", YES),
        ("C:\\Users\\me", "C:/Users/me/a.txt", "", YES),
        ("C:\\Users\\me", "c:\\users\\ME\\a.txt", "", MAYBE),
        ("C:\\Users\\me", "C:\\Users\\me\\..\\you", "", MAYBE),
        ("C:\\Users\\me", "C:\\Users\\meow", "", NO),
        ("\\\\server\\share", "\\\\server\\share\\a", "", YES),
        ("/Fuß", "/FUSS/a", "", MAYBE),
    ],
)
def test_absolute_and_relative_folders(wanted, found, folder, match):
    assert compare("under_folder", wanted, found, folder) is match


SURELY = ["https://example.com", "http://example.com/a?b#c", "https://EXAMPLE.com", "HTTPS://example.com/",
          "https://example.com:443/x", "http://example.com:80", "example.com", "https://example.com/ä"]  # fmt: skip
PERHAPS = [
    "https://user@example.com/", "https://example.com@evil.org/", "https://example.com:8080/", "example.com:8080",
    "https://example.com./", "https://example.com\\@evil.org/", "https://evil.org\\@example.com/",
    "https:// example.com/", "//example.com/a", "https:example.com", "ftp://example.com/", "https://еxample.com@example.com",
    "https://ｅxample.com/", "https://example。com/", "https:///example.com/", "https://exam\u200bple.com/",
    "https://example.com:99999/", "https://a:b@c@example.com",
]  # fmt: skip
NEVER = [
    "https://evil.org/example.com", "https://evil.org/?u=https://example.com", "https://example.com.evil.org/",
    "https://notexample.com", "https://www.example.com", "https://еxample.com/", "https://xn--xample-2of.com/", "", "x",
]  # fmt: skip


@pytest.mark.parametrize(
    ("found", "match"), [(t, YES) for t in SURELY] + [(t, MAYBE) for t in PERHAPS] + [(t, NO) for t in NEVER]
)
def test_host_is_holds_only_for_what_surely_leads_there(found, match):
    assert compare("host_is", "example.com", found) is match
    assert compare("host_is", "EXAMPLE.com", found) is match


@pytest.mark.parametrize(
    ("wanted", "found", "match"),
    [
        (".example.com", "https://a.example.com/", YES),
        (".example.com", "https://example.com/", NO),
        (".example.com", "https://aexample.com/", NO),
        ("localhost:8080", "http://localhost:8080/", YES),
        ("localhost:8080", "http://localhost/", MAYBE),
        ("127.0.0.1", "http://127.0.0.1/", YES),
        ("127.0.0.1", "http://2130706433/", MAYBE),
        ("127.0.0.1", "http://0x7f.1/", MAYBE),
        ("127.0.0.1", "http://127.1/", MAYBE),
        ("[::1]", "http://[::1]/", YES),
        ("[::1]", "http://[0:0:0:0:0:0:0:1]/", YES),
        ("[::1]", "http://user@[::1]:80/", MAYBE),
        ("xn--bcher-kva.de", "https://xn--bcher-kva.de/", YES),
        ("xn--bcher-kva.de", "https://bücher.de/", MAYBE),
    ],
)
def test_hosts_below_ports_and_addresses(wanted, found, match):
    assert compare("host_is", wanted, found) is match
