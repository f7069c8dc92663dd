"""What of thousands of models is found by typing and by the filters, and in which order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agdesk.ui.models.filters import ModelFilter
from agdesk.ui.models.finder import ModelFinder
from tests.ui.models.rows import FEW, many, row


def found(query, rows=FEW, **conditions):
    finder = ModelFinder()
    finder.set_filter(ModelFilter(**conditions))
    finder.set_rows(rows)
    return finder.find(query)


def refs(query, rows=FEW, **conditions):
    return [row.ref for row in found(query, rows, **conditions).rows]


def test_without_a_query_all_are_there_those_that_can_be_used_first():
    assert refs("") == ["alpha/one", "alpha/two", "local/four", "beta/three"]


@pytest.mark.parametrize("query", ["beta/three", "BETA/THREE", "three beta", "beta thr", "bthree", "tree", "Beta"])
def test_a_model_is_found_by_provider_and_name_in_any_order_and_by_letters(query):
    assert refs(query)[0] == "beta/three"


def test_a_model_is_found_by_the_name_that_its_provider_gives_it():
    assert refs("Grand Piano", (*FEW, row("alpha/gp-1", name="Grand Piano"))) == ["alpha/gp-1"]


def test_the_whole_reference_comes_before_a_usable_one_that_only_contains_it():
    rows = (row("router/openai/gpt-5"), row("openai/gpt-5-mini"), row("openai/gpt-5", is_usable=False))
    assert refs("openai/gpt-5", rows) == ["openai/gpt-5", "openai/gpt-5-mini", "router/openai/gpt-5"]


def test_what_begins_a_word_comes_before_what_has_the_letters_somewhere_and_the_usable_before_the_others():
    rows = (row("a/x-mental"), row("b/metal"), row("c/metal", is_usable=False), row("a/m-e-t-a-l"))
    assert refs("metal", rows) == ["b/metal", "c/metal", "a/m-e-t-a-l", "a/x-mental"]


def test_filters_combine():
    assert refs("", abilities=frozenset({"vision"})) == ["alpha/one", "local/four"]
    assert refs("", abilities=frozenset({"vision", "tool_use"})) == ["alpha/one"]
    assert refs("", min_context_window=32_000) == ["alpha/one", "local/four"]
    assert refs("", is_local=True) == ["local/four"]
    assert refs("", is_usable=True) == ["alpha/one", "alpha/two", "local/four"]
    assert refs("one", abilities=frozenset({"vision"}), is_local=True) == []


def test_unknown_is_neither_yes_nor_no_it_is_counted_and_comes_last_if_wanted():
    hidden = found("", abilities=frozenset({"vision"}))
    assert hidden.hidden_unknown == 1
    shown = found("", abilities=frozenset({"vision"}), includes_unknown=True)
    assert [row.ref for row in shown.rows] == ["alpha/one", "local/four", "beta/three"]
    assert (shown.unknown_from, shown.hidden_unknown) == (2, 0)


def test_known_comes_first_even_if_the_unknown_fits_better():
    rows = (row("a/mini-big", vision=True), row("a/mini"))
    assert refs("mini", rows, abilities=frozenset({"vision"}), includes_unknown=True) == ["a/mini-big", "a/mini"]


def test_the_letters_that_were_hit_are_those_of_the_words():
    finder = ModelFinder()
    assert finder.hits("one alpha", "alpha-one") == frozenset(range(5)) | {6, 7, 8}
    assert finder.hits("zebra", "alpha") == frozenset()


@given(st.text(alphabet="abcinoru-/0159 ", max_size=12))
def test_typing_on_finds_what_a_fresh_search_finds(query):
    finder = ModelFinder()
    finder.set_rows(many(60))
    for end in range(len(query) + 1):
        finder.find(query[:end])
    fresh = ModelFinder()
    fresh.set_rows(many(60))
    assert finder.find(query) == fresh.find(query)


def test_other_rows_and_another_filter_forget_what_did_not_fit():
    finder = ModelFinder()
    finder.set_rows(FEW)
    assert not finder.find("nine").rows
    finder.set_rows((*FEW, row("alpha/nine")))
    assert [row.ref for row in finder.find("nine").rows] == ["alpha/nine"]
    finder.set_filter(ModelFilter(is_local=True))
    assert not finder.find("nine").rows
    finder.set_filter(ModelFilter())
    assert [row.ref for row in finder.find("nine").rows] == ["alpha/nine"]


def test_three_thousand_are_all_there():
    assert len(found("", many()).rows) == 3_000
    assert len(found("boreal", many()).rows) == 1_000
