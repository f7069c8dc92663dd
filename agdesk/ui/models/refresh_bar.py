"""Asks a provider for its list of models, and says how that went."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget
from shiboken6 import isValid

from agdesk.core.errors import AgdeskError
from agdesk.core.tasks import spawn
from agdesk.core.workspace import Workspace
from agdesk.ui.core_words import words_of
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.announce import announce
from agdesk.ui.widgets.icon_button import IconButton
from agdesk.ui.widgets.labels import ElidedLabel, PlainLabel
from agdesk.ui.widgets.text import sentences

if TYPE_CHECKING:
    from agdesk.core.providers.model_lists import Listing


class RefreshBar(QWidget):
    """A button for the provider of the current model, a menu of all others, and what came of it.

    The models themselves arrive by ``Workspace.models_changed``. A request that runs when the bar goes ends in silence.

    Args:
        is_for_one: it stands on the page of one provider, which its button need not name.
    """

    def __init__(self, workspace: Workspace, parent: QWidget | None = None, *, is_for_one: bool = False) -> None:
        super().__init__(parent)
        self._is_for_one = is_for_one
        self._workspace = workspace
        self._provider_id = ""
        self._names: dict[str, str] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self.button = IconButton("refresh", self.tr("Refresh the list"))
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.clicked.connect(lambda _checked=False: self.refresh())
        self.menu = QMenu(self)
        self.menu.aboutToShow.connect(self._fill_menu)
        self.others = IconButton("chevron_down", self.tr("Refresh the list of another provider"))
        self.others.setPopupMode(IconButton.ToolButtonPopupMode.InstantPopup)
        self.others.setMenu(self.menu)
        self.status = ElidedLabel(color="muted", font="caption")
        self.problem = PlainLabel(color="danger", font="caption")
        self.problem.setWordWrap(True)
        self.problem.setMinimumWidth(1)
        self.problem.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(current_theme().metrics.space_4)
        layout.addWidget(self.button)
        layout.addWidget(self.others)
        layout.addWidget(self.status, 1)
        layout.addWidget(self.problem, 1)
        if is_for_one:  # a narrow place
            layout.setDirection(QHBoxLayout.Direction.TopToBottom)
            layout.setAlignment(self.button, Qt.AlignmentFlag.AlignLeading)
        self._say("")
        self._show_provider()

    def set_providers(self, names: Mapping[str, str]) -> None:
        """Whom the menu offers: ids with what they are called."""
        self._names = dict(names)
        self._show_provider()

    def set_provider(self, provider_id: str) -> None:
        """Whom the button asks; empty for nobody."""
        if provider_id != self._provider_id:
            self._provider_id = provider_id
            self._show_provider()

    def refresh(self, provider_id: str = "") -> None:
        """Asks a provider, without one that of the button; nothing while it is being asked."""
        provider_id = provider_id or self._provider_id
        if not provider_id or provider_id in self._tasks:
            return
        self._tasks[provider_id] = spawn(self._refresh(provider_id), name=f"list of models of {provider_id}")
        self._say(self.tr("Asking {provider} for its models…").format(provider=self._name(provider_id)))
        self._show_provider()

    def clear(self) -> None:
        """Forgets what was said last; what is still running goes on."""
        if not self._tasks:
            self._say("")

    async def _refresh(self, provider_id: str) -> None:
        problem = ""
        text = ""
        try:
            text = self._told(await self._workspace.refresh_models(provider_id), name=self._name(provider_id))
        except AgdeskError as error:
            problem = sentences(*words_of(error))
        self._tasks.pop(provider_id, None)
        if not isValid(self):  # the window has gone meanwhile
            return
        self._say(problem or text, is_problem=bool(problem))
        self._show_provider()

    def _told(self, found: Listing, *, name: str) -> str:
        is_one = found.model_count == 1
        text = self.tr("{provider} lists 1 model.") if is_one else self.tr("{provider} lists {count} models.")
        text = text.format(provider=name, count=found.model_count)
        if found.left_out:
            more = self.tr("Left out, as they cannot be shown: {count}.").format(count=found.left_out)
            text = sentences(text, more)
        return text

    def _say(self, text: str, *, is_problem: bool = False) -> None:
        self.status.setText("" if is_problem else text)
        self.status.setVisible(not is_problem)
        self.problem.setText(text if is_problem else "")
        self.problem.setVisible(is_problem)
        if text and self.isVisible():
            announce(self, text)

    def _show_provider(self) -> None:
        name = self._name(self._provider_id)
        text = self.tr("Refresh list of {provider}").format(provider=name) if name else self.tr("Refresh list")
        self.button.setText(self.tr("Refresh list") if self._is_for_one else text.replace("&", "&&"))
        self.button.setAccessibleName(text)
        self.button.setToolTip(self.tr("Asks the provider which models it has (F5)"))
        is_asked = self._provider_id in self._tasks and not self._is_for_one  # the focus would go to what stands next
        self.button.setEnabled(bool(self._provider_id) and not is_asked)
        self.others.setVisible(bool(self._names) and not self._is_for_one)

    def _fill_menu(self) -> None:
        self.menu.clear()
        for provider_id, name in self._names.items():
            action = self.menu.addAction(name.replace("&", "&&"))
            action.setEnabled(provider_id not in self._tasks)
            action.triggered.connect(lambda _checked=False, provider_id=provider_id: self.refresh(provider_id))

    def _name(self, provider_id: str) -> str:
        return self._names.get(provider_id, provider_id)
