"""Scrolling over rows of which most have never been laid out."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeyEvent, QPalette, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.code_look import CodeLook
from agdesk.ui.widgets.markdown import SafeDocument
from agdesk.ui.widgets.markdown.renderer import BIG_PAUSE_S
from agdesk.ui.widgets.transcript.documents import DocumentCache
from agdesk.ui.widgets.transcript.estimate import HeightEstimator
from agdesk.ui.widgets.transcript.finding.places import row_of_match, shown_at
from agdesk.ui.widgets.transcript.finding.search import Match
from agdesk.ui.widgets.transcript.jump_button import JumpButton
from agdesk.ui.widgets.transcript.model import TranscriptModel
from agdesk.ui.widgets.transcript.ringed_area import RingedArea
from agdesk.ui.widgets.transcript.row_widget import RowContext, RowWidget
from agdesk.ui.widgets.transcript.rows import DocumentRow, PendingRow, Row
from agdesk.ui.widgets.transcript.stage import Placed, RowStage
from agdesk.ui.widgets.transcript.values import ScrollPlace

CUT_SLICE_CHARS = 16_384  # of a very long text, cut between two events
LINES_PER_STEP = 3


class RowScroller(RingedArea):
    """Shows the rows of a model around a scroll position.

    Rows that were never shown have estimated heights. When real ones take their place, what the user looks at stands
    still: the scroll bar moves instead. While the end is in view it stays in view; else a button leads there.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._estimate = HeightEstimator()
        self._model = TranscriptModel(self._estimate)
        self._is_following = True
        self._is_syncing = False
        self._offset = 0
        self._wanted: ScrollPlace | Match | None = None  # to be shown once there is a screen and its row is cut
        self._code_look = CodeLook()
        self._documents = DocumentCache(current_theme())
        self._stage = RowStage(
            self.viewport(), self._model, context=self._make_context(), adopt=self._adopt, prepare=self._prepare
        )
        self._sync_timer = self._make_timer(0, self._sync)
        self._rough_timer = self._make_timer(round(BIG_PAUSE_S * 1000), self._sync)
        self._cut_timer = self._make_timer(0, self._cut_visible)
        self._jump = JumpButton(self.viewport())
        self._jump.clicked.connect(self.jump_to_latest)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().setAccessibleName(self.tr("Scroll the conversation"))
        current_theme().theme_changed.connect(self._restyle)
        self._restyle()

    @property
    def is_following(self) -> bool:
        """Whether the end stays in view when something is added."""
        return self._is_following

    @property
    def document_count(self) -> int:
        """How many rows are laid out in memory."""
        return len(self._documents)

    def jump_to_latest(self) -> None:
        """Shows the end, and stays there."""
        self._is_following = True
        self._wanted = None
        self._sync()

    def set_code_look(self, look: CodeLook) -> None:
        """Shows all code like that; what the user has chosen for a block stays."""
        if look != self._code_look:
            self._code_look = look
            anchor = self._anchor()
            self._stage.reset()
            self._stage.context = self._make_context()
            self._sync(anchor=self._reflow(anchor))

    # --- events ---

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        anchor = self._anchor()
        self._set_column()
        self._sync(anchor=self._reflow(anchor))

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._sync()

    @override
    def scrollContentsBy(self, dx: int, dy: int) -> None:
        if self._is_syncing or not self._model.messages:
            return
        bar = self.verticalScrollBar()
        self._wanted = None
        self._is_following = self._is_at_end()
        self._sync(anchor=self._place_at(0) if bar.value() == 0 else self._place_after(bar.value() - self._offset))
        self._is_following = self._is_at_end()
        self._show_jump()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self.verticalScrollBar()
        match event.key():
            case Qt.Key.Key_Home:
                bar.setValue(bar.minimum())
            case Qt.Key.Key_End:
                self.jump_to_latest()
            case Qt.Key.Key_Space:
                is_back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
                bar.setValue(bar.value() + (-bar.pageStep() if is_back else bar.pageStep()))
            case _:
                super().keyPressEvent(event)

    # --- for the subclass ---

    def _adopt(self, widget: RowWidget) -> None:
        """A widget was made."""

    def _prepare(self, widget: RowWidget, row: Row) -> None:
        """A widget was bound to a row."""

    def _synced(self) -> None:
        """The screen is up to date."""

    def _schedule(self) -> None:
        """Brings the screen up to date when the current event is dealt with, once for any number of calls."""
        if not self._sync_timer.isActive():
            self._sync_timer.start()

    def _sync(self, *, anchor: Placed | None = None) -> None:
        """Brings the screen up to date.

        Args:
            anchor: what stands still; without one, it is the end or the first visible row.
        """
        self._sync_timer.stop()
        # while the transcript is being shown its viewport comes last: panes in it would not learn their width
        if self._is_syncing or not self.viewport().isVisible() or not self._model.messages:
            return
        self._is_syncing, margin = True, current_theme().metrics.space_24
        if self._is_following:
            self._stage.show_end(margin=margin)
        else:
            anchor = self._take_wanted() or anchor or self._anchor() or self._place_at(self._offset)
            self._stage.show_from(anchor.row, top=anchor.top, margin=margin)
        self._documents.evict(shown=self._stage.document_rows)
        self._set_scroll_bar(margin)
        self._is_syncing = False
        self._is_following |= self._wanted is None and self._is_at_end()
        self._show_jump()
        self._synced()
        if any(isinstance(placed.row, PendingRow) for placed in self._stage.visible):
            self._cut_timer.start()

    def _show(self, wanted: ScrollPlace | Match) -> None:
        """Scrolls there as soon as there is a screen and the row is cut, if the user does not scroll before."""
        self._is_following = False
        self._wanted = wanted
        self._sync()

    def _drop_after(self, key: str | None) -> None:
        self._model.drop_after(key)
        kept = next((placed for placed in self._stage.visible if self._model.holds(placed.row)), None)
        self._stage.reset()
        self._is_following = kept is None
        self._wanted = None if kept is None else ScrollPlace(kept.row.message.view.key, kept.row.index, kept.top)
        if not self._model.messages:
            self._documents.clear()
            self._set_scroll_bar(0)
            self._show_jump()
        self._schedule()

    # --- private ---

    def _make_timer(self, interval_ms: int, call: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(interval_ms)
        timer.timeout.connect(call)
        return timer

    def _make_context(self) -> RowContext:
        return RowContext(current_theme().metrics, self._document, self._code_look)

    def _document(self, row: DocumentRow) -> SafeDocument:
        document, is_rough = self._documents.get(row, now_s=time.monotonic())
        if is_rough and not self._rough_timer.isActive():
            self._rough_timer.start()
        return document

    def _restyle(self) -> None:
        """Takes over the theme: everything is drawn again."""
        theme = current_theme()
        anchor = self._anchor()
        self._stage.reset()
        self._documents.restyle(theme)
        self._stage.context = self._make_context()
        ring = theme.metrics.focus_ring
        self.setViewportMargins(ring, ring, ring, ring)
        self._jump.restyle()
        self._set_column()
        self._sync(anchor=self._reflow(anchor))

    def _set_column(self) -> None:
        """The column is centred in the whole widget, so that it stands still when the scroll bar comes."""
        metrics = self._stage.context.metrics
        gutter = self._stage.context.gutter
        room = self.width() - 2 * metrics.space_16  # the scroll bar is within the space at the side
        width = max(1, min(metrics.text_column + 2 * gutter, room))
        self._estimate.configure(metrics, width=width - 2 * gutter)
        self._stage.set_column(left=(self.width() - width) // 2 - self.viewport().x(), width=width)

    def _anchor(self) -> Placed | None:
        """What stands still: the first row on the screen.

        Not text that is being cut: it loses its start, and would carry what is on the screen away with it.
        """
        held = (item for item in self._stage.visible if item.height and self._model.holds(item.row))
        return next((item for item in held if not isinstance(item.row, PendingRow)), None)

    def _take_wanted(self) -> Placed | None:
        """The place that is to be shown; as long as its row is not cut, the start of the text that waits."""
        if self._wanted is None:
            return None
        wanted = self._wanted
        row = row_of_match(self._model, wanted) if isinstance(wanted, Match) else self._model.row_of(wanted)
        if isinstance(row, PendingRow):
            return Placed(row, 0, row.height)
        self._wanted = None
        if isinstance(wanted, Match):
            self._stage.realise(row)
            middle = self.viewport().height() // 2
            return Placed(row, middle - shown_at(self._stage.widget(row), wanted), row.height)
        return Placed(row, wanted.top, row.height)

    def _reflow(self, anchor: Placed | None) -> Placed | None:
        """The anchor with its new height; if a part of it is above the viewport, it is the same part as before."""
        if anchor is None or not self.viewport().isVisible():
            return anchor
        height = self._stage.realise(anchor.row)
        top = round(anchor.top * height / anchor.height) if anchor.top < 0 else anchor.top
        return Placed(anchor.row, top, height)

    def _place_after(self, step: int) -> Placed:
        """A row and its top after scrolling: what stays on the screen moves by the step, whatever the estimates say."""
        for placed in self._stage.visible:
            if placed.bottom - step > 0 and placed.top - step < self.viewport().height() and placed.height:
                return Placed(placed.row, placed.top - step, placed.height)
        return self._place_at(self._offset + step)

    def _place_at(self, offset: int) -> Placed:
        row = self._model.row_at(offset)
        assert row is not None
        return Placed(row, self._model.top(row) - offset, row.height)

    def _set_scroll_bar(self, margin: int) -> None:
        was_syncing, self._is_syncing = self._is_syncing, True
        bar = self.verticalScrollBar()
        height = self.viewport().height()
        first = self._stage.visible[0] if self._stage.visible else None
        bar.setPageStep(height)
        bar.setSingleStep(round(LINES_PER_STEP * self._stage.context.metrics.line_height))
        bar.setRange(0, max(0, self._model.height + margin - height))
        bar.setValue(self._model.top(first.row) - first.top if first else 0)
        self._offset = bar.value()
        self._is_syncing = was_syncing

    def _is_at_end(self) -> bool:
        bar = self.verticalScrollBar()
        return bar.value() >= bar.maximum() - 1

    def _show_jump(self) -> None:
        self._jump.offer(not self._is_following and bool(self._model.messages) and not self._is_at_end())

    def _cut_visible(self) -> None:
        """Goes on cutting the texts that are in view."""
        for message in {placed.row.message for placed in self._stage.visible}:
            if not message.is_cut and self._model.holds(message.rows[0]):
                message.cut(CUT_SLICE_CHARS)
                self._model.update_height(message)
        self._sync()
