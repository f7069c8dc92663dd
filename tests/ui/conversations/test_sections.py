"""What stands under which heading, and how times are said, at noon of 30 November 2026."""

from datetime import datetime, timedelta, timezone

import pytest

from agdesk.ui.conversations.sections import Calendar
from tests.ui.conversations.stored import NOON, conversation


@pytest.mark.parametrize(
    ("ago", "name"),
    [
        (timedelta(minutes=-5), "Today"),
        (timedelta(hours=11, minutes=59), "Today"),
        (timedelta(hours=12, minutes=1), "Yesterday"),
        (timedelta(hours=36, minutes=1), "Previous 7 days"),
        (timedelta(days=7), "Previous 7 days"),
        (timedelta(days=8), "Previous 30 days"),
        (timedelta(days=30), "Previous 30 days"),
        (timedelta(days=31), "October 2026"),
        (timedelta(days=365), "November 2025"),
    ],
)
def test_a_time_stands_under_its_day_or_month(qapp, ago, name):
    assert Calendar(NOON).section(conversation("c", ago=ago)).name == name


def test_pinned_goes_before_groups_and_groups_before_days(qapp):
    calendar = Calendar(NOON)
    rows = [
        conversation("today"),
        conversation("old", ago=timedelta(days=400)),
        conversation("older", ago=timedelta(days=800)),
        conversation("b", group="zebra"),
        conversation("a", group="Äpfel"),
        conversation("p", group="zebra", is_pinned=True),
    ]
    sections = sorted((calendar.section(row) for row in rows), key=lambda section: section.order)
    assert [section.name for section in sections] == [
        "Pinned",
        "Äpfel",
        "zebra",
        "Today",
        "October 2025",
        "September 2024",
    ]


@pytest.mark.parametrize(
    ("ago", "text"),
    [
        (timedelta(minutes=-5), "now"),
        (timedelta(seconds=59), "now"),
        (timedelta(minutes=3, seconds=50), "3\u202fmin"),
        (timedelta(minutes=59, seconds=59), "59\u202fmin"),
        (timedelta(hours=5, minutes=59), "5\u202fh"),
        (timedelta(hours=13), "yesterday"),
        (timedelta(days=2), "28 Nov"),
        (timedelta(days=365), "30 Nov 2025"),
    ],
)
def test_times_are_said_as_short_as_possible(qapp, ago, text):
    assert Calendar(NOON).time_text(conversation("c", ago=ago).updated_ms, NOON) == text


def test_days_are_those_of_the_time_zone_of_the_clock(qapp):
    far_east = timezone(timedelta(hours=9))
    now = datetime(2026, 11, 30, 1, 0, tzinfo=far_east)
    calendar = Calendar(now)
    at = datetime(2026, 11, 29, 23, 30, tzinfo=far_east).timestamp() * 1000
    assert calendar.time_text(round(at), now) == "yesterday"
