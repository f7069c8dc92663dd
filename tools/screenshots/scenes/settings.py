"""The settings: every page, a key, an error, the search. 900 is the dialog's least size, 1440 its first one."""

from __future__ import annotations

import asyncio

from PySide6.QtWidgets import QLineEdit, QWidget

from agdesk.ui.qt_async import emission
from agdesk.ui.settings import SettingsDialog
from tools.screenshots.stage import LIMIT_S, Scene, Stage

_SMALL_WIDTH = 900


async def _dialog(stage: Stage, page: str) -> SettingsDialog:
    window = await stage.window()
    window.open_settings(page)
    dialog = window.findChild(SettingsDialog)
    assert dialog is not None
    if stage.size.width() == _SMALL_WIDTH:
        dialog.resize(dialog.minimumSize())
    await asyncio.sleep(0)
    return dialog


def _page(name: str, page: str) -> Scene:
    async def prepare(stage: Stage) -> QWidget:
        return await _dialog(stage, page)

    return Scene(f"settings-{name}", prepare)


async def _providers(stage: Stage) -> QWidget:
    dialog = await _dialog(stage, "providers")
    await _loaded(dialog)
    return dialog


async def _key(stage: Stage) -> QWidget:
    dialog = await _dialog(stage, "providers")
    stage.workspaces[0].secrets.hold("openai", "sk-of-the-pictures-0123456789")
    await _loaded(dialog)
    dialog.open_provider("openai")
    return dialog


async def _entering(stage: Stage) -> QWidget:
    dialog = await _dialog(stage, "providers")
    await _loaded(dialog)
    dialog.open_provider("openai")
    await stage.picture(dialog)
    detail = dialog.providers.detail()
    assert detail is not None
    detail.key_panel.enter_key()
    return dialog


async def _network_error(stage: Stage) -> QWidget:
    dialog = await _dialog(stage, "network")
    await stage.workspaces[0].change_settings({"network.proxy": "manual"})
    rows = [row for form in dialog.forms.forms for row in form.card.rows if row.field.key == "network.proxy_url"]
    field = rows[0].control.editor
    assert isinstance(field, QLineEdit)
    field.setFocus()
    field.insert("proxy.example.org:port")
    rows[0].flush()
    return dialog


async def _hits(stage: Stage) -> QWidget:
    dialog = await _dialog(stage, "appearance")
    dialog.search.setFocus()
    dialog.search.insert("proxy")
    return dialog


async def _no_hits(stage: Stage) -> QWidget:
    dialog = await _dialog(stage, "appearance")
    dialog.search.setFocus()
    dialog.search.insert("quantum")
    return dialog


async def _loaded(dialog: SettingsDialog) -> None:
    if not dialog.providers.entries:
        await emission(dialog.providers.loaded, timeout_s=LIMIT_S)


SCENES = (
    _page("appearance", "appearance"),
    _page("chat", "chat"),
    _page("builtin", "builtin_model"),
    _page("network", "network"),
    _page("traces", "trace"),
    _page("notifications", "notifications"),
    _page("shortcuts", "Shortcuts"),
    Scene("settings-providers", _providers),
    Scene("settings-key", _key),
    Scene("settings-entering", _entering),
    Scene("settings-invalid", _network_error),
    Scene("settings-hits", _hits),
    Scene("settings-nothing", _no_hits),
)
