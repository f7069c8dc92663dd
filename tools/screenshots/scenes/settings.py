"""The settings: every page, a key, an error, the search. 900 is the dialog's least size, 1440 its first one."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from agdesk.core.providers.base import ModelInfo
from agdesk.core.providers.local_servers import LocalServer
from agdesk.ui.qt_async import emission
from agdesk.ui.settings import SettingsDialog
from tools.screenshots.stage import LIMIT_S, Scene, Stage

_SMALL_WIDTH = 900


async def _dialog(stage: Stage, page: str) -> SettingsDialog:
    window = await stage.window()
    window.open_settings(QCoreApplication.translate("Dialogs", page))  # a page that was given goes by its title
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


async def _models(stage: Stage) -> QWidget:
    dialog = await _dialog(stage, "models")
    await stage.workspaces[0].change_settings(
        {
            "models.openai/o3.refused": ["max_tokens", "temperature"],
            "models.openrouter/anthropic/claude-opus-4.refused": ["thinking.display"],
        }
    )
    return dialog


async def _account(stage: Stage) -> QWidget:
    dialog = await _with_account(stage)
    dialog.open_provider("openai-work")
    return dialog


async def _new_account(stage: Stage) -> QWidget:
    dialog = await _dialog(stage, "providers")
    await _loaded(dialog)
    dialog.open_provider("custom")
    await stage.picture(dialog)
    detail = dialog.providers.detail()
    assert detail is not None and detail.accounts.form is not None
    detail.accounts.open_form()
    detail.accounts.form.name_field.insert("Lab")
    detail.accounts.form.name_field.textEdited.emit("Lab")
    await stage.picture(dialog)
    detail.ensureWidgetVisible(detail.accounts.form.add_button)
    return dialog


async def _removed_account(stage: Stage) -> QWidget:
    dialog = await _with_account(stage)
    dialog.open_provider("openai-work")
    await stage.picture(dialog)
    detail = dialog.providers.detail()
    assert detail is not None
    detail.accounts.button.click()
    async with asyncio.timeout(LIMIT_S):  # no emission: what would emit it goes with the account
        while dialog.providers.toast.isHidden():
            await asyncio.sleep(0.01)
    return dialog


async def _header(stage: Stage) -> QWidget:
    dialog = await _with_account(stage)
    dialog.open_provider("openai-work")
    await stage.picture(dialog)
    detail = dialog.providers.detail()
    assert detail is not None
    (row,) = (row for row in detail.card.rows if row.field.key.endswith(".headers"))
    field = row.control.editor
    assert isinstance(field, QPlainTextEdit)
    field.setFocus()
    field.setPlainText("X-Title: agdesk\nAuthorization: Bearer abc")
    row.flush()
    await stage.picture(dialog)
    detail.ensureWidgetVisible(row)
    return dialog


async def _with_account(stage: Stage) -> SettingsDialog:
    dialog = await _dialog(stage, "providers")
    workspace = stage.workspaces[0]
    await workspace.accounts.add("openai", account_id="openai-work", name="OpenAI at work")
    await workspace.accounts.add("custom", account_id="custom-lab", name="Lab", base_url="10.0.0.7:8000", wire="ollama")
    await workspace.change_settings(
        {"providers.openai-work.headers": {"OpenAI-Project": "proj_7", "X-Title": "agdesk"}}
    )
    await _loaded(dialog)
    return dialog


def _local_servers(name: str, *servers: LocalServer, is_endless: bool = False) -> Scene:
    async def prepare(stage: Stage) -> QWidget:
        dialog = await _dialog(stage, "providers")
        await _loaded(dialog)

        async def answer() -> tuple[LocalServer, ...]:
            if is_endless:
                await asyncio.Event().wait()
            return servers

        stage.workspaces[0].find_local_servers = answer  # type: ignore[method-assign]
        dialog.providers.find_local_servers()
        return dialog

    return Scene(f"settings-local-{name}", prepare)


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
    Scene("settings-models", _models),
    Scene("settings-providers", _providers, is_on_every_screen=True),
    Scene("settings-key", _key),
    Scene("settings-entering", _entering),
    Scene("settings-account", _account),
    Scene("settings-new-account", _new_account),
    Scene("settings-removed-account", _removed_account),
    Scene("settings-header", _header),
    _local_servers("looking", is_endless=True),
    _local_servers(
        "found",
        LocalServer(
            "ollama",
            "http://127.0.0.1:11434/api",
            tuple(ModelInfo(name, name) for name in ("llama3.2:3b", "qwen3:8b", "gemma3:27b-it-qat")),
        ),
        LocalServer("lm-studio", "http://127.0.0.1:1234/v1", ()),
        LocalServer("litellm", "http://127.0.0.1:4000/v1", None),
    ),
    _local_servers("none"),
    Scene("settings-invalid", _network_error),
    Scene("settings-hits", _hits),
    Scene("settings-nothing", _no_hits),
)
