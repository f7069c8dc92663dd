"""A field for JSON: coloured, and with the place where it is none."""

from __future__ import annotations

import json
from typing import Any

from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit, QWidget

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.json_highlighter import JsonHighlighter, utf16_span
from agdesk.ui.widgets.json_text import JsonProblem, read_json
from agdesk.ui.widgets.text_area import TextArea

_LINES = 6


class JsonEditor(TextArea):
    """JSON as it was typed. ``set_problem_place`` marks where it is wrong."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent, lines=_LINES, font="code")
        self._highlighter = JsonHighlighter(self.document())
        self._highlighter.set_enabled(True)
        self._place: int | None = None
        current_theme().theme_changed.connect(self._recolor)

    def show_document(self, document: Any) -> None:
        """Shows JSON that did not come from the user; None empties the field."""
        self.show_text("" if document is None else json.dumps(document, ensure_ascii=False, indent=2))
        self.set_problem_place(None)

    def document_or_none(self) -> Any:
        """What is written; None if nothing is.

        Raises:
            JsonProblem: it is no JSON; the text says why and where.
        """
        text = self.toPlainText()
        self.set_problem_place(None)
        if not text.strip():
            return None
        try:
            return read_json(text)
        except JsonProblem as problem:
            self.set_problem_place(problem.place)
            raise

    def set_problem_place(self, place: int | None) -> None:
        """Underlines the character that begins what is wrong, from 0; None: nothing is."""
        self._place = place
        self._mark()

    def _recolor(self) -> None:
        self.blockSignals(True)  # the text stays the same
        self._highlighter.rehighlight()
        self.blockSignals(False)
        self._mark()

    def _mark(self) -> None:
        selections = []
        text = self.toPlainText()
        if self._place is not None and text:
            at = min(self._place, len(text) - 1)
            start, end = utf16_span(text, at, at + 1)
            mark = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self.document())
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            look = QTextCharFormat()
            look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            look.setUnderlineColor(current_theme().color("danger"))
            mark.cursor, mark.format = cursor, look
            selections.append(mark)
        self.setExtraSelections(selections)
