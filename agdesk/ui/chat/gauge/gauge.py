"""The gauge of one conversation: follows its records, its model and its draft (CHAT12)."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget
from shiboken6 import isValid

from agdesk.core.cycle import AgentSession
from agdesk.core.ir.blocks import ContentBlock
from agdesk.core.tasks import spawn
from agdesk.core.trace.events import ResponseReceived, TraceRecord, TurnStarted, Unknown
from agdesk.core.workspace import Workspace
from agdesk.ui.chat.gauge.button import GaugeButton
from agdesk.ui.widgets.announce import announce

if TYPE_CHECKING:
    from agdesk.core.cycle.context_ledger import ContextLedger
    from agdesk.core.cycle.gauge import Reading
    from agdesk.core.providers.base import ModelInfo
    from agdesk.ui.chat.gauge.popup import ContextSheet

_PAUSE_MS = 150  # typing costs nothing but the start of a timer
_PIECE_RECORDS = 100  # a millisecond at most, unless a message is very long
_WINDOW = "max_context_window"
_MILESTONES = frozenset({TurnStarted, ResponseReceived, Unknown})


class ContextGauge(QWidget):
    """The button in the header and, while it is open, the sheet that explains it.

    Before anything is known of models the button is an empty bar (PERF5).

    Args:
        draft: what is written and not sent.

    Signals:
        changed(): there is another reading.

    Attributes:
        reading: what is shown; None before the first.
    """

    changed = Signal()

    def __init__(
        self, workspace: Workspace, session: AgentSession, *, draft: Callable[[], tuple[ContentBlock, ...]]
    ) -> None:
        super().__init__()
        self._workspace = workspace
        self._session = session
        self._draft = draft
        self._ledger: ContextLedger | None = None
        self._waiting: deque[TraceRecord] = deque()
        self._info: ModelInfo | None = None  # of the model in use
        self._learning: asyncio.Task[None] | None = None  # what the tools are
        self._sheet: ContextSheet | None = None
        self._level_word = ""
        self.reading: Reading | None = None
        self.button = GaugeButton(self)
        self.button.clicked.connect(lambda _checked=False: self.open())
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.button)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._work)
        self._subscriptions = (
            workspace.models_changed.subscribe(lambda _: self.refresh()),
            session.parameters_changed.subscribe(lambda _: self.refresh_soon()),
            session.branches.changed.subscribe(lambda _: self.refresh_soon()),  # a path that gets shorter has no record
        )
        self.button.show_share("", 0.0, color="accent", name=self.tr("Context: not known yet"))
        self.refresh()

    def take(self, records: Sequence[TraceRecord]) -> None:
        """Takes in records that were just drawn, from the first on; they are measured a piece at a time."""
        found = [record for record in records if type(record.payload) in _MILESTONES]
        if found:
            self._waiting.extend(found)
            self.refresh_soon()

    def refresh(self) -> None:
        """Follows the model in use and what is known of it now."""
        self._info = None
        self.refresh_soon()

    def refresh_soon(self) -> None:
        """Follows the draft, another path, system prompt or tools. As cheap as can be: called for every key."""
        if not self._timer.isActive():
            self._timer.start(_PAUSE_MS)

    def open(self) -> None:
        """Explains the figure."""
        if self.reading is None or self.is_open:
            return
        from agdesk.ui.chat.gauge.popup import ContextSheet

        self._sheet = ContextSheet(self.button)
        self._show_sheet()
        self._sheet.open()

    @property
    def is_open(self) -> bool:
        """Whether the figure is being explained."""
        return self._sheet is not None and isValid(self._sheet) and not self._sheet.isHidden()

    @property
    def sheet(self) -> ContextSheet | None:
        """What explains the figure, while it is open."""
        return self._sheet if self.is_open else None

    def stop_listening(self) -> None:
        """The conversation is closed."""
        self._timer.stop()
        if self._learning is not None:
            self._learning.cancel()
        if self._sheet is not None and self.is_open:
            self._sheet.close()
        for unsubscribe in self._subscriptions:
            unsubscribe()

    def _work(self) -> None:
        """Measures the next piece of what waits, and reads the gauge once nothing does."""
        if not self._workspace.model_rows():
            return  # the first look at a model loads libraries; it is called again when they are there
        from agdesk.core.cycle.context_ledger import ContextLedger

        if self._ledger is None:
            self._ledger = ContextLedger(self._session.branches.tree)
        for _ in range(min(_PIECE_RECORDS, len(self._waiting))):
            self._ledger.take(self._waiting.popleft())
        if self._waiting:
            self._timer.start(0)
        elif self._session.is_whole and self._session.must_learn_tools:
            self._learning = spawn(self._learn_tools(), name=f"tools of {self._session.id}")
        elif self._session.is_whole:
            self._read(self._ledger)

    async def _learn_tools(self) -> None:
        await self._session.learn_tools()
        self.refresh_soon()

    def _read(self, ledger: ContextLedger) -> None:
        model_ref = self._session.model_ref
        if self._info is None:
            self._info = self._workspace.model_info(model_ref)
        self.reading = ledger.reading(
            model_ref=model_ref,
            window_tokens=self._info.features.max_context_window,
            system_prompt=self._session.system_prompt,
            tools=() if self._info.tool_mode == "off" else self._session.tool_definitions,
            draft=self._draft(),
        )
        self._show(self.reading)
        self.changed.emit()

    def _show(self, reading: Reading) -> None:
        from agdesk.core.cycle.gauge import Level
        from agdesk.ui.chat.gauge.words import level_word, short_text, whole_text

        color = {Level.WARNING: "warning", Level.DANGER: "danger"}.get(reading.level, "accent")
        word = level_word(reading)
        name = self.tr("Context: {whole}").format(whole=whole_text(reading) + (f", {word}" if word else ""))
        self.button.show_share(short_text(reading), reading.share, color=color, name=name)
        if word != self._level_word:
            self._level_word = word
            if word:
                announce(self.button, name)
        if self.is_open:
            self._show_sheet()

    def _show_sheet(self) -> None:
        from agdesk.ui.models.values import source_text

        assert self._sheet is not None and self.reading is not None
        source = self._info.source.get(_WINDOW, "") if self._info is not None else ""
        self._sheet.show_reading(self.reading, source_text(source) if source else "")
