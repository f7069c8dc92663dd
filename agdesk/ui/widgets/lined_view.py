"""A page of lines with a number or a word beside each, so that a long line cannot pass for two."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QTextBlock
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.code_view import CodeView
from agdesk.ui.widgets.hidden_characters import revealed
from agdesk.ui.widgets.json_highlighter import JsonHighlighter, LineHighlighter
from agdesk.ui.widgets.text_height import fit_height

_BREAK_CHARACTERS = 1_500  # a longer line goes on in the next one, without a mark


class LinedView(CodeView):
    """As high as its lines up to a limit; a line that is broken has its mark at its beginning only.

    Args:
        name: what is read out for it.
        most_lines: how high it grows.
    """

    def __init__(
        self,
        name: str,
        parent: QWidget | None = None,
        *,
        most_lines: int,
        highlighter: type[LineHighlighter] = JsonHighlighter,
    ) -> None:
        self._gutter: _Gutter | None = None
        self._marks: list[str] = []
        self._most_lines = most_lines
        super().__init__(name, parent, highlighter=highlighter)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._gutter = _Gutter(self)
        self.updateRequest.connect(self._on_update)
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self._fit())

    def set_lines(self, lines: Sequence[str], marks: Sequence[str] | None = None) -> None:
        """Shows other lines; a line feed within one is shown as its code.

        Args:
            marks: what stands beside each line; without them they are numbered from 1.
        """
        lines = [revealed(line).replace("\n", "‹U+000A›") for line in lines]
        shown: list[str] = []
        self._marks = []
        for mark, line in zip(marks or map(str, range(1, len(lines) + 1)), lines, strict=True):
            for at, piece in enumerate(_broken(line)):
                shown.append(self._piece(piece, line, is_first=at == 0))
                self._marks.append(mark if at == 0 else "")
        if marks:  # they are painted only
            self.setAccessibleDescription("\n".join(map("{}: {}".format, marks, lines)))
        self.set_text("\n".join(shown))
        self._place_gutter()
        self._fit()

    def _piece(self, piece: str, line: str, *, is_first: bool) -> str:
        """What is shown of a piece of a line."""
        return piece

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_gutter()
        if event.size().width() != event.oldSize().width():
            self._fit()

    def paint_gutter(self, painter: QPainter, area: QRect) -> None:
        """Draws the marks of the lines that are seen."""
        theme = current_theme()
        painter.fillRect(area, theme.color("code"))
        painter.setFont(self.font())
        painter.setPen(theme.color("muted"))
        block: QTextBlock = self.firstVisibleBlock()
        offset = self.contentOffset()
        while block.isValid():
            place = self.blockBoundingGeometry(block).translated(offset)
            if place.top() > area.bottom():
                break
            mark = self._marks[block.blockNumber()] if block.blockNumber() < len(self._marks) else ""
            box = QRect(0, int(place.top()), area.width() - theme.metrics.space_4, self.fontMetrics().height())
            painter.drawText(box, Qt.AlignmentFlag.AlignRight.value, mark)
            block = block.next()

    def _place_gutter(self) -> None:
        if self._gutter is None:
            return
        widest = max(map(self.fontMetrics().horizontalAdvance, self._marks), default=0)
        width = widest + current_theme().metrics.space_12
        self.setViewportMargins(width, 0, 0, 0)
        self._gutter.setGeometry(0, 0, width, self.height())

    def _on_update(self, area: QRect, moved: int) -> None:
        if self._gutter is not None:
            self._gutter.update()

    def _fit(self) -> None:
        fit_height(self, most_lines=self._most_lines, frame=0)

    @override
    def _restyle(self) -> None:
        super()._restyle()
        self.document().setDocumentMargin(current_theme().metrics.space_4)
        self._place_gutter()
        self._fit()


class _Gutter(QWidget):
    def __init__(self, view: LinedView) -> None:
        super().__init__(view)
        self._view = view

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._view.paint_gutter(painter, self.rect())
        painter.end()


def _broken(line: str) -> Iterable[str]:
    return [line[at : at + _BREAK_CHARACTERS] for at in range(0, len(line), _BREAK_CHARACTERS)] or [""]
