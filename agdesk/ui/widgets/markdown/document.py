"""A text document for foreign content: it loads nothing, whatever it is asked for."""

from __future__ import annotations

from PySide6.QtCore import QUrl
from PySide6.QtGui import QFont, QImage, QTextDocument, QTextOption
from typing_extensions import override

from agdesk.ui.widgets.markdown.formula_sheet import FormulaSheet


class SafeDocument(QTextDocument):
    """Without undo and margin, breaking lines inside words that are too long.

    ``QTextBrowser.loadResource`` is no protection: the document falls back to reading the file itself. Its own one is.

    Attributes:
        has_decorations: some blocks have bars of quotes or rules, which the view has to paint.
        formulas: what it shows of mathematics.
    """

    def __init__(self, font: QFont, *, indent: int) -> None:
        super().__init__()
        self.setUndoRedoEnabled(False)
        self.setDocumentMargin(0)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setDefaultTextOption(option)
        self.formulas = FormulaSheet(self)
        self.reset(font, indent=indent)

    def reset(self, font: QFont, *, indent: int) -> None:
        """Empties the document, to be used again."""
        self.clear()
        self.formulas.clear()
        self.has_decorations = False
        self.setDefaultFont(font)
        self.setIndentWidth(indent)

    @override
    def loadResource(self, type: int, name: QUrl | str) -> QImage:
        return QImage()
