"""A field for text of any length: what is too long for one page is edited page by page, and never cut."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.icon_button import IconButton
from agdesk.ui.widgets.labels import PlainLabel
from agdesk.ui.widgets.text_area import TextArea

PAGE_CHARACTERS = 16_000
_WHOLE_CHARACTERS = 64_000  # up to here there is one page, unless
_LINE_CHARACTERS = 8_000  # a line is longer than this: it is laid out whole, and the window would wait


class PagedEditor(QWidget):
    """Grows with its text up to a number of lines.

    Args:
        editor: shows one page.
        most_lines: how high it grows.

    Signals:
        edited(): the user has changed the text; ``show_text`` does not emit it.
    """

    edited = Signal()

    def __init__(self, editor: TextArea, parent: QWidget | None = None, *, most_lines: int) -> None:
        super().__init__(parent)
        self.editor = editor
        self._pages = [""]
        self._at = 0
        self._loaded = ""  # the page as the editor had it before the user came
        name = editor.accessibleName()
        self._bar = QWidget(self)
        self.previous_button = IconButton("chevron_left", self.tr("Previous page: {name}").format(name=name), self._bar)
        self.next_button = IconButton("chevron_right", self.tr("Next page: {name}").format(name=name), self._bar)
        self.place = PlainLabel(self._bar, color="muted", font="caption")
        line = QHBoxLayout(self._bar)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(current_theme().metrics.space_8)
        line.addWidget(self.previous_button)
        line.addWidget(self.place)
        line.addWidget(self.next_button)
        line.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(current_theme().metrics.space_4)
        column.addWidget(editor)
        column.addWidget(self._bar)
        editor.textChanged.connect(self.edited)
        editor.grow(most_lines)
        self.previous_button.clicked.connect(lambda: self.go_to(self._at - 1))
        self.next_button.clicked.connect(lambda: self.go_to(self._at + 1))
        self._load(0)

    @property
    def page_count(self) -> int:
        """How many pages the text has."""
        return len(self._pages)

    def show_text(self, text: str) -> None:
        """Shows another text, from its first page; it has nothing hidden in it."""
        pages = [text[at : at + PAGE_CHARACTERS] for at in range(0, len(text), PAGE_CHARACTERS)]
        self._pages = [text] if _is_short(text) else pages
        self._load(0)

    def text(self) -> str:
        """The whole text as it is now."""
        self._keep()
        return "".join(self._pages)

    def go_to(self, page: int) -> None:
        """Shows another page, from 0."""
        self._keep()
        self._load(page)

    def show_place(self, place: int) -> int:
        """Goes to the page with a character of the whole text, from 0; where on the page it stands."""
        self._keep()
        for number, page in enumerate(self._pages):
            if place < len(page) or number == len(self._pages) - 1:
                if number != self._at:
                    self._load(number)
                return min(place, len(page))
            place -= len(page)
        return 0

    def _keep(self) -> None:
        shown = self.editor.toPlainText()
        if shown != self._loaded:
            self._pages[self._at] = self._loaded = shown

    def _load(self, page: int) -> None:
        self._at = page
        self.editor.show_text(self._pages[page])
        self._loaded = self.editor.toPlainText()
        self._bar.setVisible(len(self._pages) > 1)
        size = sum(map(len, self._pages))
        place = self.tr("Page {page} of {count}, {size} characters in all")
        self.place.setText(place.format(page=page + 1, count=len(self._pages), size=f"{size:,}"))
        self.previous_button.setEnabled(page > 0)
        self.next_button.setEnabled(page < len(self._pages) - 1)


def _is_short(text: str) -> bool:
    return len(text) <= _WHOLE_CHARACTERS and max(map(len, text.split("\n"))) <= _LINE_CHARACTERS
