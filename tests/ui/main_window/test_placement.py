"""A window comes back where it can be seen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agdesk.core.settings.window_state import Rect
from agdesk.ui.main_window.placement import fitted

MAIN, RIGHT = Rect(0, 0, 1920, 1080), Rect(1920, 0, 1280, 1024)


@pytest.mark.parametrize(
    ("rect", "screens", "expected"),
    [
        (Rect(100, 100, 800, 600), [MAIN], Rect(100, 100, 800, 600)),
        (Rect(1600, 100, 800, 600), [MAIN, RIGHT], Rect(1600, 100, 800, 600)),  # across two screens
        (Rect(2000, 100, 800, 600), [MAIN], Rect(1120, 100, 800, 600)),  # its screen has gone
        (Rect(-5000, -5000, 800, 600), [MAIN, RIGHT], Rect(0, 0, 800, 600)),
        (Rect(-700, 50, 800, 600), [MAIN], Rect(0, 50, 800, 600)),
        (Rect(1800, 900, 800, 600), [MAIN], Rect(1120, 480, 800, 600)),
        (Rect(0, 0, 3000, 2000), [MAIN], MAIN),  # larger than the screen
        (Rect(2500, 10, 3000, 400), [MAIN, RIGHT], Rect(1920, 10, 1280, 400)),
        (Rect(3, 4, 5, 6), [], Rect(3, 4, 5, 6)),
    ],
)
def test_a_window_is_moved_only_as_far_as_it_must(rect, screens, expected):
    assert fitted(rect, screens) == expected


numbers = st.integers(-100_000, 100_000)
sizes = st.integers(1, 100_000)
rects = st.builds(Rect, numbers, numbers, sizes, sizes)


@given(rects)
def test_a_window_is_always_visible_and_stays_where_it_was_put(rect):
    there = fitted(rect, [MAIN, RIGHT])
    inside = [
        max(0, min(there.x + there.width, s.x + s.width) - max(there.x, s.x))
        * max(0, min(there.y + there.height, s.y + s.height) - max(there.y, s.y))
        for s in (MAIN, RIGHT)
    ]
    assert sum(inside) == there.width * there.height
    assert fitted(there, [MAIN, RIGHT]) == there
