"""The window of the settings: pages at the left, the chosen one at the right, a search over all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QHideEvent, QKeyEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QDialog, QHBoxLayout, QLabel, QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from agdesk.core.settings.model import Provider, Settings
from agdesk.core.workspace import Workspace
from agdesk.ui.core_words import words_of
from agdesk.ui.settings.builtin_state import BuiltinState
from agdesk.ui.settings.choice_list import ChoiceList
from agdesk.ui.settings.fields import PROVIDERS, describe_fields, describe_sections, translated
from agdesk.ui.settings.forms import FormsPage, PageLink, SectionForm
from agdesk.ui.settings.providers_page import ProvidersPage
from agdesk.ui.settings.refused_parameters import RefusedParameters
from agdesk.ui.settings.style import stylesheet
from agdesk.ui.settings.writer import SettingsWriter
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.notice import Notice
from agdesk.ui.widgets.search_field import SearchField
from agdesk.ui.widgets.wrapped_label import WrappedLabel

_MODELS = "models"
_LEAST_SIZE = QSize(740, 520)
_SIZE = QSize(860, 640)
_PAGES_WIDTH = 160


class SettingsDialog(QDialog):
    """Every setting. A change is in force at once; there is nothing to confirm.

    Loads pydantic. Open it with ``show()``; it may be kept and shown again.

    Args:
        workspace: whose settings, providers and keys they are.
        parent: the window it belongs to.
        pages: further pages, title and widget; ``open_page`` knows them by their title.
    """

    def __init__(
        self, workspace: Workspace, parent: QWidget | None = None, *, pages: Sequence[tuple[str, QWidget]] = ()
    ) -> None:
        super().__init__(parent)
        # before the labels follow: the stylesheet gives them the colours back that they had when it was set first
        current_theme().theme_changed.connect(self._restyle)
        self._workspace = workspace
        self._pages: dict[str, tuple[str, QWidget]] = {}
        self._shown_page = ""
        self.setWindowTitle(self.tr("Settings"))
        self.setModal(False)
        writer = SettingsWriter(workspace)
        model = type(workspace.settings)
        footers = {"builtin_model": BuiltinState(workspace.registry.llama)}
        sections = describe_sections(model)
        self.forms = FormsPage([SectionForm(section, writer, footer=footers.get(section.name)) for section in sections])
        self.providers = ProvidersPage(workspace, writer)
        titles = {section.name: section.title for section in sections}
        for name, info in model.model_fields.items():  # the pages stand in the order of the model
            if name in titles:
                self._pages[name] = (titles[name], self.forms)
            elif name == PROVIDERS:
                self._pages[name] = (translated(info.title or name), self.providers)
            elif name == _MODELS:
                title = translated(info.title or name)
                self._pages[name] = (title, _with_heading(title, RefusedParameters(workspace)))
        self._pages.update((title, (title, _with_heading(title, widget))) for title, widget in pages)
        self._build()
        self._connect()
        self._apply(workspace.settings)
        self.open_page(next(iter(self._pages)))

    def open_page(self, name: str) -> None:
        """Shows a page: the name of a section of the model, or the title of a page that was given; else nothing."""
        if name in self._pages:
            self._shown_page = name
            self.search.clear()
            self._show_page()

    def open_provider(self, provider_id: str) -> None:
        """Shows the settings of a provider."""
        self.open_page(PROVIDERS)
        self.providers.open_provider(provider_id)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self._focus_search()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Escape if self.search.text():
                self.search.clear()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                event.accept()  # a dialog would press its first button
            case _:
                super().keyPressEvent(event)

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        for form in self.forms.forms:
            form.card.flush()
        self.providers.flush()

    def _apply(self, settings: Settings) -> None:
        for form in self.forms.forms:
            form.card.apply(settings)
        self.providers.apply(settings)
        problem = self._workspace.settings_problem
        if problem is None:
            self.problem.clear()
        else:
            self.problem.show_text(*words_of(problem))

    def _show_page(self) -> None:
        _, page = self._pages[self._shown_page]
        if page is self.forms:
            self.forms.show_section(self._shown_page)
        self._stack.setCurrentWidget(page)
        self._mark(self._shown_page)

    def _search(self, text: str) -> None:
        words = text.casefold().split()
        if not words:
            self._show_page()
            return
        if not self.providers.entries:
            self.providers.load()
        self.forms.show_matches(words, self._links())
        self._stack.setCurrentWidget(self.forms)
        self._mark("")

    def _links(self) -> list[PageLink]:
        """What a search can find beside the rows: the pages that have none, and the providers."""
        links = []
        for name, (title, page) in self._pages.items():
            if page is self.forms:
                continue
            text = self.tr("Open %1").replace("%1", title)
            found_by = title if page is self.providers else f"{title} {_words(page)}"
            links.append(PageLink(title, text, found_by, _opening(self.open_page, name)))
            if page is self.providers:
                if self.providers.entries:
                    words = self.tr("Find local servers")
                    links.append(PageLink(title, words, f"{title} {words}", self._find_local_servers))
                links += [
                    PageLink(title, field.title, field.words, _opening(self.open_page, name))
                    for field in describe_fields(Provider, prefix=name, without=("preset",))
                ]
                links += [
                    PageLink(title, entry.name, f"{entry.name} {entry.id}", _opening(self.open_provider, entry.id))
                    for entry in self.providers.entries
                ]
        return links

    def _find_local_servers(self) -> None:
        self.open_page(PROVIDERS)
        self.providers.find_local_servers()

    def _on_loaded(self) -> None:
        if self.search.text():
            self._search(self.search.text())

    def _mark(self, name: str) -> None:
        self.page_list.blockSignals(True)
        self.page_list.choose(name)
        self.page_list.blockSignals(False)

    def _focus_search(self) -> None:
        self.search.setFocus()
        self.search.selectAll()

    def _leave_search(self) -> None:
        """Goes on to what was found, or to the pages."""
        shown = (part for part in self.forms.findChildren(QWidget) if part.isVisibleTo(self.forms))
        stops = (part for part in shown if part.focusPolicy() & Qt.FocusPolicy.TabFocus and part.focusProxy() is None)
        target = next(stops, None) if self.search.text() else self.page_list
        if target is not None:
            target.setFocus(Qt.FocusReason.TabFocusReason)

    def _connect(self) -> None:
        unsubscribe = self._workspace.settings_changed.subscribe(self._apply)
        self.destroyed.connect(lambda: unsubscribe())
        self.search.textChanged.connect(self._search)
        self.search.down_pressed.connect(self._leave_search)
        self.page_list.chosen.connect(self.open_page)
        self.forms.search_cleared.connect(self.search.clear)
        self.providers.loaded.connect(self._on_loaded)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self._focus_search)
        self._restyle()
        self.resize(_SIZE.expandedTo(self.minimumSize()))

    def _build(self) -> None:
        metrics = current_theme().metrics
        self.search = SearchField(self.tr("Search settings"))
        self.problem = Notice()
        self.problem.setContentsMargins(0, metrics.space_16, 0, 0)
        self.page_list = ChoiceList(self.tr("Pages"))
        self.page_list.set_entries([(name, title) for name, (title, _) in self._pages.items()])
        self._stack = QStackedWidget()
        for page in dict.fromkeys(page for _, page in self._pages.values()):
            self._stack.addWidget(page)
        self._left = QWidget()
        self._left.setObjectName("pages")
        self._left.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        left = QVBoxLayout(self._left)
        left.setContentsMargins(metrics.space_12, metrics.space_16, metrics.space_12, metrics.space_12)
        left.setSpacing(metrics.space_12)
        left.addWidget(self.search)
        left.addWidget(self.page_list, 1)
        right = QVBoxLayout()
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(0)
        above = QVBoxLayout()
        above.setContentsMargins(metrics.space_16, 0, metrics.space_24, 0)
        above.addWidget(self.problem)
        right.addLayout(above)
        right.addWidget(self._stack, 1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._left)
        layout.addLayout(right, 1)

    def _restyle(self) -> None:
        theme = current_theme()
        room = self.screen().availableSize()
        self.setMinimumSize((_LEAST_SIZE * theme.scale).boundedTo(room))
        self._left.setFixedWidth(theme.metrics.px(_PAGES_WIDTH) + theme.metrics.space_24)
        self.setStyleSheet(stylesheet(theme.tokens, theme.metrics))


def _with_heading(title: str, widget: QWidget) -> QWidget:
    """A page that was given, with the margins and the heading of the others."""
    metrics = current_theme().metrics
    page = QWidget()
    heading = WrappedLabel(font="title")
    heading.setText(title)
    column = QVBoxLayout(page)
    column.setContentsMargins(metrics.space_16, metrics.space_16, metrics.space_24, metrics.space_24)
    column.setSpacing(metrics.space_12)
    column.addWidget(heading)
    column.addWidget(widget, 1)
    return page


def _words(page: QWidget) -> str:
    """What the labels and buttons of a page say."""
    labels = (label.text() for label in page.findChildren(QLabel))
    return " ".join((*labels, *(button.text() for button in page.findChildren(QAbstractButton))))


def _opening(call: Callable[[str], None], argument: str) -> Callable[[], None]:
    return lambda: call(argument)
