"""A content with a panel at each side that folds away and remembers its width."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from agdesk.ui.widgets.splitter import HairlineSplitter

Side = Literal["left", "right"]
_LEAST_WIDTH = 180
_LEAST_CENTER = 320


class SidePanels(HairlineSplitter):
    """A splitter: left panel, content, right panel.

    A panel is made when it is unfolded for the first time, but not before ``make_panels`` was called: until then its
    place is kept free, so that a window can be painted before its panels are loaded.

    Args:
        center: the content; it takes what is left over.
        left, right: make a panel.

    Signals:
        changed(): a panel was folded, unfolded, or has another width.
    """

    changed = Signal()

    def __init__(self, center: QWidget, *, left: Callable[[], QWidget], right: Callable[[], QWidget]) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._center = center
        self._makers: dict[Side, Callable[[], QWidget]] = {"left": left, "right": right}
        self._places: dict[Side, QWidget] = {}
        self._columns: dict[Side, QVBoxLayout] = {}
        self._panels: dict[Side, QWidget] = {}
        self._makes_panels = False
        self._widths: dict[Side, int] = {"left": 260, "right": 380}
        center.setMinimumWidth(_LEAST_CENTER)
        self.addWidget(center)
        self.setCollapsible(0, False)
        self.setStretchFactor(0, 1)
        self.splitterMoved.connect(self._on_moved)

    def panel(self, side: Side) -> QWidget | None:
        """A panel; None if it has not been made yet."""
        return self._panels.get(side)

    def make_panels(self) -> None:
        """Makes the panels that are unfolded, and from now on others as soon as they are."""
        self._makes_panels = True
        for side in self._places:
            self._fill(side)

    def is_folded(self, side: Side) -> bool:
        """Whether the panel is out of sight."""
        place = self._places.get(side)
        return place is None or place.isHidden()

    def panel_width(self, side: Side) -> int:
        """How wide the panel is, or will be when it is unfolded."""
        return self._widths[side]

    def set_panel_width(self, side: Side, width: int) -> None:
        """Gives a panel a width; it is never wider than half of what there is."""
        self._widths[side] = max(_LEAST_WIDTH, width)
        if not self.is_folded(side):
            self._lay_out()

    def widen(self, side: Side, by: int) -> None:
        """Unfolds a panel and makes it wider, or with a negative number narrower, as far as it goes."""
        self.set_folded(side, False)
        self.set_panel_width(side, min(self._places[side].width() + by, self._most_width))
        self.changed.emit()

    def set_folded(self, side: Side, is_folded: bool) -> None:
        """Folds or unfolds a panel."""
        if is_folded == self.is_folded(side):
            return
        if is_folded:
            self._places[side].hide()
        else:
            if side not in self._places:
                self._add_place(side)
            self._places[side].show()
            self._fill(side)
            self._lay_out()
        self.changed.emit()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._lay_out()  # what was laid out before had no width yet

    def _add_place(self, side: Side) -> None:
        place = self._places[side] = QWidget()
        column = self._columns[side] = QVBoxLayout(place)
        column.setContentsMargins(0, 0, 0, 0)
        place.setMinimumWidth(_LEAST_WIDTH)
        index = 0 if side == "left" else self.count()
        self.insertWidget(index, place)
        self.setCollapsible(index, False)
        self.setStretchFactor(index, 0)
        self.setStretchFactor(self.indexOf(self._center), 1)

    def _fill(self, side: Side) -> None:
        if self._makes_panels and side not in self._panels and not self.is_folded(side):
            panel = self._panels[side] = self._makers[side]()
            self._columns[side].addWidget(panel)
            panel.show()  # now, so that it can take the focus

    @property
    def _most_width(self) -> int:
        return max(_LEAST_WIDTH, self.width() // 2)

    def _lay_out(self) -> None:
        sizes = []
        for index in range(self.count()):
            side = self._side_of(index)
            sizes.append(0 if side is None else min(self._widths[side], self._most_width))
        center = self.indexOf(self._center)
        sizes[center] = max(_LEAST_CENTER, self.width() - sum(sizes))
        self.setSizes(sizes)

    def _side_of(self, index: int) -> Side | None:
        return next((side for side, place in self._places.items() if self.indexOf(place) == index), None)

    def _on_moved(self) -> None:
        for side, place in self._places.items():
            if not place.isHidden():
                self._widths[side] = place.width()
        self.changed.emit()
