"""Routing: never a model that is known not to do what is needed, and one that is known to do it before any other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agdesk.core.errors import ConfigurationError
from agdesk.core.providers.base import ModelInfo, Prices, ProviderFeatures
from agdesk.core.providers.catalogue import ModelRow
from agdesk.core.providers.router import Needs, choice_in_words, parse_needs, route

FLAGS = st.sampled_from([True, False, None])
FEATURES = st.builds(
    ProviderFeatures,
    thinking=FLAGS,
    vision=FLAGS,
    audio_input=FLAGS,
    tool_use=FLAGS,
    parallel_tool_calls=FLAGS,
    max_context_window=st.sampled_from([None, 4_096, 200_000, 1_000_000]),
)
PRICES = st.builds(Prices, st.sampled_from([None, 0.0, 1.0, 10.0]), st.sampled_from([None, 0.0, 2.0]))
ROWS = st.lists(
    st.tuples(FEATURES, PRICES, st.booleans(), st.booleans()),
    max_size=8,
).map(
    lambda drawn: [
        ModelRow("p", ModelInfo(f"m{number}", "M", features, prices=prices), "P", is_local, is_usable)
        for number, (features, prices, is_local, is_usable) in enumerate(drawn)
    ]
)
NEEDS = st.builds(
    Needs,
    vision=st.booleans(),
    audio_input=st.booleans(),
    tool_use=st.booleans(),
    thinking=st.booleans(),
    parallel_tool_calls=st.booleans(),
    min_context_window=st.sampled_from([None, 8_000, 200_000]),
)


def met(needs, row):
    """The needs as the definition has them, written out once more."""
    features = row.model.features
    answers = [
        getattr(features, field)
        for field in ("vision", "audio_input", "tool_use", "thinking", "parallel_tool_calls")
        if getattr(needs, field)
    ]
    if needs.min_context_window is not None:
        window = features.max_context_window
        answers.append(None if window is None else window >= needs.min_context_window)
    return answers


@given(NEEDS, ROWS)
def test_a_model_known_not_to_meet_a_need_is_never_chosen_and_nor_is_one_that_cannot_be_used(needs, rows):
    possible = [row for row in rows if row.is_usable and False not in met(needs, row)]
    if not possible:
        with pytest.raises(ConfigurationError):
            route(needs, rows)
    else:
        assert route(needs, rows) in possible


@given(NEEDS, ROWS)
def test_the_fewer_unknowns_the_better(needs, rows):
    possible = [row for row in rows if row.is_usable and False not in met(needs, row)]
    if possible:
        fewest = min(met(needs, row).count(None) for row in possible)
        assert met(needs, route(needs, rows)).count(None) == fewest


@given(NEEDS, ROWS, st.randoms())
def test_the_order_of_the_rows_decides_nothing(needs, rows, random):
    shuffled = list(rows)
    random.shuffle(shuffled)
    try:
        chosen = route(needs, rows)
    except ConfigurationError as error:
        with pytest.raises(ConfigurationError, match=error.message.split(" ")[0]):
            route(needs, shuffled)
    else:
        assert route(needs, shuffled) == chosen


@given(NEEDS, ROWS)
def test_the_choice_can_always_be_told(needs, rows):
    for row in rows:
        assert choice_in_words(row, needs).startswith(f"{row.ref} was taken")


@given(st.text())
def test_any_text_is_needs_or_a_clear_error(text):
    try:
        assert isinstance(parse_needs(text), Needs)
    except ConfigurationError as error:
        assert error.hint
