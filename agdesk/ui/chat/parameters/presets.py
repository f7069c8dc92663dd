"""Presets in a conversation: save what it sets under a name, apply, rename, delete, begin new ones with it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from agdesk.core.cycle import AgentSession
from agdesk.core.errors import SettingsError
from agdesk.core.settings.presets import Preset
from agdesk.core.tasks import spawn
from agdesk.core.workspace import Workspace
from agdesk.ui.core_words import words_of
from agdesk.ui.widgets.text import safe_text, sentences

_NAME_CHARACTERS = 60


class PresetControl(QObject):
    """Does with the presets what is chosen; what is applied is the session's at once, and nothing is asked.

    Args:
        owner: parent of menus and of the question for a name.

    Signals:
        applied(): the session has other parameters and another system prompt.
        undo_offered(str, object): what was done, and the call that undoes it.
        problem_found(str): why something could not be done.
    """

    applied = Signal()
    undo_offered = Signal(str, object)
    problem_found = Signal(str)

    def __init__(self, workspace: Workspace, session: AgentSession, *, owner: QWidget) -> None:
        super().__init__(owner)
        self._presets = workspace.presets
        self._session = session
        self._owner = owner

    # --- what can be done ---

    def apply(self, preset_id: str) -> None:
        """Puts a preset in force in this conversation; a parameter that its model does not take is not sent."""
        if (preset := self._presets.get(preset_id)) is None:
            return
        before = Preset("", self._session.parameters, self._session.system_prompt)
        self._use(preset)
        self.undo_offered.emit(self.tr("Applied “{name}”").format(name=preset.name), lambda: self._use(before))

    def ask_to_save(self) -> None:
        """Asks for the name under which what this conversation sets is kept."""
        self._ask_name(self.tr("Save as preset"), self.tr("Save"), "", self.save)

    def save(self, name: str) -> None:
        """Keeps what this conversation sets under a name; what had that name is replaced."""
        if not (name := _tidy(name)):
            return
        old = self._presets.named(name)
        new = Preset(name, self._session.parameters, self._session.system_prompt)
        self._run(self._save(new if old is None else replace(new, id=old.id), old), f"save the preset {name}")

    def ask_to_rename(self, preset: Preset) -> None:
        """Asks for another name of a preset."""
        rename = partial(self.rename, preset)
        self._ask_name(self.tr("Rename preset"), self.tr("Rename"), preset.name, rename)

    def rename(self, preset: Preset, name: str) -> None:
        """Calls a preset otherwise; a name that another one has is refused."""
        name = _tidy(name)
        if not name or name == preset.name:
            return
        if self._presets.named(name) is not None:
            self.problem_found.emit(self.tr("There is a preset “{name}” already.").format(name=name))
            return
        self._run(self._presets.put(replace(preset, name=name)), f"rename the preset {preset.name}")

    def delete(self, preset: Preset) -> None:
        """Deletes a preset and offers to undo that."""
        self._run(self._delete(preset), f"delete the preset {preset.name}")

    def begin_with(self, preset: Preset | None) -> None:
        """New conversations begin with a preset from now on, or with nothing."""
        preset_id = preset.id if preset is not None else None
        self._run(self._presets.set_default(preset_id), "choose the preset of new conversations")

    # --- the menu ---

    def show_menu(self, anchor: QWidget) -> None:
        """Everything that can be done, below a widget."""
        self.make_menu().popup(anchor.mapToGlobal(QPoint(0, anchor.height())))

    def make_menu(self) -> QMenu:
        """Everything that can be done."""
        menu = QMenu(self._owner)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        presets, default = self._presets.all(), self._presets.default
        for preset in presets:
            action = _add(menu, preset.name, partial(self.apply, preset.id))
            action.setCheckable(True)
            action.setChecked(self._is_in_force(preset))
        if not presets:
            menu.addAction(self.tr("No presets yet")).setEnabled(False)
        menu.addSeparator()
        _add(menu, self.tr("Save as preset…"), self.ask_to_save)
        if presets:
            begin = menu.addMenu(self.tr("New conversations begin with"))
            group = QActionGroup(begin)
            for choice in (None, *presets):
                name = self.tr("Nothing set") if choice is None else choice.name
                action = group.addAction(_add(begin, name, partial(self.begin_with, choice)))
                action.setCheckable(True)
                action.setChecked(choice == default)
            for title, call in ((self.tr("Rename"), self.ask_to_rename), (self.tr("Delete"), self.delete)):
                part = menu.addMenu(title)
                for preset in presets:
                    _add(part, preset.name, partial(call, preset))
        return menu

    # --- doing it ---

    def _use(self, preset: Preset) -> None:
        self._session.parameters, self._session.system_prompt = preset.parameters, preset.system_prompt
        self.applied.emit()

    def _is_in_force(self, preset: Preset) -> bool:
        session = self._session
        return (preset.parameters, preset.system_prompt) == (session.parameters, session.system_prompt)

    async def _save(self, new: Preset, old: Preset | None) -> None:
        await self._presets.put(new)
        text = self.tr("Saved “{name}”") if old is None else self.tr("Replaced “{name}”")
        undo = partial(self._presets.remove, new.id) if old is None else partial(self._presets.put, old)
        self.undo_offered.emit(text.format(name=new.name), lambda: self._run(undo(), "take a preset back"))

    async def _delete(self, preset: Preset) -> None:
        was_default = self._presets.default == preset
        place = await self._presets.remove(preset.id)

        async def restore() -> None:
            await self._presets.put(preset, place=place)
            if was_default:
                await self._presets.set_default(preset.id)

        text = self.tr("Deleted the preset “{name}”").format(name=preset.name)
        self.undo_offered.emit(text, lambda: self._run(restore(), "restore a preset"))

    def _run(self, work: Coroutine[Any, Any, object], name: str) -> None:
        async def supervised() -> None:
            try:
                await work
            except SettingsError as error:
                self.problem_found.emit(sentences(*words_of(error)))

        spawn(supervised(), name=name)

    def _ask_name(self, title: str, button: str, name: str, take: Callable[[str], None]) -> None:
        from PySide6.QtWidgets import QInputDialog

        dialog = QInputDialog(self._owner.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(title)
        dialog.setLabelText(self.tr("Name"))
        dialog.setTextValue(name)
        dialog.setOkButtonText(button)
        dialog.textValueSelected.connect(take)
        dialog.open()


def _add(menu: QMenu, text: str, call: Callable[[], None]) -> QAction:
    action = menu.addAction(safe_text(text).replace("&", "&&"))
    action.triggered.connect(lambda _checked=False: call())
    return action


def _tidy(name: str) -> str:
    return " ".join(name.split())[:_NAME_CHARACTERS]
