"""The tools of one conversation: the button in its header, the sheet, and the choice of the folder."""

from __future__ import annotations

import asyncio
import dataclasses
import os
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QWidget
from shiboken6 import isValid

from agdesk.core.cycle import AgentSession
from agdesk.core.ir.tool_selection import ToolSelection
from agdesk.core.tasks import spawn
from agdesk.core.trace.events import TraceRecord, TurnCancelled, TurnCompleted, TurnFailed, TurnStarted
from agdesk.core.workspace import Workspace
from agdesk.ui.chat.tools.button import ToolsButton

if TYPE_CHECKING:
    from agdesk.core.tools.base import Tool
    from agdesk.ui.chat.tools.sheet import ToolsSheet
    from agdesk.ui.chat.tools.words import Note

_TURN_PLACES = frozenset({TurnStarted, TurnCompleted, TurnFailed, TurnCancelled})


class ToolsControl(QWidget):
    """What is chosen is the session's at once, and counts from its next turn on.

    What the tools are is not looked up before anything is known of models, unless the sheet is opened (PERF5).
    """

    def __init__(self, workspace: Workspace, session: AgentSession) -> None:
        super().__init__()
        self._workspace = workspace
        self._session = session
        self._tools: tuple[Tool, ...] = ()
        self._gone_folder = ""
        self._is_running = session.is_running
        self._shown: ToolSelection | None = None
        self._looking: asyncio.Task[None] | None = None
        self._sheet: ToolsSheet | None = None
        self.button = ToolsButton(self)
        self.button.clicked.connect(lambda _checked=False: self.open())
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.button)
        self._subscriptions = (
            workspace.models_changed.subscribe(lambda _: self.refresh()),
            session.parameters_changed.subscribe(lambda _: self._follow()),
            session.records.subscribe(self._on_record),
        )
        self.refresh()

    @property
    def sheet(self) -> ToolsSheet | None:
        """The sheet, while it is open."""
        sheet = self._sheet
        return sheet if sheet is not None and isValid(sheet) and not sheet.isHidden() else None

    def open(self) -> None:
        """Shows the tools."""
        if self.sheet is not None:
            return
        from agdesk.ui.chat.tools.sheet import ToolsSheet

        self._sheet = ToolsSheet(self.button)
        self._sheet.selection_chosen.connect(self._take)
        self._sheet.folder_wanted.connect(self.choose_folder)
        self._sheet.show_tools(self._tools)
        self._sheet.open()
        self.refresh()

    def choose_folder(self) -> None:
        """Asks for the folder in which file tools work and commands begin."""
        from PySide6.QtCore import Qt
        from PySide6.QtWidgets import QFileDialog

        start = self._session.tools.folder or str(Path.home())
        dialog = QFileDialog(self.sheet or self, self.tr("Folder for tools"), start)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self._take_folder)
        dialog.open()

    def refresh(self) -> None:
        """Follows the selection, what is known of models, and whether the folder is there."""
        self._show()
        if self.sheet is None and not (self._session.tools.names and self._workspace.model_rows()):
            return
        if self._looking is not None:
            self._looking.cancel()
        self._looking = spawn(self._look(), name=f"tools and folder of {self._session.id}")

    def stop_listening(self) -> None:
        """The conversation is closed."""
        if self._looking is not None:
            self._looking.cancel()
        if self.sheet is not None:
            self.sheet.close()
        for unsubscribe in self._subscriptions:
            unsubscribe()

    async def _look(self) -> None:
        tools, folder = await self._workspace.all_tools(), self._session.tools.folder
        is_there = not folder or await asyncio.to_thread(os.path.isdir, folder)
        self._gone_folder = "" if is_there else folder
        if not self._tools:
            self._tools = tools
            if self.sheet is not None:
                self.sheet.show_tools(tools)
        self._show()

    def _follow(self) -> None:
        if self._session.tools != self._shown:
            self.refresh()

    def _on_record(self, record: TraceRecord) -> None:
        if type(record.payload) in _TURN_PLACES:
            self._is_running = isinstance(record.payload, TurnStarted)
            if self.sheet is not None:
                self._show()

    def _take(self, selection: ToolSelection) -> None:
        self._session.tools = selection

    def _take_folder(self, path: str) -> None:
        self._session.tools = dataclasses.replace(self._session.tools, folder=str(Path(path).absolute()))

    def _show(self) -> None:
        self._shown = selection = self._session.tools
        if not selection.names and self.sheet is None:  # as at most starts: nothing needs to be loaded
            self.button.show_state(0, folder="", is_folder_missing=False)
            return
        from agdesk.ui.chat.tools.words import folder_note, folder_text

        on = [tool for tool in self._tools if tool.definition.name in selection.names]
        needing = [tool.definition.name for tool in on if tool.needs_folder]
        is_gone = bool(selection.folder) and selection.folder == self._gone_folder
        note = folder_note(needing, folder=selection.folder, is_gone=is_gone)
        self.button.show_state(
            len(on) if self._tools else len(selection.names),
            folder=folder_text(selection.folder) if selection.folder else "",
            is_folder_missing=bool(needing and note.text),
        )
        if self.sheet is not None:
            self.sheet.show_state(selection, folder=note, model=self._model_note(), is_running=self._is_running)

    def _model_note(self) -> Note:
        from agdesk.core.providers.router import AUTO
        from agdesk.ui.chat.tools.words import model_note

        model_ref = self._session.model_ref
        return model_note(self._workspace.model_info(model_ref), is_auto=model_ref == AUTO)
