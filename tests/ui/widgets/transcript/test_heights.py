"""The prefix sums against the plain list they stand for."""

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agdesk.ui.widgets.transcript.heights import HeightIndex

HEIGHTS = st.lists(st.integers(0, 500), max_size=70)


def find(heights: list[int], offset: int) -> int:
    ends = list(accumulate(heights))
    return next((index for index, end in enumerate(ends) if end > offset), len(heights) - 1)


@given(built=HEIGHTS, appended=HEIGHTS, changes=st.lists(st.tuples(st.integers(0, 200), st.integers(0, 500))))
def test_it_answers_like_a_plain_list(built, appended, changes):
    index, plain = HeightIndex(built), list(built)
    for height in appended:
        index.append(height)
        plain.append(height)
    for at, height in changes:
        if plain:
            index.set(at % len(plain), height)
            plain[at % len(plain)] = height
    assert len(index) == len(plain)
    assert index.total == sum(plain)
    assert [index[at] for at in range(len(plain))] == plain
    assert [index.before(at) for at in range(len(plain) + 1)] == [0, *accumulate(plain)]
    for offset in range(0, index.total + 2, 7):
        if plain:
            assert index.find(offset) == find(plain, offset)


def test_a_place_before_the_start_is_the_first_and_beyond_the_end_the_last():
    index = HeightIndex([10, 20])
    assert index.find(-5) == 0
    assert index.find(1000) == 1


def test_nothing_can_be_found_in_an_empty_list():
    with pytest.raises(IndexError):
        HeightIndex().find(0)
