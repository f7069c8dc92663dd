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
        "copy": "M 5.5 5.5 L 13.25 5.5 L 13.25 13.25 L 5.5 13.25 Z M 10.5 2.75 L 2.75 2.75 L 2.75 10.5",
        "check": "M 3 8.5 L 6.5 12 L 13 4.5",
        "plus": "M 8 3 L 8 13 M 3 8 L 13 8",
        "close": "M 4 4 L 12 12 M 12 4 L 4 12",
        "chevron_right": "M 6 3.5 L 10.5 8 L 6 12.5",
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
