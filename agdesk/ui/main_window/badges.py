"""The sign on a tab for what its conversation is doing: each has a shape of its own, not a colour alone."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap

from agdesk.ui.theme import current_theme

Activity = Literal["idle", "busy", "waiting", "unread", "failed"]
_GRID = 16
# centres and radius of the filled circles
_DOTS: dict[Activity, tuple[tuple[float, ...], float]] = {"busy": ((3.5, 8.0, 12.5), 1.75), "unread": ((8.0,), 3.5)}


def badge(activity: Activity) -> QIcon:
    """Three dots while it answers, one when an answer was not seen yet, the warning sign when one failed.

    The sign of tools while a call waits for the user.
    """
    match activity:
        case "idle":
            return QIcon()
        case "waiting":
            return current_theme().icon("tools", color="warning")
        case "failed":
            return current_theme().icon("warning", color="danger")
        case "busy" | "unread":
            icon = QIcon()
            for ratio in {1.0} | {screen.devicePixelRatio() for screen in QGuiApplication.screens()}:
                icon.addPixmap(_dots(activity, ratio=ratio))
            return icon


def _dots(activity: Activity, *, ratio: float) -> QPixmap:
    theme = current_theme()
    size = theme.metrics.icon
    pixmap = QPixmap(round(size * ratio), round(size * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    centres, radius = _DOTS[activity]
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(size / _GRID, size / _GRID)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("accent"))
    for x in centres:
        painter.drawEllipse(QPointF(x, _GRID / 2), radius, radius)
    painter.end()
    return pixmap
