"""What opens over the window: palette, settings, models, the question for a title. Each is loaded when it is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from agdesk.core.errors import SettingsError
from agdesk.core.settings.window_state import Rect
from agdesk.core.tasks import spawn
from agdesk.core.workspace import Conversation, Workspace
from agdesk.ui.actions import ActionRegistry
from agdesk.ui.core_words import words_of
from agdesk.ui.main_window.notices import Notices
from agdesk.ui.main_window.placement import place, place_of

if TYPE_CHECKING:
    from agdesk.ui.models.dialog import ModelsDialog
    from agdesk.ui.palette import Entry
    from agdesk.ui.settings import SettingsDialog


class Dialogs(QObject):
    """Opens the dialogs of the window; palette, settings and models are made once and kept.

    Signals:
        conversation_chosen(str): one of the stored conversations, found in the palette.
        preset_chosen(str): a preset, found in the palette.
    """

    conversation_chosen = Signal(str)
    preset_chosen = Signal(str)

    def __init__(self, workspace: Workspace, registry: ActionRegistry, notices: Notices, window: QWidget) -> None:
        super().__init__(window)
        self._workspace = workspace
        self._registry = registry
        self._notices = notices
        self._window = window
        self._settings: SettingsDialog | None = None
        self._models: ModelsDialog | None = None
        self._settings_place: Rect | None = None
        self._listed: tuple[Conversation, ...] = ()
        self._entries: tuple[Entry, ...] = ()

    def open_palette(self, over: QWidget) -> None:
        """The command palette over a window."""
        from agdesk.ui.palette import CommandPalette

        direct = Qt.FindChildOption.FindDirectChildrenOnly
        palette = over.findChild(CommandPalette, options=direct)
        if palette is None:
            palette = CommandPalette(self._registry, over)
            palette.add_source(self._preset_entries)
            palette.add_source(self._conversation_entries)
        palette.open()

    def open_settings(self, page: str = "") -> None:
        """The settings, where they were last; ``page`` is the id of one of their pages."""
        if self._settings is None:
            self._settings = self._make_settings()
            if self._settings_place is not None:
                place(self._settings, self._settings_place)
        if page:
            self._settings.open_page(page)
        self._settings.show()
        self._settings.activateWindow()

    def open_models(self, priced_ref: str = "") -> None:
        """What is known of every model; the prices of ``priced_ref`` are pointed out."""
        from agdesk.ui.models.dialog import ModelsDialog

        if self._models is None:
            self._models = ModelsDialog(self._workspace, self._window)
        self._models.show()
        self._models.activateWindow()
        if priced_ref:
            self._models.point_out(priced_ref, "input_per_million")

    def restore_settings_place(self, rect: Rect | None) -> None:
        """Where the settings open."""
        self._settings_place = rect

    def settings_place(self) -> Rect | None:
        """Where the settings are, or were last."""
        return self._settings_place if self._settings is None else place_of(self._settings)

    def ask_title(self, conversation_id: str, over: QWidget) -> None:
        """Asks what an open conversation is to be called."""
        from PySide6.QtWidgets import QInputDialog

        row = self._workspace.conversations.get(conversation_id)
        if row is None:
            return
        dialog = QInputDialog(over)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self.tr("Rename conversation"))
        dialog.setLabelText(self.tr("Title"))
        dialog.setTextValue(row.title)
        dialog.setOkButtonText(self.tr("Rename"))
        dialog.textValueSelected.connect(lambda title: self._rename(conversation_id, title))
        dialog.open()

    def _conversation_entries(self, query: str) -> Sequence[Entry]:
        """The stored conversations, once something was typed; asked for every key, so made once for each list."""
        from agdesk.ui.palette import Entry

        if not query.strip():
            return ()
        rows = self._workspace.conversations.all()
        if rows is not self._listed:
            choose, detail = self.conversation_chosen.emit, self.tr("Conversation")
            self._listed = rows
            self._entries = tuple(Entry(row.title, detail, partial(choose, row.id)) for row in rows)
        return self._entries

    def _preset_entries(self, query: str) -> Sequence[Entry]:
        """The presets, once something was typed."""
        from agdesk.ui.palette import Entry

        presets = self._workspace.presets.all() if query.strip() else ()
        text, detail = self.tr("Apply “{name}”"), self.tr("Preset")
        return [Entry(text.format(name=p.name), detail, partial(self.preset_chosen.emit, p.id)) for p in presets]

    def _rename(self, conversation_id: str, title: str) -> None:
        if title.strip():
            self._workspace.conversations.rename(conversation_id, title.strip())

    def _make_settings(self) -> SettingsDialog:
        from agdesk.ui.palette import ShortcutPage
        from agdesk.ui.settings import SettingsDialog

        shortcuts = ShortcutPage(self._registry)
        shortcuts.shortcut_chosen.connect(self._keep_shortcut)
        shortcuts.shortcut_reset.connect(lambda action_id: self._keep_shortcut(action_id, None))
        return SettingsDialog(self._workspace, self._window, pages=((self.tr("Shortcuts"), shortcuts),))

    def _keep_shortcut(self, action_id: str, keys: str | None) -> None:
        spawn(self._save_shortcut(action_id, keys), name=f"keep the keys of {action_id}")

    async def _save_shortcut(self, action_id: str, keys: str | None) -> None:
        try:
            await self._workspace.change_settings({f"shortcuts.{action_id}": keys})
        except SettingsError as error:
            self._notices.show_problem(*words_of(error))
