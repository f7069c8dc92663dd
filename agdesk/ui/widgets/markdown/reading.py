"""What stands in a document as text: a formula is its source."""

from __future__ import annotations

from PySide6.QtGui import QTextCursor, QTextDocument

from agdesk.ui.widgets.markdown.formula_sheet import FORMULA_TYPE, OBJECT, SOURCE
from agdesk.ui.widgets.markdown.picture_sheet import PICTURE_TYPE


def read(document: QTextDocument, start: int, stop: int) -> str:
    """The text between two positions, with ``\\n`` between blocks and lines."""
    cursor = QTextCursor(document)
    cursor.setPosition(start)
    cursor.setPosition(stop, QTextCursor.MoveMode.KeepAnchor)
    text = cursor.selection().toPlainText()
    if OBJECT not in text:
        return text
    sources = iter(_sources(document, min(start, stop), max(start, stop)))
    return "".join(next(sources, OBJECT) if character == OBJECT else character for character in text)


def read_all(document: QTextDocument) -> str:
    """The whole text."""
    return read(document, 0, document.characterCount() - 1)


def _sources(document: QTextDocument, start: int, stop: int) -> list[str]:
    found: list[str] = []
    block = document.findBlock(start)
    while block.isValid() and block.position() < stop:
        fragments = block.begin()
        while not fragments.atEnd():
            fragment = fragments.fragment()
            style = fragment.charFormat()
            if style.objectType() in (FORMULA_TYPE, PICTURE_TYPE):
                # equal ones side by side are one fragment
                first = max(start, fragment.position())
                last = min(stop, fragment.position() + fragment.length())
                found += [style.stringProperty(SOURCE)] * max(0, last - first)
            fragments += 1
        block = block.next()
    return found
