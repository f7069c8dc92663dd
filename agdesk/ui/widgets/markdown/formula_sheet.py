"""The formulas of one document: how large they are within a line, and how they are painted."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QPyTextObject,
    QTextCharFormat,
    QTextDocument,
    QTextFormat,
)
from typing_extensions import override

from agdesk.ui.widgets.markdown.formula import EM, Formula, Outline
from agdesk.ui.widgets.markdown.typesetter import FormulaKey, Typesetting, shared_typesetter

FORMULA_TYPE = QTextFormat.ObjectTypes.UserObject.value + 1
LATEX = QTextFormat.Property.UserProperty.value + 3
IS_DISPLAY = QTextFormat.Property.UserProperty.value + 4
SOURCE = QTextFormat.Property.UserProperty.value + 5  # as it stood in the text, marks included
ROOM = 1.5  # pixels above and below: Qt rounds the place of a line by up to one
OBJECT = "\ufffc"


class FormulaSheet(QPyTextObject):
    """Knows every formula that its document shows, and those it waits for.

    Args:
        document: owns the sheet.
    """

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._known: dict[FormulaKey, Formula | None] = {}
        self._paths: dict[FormulaKey, tuple[tuple[QPainterPath, float], ...]] = {}
        self._waiting: set[FormulaKey] = set()
        document.documentLayout().registerHandler(FORMULA_TYPE, self)

    @property
    def is_waiting(self) -> bool:
        """Whether a formula stands as source because it is not laid out yet."""
        return bool(self._waiting)

    @property
    def is_used(self) -> bool:
        """Whether the document may show a formula."""
        return any(formula is not None for formula in self._known.values())

    def clear(self) -> None:
        """Forgets everything: the document was emptied."""
        self._known.clear()
        self._paths.clear()
        self._waiting.clear()

    def stop_waiting(self) -> None:
        """What the document waited for is not in it any more."""
        self._waiting.clear()

    def take_news(self) -> bool:
        """Whether formulas came that the document waits for: draw it again."""
        came = [key for key in self._waiting if self._look_up(key) != "waiting"]
        self._waiting.difference_update(came)
        return bool(came)

    def style(self, base: QTextCharFormat, key: FormulaKey, source: str) -> QTextCharFormat | None:
        """The format of the character ``OBJECT`` that stands for a formula.

        Args:
            base: of the text around it.
            key: of the formula.
            source: as it stands in the text.

        Returns:
            None if there is nothing to draw, for now or at all: write the source.
        """
        formula = self._look_up(key)
        if formula == "waiting":
            self._waiting.add(key)
        if formula is None or formula == "waiting":
            return None
        style = QTextCharFormat(base)
        style.setObjectType(FORMULA_TYPE)
        style.setProperty(LATEX, key.source)
        style.setProperty(IS_DISPLAY, key.is_display)
        style.setProperty(SOURCE, source)
        style.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
        return style

    @override
    def intrinsicSize(self, doc: QTextDocument, posInDocument: int, format: QTextFormat) -> QSizeF:
        formula = self._known[_key(format)]
        assert formula is not None
        scale = self._scale(doc, posInDocument, format, formula)
        # AlignMiddle puts the middle of the object half an x above the base line
        half_x = QFontMetricsF(format.toCharFormat().font()).xHeight() / 2
        ascent, depth = formula.ascent * scale + ROOM, formula.depth * scale + ROOM
        height = max(2 * ascent - half_x, 2 * depth + half_x)
        return QSizeF(formula.width * scale, height)

    @override
    def drawObject(
        self, painter: QPainter, rect: QRectF | QRect, doc: QTextDocument, posInDocument: int, format: QTextFormat
    ) -> None:
        key = _key(format)
        formula = self._known[key]
        assert formula is not None
        if key not in self._paths:
            self._paths[key] = tuple((_path(outline), outline.stroke) for outline in formula.outlines)
        scale = rect.width() / formula.width
        half_x = QFontMetricsF(format.toCharFormat().font()).xHeight() / 2
        style = format.toCharFormat()
        is_colored = style.foreground().style() != Qt.BrushStyle.NoBrush
        color = style.foreground().color() if is_colored else painter.pen().color()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(rect.left() - formula.left * scale, rect.top() + (rect.height() + half_x) / 2)
        painter.scale(scale, scale)
        for path, stroke in self._paths[key]:
            if stroke:
                painter.strokePath(path, QPen(color, stroke))
            else:
                painter.fillPath(path, color)
        painter.restore()

    def _look_up(self, key: FormulaKey) -> Typesetting:
        if key not in self._known:
            formula = shared_typesetter().ask(key)
            if formula == "waiting":
                return formula
            self._known[key] = formula
        return self._known[key]

    @staticmethod
    def _scale(document: QTextDocument, position: int, style: QTextFormat, formula: Formula) -> float:
        """Pixels for one unit: of the type size, or less if the formula is wider than the text."""
        block = document.findBlock(position)
        room = document.textWidth() - block.blockFormat().indent() * document.indentWidth()
        scale = _type_size(document, style) / EM
        return min(scale, room / formula.width) if room > 0 else scale


def _key(style: QTextFormat) -> FormulaKey:
    return FormulaKey(style.stringProperty(LATEX), style.boolProperty(IS_DISPLAY))


def _type_size(document: QTextDocument, style: QTextFormat) -> float:
    return style.intProperty(QTextFormat.Property.FontPixelSize) or document.defaultFont().pixelSize()


def _path(outline: Outline) -> QPainterPath:
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    points = iter(outline.points)
    for step in outline.steps:
        match step:
            case "M":
                path.moveTo(next(points), next(points))
            case "L":
                path.lineTo(next(points), next(points))
            case "Q":
                path.quadTo(next(points), next(points), next(points), next(points))
            case "C":
                path.cubicTo(*(next(points) for _ in range(6)))
            case _:
                path.closeSubpath()
    return path
