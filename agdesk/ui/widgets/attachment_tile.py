"""An attachment as a button: its thumbnail or icon, its name and what it is."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QEnterEvent, QFontMetrics, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.attachment_view import AttachmentView
from agdesk.ui.widgets.buttons import press_by_enter
from agdesk.ui.widgets.text import plain_tool_tip, safe_text, visible_text
from agdesk.ui.widgets.thumbnails import ThumbnailShelf

CHIP_WIDTH = 208
CHIP_HEIGHT = 40
_ICONS = {"image": "image", "audio": "audio", "file": "file"}


class AttachmentTile(QAbstractButton):
    """A chip, or with a ``picture_size`` an image of that size. Pressed, it opens what it shows.

    Args:
        shelf: gives the thumbnails.
        has_button: room is left at the end for a button that stands over it.
    """

    def __init__(self, shelf: ThumbnailShelf, parent: QWidget | None = None, *, has_button: bool = False) -> None:
        super().__init__(parent)
        self.view: AttachmentView | None = None
        self._shelf = shelf
        self._has_button = has_button
        self._picture_size: QSize | None = None
        self._warning = ""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        shelf.ready.connect(self._on_ready)
        current_theme().theme_changed.connect(self.updateGeometry)

    def show_view(self, view: AttachmentView, *, picture_size: QSize | None = None) -> None:
        """Shows an attachment; ``picture_size`` is in pixels at normal scale."""
        self.view = view
        self._picture_size = picture_size if view.kind == "image" else None
        self._tell()
        self.updateGeometry()
        self.update()

    def set_warning(self, text: str) -> None:
        """Marks it as something that does not arrive; empty takes the mark away."""
        if text != self._warning:
            self._warning = text
            self._tell()
            self.update()

    @override
    def sizeHint(self) -> QSize:
        metrics = current_theme().metrics
        size = self._picture_size or QSize(CHIP_WIDTH, CHIP_HEIGHT)
        room = metrics.hit_area if self._has_button else 0
        return QSize(metrics.px(size.width()) + room, metrics.px(size.height()))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not press_by_enter(self, event):
            super().keyPressEvent(event)

    @override
    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self.view is None:
            return
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        width = theme.metrics.focus_ring if self.hasFocus() else 1
        edge = "accent" if self.hasFocus() else "warning" if self._warning else "border"
        area = QRectF(self._shown_area()).adjusted(width / 2, width / 2, -width / 2, -width / 2)
        outline = QPainterPath()
        outline.addRoundedRect(area, theme.metrics.radius, theme.metrics.radius)
        painter.fillPath(outline, theme.color("raised"))
        if self._picture_size is not None:
            painter.save()
            painter.setClipPath(outline)
            self._paint_image(painter, self._shown_area(), self.view)
            painter.restore()
        else:
            self._paint_chip(painter, self.view)
        painter.setPen(QPen(theme.color("control_edge" if self.underMouse() and edge == "border" else edge), width))
        painter.drawPath(outline)
        painter.end()

    def _shown_area(self) -> QRect:
        """Where it is drawn: of a picture just as much as that needs, at its beginning."""
        image = self._shelf.image(self.view.key) if self._picture_size is not None and self.view is not None else None
        if image is None:
            return self.rect()
        size = image.size()
        if size.width() > self.width() or size.height() > self.height():
            size.scale(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        left = self.width() - size.width() if self.isRightToLeft() else 0
        return QRect(QPoint(left, 0), size)

    def _paint_chip(self, painter: QPainter, view: AttachmentView) -> None:
        theme = current_theme()
        metrics = theme.metrics
        gap = metrics.space_4
        edge = self.height() - 2 * gap
        place = QRect(gap, gap, edge, edge)
        if view.kind == "image":
            clip = QPainterPath()
            clip.addRoundedRect(QRectF(place), metrics.radius / 2, metrics.radius / 2)
            painter.save()
            painter.setClipPath(clip)
            self._paint_image(painter, place, view)
            painter.restore()
        else:
            self._paint_icon(painter, place, _ICONS[view.kind], "muted")
        left = place.right() + 1 + metrics.space_8
        right = self.width() - (metrics.hit_area + gap if self._has_button else metrics.space_8)
        if self._warning:
            sign = QRect(right - metrics.icon, (self.height() - metrics.icon) // 2, metrics.icon, metrics.icon)
            self._paint_icon(painter, sign, "warning", "warning")
            right = sign.left() - gap
        middle = self.height() // 2
        for text, font, color, line in (
            (visible_text(view.name), theme.font("body"), "text", QRect(left, gap, right - left, middle - gap)),
            (view.detail, theme.font("caption"), "muted", QRect(left, middle, right - left, middle - gap)),
        ):
            painter.setFont(font)
            painter.setPen(theme.color(color))
            shown = QFontMetrics(font).elidedText(safe_text(text), Qt.TextElideMode.ElideMiddle, line.width())
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, shown)

    def _paint_image(self, painter: QPainter, place: QRect, view: AttachmentView) -> None:
        theme = current_theme()
        painter.fillRect(place, theme.color("code"))
        image = self._shelf.image(view.key)
        if image is None:
            self._paint_icon(painter, place, "image", "muted")
            return
        size = image.size().scaled(place.size(), Qt.AspectRatioMode.KeepAspectRatioByExpanding)
        left = place.left() + (place.width() - size.width()) / 2
        top = place.top() + (place.height() - size.height()) / 2
        painter.drawImage(QRectF(left, top, size.width(), size.height()), image)

    def _paint_icon(self, painter: QPainter, place: QRect, icon: str, color: str) -> None:
        theme = current_theme()
        size = theme.metrics.icon
        pixmap = theme.pixmap(icon, color=color, size=size, ratio=self.devicePixelRatioF())
        painter.drawPixmap(QPointF(place.center().x() - size / 2 + 0.5, place.center().y() - size / 2 + 0.5), pixmap)

    def _tell(self) -> None:
        if self.view is not None:
            parts = [visible_text(self.view.name), self.view.detail, self._warning]
            text = ", ".join(part for part in parts if part)
            self.setAccessibleName(text)
            self.setToolTip(plain_tool_tip(text))

    def _on_ready(self, key: str) -> None:
        if self.view is not None and self.view.key == key:
            self.update()
