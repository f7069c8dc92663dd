"""Draws what stands within a block: text, emphasis, code, links, formulas, and images, most of them as words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QFont, QTextCharFormat, QTextCursor

from agdesk.ui.widgets.markdown.formats import TextFormats
from agdesk.ui.widgets.markdown.formula_sheet import OBJECT, FormulaSheet
from agdesk.ui.widgets.markdown.links import clickable, shown
from agdesk.ui.widgets.markdown.picture_sheet import PictureSheet
from agdesk.ui.widgets.markdown.typesetter import FormulaKey
from agdesk.ui.widgets.text import visible_text

if TYPE_CHECKING:
    from markdown_it.token import Token

_LONGEST_DATA = 80
LINE_SEPARATOR = "\u2028"


class InlinePen:
    """Writes the children of an inline token at a cursor.

    An image is never loaded: its description and its address are printed, unless its bytes are in the address. A link
    that must not be clicked is printed with its address behind it.
    """

    def __init__(
        self,
        cursor: QTextCursor,
        formats: TextFormats,
        base: QTextCharFormat,
        *,
        formulas: FormulaSheet,
        pictures: PictureSheet,
    ) -> None:
        self._cursor = cursor
        self._formats = formats
        self._formulas = formulas
        self._pictures = pictures
        self._styles = [base]
        self._links: list[tuple[str, str | None]] = []  # address as printed, address as clicked
        self._link_text = ""
        self._run = ""

    def draw(self, tokens: Iterable[Token]) -> None:
        """Writes the tokens."""
        for token in tokens:
            match token.type:
                case "text":
                    self._write(token.content)
                case "softbreak":
                    self._write(" ")
                case "hardbreak":
                    self._write(LINE_SEPARATOR)
                case "strong_open":
                    bold = QTextCharFormat(self._styles[-1])
                    bold.setFontWeight(QFont.Weight.Bold)
                    self._push(bold)
                case "em_open":
                    italic = QTextCharFormat(self._styles[-1])
                    italic.setFontItalic(True)
                    self._push(italic)
                case "s_open":
                    struck = QTextCharFormat(self._styles[-1])
                    struck.setFontStrikeOut(True)
                    self._push(struck)
                case "strong_close" | "em_close" | "s_close":
                    self._pop()
                case "link_open":
                    self._open_link(str(token.attrs.get("href", "")))
                case "link_close":
                    self._close_link()
                case "code_inline":
                    self._push(self._formats.inline_code(self._styles[-1]))
                    self._write(token.content)
                    self._pop()
                case "image":
                    self._write_image(_plain(token), str(token.attrs.get("src", "")))
                case "math_inline":
                    self._write_formula(token)
                case "footnote_ref":
                    self._push(self._formats.footnote(self._styles[-1]))
                    self._write(visible_text(token.info))
                    self._pop()
                case _:
                    self._write(token.content)
        self._flush()

    def _write_formula(self, token: Token) -> None:
        source = f"{token.markup}{token.content}{token.info}"
        key = FormulaKey(token.content.strip(), bool(token.meta["is_display"]))
        # a link must read as what it is: no formula in it
        style = None if self._links else self._formulas.style(self._styles[-1], key, source)
        if style is not None:
            self._flush()
            self._cursor.insertText(OBJECT, style)
        elif self._links:
            self._write(source)
        else:
            self._push(self._formats.inline_code(self._styles[-1]))
            self._write(source)
            self._pop()

    def _write(self, text: str) -> None:
        if self._links:  # what is clicked must read as what it is
            text = visible_text(text.replace(LINE_SEPARATOR, " "))
            self._link_text += text
        self._run += text

    def _flush(self) -> None:
        if self._run:
            self._cursor.insertText(self._run, self._styles[-1])
            self._run = ""

    def _push(self, style: QTextCharFormat) -> None:
        self._flush()
        self._styles.append(style)

    def _pop(self) -> None:
        self._flush()
        self._styles.pop()

    def _open_link(self, href: str) -> None:
        address = clickable(href)
        self._links.append((shown(href), address))
        self._link_text = ""
        self._push(self._formats.link(self._styles[-1], address) if address is not None else self._styles[-1])

    def _close_link(self) -> None:
        address, clicked = self._links.pop()
        self._pop()
        if clicked is None and address != self._link_text:
            self._write(f" ({address})")

    def _write_image(self, description: str, address: str) -> None:
        label = QCoreApplication.translate("Markdown", "image")
        words = f"[{label}: {description}]"
        # a link must read as what it is: no image in it
        style = None if self._links else self._pictures.style(self._styles[-1], address, visible_text(words))
        if style is not None:
            self._flush()
            self._cursor.insertText(OBJECT, style)
            return
        self._push(self._formats.muted)
        self._write(f"{words} ({_short(address)})" if address else words)
        self._pop()


def _short(address: str) -> str:
    """An address as it is printed; of one that is itself what it stands for, the beginning says all."""
    if address[:5].lower() == "data:" and len(address) > _LONGEST_DATA:
        return f"{shown(address[:_LONGEST_DATA])}…"
    return shown(address)


def _plain(image: Token) -> str:
    """The description of an image, without its marks."""
    parts = [
        _plain(child)
        if child.type == "image"
        else f"{child.markup}{child.content}{child.info}"
        if child.type == "math_inline"
        else child.content
        for child in image.children or ()
    ]
    return "".join(parts) or image.content
