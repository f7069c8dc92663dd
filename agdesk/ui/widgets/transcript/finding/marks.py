"""Shows the matches in the rows on the screen; the one that was gone to is stronger."""

from __future__ import annotations

from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QTextEdit

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.transcript.end_rows import ErrorWidget
from agdesk.ui.widgets.transcript.finding.places import Spot, row_of_match, spot_of_match, spots_of
from agdesk.ui.widgets.transcript.finding.search import Match, TranscriptSearch
from agdesk.ui.widgets.transcript.model import TranscriptModel
from agdesk.ui.widgets.transcript.pane import TextPane
from agdesk.ui.widgets.transcript.rows import Row
from agdesk.ui.widgets.transcript.stage import RowStage

_Shown = tuple[int, int, object, Match | None, str]


class MatchMarks:
    """Marks matches without touching the documents.

    Args:
        search: what is marked.
        model: the rows.
        stage: those on the screen.
    """

    def __init__(self, search: TranscriptSearch, model: TranscriptModel, stage: RowStage) -> None:
        self._search = search
        self._model = model
        self._stage = stage
        self._shown: dict[TextPane, _Shown] = {}  # what a pane was marked for

    def refresh(self) -> None:
        """Brings the marks up to date with what is on the screen."""
        needle, current = self._search.needle, self._search.current
        current_row = row_of_match(self._model, current) if current is not None else None
        surface = current_theme().tokens.surface
        for placed in self._stage.visible:
            widget = self._stage.widget(placed.row)
            if isinstance(widget, ErrorWidget):
                widget.select(current.span if current is not None and placed.row is current_row else None)
            if widget is None or widget.pane is None:
                continue
            document = widget.pane.document()
            match = current if placed.row is current_row else None
            wanted = (id(document), document.revision(), needle, match, surface)
            if needle is None or self._shown.get(widget.pane) == wanted:
                continue
            spots = spots_of(document, needle)
            widget.pane.setExtraSelections(self._selections(document, placed.row, match, spots))
            self._shown[widget.pane] = wanted

    def clear(self) -> None:
        """Takes all marks away."""
        for pane in self._shown:
            pane.setExtraSelections([])
        self._shown.clear()
        for placed in self._stage.visible:
            widget = self._stage.widget(placed.row)
            if isinstance(widget, ErrorWidget):
                widget.select(None)

    def _selections(
        self, document: QTextDocument, row: Row, match: Match | None, spots: list[Spot]
    ) -> list[QTextEdit.ExtraSelection]:
        theme = current_theme()
        ordinary = QTextCharFormat()
        ordinary.setBackground(theme.color("match"))
        ordinary.setForeground(theme.color("text"))
        ordinary.setFontUnderline(True)
        ordinary.setUnderlineColor(QColor(theme.color("warning")))
        strong = QTextCharFormat()
        strong.setBackground(theme.color("warning"))
        strong.setForeground(theme.color("on_accent"))
        current = spot_of_match(document, row, match, spots) if match is not None else None
        selections = [_selection(document, spot, ordinary) for spot in spots if spot != current]
        if current is not None:
            selections.append(_selection(document, current, strong))
        return selections


def _selection(document: QTextDocument, spot: Spot, style: QTextCharFormat) -> QTextEdit.ExtraSelection:
    selection = QTextEdit.ExtraSelection()
    cursor = QTextCursor(document)
    cursor.setPosition(spot.start)
    cursor.setPosition(spot.end, QTextCursor.MoveMode.KeepAnchor)
    selection.cursor = cursor
    selection.format = style
    return selection
