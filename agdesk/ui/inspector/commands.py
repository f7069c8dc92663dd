"""What can be done with a row: copied, copied as JSON or as a cURL command, opened."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QObject, QPoint, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMenu

from agdesk.core.errors import AgdeskError
from agdesk.core.tasks import spawn
from agdesk.core.trace.curl import curl_command
from agdesk.core.trace.events import TurnStarted
from agdesk.core.trace.wire import RequestSent
from agdesk.ui.core_words import said
from agdesk.ui.inspector.columns import Column
from agdesk.ui.inspector.model import TraceModel
from agdesk.ui.inspector.pages import Chosen, typed_text
from agdesk.ui.inspector.records import RecordIndex
from agdesk.ui.inspector.source import KeyVariable, TraceSource, WireBytes
from agdesk.ui.inspector.view import TraceView


class RowCommands(QObject):
    """The menu of a row, and the keys for it.

    Signals:
        done(str): what has just been done, for the status line.
    """

    done = Signal(str)

    def __init__(self, view: TraceView, source: TraceSource) -> None:
        super().__init__(view)
        self._view = view
        self._source = source
        self.wire: WireBytes | None = None
        self._menu = QMenu(view)
        self.copy_row = self._add(self.tr("Copy row"))
        self.copy_row.setShortcut(QKeySequence.StandardKey.Copy)  # the view takes the key; here it is only shown
        self.copy_json = self._add(self.tr("Copy as JSON"))
        self.copy_curl = self._add(self.tr("Copy as cURL"))
        self._menu.addSeparator()
        self.expand = self._add(self.tr("Expand"))
        self.copy_row.triggered.connect(self._copy_row)
        self.copy_json.triggered.connect(lambda: spawn(self._copy_json(), name="copy as JSON"))
        self.copy_curl.triggered.connect(lambda: spawn(self._copy_curl(), name="copy as cURL"))
        self.expand.triggered.connect(lambda: view.expand(view.currentIndex().siblingAtColumn(0)))
        view.copy_wanted.connect(self._copy_row)
        view.menu_wanted.connect(self._open_menu)

    def update(self) -> None:
        """Makes what the current row can be used for possible."""
        index = self._current
        model = self._view.model()
        is_row = index.isValid() and isinstance(model, TraceModel)
        self.copy_row.setEnabled(is_row)
        self.copy_json.setEnabled(is_row)
        self.copy_curl.setEnabled(is_row and self._sent(index) is not None)
        self.expand.setEnabled(is_row and model.hasChildren(index) and not self._view.isExpanded(index))

    @property
    def _current(self) -> QModelIndex:
        return self._view.currentIndex().siblingAtColumn(0)

    def _add(self, text: str) -> QAction:
        action = QAction(text, self)
        self._menu.addAction(action)
        return action

    def _open_menu(self, place: QPoint) -> None:
        self.update()
        self._menu.popup(place)

    def _copy_row(self) -> None:
        index = self._current
        model = self._view.model()
        if not index.isValid() or not isinstance(model, TraceModel):
            return
        label = model.label(index)
        figures = [index.siblingAtColumn(column).data() for column in (Column.TIME, Column.STEP, Column.SEQ)]
        self._put("\t".join((label.name, label.problem, label.text, *figures)), self.tr("The row was copied."))

    async def _copy_json(self) -> None:
        index = self._current
        model = self._view.model()
        if not index.isValid() or not isinstance(model, TraceModel):
            return
        first, last = model.record_span(index)
        text = await asyncio.to_thread(typed_text, model.records, Chosen(first, last))
        self._put(text.text, self.tr("Copied as JSON."))

    async def _copy_curl(self) -> None:
        index = self._current
        model = self._view.model()
        sent = self._sent(index)
        if sent is None or self.wire is None or not isinstance(model, TraceModel):
            return
        request, number = sent
        try:
            body = await self.wire.request_body(request.body_blob) if request.body_blob is not None else b""
            providers = await asyncio.to_thread(self._source.providers)
        except AgdeskError as error:
            self.done.emit(said(error.message))
            return
        if body is None:
            self.done.emit(self.tr("The body of this request is not kept any more."))
            return
        variable = key_variable(model.records, number, providers)
        self._put(curl_command(request, body, variable=variable), self.tr("Copied as cURL."))

    def _sent(self, index: QModelIndex) -> tuple[RequestSent, int] | None:
        """The request that a row belongs to, and the number of its record."""
        model = self._view.model()
        if not index.isValid() or not isinstance(model, TraceModel):
            return None
        number = model.records.group(model.record_span(index)[0]).milestones.get("request_sent")
        payload = model.records.record(number).payload if number is not None else None
        return (payload, number) if isinstance(payload, RequestSent) and number is not None else None

    def _put(self, text: str, message: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.done.emit(message)


def key_variable(records: RecordIndex, number: int, providers: Sequence[KeyVariable]) -> str:
    """The environment variable with the key of the provider that a record's turn asked; empty if unknown."""
    started = records.turn_milestones(records.group(number).turn_id).get("turn_started")
    payload = records.record(started).payload if started is not None else None
    if not isinstance(payload, TurnStarted):
        return ""
    provider_id = payload.model_ref.partition("/")[0]
    return next((provider.key_env for provider in providers if provider.id == provider_id), "")
