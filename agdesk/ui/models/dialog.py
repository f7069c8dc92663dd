"""The capability matrix: every known model, what is known of it, and who says so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from agdesk.core.errors import SettingsError
from agdesk.core.providers.catalogue import ModelRow
from agdesk.core.tasks import spawn
from agdesk.core.workspace import Workspace
from agdesk.ui.core_words import words_of
from agdesk.ui.models.filter_bar import FilterBar
from agdesk.ui.models.finder import Found, ModelFinder
from agdesk.ui.models.matrix import FIELDS
from agdesk.ui.models.refresh_bar import RefreshBar
from agdesk.ui.models.table import MatrixTable
from agdesk.ui.models.value_bar import ValueBar
from agdesk.ui.models.values import THIN_SPACE, descriptions
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.announce import announce
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.empty_state import EmptyState
from agdesk.ui.widgets.labels import StatusLine
from agdesk.ui.widgets.notice import Notice
from agdesk.ui.widgets.search_field import SearchField
from agdesk.ui.widgets.skeleton import Skeleton

_SIZE = QSize(1080, 640)
_LEAST_SIZE = QSize(640, 420)


class ModelsDialog(QDialog):
    """All models, found by a search and the filters of the picker. A correction is in force at once.

    Open it with ``show()``; it may be kept and shown again.
    """

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._finder = ModelFinder()
        self._rows: tuple[ModelRow, ...] = ()
        self._unsubscribe: Callable[[], None] = lambda: None
        self.setWindowTitle(self.tr("Models"))
        self.setModal(False)
        self._build()
        self._connect()
        current_theme().theme_changed.connect(self._restyle)
        self._restyle()
        scale = current_theme().metrics
        self.resize(scale.px(_SIZE.width()), scale.px(_SIZE.height()))

    def point_out(self, model_ref: str, field: str) -> None:
        """Shows one value of a model, ready to be corrected; one that no list has is searched for. Once it is shown."""
        self._clear()
        if self.table.go_to(model_ref, field):
            self.table.setFocus()
        else:
            self.search.setText(model_ref)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if event.spontaneous():
            return
        self._unsubscribe()
        self._unsubscribe = self._workspace.models_changed.subscribe(lambda _: self._load())
        self._load()
        spawn(self._load_providers(), name="providers of the matrix")
        self.search.setFocus()
        self.search.selectAll()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self._unsubscribe()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                event.accept()  # a dialog would press its first button
            case Qt.Key.Key_F5:
                self.refresh.refresh()
            case _:
                super().keyPressEvent(event)

    # --- parts ---

    def _build(self) -> None:
        self.search = SearchField(self.tr("Search models"))
        self.filters = FilterBar()
        self.problem = Notice()
        self.table = MatrixTable()
        self.value = ValueBar()
        self.refresh = RefreshBar(self._workspace)
        self.count = StatusLine()
        self.copy_button = PushButton(self.tr("Copy row"))
        self.copy_button.setAccessibleName(self.copy_button.text())
        self.copy_button.setToolTip(self.tr("Copies what is known of the model (Ctrl+C)"))
        self.copy_button.setAutoDefault(False)
        self.nothing = EmptyState(
            self.tr("No model fits"),
            self.tr("None has these letters and passes all filters. A list that was never asked for may have it."),
            choices=(self.tr("Clear search and filters"),),
        )
        self.loading = Skeleton(self.tr("Loading the models"))
        self._pages = QStackedWidget()
        for page in (self.table, self.nothing, self.loading):
            self._pages.addWidget(page)
        self._foot = QHBoxLayout()
        self._foot.addWidget(self.refresh, 3)
        self._foot.addWidget(self.count, 1)
        self._foot.addWidget(self.copy_button)
        self._column = QVBoxLayout(self)
        for part in (self.search, self.filters, self.problem):
            self._column.addWidget(part)
        self._column.addWidget(self._pages, 1)
        self._column.addWidget(self.value)
        self._column.addLayout(self._foot)

    def _connect(self) -> None:
        self.search.textChanged.connect(lambda _text: self._show_found())
        self.search.down_pressed.connect(self.table.setFocus)
        self.filters.changed.connect(self._apply_filter)
        self.nothing.chosen.connect(lambda _index: self._clear())
        self.table.current_changed.connect(self._show_current)
        self.table.edit_requested.connect(self.value.edit)
        self.table.revert_requested.connect(self.value.revert)
        self.table.copy_requested.connect(self._copy)
        self.copy_button.clicked.connect(lambda _checked=False: self._copy())
        self.value.left.connect(self.table.setFocus)
        self.value.refused.connect(lambda words: self.problem.show_text(self.tr("That is no such value"), words))
        self.value.corrected.connect(self._correct)

    def _restyle(self) -> None:
        metrics = current_theme().metrics
        self.setMinimumSize(metrics.px(_LEAST_SIZE.width()), metrics.px(_LEAST_SIZE.height()))
        self._column.setContentsMargins(metrics.space_16, metrics.space_16, metrics.space_16, metrics.space_12)
        self._column.setSpacing(metrics.space_8)
        self._foot.setSpacing(metrics.space_12)

    # --- showing ---

    def _load(self) -> None:
        self._rows = self._workspace.model_rows()
        self._finder.set_rows(self._rows)
        self._show_found()

    async def _load_providers(self) -> None:
        entries = await asyncio.to_thread(self._workspace.providers)
        self.refresh.set_providers({entry.id: entry.name for entry in entries})

    def _apply_filter(self) -> None:
        self._finder.set_filter(self.filters.filter)
        self._show_found()

    def _show_found(self) -> None:
        found = self._finder.find(self.search.text())
        self.table.show_rows(found.rows)
        page: QWidget = self.table
        if not self._rows:
            page = self.loading
        elif not found.rows:
            page = self.nothing
        self._pages.setCurrentWidget(page)
        text = self._count_text(found)
        if text != self.count.text():
            self.count.setText(text)
            announce(self.search, text)

    def _count_text(self, found: Found) -> str:
        if not self._rows:
            return ""
        text = self.tr("{count} of {all} models").format(count=_grouped(len(found.rows)), all=_grouped(len(self._rows)))
        if found.hidden_unknown:
            text += self.tr(", {count} more unknown").format(count=_grouped(found.hidden_unknown))
        return text

    def _show_current(self) -> None:
        row = self.table.current_row
        self.value.show_value(row, self.table.current_field)
        self.copy_button.setEnabled(row is not None)
        self.refresh.set_provider(row.provider_id if row is not None else "")

    def _clear(self) -> None:
        self.search.clear()
        self.filters.clear()
        self.search.setFocus()

    # --- doing ---

    def _copy(self) -> None:
        if (row := self.table.current_row) is not None:
            QGuiApplication.clipboard().setText(f"{row.ref}: {descriptions(row.model, FIELDS)}")
            announce(self.table, self.tr("Copied"))

    def _correct(self, model_ref: str, field: str, value: object) -> None:
        spawn(self._save(model_ref, field, value), name=f"correct {field} of {model_ref}")

    async def _save(self, model_ref: str, field: str, value: object) -> None:
        self.problem.clear()
        try:
            await self._workspace.correct_model(model_ref, field, value)
        except SettingsError as error:
            self.problem.show_text(*words_of(error))


def _grouped(value: int) -> str:
    return f"{value:,}".replace(",", THIN_SPACE)
