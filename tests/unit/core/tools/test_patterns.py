"""Patterns of rules."""

import pytest

from agdesk.core.tools.patterns import BrokenPattern, literal, parse_call_pattern, parse_glob


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        ("abc", "abc", True),
        ("abc", "abcd", False),
        ("abc", "ABC", False),
        ("a*", "a", True),
        ("a*c", "abbc", True),
        ("a*c", "abcd", False),
        ("*a*b*", "xxaxxbxx", True),
        ("*a*b*", "xxbxxaxx", False),
        ("a*b*ab", "a-b-ab", True),
        ("a*bb", "abb", True),
        ("a*a", "a", False),
        ("a?c", "abc", True),
        ("a?c", "ac", False),
        ("*", "with\na line", True),
        ("a\\*", "a*", True),
        ("a\\*", "ab", False),
        ("a.c", "abc", False),
        ("http://*", "http://a", True),
    ],
)
def test_a_glob_fits_a_whole_text(pattern, text, fits):
    assert bool(parse_glob(pattern).fullmatch(text)) is fits


@pytest.mark.parametrize("pattern", ["", "a[b]", "a]", "{a,b}", "a\\"])
def test_a_glob_that_means_different_things_elsewhere_is_broken(pattern):
    with pytest.raises(BrokenPattern):
        parse_glob(pattern)


def test_a_pattern_of_many_stars_comes_to_an_end():
    """One that tried again what a star took would outlast the test."""
    assert not parse_glob("a*" * 60 + "b").fullmatch("a" * 20_000)


@pytest.mark.parametrize("name", ["read_file", "a:b", "a*b?", "[x]{y}", "back\\slash", "ü", "a\nb"])
def test_the_literal_pattern_of_a_name_fits_that_name_alone(name):
    pattern = parse_call_pattern(f"{literal(name)}:{literal(name)}")
    assert pattern.server.fullmatch(name) and pattern.tool.fullmatch(name)
    assert pattern.is_one_server and pattern.is_one_tool
    assert not pattern.tool.fullmatch(f"{name}x") and not pattern.tool.fullmatch(name[:-1])


def test_wildcards_are_told_apart_by_side():
    pattern = parse_call_pattern("*:read_?")
    assert (pattern.is_one_server, pattern.is_one_tool) == (False, False)
    assert parse_call_pattern("a\\*:b").is_one_server
