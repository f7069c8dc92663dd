"""Looks for servers of models on this machine and shows those that answer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget
from shiboken6 import isValid
from typing_extensions import override

from agdesk.core.errors import SettingsError
from agdesk.core.providers.local_servers import LocalServer
from agdesk.core.tasks import spawn
from agdesk.core.workspace import ProviderEntry, Workspace
from agdesk.ui.core_words import words_of
from agdesk.ui.settings.key_forms import button_line, make_button
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.announce import announce
from agdesk.ui.widgets.card import Card
from agdesk.ui.widgets.choice_box import ChoiceBox
from agdesk.ui.widgets.empty_state import EmptyState
from agdesk.ui.widgets.notice import Notice
from agdesk.ui.widgets.wrapped_label import WrappedLabel

_MODEL_LETTERS = 18  # width of the box with the models, at least


class LocalServersView(QScrollArea):
    """The search and what it has found.

    Signals:
        model_changed(str, str): the ``provider/model`` of new conversations, and what it was before.
        provider_wanted(str): the user wants to see the settings of this provider; empty: those shown before.
        address_wanted(): the user wants to give the address of a server that is not found.
    """

    model_changed = Signal(str, str)
    provider_wanted = Signal(str)
    address_wanted = Signal()

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self._looking: asyncio.Task[None] | None = None
        self.rows: list[ServerRow] = []
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        heading = WrappedLabel(font="title")
        heading.setText(self.tr("Servers on this machine"))
        self.state = WrappedLabel(color="muted")
        self.problem = Notice()
        self.cancel_button = make_button(self.tr("Cancel"))
        self.cancel_button.setAccessibleName(self.tr("Stop looking for servers"))
        self.cancel_button.clicked.connect(lambda _checked=False: self.provider_wanted.emit(""))
        self.again_button = make_button(self.tr("Look again"))
        self.again_button.clicked.connect(lambda _checked=False: self.look(self._entries))
        self._entries: Sequence[ProviderEntry] = ()
        self._found = QWidget()
        self._column_of_found = QVBoxLayout(self._found)
        self._column_of_found.setContentsMargins(0, 0, 0, 0)
        self.nothing = EmptyState(
            self.tr("No server found"),
            self.tr("Start one and look again, or give the address of another one."),
            choices=(self.tr("Look again"), self.tr("Add server…")),
        )
        self.nothing.chosen.connect(self._take_choice)
        body = QWidget()
        metrics = current_theme().metrics
        top = QHBoxLayout()
        top.addWidget(self.state, 1)
        top.addWidget(self.cancel_button)
        top.addWidget(self.again_button)
        column = QVBoxLayout(body)
        column.setContentsMargins(metrics.space_16, metrics.space_16, metrics.space_24, metrics.space_24)
        column.setSpacing(metrics.space_12)
        column.addWidget(heading)
        column.addLayout(top)
        column.addWidget(self.problem)
        column.addWidget(self._found)
        column.addWidget(self.nothing, 1)
        column.addStretch(1)
        self.setWidget(body)

    @property
    def is_looking(self) -> bool:
        """Whether a search is running."""
        return self._looking is not None

    def look(self, entries: Sequence[ProviderEntry]) -> None:
        """Begins a search, in place of one that is running; ``entries`` give the servers their names."""
        self.stop()
        self._entries = entries
        self._show_found(())
        had_focus = self.again_button.hasFocus() or any(button.hasFocus() for button in self.nothing.buttons)
        self.cancel_button.show()
        if had_focus:
            self.cancel_button.setFocus()  # what had it goes
        self.nothing.hide()
        self.again_button.hide()
        self.state.setText(self.tr("Asking at the addresses of %1…").replace("%1", self._asked()))
        self._looking = spawn(self._look(), name="search for local servers")

    def stop(self) -> None:
        """Ends the search."""
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None

    def use_model(self, model_ref: str) -> None:
        """Makes a ``provider/model`` that of new conversations."""

        async def change() -> None:
            before = self._workspace.settings.chat.default_model
            problem: SettingsError | None = None
            try:
                await self._workspace.change_settings({"chat.default_model": model_ref})
            except SettingsError as error:
                problem = error
            if isValid(self):
                if problem is not None:
                    self.problem.show_text(*words_of(problem))
                elif before != model_ref:
                    self.model_changed.emit(model_ref, before)

        self.problem.clear()
        spawn(change(), name="model of new conversations")

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.stop()

    async def _look(self) -> None:
        servers = await self._workspace.find_local_servers()
        if not isValid(self):
            return
        self._looking = None
        had_focus = self.cancel_button.hasFocus()
        self.cancel_button.hide()
        self._show_found(servers)
        self.nothing.setVisible(not servers)
        self.again_button.setVisible(bool(servers))
        count = self.tr("Servers found: %1").replace("%1", str(len(servers)))
        if servers:
            self.state.setText(count)
        else:
            self.state.setText(self.tr("Nothing answers at the addresses of %1.").replace("%1", self._asked()))
        announce(self, count)
        if had_focus:
            (self.again_button if servers else self.nothing.buttons[0]).setFocus()

    def _asked(self) -> str:
        return ", ".join(entry.name for entry in self._entries if entry.is_local and not entry.problem)

    def _show_found(self, servers: Sequence[LocalServer]) -> None:
        for row in self.rows:
            self._column_of_found.removeWidget(row)
            row.hide()
            row.deleteLater()
        names = {entry.id: entry.name for entry in self._entries}
        self.rows = [ServerRow(server, names.get(server.provider_id, server.provider_id)) for server in servers]
        for row in self.rows:
            row.model_chosen.connect(self.use_model)
            row.opened.connect(self.provider_wanted)
            self._column_of_found.addWidget(row)
        self._found.setVisible(bool(servers))

    def _take_choice(self, index: int) -> None:
        if index == 0:
            self.look(self._entries)
        else:
            self.address_wanted.emit()


class ServerRow(Card):
    """One server: its name, its address, how many models it has, and what can be done with it.

    Signals:
        model_chosen(str): new conversations are to have this ``provider/model``.
        opened(str): the id of its provider.
    """

    model_chosen = Signal(str)
    opened = Signal(str)

    def __init__(self, server: LocalServer, name: str) -> None:
        super().__init__()
        self.server = server
        models = server.models or ()
        title = WrappedLabel(self)
        title.setText(name)
        self.facts = WrappedLabel(self, color="muted", font="caption")
        if server.models is None:
            count = self.tr("wants a key before it lists its models")
        elif not models:
            count = self.tr("has no model yet")
        else:
            count = self.tr("models: %1").replace("%1", str(len(models)))
        if server.left_out:
            count = f"{count} · {self.tr('cannot be shown: %1').replace('%1', str(server.left_out))}"
        self.facts.setText(f"{server.base_url} · {count}")
        self.box = ChoiceBox(self.tr("Model of %1").replace("%1", name))
        self.box.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.box.setMinimumContentsLength(_MODEL_LETTERS)
        self.box.addItems([model.id for model in models])
        self.use_button = make_button(self.tr("Use for new conversations"))
        self.use_button.setAccessibleName(self.tr("Use %1 for new conversations").replace("%1", name))
        self.use_button.clicked.connect(lambda _checked=False: self._choose())
        self.open_button = make_button(self.tr("Open"))
        self.open_button.setAccessibleName(self.tr("Open the settings of %1").replace("%1", name))
        self.open_button.clicked.connect(lambda _checked=False: self.opened.emit(server.provider_id))
        if not models:
            self.use_button.hide()
            self.box.hide()
        metrics = current_theme().metrics
        self.column.setContentsMargins(metrics.space_16, metrics.space_12, metrics.space_16, metrics.space_12)
        self.column.setSpacing(metrics.space_8)
        inner = QWidget()
        lines = QVBoxLayout(inner)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setSpacing(metrics.space_8)
        for part in (title, self.facts, self.box, button_line(self.use_button, self.open_button)):
            lines.addWidget(part)
        self.column.addWidget(inner)

    def _choose(self) -> None:
        self.model_chosen.emit(f"{self.server.provider_id}/{self.box.currentText()}")
