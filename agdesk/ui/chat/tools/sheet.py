"""The sheet in which the tools of a conversation are switched on and off, and their folder is chosen."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from agdesk.core.ir.request import ResultSemantic
from agdesk.core.ir.tool_selection import ToolSelection
from agdesk.core.tools.base import Tool
from agdesk.ui.chat.gauge.sheet import FigureSheet
from agdesk.ui.chat.tools.row import ToolRow
from agdesk.ui.chat.tools.words import Note, folder_text
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.fitting_area import FittingArea
from agdesk.ui.widgets.flow_layout import FlowLayout
from agdesk.ui.widgets.hidden_characters import revealed
from agdesk.ui.widgets.labels import ElidedLabel, PlainLabel
from agdesk.ui.widgets.wrapped_label import WrappedLabel


class ToolsSheet(FigureSheet):
    """Shows a selection and tells what the user makes of it.

    Signals:
        selection_chosen(object): the ``ToolSelection`` that the user wants.
        folder_wanted(): the user wants to choose a folder.

    Attributes:
        rows: of the tools, by name; empty until they are known.
    """

    selection_chosen = Signal(object)
    folder_wanted = Signal()

    def __init__(self, anchor: QWidget) -> None:
        super().__init__(self.tr("Tools"), anchor)
        self._selection = ToolSelection()
        self.rows: dict[str, ToolRow] = {}
        self.promise = WrappedLabel(self.panel, color="muted", font="caption")
        self.promise.setText(
            self.tr("Nothing runs unasked: you are asked about every call, unless one of your rules answers it.")
        )
        self.turn_note = WrappedLabel(self.panel)
        self.turn_note.setText(
            self.tr("An answer is running and keeps its tools; what you change here is for the next turn.")
        )
        self.model_note = WrappedLabel(self.panel, color="muted", font="caption")
        self.model_warning = WrappedLabel(self.panel, color="warning", font="caption")
        self.folder = ElidedLabel(self.panel)
        self.folder_warning = WrappedLabel(self.panel, color="warning", font="caption")
        self.unknown = WrappedLabel(self.panel, color="muted", font="caption")
        self.choose_button = self._button(self.tr("Choose…"), self.tr("Choose the folder"), self.folder_wanted.emit)
        self.clear_button = self._button(self.tr("Clear"), self.tr("Work in no folder"), self._clear_folder)
        self.reading_button = self._button(
            self.tr("All that only read"),
            self.tr("Switch on all tools that only read, and no other"),
            self._choose_reading,
        )
        self.none_button = self._button(self.tr("None"), self.tr("Switch all tools off"), lambda: self._choose(()))
        self._rows = QVBoxLayout()
        self._build()

    def show_tools(self, tools: Sequence[Tool]) -> None:
        """The tools that can be switched on; given once."""
        for tool in tools:
            row = ToolRow(tool)
            row.switched.connect(self._choose_checked)
            self.rows[tool.definition.name] = row
            self._rows.addWidget(row)

    def show_state(self, selection: ToolSelection, *, folder: Note, model: Note, is_running: bool) -> None:
        """What is selected, and what is to be said of it.

        Args:
            folder: what is wrong with the folder.
            model: what the model is known of tools.
            is_running: whether an answer is on its way.
        """
        self._selection = selection
        for name, row in self.rows.items():
            row.box.setChecked(name in selection.names)
        self.folder.setText(folder_text(selection.folder) if selection.folder else self.tr("No folder"))
        self.folder.setAccessibleName(self.tr("Folder: {folder}").format(folder=self.folder.text()))
        self.clear_button.setEnabled(bool(selection.folder))
        gone = [revealed(name) for name in selection.names if name not in self.rows] if self.rows else []
        _say(self.unknown, self.tr("On, but not here any more: {tools}.").format(tools=", ".join(gone)) if gone else "")
        _say(self.folder_warning, folder.text)
        _say(self.model_note, "" if model.is_warning else model.text)
        _say(self.model_warning, model.text if model.is_warning else "")
        self.turn_note.setVisible(is_running)
        self.reading_button.setEnabled(bool(self.rows))
        if not self.isHidden():
            self.arrange()

    def _build(self) -> None:
        metrics = current_theme().metrics
        folder_line = QHBoxLayout()
        folder_line.setSpacing(metrics.space_8)
        title = PlainLabel(self.panel)
        title.setText(self.tr("Folder"))
        folder_line.addWidget(title)
        folder_line.addWidget(self.folder, 1)
        folder_line.addWidget(self.choose_button)
        folder_line.addWidget(self.clear_button)
        offers = QWidget(self.panel)
        flow = FlowLayout(offers, spacing=metrics.space_8)
        flow.addWidget(self.reading_button)
        flow.addWidget(self.none_button)
        body = QWidget()
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(0)
        body.setLayout(self._rows)
        for part in (self.promise, self.turn_note, self.model_note, self.model_warning):
            self.column.addWidget(part)
        self.column.addLayout(folder_line)
        self.column.addWidget(self.folder_warning)
        self.column.addWidget(offers)
        self.column.addWidget(FittingArea(body, self.panel))
        self.column.addWidget(self.unknown)

    def _button(self, text: str, name: str, call: Callable[[], object]) -> PushButton:
        button = PushButton(text, self.panel)
        button.setAccessibleName(name)
        button.clicked.connect(lambda _checked=False: call())
        return button

    def _choose_checked(self) -> None:
        known = {name for name, row in self.rows.items() if row.box.isChecked()}
        self._choose(known | {name for name in self._selection.names if name not in self.rows})

    def _choose_reading(self) -> None:
        definitions = [row.tool.definition for row in self.rows.values()]
        self._choose({tool.name for tool in definitions if tool.result_semantic is ResultSemantic.FACTUAL})

    def _choose(self, names: Sequence[str] | set[str]) -> None:
        self.selection_chosen.emit(dataclasses.replace(self._selection, names=tuple(sorted(names))))

    def _clear_folder(self) -> None:
        self.choose_button.setFocus()  # the other one cannot be pressed any more
        self.selection_chosen.emit(dataclasses.replace(self._selection, folder=""))


def _say(label: WrappedLabel, text: str) -> None:
    label.setText(text)
    label.setVisible(bool(text))
