"""The panel with every known model: type, filter, and Enter takes one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QStackedWidget, QVBoxLayout, QWidget
from shiboken6 import isValid
from typing_extensions import override

from agdesk.core.providers.catalogue import ModelRow
from agdesk.core.providers.router import AUTO
from agdesk.core.tasks import spawn
from agdesk.core.workspace import Workspace
from agdesk.ui.chat.picker.item_list import ItemList
from agdesk.ui.chat.picker.items import Item, browsed, provider_of, searched, typed_ref
from agdesk.ui.chat.picker.nothing import NothingFound
from agdesk.ui.models.filter_bar import FilterBar
from agdesk.ui.models.finder import ModelFinder
from agdesk.ui.models.refresh_bar import RefreshBar
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.announce import announce
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.overlay import Overlay
from agdesk.ui.widgets.row_painting import row_height
from agdesk.ui.widgets.skeleton import Skeleton

_WIDTH = 780
_ROWS = 14
_RECENT = 5


class ModelPopup(Overlay):
    """All models over a window; one for all its conversations, made when it is first opened.

    The keyboard stays in the field: the arrows move along the list, Tab goes to the filters and on, F5 refreshes the
    list of the current model's provider.
    """

    # of the class, because it is hidden for the first time before anything else is there
    _anchor: QWidget | None = None
    _unsubscribe: Callable[[], None] = staticmethod(lambda: None)

    def __init__(self, workspace: Workspace, parent: QWidget) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._finder = ModelFinder()
        self._rows: dict[str, ModelRow] = {}
        self._provider_ids: frozenset[str] = frozenset()  # until they are known
        self._recent: tuple[ModelRow, ...] = ()
        self._used_ref = ""
        self._take: Callable[[str], None] = lambda _ref: None
        self._show_all: Callable[[], None] = lambda: None
        self.setAccessibleName(self.tr("Choose a model"))
        self._build()
        self._connect()

    def open_below(
        self, anchor: QWidget, *, used_ref: str, take: Callable[[str], None], show_all: Callable[[], None]
    ) -> None:
        """Shows the panel below a widget, with the cursor in the field and nothing filtered.

        Args:
            used_ref: the model in use.
            take: is given the ``provider/model`` that was chosen, after the panel has closed.
            show_all: opens the matrix of all models.
        """
        self._anchor, self._used_ref, self._take, self._show_all = anchor, used_ref, take, show_all
        anchor.installEventFilter(self)
        self._unsubscribe()
        self._unsubscribe = self._workspace.models_changed.subscribe(lambda _: self._load())
        self.filters.clear()
        self.field.clear()
        self.refresh.clear()
        self._load(current_ref=used_ref)
        self.rise()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        spawn(self._load_providers(), name="providers of the picker")

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self._unsubscribe()
            if self._anchor is not None and isValid(self._anchor):
                self._anchor.removeEventFilter(self)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F5:
            self.refresh.refresh()
        else:
            super().keyPressEvent(event)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and watched is self.field:
            return self._take_key(event)
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize) and watched is self._anchor and not self.isHidden():
            self.arrange()
        return super().eventFilter(watched, event)

    @override
    def arrange(self) -> None:
        super().arrange()
        metrics = current_theme().metrics
        space = metrics.space_8
        self._column.setContentsMargins(space, space, space, space)
        self._column.setSpacing(space)
        self._foot.setSpacing(space)
        width = max(1, min(metrics.px(_WIDTH), self.width() - 2 * space))
        left, top = space, space
        if self._anchor is not None and isValid(self._anchor) and self._anchor.window() is self.window():
            place = self._anchor.mapTo(self.window(), QPoint(0, 0))
            left = place.x() + self._anchor.width() - width if self.isRightToLeft() else place.x()
            top = place.y() + self._anchor.height() + metrics.space_4
        rest = self._column.heightForWidth(width) - self._pages.sizeHint().height()
        height = min(rest + (_ROWS + 1) * row_height(), self.height() - top - space)
        self.panel.setGeometry(max(space, min(left, self.width() - width - space)), top, width, max(1, height))

    # --- parts ---

    def _build(self) -> None:
        self.field = QLineEdit(self.panel)
        self.field.setAccessibleName(self.tr("Search models, or type provider/model"))
        self.field.setPlaceholderText(self.field.accessibleName())
        self.filters = FilterBar(self.panel)
        self.list = ItemList(self._hits_of, self.panel)
        self.nothing = NothingFound(self.panel)
        self.loading = Skeleton(self.tr("Loading the models"))
        self.refresh = RefreshBar(self._workspace, self.panel)
        self.all_button = PushButton(self.tr("All models…"), self.panel)
        self.all_button.setAccessibleName(self.all_button.text())
        self.all_button.setToolTip(self.tr("What is known of every model, and who says so"))
        self._pages = QStackedWidget(self.panel)
        for page in (self.list, self.nothing, self.loading):
            self._pages.addWidget(page)
        self._foot = QHBoxLayout()
        self._foot.addWidget(self.refresh, 1)
        self._foot.addWidget(self.all_button)
        self._column = QVBoxLayout(self.panel)
        self._column.addWidget(self.field)
        self._column.addWidget(self.filters)
        self._column.addWidget(self._pages, 1)
        self._column.addLayout(self._foot)

    def _connect(self) -> None:
        self.field.installEventFilter(self)
        self.field.textChanged.connect(lambda _text: self._show_found())
        self.filters.changed.connect(self._apply_filter)
        self.list.chosen.connect(lambda item: self._choose(item.ref))
        self.list.current_changed.connect(self._show_current)
        self.nothing.use_chosen.connect(lambda: self._choose(typed_ref(self.field.text())))
        self.nothing.clear_chosen.connect(self._clear_filters)
        self.nothing.unknown_chosen.connect(self._include_unknown)
        self.all_button.clicked.connect(lambda _checked=False: self._open_all())

    def _take_key(self, event: QKeyEvent) -> bool:
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose_current()
            return True
        if not self.list.count or not self.list.move_by_key(event.key()):
            return False
        announce(self.field, str(self.list.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole)))
        return True

    # --- showing ---

    def _load(self, *, current_ref: str = "") -> None:
        rows = self._workspace.model_rows()
        self._rows = {row.ref: row for row in rows}
        self._recent = tuple(self._row_of(ref) for ref in self._recent_refs())
        self._finder.set_rows(rows)
        current = self.list.current
        self._show_found(current_ref=current_ref or (current.ref if current is not None else ""))

    async def _load_providers(self) -> None:
        entries = await asyncio.to_thread(self._workspace.providers)
        if isValid(self):
            self._provider_ids = frozenset(entry.id for entry in entries)
            self.refresh.set_providers({entry.id: entry.name for entry in entries})
            if typed_ref(self.field.text()):
                self._show_found()

    def _recent_refs(self) -> list[str]:
        """The models that conversations were held with last, the one in use first."""
        refs = {self._used_ref: None}
        for conversation in self._workspace.conversations.all():
            if len(refs) == _RECENT:
                break
            refs[conversation.model_ref] = None
        return [ref for ref in refs if typed_ref(ref) == ref != AUTO]

    def _row_of(self, ref: str) -> ModelRow:
        """What is known of a model that may be in no list."""
        if (row := self._rows.get(ref)) is not None:
            return row
        provider_id = ref.partition("/")[0]
        likely = next((row for row in self._rows.values() if row.provider_id == provider_id), None)
        info = self._workspace.model_info(ref)
        if likely is None:
            return ModelRow(provider_id, info, provider_id)
        return ModelRow(provider_id, info, likely.provider_name, likely.is_local, likely.is_usable)

    def _apply_filter(self) -> None:
        self._finder.set_filter(self.filters.filter)
        self._show_found()
        if not self.isHidden():
            self.arrange()  # the filters may take another line now

    def _show_found(self, *, current_ref: str = "") -> None:
        query = self.field.text()
        found, model_filter = self._finder.find(query), self._finder.filter
        if query.strip():
            has_provider = self._has_provider(typed_ref(query))
            entries = searched(found, query, model_filter=model_filter, known=self._rows, has_provider=has_provider)
        else:
            entries = browsed(found, recent=self._recent, model_filter=model_filter)
        self.list.show_entries(entries, used_ref=self._used_ref, current_ref=current_ref)
        page: QWidget = self.list if entries else self.nothing
        if not self._rows and not typed_ref(query):
            page = self.loading
        self._pages.setCurrentWidget(page)
        self._show_current()
        if page is self.nothing:
            ref, is_narrow = typed_ref(query), model_filter.is_narrow
            missing = "" if self._has_provider(ref) else provider_of(ref)
            hidden = found.hidden_unknown
            self.nothing.show_for(query, ref, is_filtered=is_narrow, unknown_count=hidden, missing_provider=missing)
        if not self.isHidden():
            count = len(found.rows)
            text = self.tr("1 model") if count == 1 else self.tr("{count} models").format(count=count)
            announce(self.field, text if entries else self.nothing.sentence)

    def _has_provider(self, ref: str) -> bool:
        """Whether there is the provider of a reference that was typed, or none was, or nobody knows yet."""
        return not ref or not self._provider_ids or provider_of(ref) in self._provider_ids

    def _hits_of(self, text: str) -> frozenset[int]:
        return self._finder.hits(self.field.text(), text)

    def _show_current(self) -> None:
        item = self.list.current if self._pages.currentWidget() is self.list else None
        self.refresh.set_provider(item.row.provider_id if item is not None and item.row is not None else "")

    def _clear_filters(self) -> None:
        self.filters.clear()
        self.field.setFocus()

    def _include_unknown(self) -> None:
        self.filters.unknown.setChecked(True)
        self.field.setFocus()

    # --- doing ---

    def _choose_current(self) -> None:
        item: Item | None = self.list.current if self._pages.currentWidget() is self.list else None
        if item is not None:
            self._choose(item.ref)
        elif self._pages.currentWidget() is self.nothing:
            self._choose(typed_ref(self.field.text()))

    def _choose(self, ref: str) -> None:
        if ref:
            self.close()
            self._take(ref)

    def _open_all(self) -> None:
        self.close()
        self._show_all()
