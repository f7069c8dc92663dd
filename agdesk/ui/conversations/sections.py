"""Which heading a conversation stands under, and how its time is said: everything that depends on today."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from agdesk.ui.widgets.folding import folded

if TYPE_CHECKING:
    from agdesk.core.workspace import Conversation

translate = QCoreApplication.translate

NARROW_SPACE = "\u202f"
_MINUTE_MS, _HOUR_MS = 60_000, 3_600_000
_PINNED, _GROUP, _DATE, _MONTH = range(4)

Order: TypeAlias = tuple[int, int, str, str]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading.

    Attributes:
        key: the same in every run: ``pinned``, ``group:Work``, ``today``, ``yesterday``, ``week``, ``30days``,
            ``2026-10``.
        order: sections are sorted by it.
        name: in the user's words.
    """

    key: str
    order: Order
    name: str


class Calendar:
    """Sections and times as seen on one day.

    Args:
        now: any time of that day; its time zone is the one that days are counted in, the local one if it has none.

    Attributes:
        today: that day.
    """

    def __init__(self, now: datetime) -> None:
        self._zone = now.tzinfo
        self.today = now.date()
        self._sections: dict[str, Section] = {}
        days = (
            (0, "today", translate("Conversations", "Today")),
            (1, "yesterday", translate("Conversations", "Yesterday")),
            (7, "week", translate("Conversations", "Previous 7 days")),
            (30, "30days", translate("Conversations", "Previous 30 days")),
        )
        self._recent = tuple(
            (self._start_ms(self.today - timedelta(days=back)), Section(key, (_DATE, back, "", ""), name))
            for back, key, name in days
        )

    def section(self, conversation: Conversation) -> Section:
        """Where a conversation stands. A time in the future counts as today's: a clock may have been put back."""
        if conversation.is_pinned:
            return self._keep("pinned", (_PINNED, 0, "", ""), translate("Conversations", "Pinned"))
        if group := conversation.group:
            key = f"group:{group}"
            return self._sections.get(key) or self._keep(key, (_GROUP, 0, folded(group), group), group)
        for start_ms, section in self._recent:
            if conversation.updated_ms >= start_ms:
                return section
        day = self._day(conversation.updated_ms)
        key = f"{day.year}-{day.month:02}"
        return self._sections.get(key) or self._keep(key, (_MONTH, -12 * day.year - day.month, "", ""), _month(day))

    def time_text(self, at_ms: int, now: datetime) -> str:
        """When something was, as short as possible: ``3 min``, ``5 h``, ``yesterday``, ``3 Oct``, ``3 Oct 2024``."""
        ago_ms = now.timestamp() * 1000 - at_ms
        day = self._day(at_ms)
        if ago_ms < _MINUTE_MS:
            return translate("Conversations", "now")
        if ago_ms < _HOUR_MS:
            return f"{ago_ms // _MINUTE_MS:.0f}{NARROW_SPACE}{translate('Conversations', 'min')}"
        if day >= self.today:
            return f"{ago_ms // _HOUR_MS:.0f}{NARROW_SPACE}{translate('Conversations', 'h')}"
        if day == self.today - timedelta(days=1):
            return translate("Conversations", "yesterday")
        is_this_year = day.year == self.today.year
        pattern = translate("Conversations", "d MMM") if is_this_year else translate("Conversations", "d MMM yyyy")
        return QLocale().toString(QDate(day.year, day.month, day.day), pattern)

    def _keep(self, key: str, order: Order, name: str) -> Section:
        return self._sections.setdefault(key, Section(key, order, name))

    def _day(self, at_ms: int) -> date:
        return datetime.fromtimestamp(at_ms / 1000, self._zone).date()

    def _start_ms(self, day: date) -> float:
        return datetime.combine(day, time(), self._zone).timestamp() * 1000


def _month(day: date) -> str:
    pattern = translate("Conversations", "MMMM yyyy")
    return QLocale().toString(QDate(day.year, day.month, 1), pattern)
