"""What the model in use is known to be able to do: small icons with their words, or without where there is no place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.text import plain_tool_tip

if TYPE_CHECKING:
    from agdesk.core.providers.base import ModelInfo


class AbilityLine(QWidget):
    """The abilities of one model; the tool tip has those that nobody knows of, too, and who says each."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts: tuple[tuple[str, str], ...] = ()  # icon, or none, and word
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        current_theme().theme_changed.connect(self._refresh)

    @property
    def words(self) -> tuple[str, ...]:
        """What is shown."""
        return tuple(word for _, word in self._parts)

    def show_model(self, info: ModelInfo | None) -> None:
        """Shows the abilities of another model; None for none in particular."""
        if info is None:
            self._say((), "")
            return
        from agdesk.ui.models.values import ABILITIES, ICONS, descriptions, field_name, value_of

        known = tuple((ICONS[ability], field_name(ability)) for ability in ABILITIES if value_of(info, ability))
        if not known and any(value_of(info, ability) is None for ability in ABILITIES):
            known = (("", self.tr("abilities unknown")),)
        self._say(known, descriptions(info, ABILITIES))

    @override
    def sizeHint(self) -> QSize:
        return QSize(self._width(has_words=True), current_theme().metrics.hit_area)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, current_theme().metrics.hit_area)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._parts or self.width() < self._width(has_words=False):
            return
        theme = current_theme()
        size, gap = theme.metrics.px(14), theme.metrics.space_4
        has_words = self.width() >= self._width(has_words=True)
        font = theme.font("caption")
        figures = QFontMetrics(font)
        painter = QPainter(self)
        painter.setFont(font)
        painter.setPen(theme.color("muted"))
        at = 0
        for icon, word in self._parts:
            if icon:
                place = self._placed(QRect(at, (self.height() - size) // 2, size, size))
                pixmap = theme.pixmap(icon, color="muted", size=size, ratio=self.devicePixelRatioF())
                painter.drawPixmap(place.topLeft(), pixmap)
                at += size + gap
            if has_words or not icon:
                width = figures.horizontalAdvance(word) + 1
                text = self._placed(QRect(at, 0, width, self.height()))
                painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, word)
                at += width
            at += theme.metrics.space_8
        painter.end()

    def _say(self, parts: tuple[tuple[str, str], ...], spoken: str) -> None:
        self._parts = parts
        self.setVisible(bool(parts))
        self.setAccessibleName(spoken)
        self.setToolTip(plain_tool_tip(spoken))
        self._refresh()

    def _refresh(self) -> None:
        self.updateGeometry()
        self.update()

    def _width(self, *, has_words: bool) -> int:
        theme = current_theme()
        metrics, figures = theme.metrics, QFontMetrics(theme.font("caption"))
        width = 0
        for icon, word in self._parts:
            width += metrics.space_8 + (metrics.px(14) + metrics.space_4 if icon else 0)
            width += figures.horizontalAdvance(word) + 1 if has_words or not icon else 0
        return width

    def _placed(self, area: QRect) -> QRect:
        """A part where it stands in the direction of reading."""
        if self.isRightToLeft():
            area.moveRight(self.width() - 1 - area.left())
        return area
