"""The order in which Tab goes through a window: as it is read, whenever its parts were made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QWidget


def set_reading_order(sections: Iterable[QWidget | None]) -> None:
    """Puts the focus chain of a window into the order of its sections, and of the lines within each of them.

    Parts come and go while a window is open, and Qt appends each one to the end of the chain: call it before every
    step, from ``focusNextPrevChild`` of the window.

    Args:
        sections: the parts of the window in reading order, none within another; None for one that is not there.
    """
    stops = [stop for section in sections if section is not None for stop in _ordered(section)]
    for before, after in pairwise(stops):
        QWidget.setTabOrder(before, after)


def reading_order(section: QWidget) -> list[QWidget]:
    """The controls of a part of a window that Tab visits, as they are read."""
    return [stop for stop in _ordered(section) if stop.isEnabled()]


def _ordered(section: QWidget) -> list[QWidget]:
    """What a scroll area shows a part of is read as a whole, in the place of the area."""
    from PySide6.QtWidgets import QScrollArea  # not before the first paint: a type costs time

    stops = _stops(section)
    areas = [area for area in section.findChildren(QScrollArea) if area.isVisible()]
    outer = [area for area in areas if not any(other is not area and other.isAncestorOf(area) for other in areas)]
    contents = {area: body for area in outer if (body := area.widget()) is not None}
    outside = [stop for stop in stops if not any(body.isAncestorOf(stop) for body in contents.values())]
    ordered: list[QWidget] = []
    for part in _in_reading_order([*outside, *(area for area in contents if area not in outside)]):
        if part in stops:
            ordered.append(part)
        if isinstance(part, QScrollArea) and part in contents:
            ordered += _ordered(contents[part])
    return ordered


def _stops(section: QWidget) -> list[QWidget]:
    parts = (section, *section.findChildren(QWidget))
    tab = Qt.FocusPolicy.TabFocus
    # the field in a spin box stands for the box
    return [part for part in parts if part.isVisible() and part.focusPolicy() & tab and part.focusProxy() is None]


def _in_reading_order(stops: Sequence[QWidget]) -> list[QWidget]:
    """From the top; what stands beside the middle of the first of a line is in that line, from the left."""
    places = {stop: QRect(stop.mapTo(stop.window(), QPoint(0, 0)), stop.size()) for stop in stops}
    is_mirrored = bool(stops) and stops[0].isRightToLeft()
    rest = sorted(stops, key=lambda stop: (places[stop].top(), -places[stop].height()))
    ordered: list[QWidget] = []
    while rest:
        first = rest[0]
        if any(part is not first and first.isAncestorOf(part) for part in rest):
            line = [first]  # what scrolls comes before what is in it
        else:
            middle = min(places[first].center().y(), places[first].top() + first.fontMetrics().height())
            middle = max(middle, places[first].top())  # without a height its centre is above it
            line = [stop for stop in rest if places[stop].top() <= middle]
            line.sort(key=lambda stop: -places[stop].right() if is_mirrored else places[stop].left())
        ordered += line
        rest = [stop for stop in rest if stop not in line]
    return ordered
