"""What stands below the tree: the pages of the row that is chosen."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QTabBar, QVBoxLayout, QWidget

from agdesk.core.errors import AgdeskError
from agdesk.core.tasks import spawn
from agdesk.core.trace.events import RequestPrepared
from agdesk.core.trace.wire import RequestSent
from agdesk.ui.core_words import words_of
from agdesk.ui.inspector import pages
from agdesk.ui.inspector.figures import size
from agdesk.ui.inspector.pages import SHOWN_CHARACTERS, Chosen, Page, PageText
from agdesk.ui.inspector.records import RecordIndex
from agdesk.ui.inspector.source import WireBytes
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.code_view import CodeView
from agdesk.ui.widgets.icon_button import IconButton
from agdesk.ui.widgets.labels import StatusLine

_THREAD_BYTES = 50_000  # from here on a text is made on a thread
_THREAD_RECORDS = 200


class DetailPane(QWidget):
    """The pages of one row: its bytes, its values, its request and response.

    Signals:
        copied(str): a text is on the clipboard now; what it is.
    """

    copied = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._index: RecordIndex | None = None
        self._bytes: WireBytes | None = None
        self._chosen: Chosen | None = None
        self._pages: tuple[Page, ...] = ()
        self._wanted: Page | None = None  # what the user has looked at last
        self._shown = PageText("")
        self._task: asyncio.Task[None] | None = None
        self.tabs = QTabBar(self)
        self.tabs.setAccessibleName(self.tr("What is shown of the record"))
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.tabs.currentChanged.connect(self._on_tab)
        self.copy_button = IconButton("copy", self.tr("Copy this page"), self)
        self.copy_button.clicked.connect(self._copy)
        self.note = StatusLine(self)
        self.view = CodeView(self.tr("The record"), self)
        self.all_button = PushButton(self)
        self.all_button.clicked.connect(self._show_all)
        self._build()
        self.clear()

    def clear(self) -> None:
        """Shows nothing."""
        self._stop()
        self._index = self._bytes = self._chosen = None
        self._set_pages(())
        self._put(PageText("", self.tr("Choose a record to see what is in it.")))

    def show_row(self, index: RecordIndex, wire: WireBytes, chosen: Chosen) -> None:
        """Shows a row, on the page that the user chose last if it has it, else on its first."""
        is_same = self._chosen is not None and (chosen.first, chosen.is_request) == (
            self._chosen.first,
            self._chosen.is_request,
        )
        self._index, self._bytes, self._chosen = index, wire, chosen
        self._set_pages(pages.pages_of(index, chosen))
        self._load(keeps_place=is_same)

    @property
    def text(self) -> str:
        """The page that is shown, whole."""
        return self._shown.text

    def _set_pages(self, wanted: tuple[Page, ...]) -> None:
        names = {
            Page.RAW: self.tr("Raw"),
            Page.TYPED: self.tr("Typed"),
            Page.REQUEST: self.tr("Request"),
            Page.RESPONSE: self.tr("Response"),
        }
        self.copy_button.setVisible(bool(wanted))
        if wanted == self._pages:
            return
        blocker = QSignalBlocker(self.tabs)
        while self.tabs.count():
            self.tabs.removeTab(0)
        self._pages = wanted
        for page in wanted:
            self.tabs.addTab(names[page])
        if self._wanted in wanted:
            self.tabs.setCurrentIndex(wanted.index(self._wanted))
        del blocker

    def _on_tab(self, place: int) -> None:
        if 0 <= place < len(self._pages):
            self._wanted = self._pages[place]
            self._load(keeps_place=False)

    def _load(self, *, keeps_place: bool) -> None:
        self._stop()
        self._task = spawn(self._show_page(keeps_place), name="show a record")

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _show_page(self, keeps_place: bool) -> None:
        index, wire, chosen = self._index, self._bytes, self._chosen
        if index is None or wire is None or chosen is None:
            return
        page = self._pages[self.tabs.currentIndex()]
        try:
            text = await self._text(page, index=index, wire=wire, chosen=chosen)
        except AgdeskError as error:
            text = PageText("", " ".join(words_of(error)).strip())
        if text != self._shown or not keeps_place:
            place = self.view.verticalScrollBar().value() if keeps_place else 0
            self._put(text)
            self.view.verticalScrollBar().setValue(place)

    async def _text(self, page: Page, *, index: RecordIndex, wire: WireBytes, chosen: Chosen) -> PageText:
        group = index.group(chosen.first)
        sent_number = group.milestones.get("request_sent")
        sent = index.record(sent_number).payload if sent_number is not None else None
        match page:
            case Page.TYPED if chosen.last - chosen.first > _THREAD_RECORDS:
                return await asyncio.to_thread(pages.typed_text, index, chosen)
            case Page.TYPED:
                return pages.typed_text(index, chosen)
            case Page.REQUEST if isinstance(sent, RequestSent):
                body = await self._request_body(wire, sent)
                prepared_number = group.milestones.get("request_prepared")
                prepared = index.record(prepared_number).payload if prepared_number is not None else None
                ledger = prepared.ledger if isinstance(prepared, RequestPrepared) else ()
                if body is not None and len(body) > _THREAD_BYTES:
                    return await asyncio.to_thread(pages.request_text, sent, body, ledger=ledger)
                return pages.request_text(sent, body, ledger=ledger)
            case Page.REQUEST:
                return PageText("", self.tr("Nothing was sent yet."))
            case Page.RESPONSE:
                body = None
                if group.body_bytes and not group.frame_count:
                    body = await wire.response_body(group.request_id, least_bytes=group.body_bytes)
                return await asyncio.to_thread(pages.response_text, index, group, body)
            case Page.RAW if index.kind(chosen.last).name == "request_sent" and isinstance(sent, RequestSent):
                return pages.raw_text(await self._request_body(wire, sent))
            case Page.RAW:
                span = None if chosen.is_request else pages.frames_of(index, chosen)
                start, end = span or (0, None)
                if not group.body_bytes:
                    return PageText("", self.tr("No bytes have arrived."))
                body = await wire.response_body(group.request_id, least_bytes=end or group.body_bytes)
                return await asyncio.to_thread(pages.raw_text, body, start=start, end=end)

    async def _request_body(self, wire: WireBytes, sent: RequestSent) -> bytes | None:
        return await wire.request_body(sent.body_blob) if sent.body_blob is not None else b""

    def _put(self, text: PageText) -> None:
        self._shown = text
        self.note.setText(text.note)
        self.note.setVisible(bool(text.note))
        self.view.set_text(text.text[:SHOWN_CHARACTERS])
        rest = len(text.text) - SHOWN_CHARACTERS
        self.all_button.setVisible(rest > 0)
        if rest > 0:
            name = self.tr("Show all ({size})").format(size=size(len(text.text)))
            self.all_button.setText(name)
            self.all_button.setAccessibleName(name)

    def _show_all(self) -> None:
        self.all_button.hide()
        self.view.set_text(self._shown.text)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._shown.text)
        self.copy_button.confirm()
        self.copied.emit(self.tr("The page was copied."))

    def _build(self) -> None:
        metrics = current_theme().metrics
        bar = QHBoxLayout()
        bar.setContentsMargins(metrics.space_4, 0, metrics.space_8, 0)
        bar.addWidget(self.tabs)
        bar.addStretch(1)
        bar.addWidget(self.copy_button)
        self.note.setContentsMargins(metrics.space_8, metrics.space_4, metrics.space_8, metrics.space_4)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(bar)
        layout.addWidget(self.note)
        layout.addWidget(self.view, 1)
        layout.addWidget(self.all_button, 0, Qt.AlignmentFlag.AlignHCenter)
