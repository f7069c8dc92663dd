"""The pages of plain settings: one column of sections, of which one is shown, or the rows that a search finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QVBoxLayout, QWidget

from agdesk.core.settings.model import Settings
from agdesk.ui.settings.fields import SettingField, SettingSection, value_of
from agdesk.ui.settings.row import SettingRow
from agdesk.ui.settings.writer import SettingsWriter
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.card import Card
from agdesk.ui.widgets.empty_state import EmptyState
from agdesk.ui.widgets.wrapped_label import WrappedLabel

# a row that is of use only while another setting has a certain value
_ENABLED_WITH = {"network.proxy_url": ("network.proxy", "manual")}


@dataclass(frozen=True, slots=True)
class PageLink:
    """Something that a search finds on a page which is not made of plain rows.

    Attributes:
        page: title of its page.
        text: what is shown.
        words: what it is found by, ``text`` included.
        open: goes there.
    """

    page: str
    text: str
    words: str
    open: Callable[[], None]


class RowCard(Card):
    """Rows in a card."""

    def __init__(self, fields: Sequence[SettingField], writer: SettingsWriter) -> None:
        super().__init__()
        self.rows: list[SettingRow] = []
        for field in fields:
            row = SettingRow(field)
            writer.bind(row)
            self.rows.append(row)
            self.column.addWidget(row)

    def apply(self, settings: Settings) -> None:
        """Shows the values in force."""
        for row in self.rows:
            row.set_value(value_of(settings, row.field.key))
            if (condition := _ENABLED_WITH.get(row.field.key)) is not None:
                other, wanted = condition
                row.setEnabled(value_of(settings, other) == wanted)

    def flush(self) -> None:
        """Requests at once what waits for the end of the typing."""
        for row in self.rows:
            row.flush()


class SectionForm(QWidget):
    """The heading and the rows of one section; ``footer`` stands below them."""

    def __init__(self, section: SettingSection, writer: SettingsWriter, *, footer: QWidget | None = None) -> None:
        super().__init__()
        self.section = section
        self.heading = WrappedLabel(self, font="title")
        self.heading.setText(section.title)
        self.card = RowCard(section.fields, writer)
        self.footer = footer
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(current_theme().metrics.space_12)
        column.addWidget(self.heading)
        column.addWidget(self.card)
        if footer is not None:
            column.addWidget(footer)

    def show_all(self) -> None:
        """Every row."""
        for row in self.card.rows:
            row.show()
        self._show_footer(is_shown=True)
        self.show()

    def show_matches(self, words: list[str]) -> bool:
        """Only the rows that a search finds, all of them if it is the section that is meant; whether there are any."""
        title = self.section.title.casefold()
        is_whole = all(word in title for word in words)
        matching = [row for row in self.card.rows if is_whole or row.matches(words)]
        for row in self.card.rows:
            row.setVisible(row in matching)
        self._show_footer(is_shown=is_whole)
        self.setVisible(bool(matching))
        return bool(matching)

    def _show_footer(self, *, is_shown: bool) -> None:
        if self.footer is not None:
            self.footer.setVisible(is_shown)


class FormsPage(QScrollArea):
    """All sections of plain settings below each other.

    Signals:
        search_cleared(): the user wants to see everything again.
    """

    search_cleared = Signal()

    def __init__(self, forms: Sequence[SectionForm]) -> None:
        super().__init__()
        self.forms = tuple(forms)
        metrics = current_theme().metrics
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        body = QWidget()
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(metrics.space_16, metrics.space_16, metrics.space_24, metrics.space_24)
        self._column.setSpacing(metrics.space_24)
        for form in forms:
            self._column.addWidget(form)
        self._found = QWidget()
        self._column.addWidget(self._found)
        self.empty = EmptyState(
            self.tr("Nothing found"),
            self.tr("No setting, choice or provider has these words."),
            choices=(self.tr("Clear the search"),),
        )
        self.empty.chosen.connect(lambda _index: self.search_cleared.emit())
        self._column.addWidget(self.empty, 1)
        self._column.addStretch(1)
        self.setWidget(body)
        self.empty.hide()

    def show_section(self, name: str) -> None:
        """One section, whole."""
        self._show_links(())
        self.empty.hide()
        for form in self.forms:
            if form.section.name == name:
                form.show_all()
            else:
                form.hide()
        self.verticalScrollBar().setValue(0)

    def show_matches(self, words: list[str], links: Sequence[PageLink]) -> None:
        """The rows and links that each of the lower-case words is found in, by page."""
        found = [link for link in links if all(word in link.words.casefold() for word in words)]
        has_rows = [form.show_matches(words) for form in self.forms]
        self._show_links(found)
        self.empty.setVisible(not found and not any(has_rows))
        self.verticalScrollBar().setValue(0)

    def _show_links(self, links: Sequence[PageLink]) -> None:
        fresh = QWidget()
        column = QVBoxLayout(fresh)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(current_theme().metrics.space_12)
        cards: dict[str, Card] = {}
        for link in links:
            if link.page not in cards:
                heading = WrappedLabel(fresh, font="title")
                heading.setText(link.page)
                column.addWidget(heading)
                cards[link.page] = Card()
                column.addWidget(cards[link.page])
            cards[link.page].column.addWidget(_link_button(link))
        self._column.replaceWidget(self._found, fresh)
        self._found.hide()  # it stays a child until it is deleted
        self._found.deleteLater()
        self._found = fresh
        fresh.setVisible(bool(links))


def _link_button(link: PageLink) -> QPushButton:
    button = QPushButton(link.text.replace("&", "&&"))
    button.setProperty("link", True)
    button.setAccessibleName(link.text)
    button.clicked.connect(lambda _checked=False: link.open())
    return button
