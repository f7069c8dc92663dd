"""The inspector of the conversation in front: a tree of its records, and what is behind the chosen one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QByteArray, QModelIndex, QPersistentModelIndex, Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from agdesk.core.cycle import AgentSession
from agdesk.core.errors import ErrorRecord
from agdesk.core.trace.events import TraceRecord
from agdesk.ui.bridge import DrainTimer
from agdesk.ui.core_words import words_of
from agdesk.ui.inspector.commands import RowCommands
from agdesk.ui.inspector.detail import DetailPane
from agdesk.ui.inspector.feed import SessionFeed
from agdesk.ui.inspector.figures import SEPARATOR, amount, count, size
from agdesk.ui.inspector.filtering import FilterRun
from agdesk.ui.inspector.model import TraceModel
from agdesk.ui.inspector.pages import Chosen
from agdesk.ui.inspector.source import TraceSource, WireBytes
from agdesk.ui.inspector.states import State, StateStack
from agdesk.ui.inspector.tree import NodeKind
from agdesk.ui.inspector.view import TraceView
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.announce import announce
from agdesk.ui.widgets.labels import StatusLine
from agdesk.ui.widgets.search_field import SearchField
from agdesk.ui.widgets.splitter import HairlineSplitter

_LOADING_MS = 150
_REFRESH_MS = 500
_MESSAGE_MS = 4000
_SHARES = (3, 2)  # of the height: tree and detail


class InspectorPanel(QWidget):
    """Follows one session while it is shown; while it is hidden it holds nothing and listens to nothing.

    Args:
        workspace: where what is stored comes from.
    """

    def __init__(self, workspace: TraceSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._session: AgentSession | None = None
        self._drain = DrainTimer(self)
        self._feed: SessionFeed | None = None
        self._wire: WireBytes | None = None
        self._model: TraceModel | None = None
        self._filter: FilterRun | None = None
        self._chosen_number = -1  # of the record whose row was chosen last
        self.setAccessibleName(self.tr("Inspector"))
        self.filter_line = SearchField(self.tr("Filter: words in kind or text"), self)
        self.figures = StatusLine(self)
        self.view = TraceView(self)
        self.detail = DetailPane(self)
        self.states = StateStack(self.view, self)
        self.status = StatusLine(self)
        self.splitter = HairlineSplitter(Qt.Orientation.Vertical, self)
        self.commands = RowCommands(self.view, workspace)
        self._build()
        self._loading = self._timer(_LOADING_MS, self._show_loading)
        self._refresh = self._timer(_REFRESH_MS, self._show_detail)
        self._forget = self._timer(_MESSAGE_MS, lambda: self.status.setText(""))
        self.filter_line.textChanged.connect(self._on_filter)
        self.filter_line.down_pressed.connect(self.view.setFocus)
        self.states.again_wanted.connect(self._start)
        self.states.clear_wanted.connect(self.filter_line.clear)
        self.states.currentChanged.connect(self._show_or_hide_detail)
        self.view.detail_wanted.connect(self.detail.view.setFocus)
        self.commands.done.connect(self._say)
        self.detail.copied.connect(self._say)

    def show_session(self, session: AgentSession | None) -> None:
        """Follows another session, or none."""
        if session is self._session:
            return
        self._stop()
        self._session = session
        self.filter_line.clear()
        if self.isVisible():
            self._start()

    def splitter_state(self) -> bytes:
        """How the place is shared between the tree and what is below, to be kept."""
        return bytes(self.splitter.saveState().data())

    def restore_splitter(self, state: bytes) -> None:
        """Shares the place as ``splitter_state`` said; anything else changes nothing."""
        self.splitter.restoreState(QByteArray(state))

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous() and self._feed is None:
            self._start()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self._stop()

    # --- following a session ---

    def _start(self) -> None:
        self._stop()
        if self._session is None:
            return
        model = self._model = TraceModel(self._session.id, self)
        self._wire = self.commands.wire = WireBytes(self._workspace, self._session)
        self._filter = FilterRun(model, self)
        self._filter.applied.connect(self._on_filter_applied)
        self.view.setModel(model)
        self.view.selectionModel().currentRowChanged.connect(self._show_detail)
        self._loading.start()
        self._feed = SessionFeed(self._workspace, self._session, self._drain, self)
        self._feed.batch.connect(self._append)
        self._feed.loaded.connect(self._on_loaded)
        self._feed.failed.connect(self._on_failed)
        if self.filter_line.text():
            self._filter.set_text(self.filter_line.text())

    def _stop(self) -> None:
        for timer in (self._loading, self._refresh):
            timer.stop()
        for part in (self._feed, self._filter, self._wire):
            if part is not None:
                part.close()
        for owned in (self._feed, self._filter, self._model):
            if owned is not None:
                owned.deleteLater()
        self._feed = self._filter = self._wire = self.commands.wire = None
        self.detail.clear()
        self._chosen_number = -1
        if self._model is not None:
            self.view.setModel(None)
            self._model = None
        self.figures.setText("")
        self.states.show_state(State.EMPTY)

    def _append(self, batch: list[TraceRecord]) -> None:
        model = self._model
        if model is None:
            return
        current = QPersistentModelIndex(self.view.currentIndex())
        span = model.record_span(current) if current.isValid() else (-1, -1)
        is_at_end = self.view.is_at_end
        model.append(batch)
        if span[0] >= 0 and not current.isValid():  # its place in the tree is another one now
            self.view.setCurrentIndex(model.find(span[1]))
        elif self._is_stale(current, span) and not self._refresh.isActive():
            self._refresh.start()
        if not self._loading.isActive():
            self._show_tree()
        if is_at_end and self._is_loaded:
            self.view.follow(model.last_index())
        self._show_figures()

    def _is_stale(self, current: QPersistentModelIndex, span: tuple[int, int]) -> bool:
        """Whether what is shown of the current row may be another thing now."""
        if self._model is None or not current.isValid():
            return False
        return self._model.record_span(current) != span or self._is_request(current)

    @property
    def _is_loaded(self) -> bool:
        return self._feed is not None and self._feed.is_loaded

    def _on_loaded(self) -> None:
        self._loading.stop()
        self._show_tree()
        if self._model is not None and len(self._model.records):
            self.view.follow(self._model.last_index())
        self._show_figures()

    def _on_failed(self, error: ErrorRecord) -> None:
        self._loading.stop()
        self.states.show_error(*words_of(error))

    def _show_loading(self) -> None:
        if self._model is not None and len(self._model.records):
            self._show_tree()
        else:
            self.states.show_state(State.LOADING)

    def _show_tree(self) -> None:
        model = self._model
        if model is None:
            return
        if model.rowCount():
            self.states.show_state(State.FULL)
        elif len(model.records):
            self.states.show_state(State.NO_MATCH)
        elif self._is_loaded:
            self.states.show_state(State.EMPTY)

    # --- filter, detail, words ---

    def _on_filter(self, text: str) -> None:
        if self._filter is not None:
            self._filter.set_text(text)

    def _on_filter_applied(self) -> None:
        self._show_tree()
        self._show_figures()
        if self._model is None:
            return
        again = self._model.find(self._chosen_number) if self._chosen_number >= 0 else QModelIndex()
        if again.isValid():
            self.view.setCurrentIndex(again)
        else:
            self.detail.clear()
            if self._model.rowCount():
                self.view.follow(self._model.last_index())

    def _is_request(self, index: QModelIndex | QPersistentModelIndex) -> bool:
        node = self._model.node_of(index) if self._model is not None else None
        return node is not None and self._model is not None and self._model.tree.kind(node) is NodeKind.REQUEST

    def _show_detail(self) -> None:
        index = self.view.currentIndex()
        self.commands.update()
        if self._model is None or self._wire is None or not index.isValid():
            self.detail.clear()
            return
        first, last = self._model.record_span(index)
        self._chosen_number = last
        chosen = Chosen(first, last, is_run=self._model.is_run(index), is_request=self._is_request(index))
        self.detail.show_row(self._model.records, self._wire, chosen)

    def _show_or_hide_detail(self) -> None:
        """Below a tree that is not there is nothing to choose."""
        self.detail.setVisible(self.states.currentWidget() is self.view)

    def _show_figures(self) -> None:
        if self._model is None:
            return
        records = self._model.records
        if not len(records):
            return
        parts = [amount(len(records), self.tr("record"), self.tr("records"))]
        if self._model.is_filtered:
            shown = count(len(self._model.tree))
            parts = [self.tr("{shown} of {all} records").format(shown=shown, all=count(len(records)))]
        parts.append(amount(records.request_count, self.tr("request"), self.tr("requests")))
        parts.append(size(records.body_bytes))
        if records.ignored_count:
            parts.append(amount(records.ignored_count, self.tr("event ignored"), self.tr("events ignored")))
        self.figures.setText(SEPARATOR.join(parts))

    def _say(self, message: str) -> None:
        self.status.setText(message)
        announce(self.status, message)
        self._forget.start()

    def _timer(self, interval_ms: int, call: Callable[[], object]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(interval_ms)
        timer.timeout.connect(call)
        return timer

    def _build(self) -> None:
        metrics = current_theme().metrics
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.states)
        self.splitter.addWidget(self.detail)
        self._show_or_hide_detail()
        for place, share in enumerate(_SHARES):
            self.splitter.setStretchFactor(place, share)
        self.splitter.setSizes([100 * share for share in _SHARES])
        head = QVBoxLayout()
        head.setContentsMargins(metrics.space_8, metrics.space_8, metrics.space_8, metrics.space_4)
        head.setSpacing(metrics.space_4)
        head.addWidget(self.filter_line)
        head.addWidget(self.figures)
        foot = QVBoxLayout()
        foot.setContentsMargins(metrics.space_12, metrics.space_4, metrics.space_12, metrics.space_4)
        foot.addWidget(self.status)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self.splitter, 1)
        layout.addLayout(foot)
