"""The line icons: a 16-unit grid, strokes of 1.5 units, in the colour they are asked for.

An icon is SVG path data of absolute ``M``, ``L``, ``C`` and ``Z`` commands. They are drawn with QPainter: neither files
nor QtSvg are needed before the first paint.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from types import MappingProxyType

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPixmap

GRID = 16
STROKE = 1.5

ICONS = MappingProxyType(
    {
        "send": "M 8 13.25 L 8 3 M 3.5 7.5 L 8 3 L 12.5 7.5",
        "stop": "M 4.5 4 L 11.5 4 L 12 4.5 L 12 11.5 L 11.5 12 L 4.5 12 L 4 11.5 L 4 4.5 Z",
        "queue": (
            "M 2.5 3.75 L 13.5 3.75 M 2.5 8 L 8 8 M 2.5 12.25 L 6.5 12.25 M 11.25 7.5 L 11.25 13.5 "
            "M 8.25 10.5 L 14.25 10.5"
        ),
        "copy": "M 5.5 5.5 L 13.25 5.5 L 13.25 13.25 L 5.5 13.25 Z M 10.5 2.75 L 2.75 2.75 L 2.75 10.5",
        "edit": "M 3 13 L 3.6 10.2 L 10.75 3 L 13 5.25 L 5.8 12.4 Z M 9.25 4.5 L 11.5 6.75",
        "more": "M 2.75 7.75 L 4.25 7.75 M 7.25 7.75 L 8.75 7.75 M 11.75 7.75 L 13.25 7.75",
        "chevron_left": "M 10 3.5 L 5.5 8 L 10 12.5",
        "check": "M 3 8.5 L 6.5 12 L 13 4.5",
        "plus": "M 8 3 L 8 13 M 3 8 L 13 8",
        "close": "M 4 4 L 12 12 M 12 4 L 4 12",
        "detach": "M 6.5 3 L 3 3 L 3 13 L 13 13 L 13 9.5 M 9 2.75 L 13.25 2.75 L 13.25 7 M 13 3 L 7.5 8.5",
        "chevron_right": "M 6 3.5 L 10.5 8 L 6 12.5",
        "chevron_up": "M 3.5 10 L 8 5.5 L 12.5 10",
        "wrap": (
            "M 2.5 3.5 L 13.5 3.5 M 2.5 8 L 11 8 C 14 8 14 12.5 11 12.5 L 8 12.5 M 9.75 10.5 L 7.75 12.5 L 9.75 14.5"
        ),
        "no_wrap": "M 2.5 3.5 L 9 3.5 M 2.5 8 L 13.25 8 M 10.75 5.5 L 13.25 8 L 10.75 10.5 M 2.5 12.5 L 9 12.5",
        "chevron_down": "M 3.5 6 L 8 10.5 L 12.5 6",
        "warning": "M 8 2.5 L 14.25 13.25 L 1.75 13.25 Z M 8 6.5 L 8 9.25 M 8 11.2 L 8 11.25",
        "jump_down": "M 8 2.5 L 8 10.5 M 4.25 6.75 L 8 10.5 L 11.75 6.75 M 3.5 13.5 L 12.5 13.5",
        "menu": "M 2.5 4.25 L 13.5 4.25 M 2.5 8.25 L 13.5 8.25 M 2.5 12.25 L 13.5 12.25",
        "search": (
            "M 11.25 7 C 11.25 9.35 9.35 11.25 7 11.25 C 4.65 11.25 2.75 9.35 2.75 7 C 2.75 4.65 4.65 2.75 7 2.75 "
            "C 9.35 2.75 11.25 4.65 11.25 7 Z M 10.1 10.1 L 13.5 13.5"
        ),
        "panel_left": "M 2.25 3.25 L 13.75 3.25 L 13.75 12.75 L 2.25 12.75 Z M 6.25 3.25 L 6.25 12.75",
        "panel_right": "M 2.25 3.25 L 13.75 3.25 L 13.75 12.75 L 2.25 12.75 Z M 9.75 3.25 L 9.75 12.75",
        "model": (
            "M 4.5 4.5 L 11.5 4.5 L 11.5 11.5 L 4.5 11.5 Z M 6.25 2 L 6.25 4.5 M 9.75 2 L 9.75 4.5 M 6.25 11.5 "
            "L 6.25 14 M 9.75 11.5 L 9.75 14 "
            "M 2 6.25 L 4.5 6.25 M 2 9.75 L 4.5 9.75 M 11.5 6.25 L 14 6.25 M 11.5 9.75 L 14 9.75"
        ),
        "refresh": (
            "M 13 8 C 13 10.75 10.75 13 8 13 C 5.25 13 3 10.75 3 8 C 3 5.25 5.25 3 8 3 C 9.75 3 11.25 3.9 12.25 5.25 "
            "M 12.5 2.5 L 12.5 5.5 L 9.5 5.5"
        ),
        "key": (
            "M 8.25 10.25 C 8.25 12.05 6.8 13.5 5 13.5 C 3.2 13.5 1.75 12.05 1.75 10.25 C 1.75 8.45 3.2 7 5 7 "
            "C 6.8 7 8.25 8.45 8.25 10.25 Z M 7.4 7.9 L 13.25 2.5 M 11 4.6 L 13 6.75"
        ),
        "local": "M 2 3.25 L 14 3.25 L 14 10.75 L 2 10.75 Z M 8 10.75 L 8 13.25 M 5 13.25 L 11 13.25",
        "vision": (
            "M 1.75 8 C 3.25 5.25 5.5 3.75 8 3.75 C 10.5 3.75 12.75 5.25 14.25 8 C 12.75 10.75 10.5 12.25 8 12.25 "
            "C 5.5 12.25 3.25 10.75 1.75 8 Z "
            "M 9.9 8 C 9.9 9.05 9.05 9.9 8 9.9 C 6.95 9.9 6.1 9.05 6.1 8 C 6.1 6.95 6.95 6.1 8 6.1 "
            "C 9.05 6.1 9.9 6.95 9.9 8 Z"
        ),
        "tools": (
            "M 13.25 5 C 13.25 7.1 11.6 8.75 9.5 8.75 C 9.1 8.75 8.7 8.7 8.35 8.55 L 4.5 12.9 "
            "C 4 13.4 3.1 13.4 2.6 12.9 C 2.1 12.4 2.1 11.6 2.6 11.1 "
            "L 7 7.2 C 6.1 4.75 7.5 2.25 10.25 2 L 9 4.25 L 11 6 Z"
        ),
        "thinking": (
            "M 5.75 11.25 L 5.75 10.5 C 4.5 9.75 3.75 8.4 3.75 6.9 C 3.75 4.4 5.65 2.5 8 2.5 C 10.35 2.5 12.25 4.4 "
            "12.25 6.9 C 12.25 8.4 11.5 9.75 10.25 10.5 L 10.25 11.25 Z M 6.5 13.75 L 9.5 13.75"
        ),
        "attach": (
            "M 12.75 7.5 L 7.6 12.65 C 6.3 13.95 4.35 13.95 3.1 12.7 C 1.85 11.45 1.85 9.5 3.1 8.2 L 8.5 2.85 "
            "C 9.35 2 10.65 2 11.5 2.85 C 12.35 3.7 12.35 5 11.5 5.85 L 6.3 11 C 5.9 11.4 5.2 11.4 4.8 11 "
            "C 4.4 10.6 4.4 9.9 4.8 9.5 L 9.5 4.85"
        ),
        "file": "M 3.75 2 L 9 2 L 12.25 5.25 L 12.25 14 L 3.75 14 Z M 9 2 L 9 5.25 L 12.25 5.25",
        "image": (
            "M 2.25 3.25 L 13.75 3.25 L 13.75 12.75 L 2.25 12.75 Z M 2.25 10.75 L 5.5 7.5 L 8.25 10.25 L 10.25 8.5 "
            "L 13.75 11.75 M 10.25 5.9 L 10.35 5.9"
        ),
        "audio": (
            "M 2.25 6.75 L 2.25 9.25 M 5.25 4.5 L 5.25 11.5 M 8.25 2.5 L 8.25 13.5 "
            "M 11.25 4.5 L 11.25 11.5 M 13.75 6.75 L 13.75 9.25"
        ),
        "parallel": (
            "M 2.5 4.5 L 12.5 4.5 M 10 2.25 L 12.75 4.5 L 10 6.75 M 2.5 11.5 L 12.5 11.5 M 10 9.25 L 12.75 11.5 "
            "L 10 13.75"
        ),
    }
)


def draw_icon(name: str, *, color: QColor, size: int, ratio: float) -> QPixmap:
    """An icon as a pixmap.

    Args:
        name: a key of ``ICONS``.
        color: of the stroke.
        size: edge in device-independent pixels.
        ratio: device pixels for each of these.

    Raises:
        KeyError: there is no such icon.
    """
    path = _path(name)
    pixmap = QPixmap(round(size * ratio), round(size * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(size / GRID, size / GRID)
    round_end, round_corner = Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
    painter.setPen(QPen(color, STROKE, Qt.PenStyle.SolidLine, round_end, round_corner))
    painter.drawPath(path)
    painter.end()
    return pixmap


@cache
def _path(name: str) -> QPainterPath:
    path = QPainterPath()
    words = iter(ICONS[name].split())
    for command in words:
        match command:
            case "M":
                path.moveTo(_point(words))
            case "L":
                path.lineTo(_point(words))
            case "C":
                path.cubicTo(_point(words), _point(words), _point(words))
            case "Z":
                path.closeSubpath()
            case _:
                raise ValueError(f"icon {name}: {command!r} is no command of a path")
    return path


def _point(words: Iterator[str]) -> QPointF:
    return QPointF(float(next(words)), float(next(words)))
