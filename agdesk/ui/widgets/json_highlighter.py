"""Colours for JSON, one line at a time: pretty-printed JSON never breaks a token over lines."""

from __future__ import annotations

import re

from PySide6.QtGui import QColor, QSyntaxHighlighter, QTextCharFormat, QTextDocument
from typing_extensions import override

from agdesk.ui.theme import current_theme

_TOKEN = re.compile(
    r'(?P<type>"(?:[^"\\]|\\.)*"(?=\s*:))|(?P<string>"(?:[^"\\]|\\.)*")'
    r"|(?P<keyword>\b(?:true|false|null)\b)|(?P<number>-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b)"
)
_JSON_LINE = re.compile(r'\s*(?:["{\[\]}]|(?:true|false|null|-?\d[\d.eE+-]*),?$)')
_LINE_CHARACTERS = 4_000


class LineHighlighter(QSyntaxHighlighter):
    """Colours lines one at a time, if that is switched on; a subclass says how.

    Attributes:
        is_enabled: whether lines are coloured.
    """

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self.is_enabled = False

    def set_enabled(self, is_enabled: bool) -> None:
        """Whether what comes is coloured; a long text is not worth the time."""
        self.is_enabled = is_enabled


class JsonHighlighter(LineHighlighter):
    """Colours keys, strings, numbers and words of JSON, and leaves what is none as it is."""

    @override
    def highlightBlock(self, text: str) -> None:
        if not self.is_enabled or not _JSON_LINE.match(text):
            return
        syntax = current_theme().syntax
        for match in _TOKEN.finditer(text[:_LINE_CHARACTERS]):
            look = QTextCharFormat()
            look.setForeground(QColor(getattr(syntax, match.lastgroup or "string")))
            start, end = utf16_span(text, match.start(), match.end())
            self.setFormat(start, end - start, look)


def utf16_span(text: str, start: int, end: int) -> tuple[int, int]:
    """A span of Python's characters in Qt's, which count those beyond U+FFFF twice."""
    if text.isascii():
        return start, end
    before = start + sum(character > "\uffff" for character in text[:start])
    return before, before + (end - start) + sum(character > "\uffff" for character in text[start:end])
