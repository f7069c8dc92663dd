"""A number that need not be there, typed or stepped."""

from __future__ import annotations

import math

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QLineEdit, QStyleOptionSpinBox, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.spin_look import draw_spin_arrows, spin_stylesheet

_WIDTH = 148
_DIGITS = 12  # to which a stepped number is rounded: 0.1 + 0.2 is 0.3
_MOST_CHARACTERS = 30


class OptionalNumberBox(QAbstractSpinBox):
    """A spin box that may be empty. The wheel scrolls the page it stands on, unless the box has the focus.

    What is typed is taken as it is, also where it is no number: ``value`` tells.

    Args:
        name: what is read out for it.
        is_whole: it holds no fractions; steps grow with the number then.

    Signals:
        edited(): the user has changed it; ``show_value`` does not emit it.
    """

    edited = Signal()

    def __init__(self, name: str, parent: QWidget | None = None, *, is_whole: bool) -> None:
        super().__init__(parent)
        self._is_whole = is_whole
        self._low: float | None = None
        self._high: float | None = None
        self._step = 1.0
        editor = QLineEdit()
        editor.setAccessibleName(name)
        editor.setMaxLength(_MOST_CHARACTERS)
        self.setLineEdit(editor)
        editor.textEdited.connect(lambda _text: self.edited.emit())
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        current_theme().theme_changed.connect(self._restyle)
        self._restyle()

    def set_range(self, low: float | None, high: float | None, step: float | None) -> None:
        """Between which numbers it steps, and how far."""
        self._low, self._high, self._step = low, high, step or 1.0

    def set_placeholder(self, text: str) -> None:
        """What stands there while it is empty."""
        self.lineEdit().setPlaceholderText(text)

    def value(self) -> float | None:
        """The number, an int in a box of whole ones; None while it is empty.

        Raises:
            ValueError: it is no such number.
        """
        text = "".join(self.lineEdit().text().split()).replace("_", "")
        if not text:
            return None
        if self._is_whole:
            return int(text)
        number = float(text.replace(",", "."))
        if not math.isfinite(number):
            raise ValueError(text)
        return number

    def show_value(self, value: float | None) -> None:
        """Shows a number that did not come from the user."""
        self.lineEdit().setText("" if value is None else f"{value:d}" if self._is_whole else f"{value:.{_DIGITS}g}")

    @override
    def stepBy(self, steps: int) -> None:
        number = self._value_or_none()
        if number is None:
            number = 0 if self._low is None else self._low
        elif self._is_whole:
            number = int(number) + steps * self._whole_step(int(number), steps)
        else:
            number = round(number + steps * self._step, _DIGITS)
        number = number if self._low is None else max(number, self._low)
        number = number if self._high is None else min(number, self._high)
        self.show_value(int(number) if self._is_whole else number)
        self.selectAll()
        self.edited.emit()

    @override
    def stepEnabled(self) -> QAbstractSpinBox.StepEnabledFlag:
        number, flags = self._value_or_none(), QAbstractSpinBox.StepEnabledFlag
        enabled = flags.StepNone
        if number is None or self._high is None or number < self._high:
            enabled |= flags.StepUpEnabled
        if number is None or self._low is None or number > self._low:
            enabled |= flags.StepDownEnabled
        return enabled

    @override
    def sizeHint(self) -> QSize:
        metrics = current_theme().metrics
        return QSize(metrics.px(_WIDTH), metrics.hit_area)

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        option = QStyleOptionSpinBox()
        self.initStyleOption(option)
        draw_spin_arrows(self, option)

    def _value_or_none(self) -> float | None:
        try:
            return self.value()
        except ValueError:
            return None

    def _whole_step(self, number: int, steps: int) -> int:
        """A tenth of the number's order of magnitude: 1 up to 99, then 10, then 100."""
        # downwards from 100 the step is that of 99
        digits = len(str(abs(number - (1 if steps < 0 else 0))))
        return int(max(1, 10 ** (digits - 2)) * self._step)

    def _restyle(self) -> None:
        self.lineEdit().setTextMargins(current_theme().metrics.space_4, 0, 0, 0)
        self.setStyleSheet(spin_stylesheet())
        self.updateGeometry()
