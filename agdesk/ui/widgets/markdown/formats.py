"""How Markdown looks: the block and character formats of one theme and size."""

from __future__ import annotations

from dataclasses import fields

from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextTableFormat,
)

from agdesk.ui.theme import Theme
from agdesk.ui.widgets.markdown.links import shown
from agdesk.ui.widgets.text import plain_tool_tip

QUOTE_BARS = QTextFormat.Property.UserProperty.value + 1
RULE = QTextFormat.Property.UserProperty.value + 2
LINE_HEIGHT = 1.5  # of the type size
CODE_LINE_HEIGHT = 1.45

_MINIMUM_HEIGHT = QTextBlockFormat.LineHeightTypes.MinimumHeight.value
_FIXED_HEIGHT = QTextBlockFormat.LineHeightTypes.FixedHeight.value


class TextFormats:
    """The formats for one theme and tone. They hold colours: on a change of theme, make new ones and draw again.

    Args:
        theme: colours and sizes.
        is_muted: the tone of thinking, against that of an answer.
    """

    def __init__(self, theme: Theme, *, is_muted: bool = False) -> None:
        tokens = theme.tokens
        self.metrics = theme.metrics
        self.font: QFont = theme.font("transcript")
        self.font.setPixelSize(self.metrics.body if is_muted else self.metrics.transcript)
        self.code_font: QFont = theme.font("code")
        self.code_font.setPixelSize(self.metrics.code)
        self.indent = self.metrics.px(28)

        self.text = QTextCharFormat()
        if is_muted:
            self.text.setForeground(QColor(tokens.muted))
        self.muted = QTextCharFormat()
        self.muted.setForeground(QColor(tokens.muted))
        self.code = QTextCharFormat()
        self.code.setFontFamilies(self.code_font.families())
        self.code.setFontFixedPitch(True)
        self.code.setProperty(QTextFormat.Property.FontPixelSize, self.code_font.pixelSize())
        self.syntax = {"": self.code} | {
            field.name: self._colored(self.code, getattr(theme.syntax, field.name)) for field in fields(theme.syntax)
        }
        self._code_background = QBrush(QColor(tokens.code))
        self._accent = QColor(tokens.accent)
        self._line_height = self.font.pixelSize() * LINE_HEIGHT

        self.after_table = QTextBlockFormat()
        self.after_table.setLineHeight(1, _FIXED_HEIGHT)
        self.table = QTextTableFormat()
        self.table.setBorder(1)
        self.table.setBorderStyle(QTextTableFormat.BorderStyle.BorderStyle_Solid)
        self.table.setBorderBrush(QBrush(QColor(tokens.border)))
        self.table.setBorderCollapse(True)
        self.table.setCellSpacing(0)
        self.table.setCellPadding(self.metrics.px(6))
        self.table.setHeaderRowCount(1)

    def paragraph(self, *, top: int, indent: int, quote: int) -> QTextBlockFormat:
        """A block of text.

        Args:
            top: space above in pixels.
            indent: steps from the leading edge.
            quote: bit n is set if the bar of a block quote stands at the n-th step of indentation.
        """
        block = QTextBlockFormat()
        block.setTopMargin(top)
        block.setIndent(indent)
        block.setLineHeight(self._line_height, _MINIMUM_HEIGHT)
        if quote:
            block.setProperty(QUOTE_BARS, quote)
        return block

    def heading(self, level: int) -> QTextCharFormat:
        """The characters of a heading of level 1 to 6."""
        size = {1: self.metrics.empty_state, 2: self.metrics.title}.get(level, self.font.pixelSize())
        style = QTextCharFormat(self.text)
        style.setProperty(QTextFormat.Property.FontPixelSize, size)
        style.setFontWeight(QFont.Weight.DemiBold)
        return style

    def code_line(self, block: QTextBlockFormat) -> QTextBlockFormat:
        """The block as a line of a code block that stands among text."""
        block.setLineHeight(self.code_font.pixelSize() * CODE_LINE_HEIGHT, _MINIMUM_HEIGHT)
        block.setBackground(self._code_background)
        return block

    def bare_code_line(self) -> QTextBlockFormat:
        """A line of a code block in a document of its own."""
        block = QTextBlockFormat()
        block.setLineHeight(self.code_font.pixelSize() * CODE_LINE_HEIGHT, _MINIMUM_HEIGHT)
        return block

    def rule(self, block: QTextBlockFormat) -> QTextBlockFormat:
        """The block as an empty one with a line across."""
        block.setProperty(RULE, True)
        block.setLineHeight(self.metrics.space_8, _FIXED_HEIGHT)
        return block

    def inline_code(self, base: QTextCharFormat) -> QTextCharFormat:
        """Code within a line; weight, slant and link of the surrounding text stay."""
        style = QTextCharFormat(base)
        style.merge(self.code)
        style.setBackground(self._code_background)
        return style

    def link(self, base: QTextCharFormat, href: str) -> QTextCharFormat:
        """A link that may be clicked; its tool tip is the address."""
        style = self._colored(base, self._accent.name())
        style.setAnchor(True)
        style.setAnchorHref(href)
        style.setFontUnderline(True)
        style.setToolTip(plain_tool_tip(shown(href)))
        return style

    def footnote(self, base: QTextCharFormat) -> QTextCharFormat:
        """The label of a footnote, where it is used and where it is explained."""
        style = self._colored(base, self._accent.name())
        style.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSuperScript)
        return style

    def tiny(self) -> QTextCharFormat:
        """Characters of the empty block that must stand between and after tables."""
        style = QTextCharFormat()
        style.setProperty(QTextFormat.Property.FontPixelSize, 1)
        return style

    def write_plain(self, document: QTextDocument, text: str) -> None:
        """Fills an empty document with text as it is."""
        cursor = QTextCursor(document)
        cursor.setBlockFormat(self.paragraph(top=0, indent=0, quote=0))
        cursor.insertText(text, self.text)

    @staticmethod
    def _colored(base: QTextCharFormat, color: str) -> QTextCharFormat:
        style = QTextCharFormat(base)
        style.setForeground(QColor(color))
        return style
