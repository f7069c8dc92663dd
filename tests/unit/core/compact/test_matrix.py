"""Every row of the documents' tables, at the values where it begins and ends."""

import pytest

from agdesk.core.compact import CompactConfig, decide_strategy, score_class, size_class
from agdesk.core.compact.matrix import ScoreClass, SizeClass, harder
from agdesk.core.errors import CompactError
from agdesk.core.ir.compaction import Replace, Skip, Truncate, TruncateStructured

SKIP, SHORT, SKELETON, GONE = Skip(), Truncate(200), TruncateStructured(500), Replace()


@pytest.mark.parametrize("score", [-40.0, -1, 0, 0.5, 1, 2, 3])
@pytest.mark.parametrize("size", [0, 1, 199, 200])
def test_up_to_200_characters_nothing_is_done_whatever_the_score(size, score):
    assert decide_strategy(size, score) == SKIP


@pytest.mark.parametrize("size", [201, 1000, 2000])
@pytest.mark.parametrize(
    ("score", "action"), [(-2, SHORT), (0, SHORT), (0.5, SHORT), (0.99, SHORT), (1, SKIP), (1.5, SKIP), (2, SKIP)]
)
def test_from_201_to_2000_characters_what_is_important_stays_and_the_rest_is_cut_to_200(size, score, action):
    assert decide_strategy(size, score) == action


@pytest.mark.parametrize("size", [2001, 10_000_000])
@pytest.mark.parametrize(
    ("score", "action"),
    [(2, SKELETON), (2.5, SKELETON), (1.99, SHORT), (1.5, SHORT), (1, SHORT), (0.99, GONE), (0.5, GONE), (-1, GONE)],
)
def test_from_2001_characters_the_score_decides_between_skeleton_200_characters_and_nothing(size, score, action):
    assert decide_strategy(size, score) == action


@pytest.mark.parametrize(
    ("size", "score", "now", "then"),
    [
        (200, 2, SKIP, None),
        (201, 0.99, SHORT, None),
        (201, 1, SKIP, SKELETON),
        (2000, 2, SKIP, SKELETON),
        (2000, 1, SKELETON, None),
        (2001, 0.99, GONE, None),
        (2001, 1, SHORT, GONE),
        (2001, 2, SKELETON, SHORT),
        (2001, 2, SHORT, GONE),
        (2001, 2, GONE, None),
    ],
)
def test_stage_2_goes_one_step_down_for_what_is_important_only(size, score, now, then):
    assert harder(size, score, now) == then


def test_the_board_has_three_sizes_and_three_ranges_of_the_score():
    assert [size_class(size) for size in (0, 200, 201, 2000, 2001)] == [
        SizeClass.SMALL,
        SizeClass.SMALL,
        SizeClass.MEDIUM,
        SizeClass.MEDIUM,
        SizeClass.LARGE,
    ]
    assert [score_class(score) for score in (-3, 0.99, 1, 1.5, 1.99, 2, 5)] == [
        ScoreClass.LOW,
        ScoreClass.LOW,
        ScoreClass.HIGH,
        ScoreClass.HIGH,
        ScoreClass.HIGH,
        ScoreClass.HIGHEST,
        ScoreClass.HIGHEST,
    ]


def test_the_defaults_are_the_documents():
    config = CompactConfig()
    assert (config.reserved_tokens, config.keep_recent, config.compact_thinking, config.fading_turns) == (
        4096,
        6,
        False,
        3,
    )
    assert config.limit_tokens is None, "with an unknown window nothing is compared"
    assert CompactConfig(context_window=10_000, reserved_tokens=1000).limit_tokens == 9000


@pytest.mark.parametrize(
    "wrong", [{"context_window": 0}, {"reserved_tokens": -1}, {"keep_recent": -1}, {"fading_turns": 0}]
)
def test_numbers_that_cannot_be_are_refused_by_name(wrong):
    with pytest.raises(CompactError, match=next(iter(wrong))):
        CompactConfig(**wrong)
