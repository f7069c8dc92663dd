"""Which model is taken when only its abilities are asked for, and what is said where there is none."""

from __future__ import annotations

import pytest

from agdesk.core.errors import ConfigurationError
from agdesk.core.providers.base import ModelInfo, Prices, ProviderFeatures
from agdesk.core.providers.catalogue import ModelRow
from agdesk.core.providers.router import Needs, choice_in_words, parse_needs, route


def row(model_id, *, price=None, is_local=False, is_usable=True, **features):
    prices = Prices(price, price) if price is not None else Prices()
    info = ModelInfo(model_id, model_id, ProviderFeatures(**features), prices=prices)
    return ModelRow("p", info, "P", is_local, is_usable)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("vision,tools,200k", Needs(vision=True, tool_use=True, min_context_window=200_000)),
        (" Thinking , AUDIO ", Needs(thinking=True, audio_input=True)),
        ("parallel,1m", Needs(parallel_tool_calls=True, min_context_window=1_000_000)),
        ("128000", Needs(min_context_window=128_000)),
        ("", Needs()),
        (",,", Needs()),
    ],
)
def test_needs_are_words_and_a_window(text, expected):
    assert parse_needs(text) == expected


@pytest.mark.parametrize("text", ["images", "200g", "-1k", "1.5m", "k", "vision tools", "²00k"])
def test_a_word_that_means_nothing_is_told(text):
    with pytest.raises(ConfigurationError, match="is no need") as caught:
        parse_needs(text)
    assert "vision" in caught.value.hint


def test_a_known_yes_comes_before_an_unknown_however_cheap_that_is():
    dear, cheap = row("dear", vision=True, price=100.0), row("cheap", price=0.1)
    assert route(Needs(vision=True), [cheap, dear]) is dear
    assert route(Needs(vision=True), [cheap]) is cheap


def test_among_equals_the_preferred_then_the_local_then_the_cheapest_then_the_one_without_a_price():
    a, b = row("a", price=2.0), row("b", price=1.0)
    local, unpriced = row("local", is_local=True), row("unpriced")
    rows = [unpriced, a, b, local]
    assert route(Needs(), rows, preferred_ref="p/a") is a
    assert route(Needs(), rows) is local
    assert route(Needs(), [unpriced, a, b]) is b
    assert route(Needs(), [unpriced, a]) is a


def test_the_preferred_model_is_not_taken_where_it_is_known_to_fail():
    fails, fits = row("fails", vision=False), row("fits", price=9.0)
    assert route(Needs(vision=True), [fails, fits], preferred_ref="p/fails") is fits


def test_what_nobody_offers_is_named():
    rows = [row("a", vision=False, tool_use=True), row("b", vision=False, tool_use=True, max_context_window=4096)]
    with pytest.raises(ConfigurationError, match=r"No model that can be used has vision$"):
        route(Needs(vision=True, tool_use=True), rows)
    with pytest.raises(ConfigurationError, match=r"has vision and thinking$"):
        route(Needs(vision=True, thinking=True), [row("c", vision=False, thinking=False)])
    with pytest.raises(ConfigurationError, match="a window of 200,000 tokens"):
        route(Needs(min_context_window=200_000), rows[1:])


def test_what_everyone_has_alone_and_nobody_together_is_told_as_such():
    rows = [row("a", vision=True, tool_use=False), row("b", vision=False, tool_use=True)]
    with pytest.raises(ConfigurationError, match="No single model that can be used has vision and tools"):
        route(Needs(vision=True, tool_use=True), rows)


def test_without_a_usable_model_a_key_is_asked_for():
    for rows in ([], [row("a", is_usable=False)]):
        with pytest.raises(ConfigurationError, match="No model can be used") as caught:
            route(Needs(), rows)
        assert "key" in caught.value.hint


def test_the_choice_is_told_with_what_is_known_and_what_is_not():
    needs = parse_needs("vision,tools,200k")
    known = row("a", vision=True, tool_use=True, max_context_window=200_000)
    assert choice_in_words(known, needs) == (
        "p/a was taken: it is known to have vision, tools and a window of 200,000 tokens"
    )
    assert choice_in_words(row("b", vision=True), needs) == (
        "p/b was taken: it is known to have vision, "
        "but nobody knows whether it has tools and a window of 200,000 tokens"
    )
    assert choice_in_words(known, Needs()) == "p/a was taken"
