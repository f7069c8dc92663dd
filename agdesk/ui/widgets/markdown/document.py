"""A text document for foreign content: it loads nothing, whatever it is asked for."""

from __future__ import annotations

from PySide6.QtCore import QUrl
from PySide6.QtGui import QFont, QImage, QTextDocument, QTextOption
from typing_extensions import override

from agdesk.ui.widgets.markdown.formula_sheet import FormulaSheet
from agdesk.ui.widgets.markdown.picture_sheet import PictureSheet


class SafeDocument(QTextDocument):
    """Without undo and margin, breaking lines inside words that are too long.

    ``QTextBrowser.loadResource`` is no protection: the document falls back to reading the file itself. Its own one is.

    Attributes:
        has_decorations: some blocks have bars of quotes or rules, which the view has to paint.
        formulas: what it shows of mathematics.
        pictures: the images that it shows; their bytes stand in the text.
    """

    def __init__(self, font: QFont, *, indent: int) -> None:
        super().__init__()
        self.setUndoRedoEnabled(False)
        self.setDocumentMargin(0)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setDefaultTextOption(option)
        self.formulas = FormulaSheet(self)
        self.pictures = PictureSheet(self)
        self.reset(font, indent=indent)

    def reset(self, font: QFont, *, indent: int) -> None:
        """Empties the document, to be used again."""
        self.clear()
        self.formulas.clear()
        self.pictures.clear()
        self.has_decorations = False
        self.setDefaultFont(font)
        self.setIndentWidth(indent)

    @property
    def has_objects(self) -> bool:
        """Whether it may show something that is no text: it has to be read aloud in words."""
        return self.formulas.is_used or self.pictures.is_used

    @property
    def is_waiting(self) -> bool:
        """Whether a formula or an image stands in words because it is still being made."""
        return self.formulas.is_waiting or self.pictures.is_waiting

    def take_news(self) -> bool:
        """Whether something came that it waits for: draw it again."""
        has_formulas = self.formulas.take_news()
        return self.pictures.take_news() or has_formulas

    def stop_waiting(self) -> None:
        """What it waited for is not in it any more."""
        self.formulas.stop_waiting()
        self.pictures.stop_waiting()

    @override
    def loadResource(self, type: int, name: QUrl | str) -> QImage:
        return QImage()
