"""Fuzzy matching: letters in their order, best at word starts and side by side."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agdesk.ui.palette.entries import Entry, EntrySearch
from agdesk.ui.widgets.folding import folded
from agdesk.ui.widgets.matching import Target, has_letters, hit_places, quick_rank, rank

LETTERS = st.text("ab -巴", max_size=9)
WORD = st.text("ab巴", min_size=1, max_size=4)


def find(query, *texts):
    return [entry.text for entry in EntrySearch().find(query, [Entry(text, "", lambda: None) for text in texts])]


@pytest.mark.parametrize(
    ("query", "better", "worse"),
    [
        ("con", "New conversation", "Close other tabs and new"),
        ("nc", "New conversation", "Panic"),
        ("con", "Conversation list", "New con"),
        ("tab", "Close tab", "Establish"),
        ("tab", "Establish", "It is a bad idea"),
        ("dt", "Dark theme", "Edit"),
        ("set", "Settings", "Settings of the provider"),
        ("巴", "去巴黎", "文件 ba"),
    ],
)
def test_word_starts_and_neighbours_count_more(query, better, worse):
    assert find(query, worse, better)[0] == better


def test_words_may_come_in_any_order_and_case_and_accents_do_not_matter():
    assert find("theme DARK", "Dark theme", "Light theme") == ["Dark theme"]
    assert find("creme", "Café Crème") == ["Café Crème"]
    assert find("größe", "GROSSE", "Grösse") == ["GROSSE", "Grösse"]


def test_letters_out_of_order_do_not_fit():
    assert find("bat", "tab") == []
    assert find("tabb", "tab") == []


def test_nothing_typed_shows_all_in_their_order():
    assert find("  ", "b", "a") == ["b", "a"]


def test_a_search_that_goes_on_finds_what_a_new_one_finds():
    texts = ["New conversation", "Next conversation", "Close", "Corner", "Escape"]
    entries = [Entry(text, "", lambda: None) for text in texts]
    search = EntrySearch()
    for query in ("c", "co", "con", "co", "e", "es", "", "new", "new c"):
        assert search.find(query, entries) == EntrySearch().find(query, entries)


def test_thousands_of_weak_matches_still_stand_below_the_good_ones():
    texts = [f"x{number}a{number}b" for number in range(1000)] + ["ab"]
    found = find("ab", *texts)
    assert len(found) == 1001 and found[0] == "ab"


def test_the_letters_that_were_hit_are_known():
    search = EntrySearch()
    assert search.hits("conv", "New conversation") == {4, 5, 6, 7}
    assert search.hits("nc", "New conversation") == {0, 4}
    assert search.hits("new co", "New conversation") == {0, 1, 2, 4, 5}
    assert search.hits("zz", "New conversation") == frozenset()
    assert search.hits("s", "straße") == frozenset(), "folding has moved the letters"


def points_of(places, target):
    """What one way of finding a word counts, from the rule."""
    total = 0
    for at, place in enumerate(places):
        total += 1
        if not target.before[place].isalnum() or target.folded[place] >= "\u2e80":
            total += 8
        if at and places[at - 1] == place - 1:
            total += 9
    return total


@given(LETTERS, WORD)
def test_the_rank_is_that_of_the_best_of_all_ways(text, word):
    target = Target(text)
    ways = [
        places
        for places in itertools.combinations(range(len(text)), len(word))
        if all(text[place] == letter for place, letter in zip(places, word, strict=True))
    ]
    assert has_letters((word,), target) == bool(ways)
    if ways:
        best = max(points_of(places, target) for places in ways)
        assert rank((word,), target) == best
        assert points_of(sorted(hit_places((word,), target)), target) == best
        quick = quick_rank((word,), target)
        assert quick is None or quick <= best


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ÉCOLE", "ecole"),
        ("Straße", "strasse"),
        ("巴黎", "巴黎"),
        ("ＡＢＣ", "abc"),
        ("Привёт", "привет"),
        ("ガ", "カ"),
    ],
)
def test_folding_takes_case_accents_and_width_away(text, expected):
    assert folded(text) == expected
