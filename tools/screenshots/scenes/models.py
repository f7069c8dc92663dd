"""Models: the picker of a conversation and the matrix of all, with 3,000 of them, with few, with none that fits."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from agdesk.core.errors import ErrorCategory, ProviderRejection
from agdesk.core.providers.base import ModelInfo, Prices, ProviderFeatures
from agdesk.core.providers.model_lists import Listing
from agdesk.core.workspace import Workspace
from agdesk.ui.chat.picker.popup import ModelPopup
from agdesk.ui.main_window import MainWindow
from agdesk.ui.models.dialog import ModelsDialog
from tools.screenshots.stage import Past, Scene, Stage

_FAMILIES = ("aurora", "boreal", "cinder", "delta", "ember", "fjord")
_SIZES = ("mini", "small", "medium", "large", "vision", "thinking", "audio")
_PAST = (
    Past("How do I prune a plum tree?", 86_400.0),
    Past("Name three rivers.", 172_800.0),
)


def _listed(count: int) -> tuple[ModelInfo, ...]:
    """What a provider of many models lists: of some it tells everything, of some nothing."""
    models = []
    for at in range(count):
        name = f"{_FAMILIES[at % 6]}/{_FAMILIES[at % 6]}-{at // 42 + 1}-{_SIZES[at % 7]}"
        sees, thinks = at % 7 == 4, at % 7 == 5
        features = ProviderFeatures(
            vision=sees if at % 5 else None,
            tool_use=at % 3 != 0 if at % 4 else None,
            thinking=thinks if at % 5 else None,
            audio_input=at % 7 == 6 if at % 5 else None,
            max_context_window=(8_192, 32_768, 131_072, 200_000, 1_048_576)[at % 5] if at % 11 else None,
        )
        prices = Prices(0.05 * (at % 40), 0.2 * (at % 40)) if at % 9 else Prices()
        models.append(ModelInfo(name, name, features, 8_192 if at % 2 else None, prices))
    return tuple(models)


async def _workspace(stage: Stage, count: int = 300) -> Workspace:
    """A key for one provider, its list, and one correction of the user."""
    workspace = stage.workspace()
    await stage.keep(workspace, *_PAST)
    await asyncio.to_thread(workspace.warm_up)
    base_url = workspace.registry.endpoint("openrouter").base_url
    await asyncio.to_thread(workspace.registry.table.lists.put, "openrouter", _listed(count), base_url=base_url)
    workspace.secrets.hold("openrouter", "sk-of-the-pictures-0123456789")
    await workspace.correct_model("openrouter/aurora/aurora-1-mini", "vision", True)
    await workspace.correct_model("openrouter/aurora/aurora-1-mini", "max_context_window", 64_000)
    return workspace


async def _window(stage: Stage, workspace: Workspace) -> MainWindow:
    window = await stage.window(workspace=workspace)
    chat = window.current_tab
    assert chat is not None
    chat.session.model_ref = "openrouter/boreal/boreal-1-thinking" if len(workspace.model_rows()) else "openai/gpt-5"
    chat.picker.refresh()
    return window


async def _picker(stage: Stage, query: str = "", *, chips: Sequence[str] = (), count: int = 300) -> QWidget:
    window = await _window(stage, await _workspace(stage, count))
    popup = await _open(window, stage)
    for chip in chips:
        popup.filters.chips[chip].setChecked(True)
    if query:
        popup.field.insert(query)
    return window


async def _open(window: MainWindow, stage: Stage) -> ModelPopup:
    window.actions_registry["chat.choose_model"].trigger()
    popup = window.findChild(ModelPopup)
    assert popup is not None
    await stage.picture(window)
    return popup


async def _picker_unknown(stage: Stage) -> QWidget:
    window = await _picker(stage, chips=("vision",))
    popup = window.findChild(ModelPopup)
    assert popup is not None
    popup.filters.unknown.setChecked(True)
    popup.field.insert("mini")
    return window


async def _picker_loading(stage: Stage) -> QWidget:
    workspace = stage.workspace()
    window = await stage.window(workspace=workspace)
    workspace.model_rows = tuple  # type: ignore[method-assign]
    await _open(window, stage)
    return window


async def _picker_error(stage: Stage) -> QWidget:
    window = await _picker(stage, "boreal thinking")

    async def refuse(provider_id: str) -> Listing:
        raise ProviderRejection(
            "OpenRouter refused the key: No auth credentials found",
            "Check the key in Settings › Providers.",
            category=ErrorCategory.AUTH,
            status=401,
        )

    stage.workspaces[0].refresh_models = refuse  # type: ignore[method-assign]
    popup = window.findChild(ModelPopup)
    assert popup is not None
    popup.refresh.refresh()
    return window


async def _picker_mirrored(stage: Stage) -> QWidget:
    window = await _window(stage, await _workspace(stage))
    window.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    popup = await _open(window, stage)
    popup.field.insert("cinder")
    return window


async def _header(stage: Stage) -> QWidget:
    return await _window(stage, await _workspace(stage))


async def _dialog(stage: Stage, query: str = "", *, count: int = 300) -> ModelsDialog:
    window = await _window(stage, await _workspace(stage, count))
    window.actions_registry["models.open"].trigger()
    dialog = window.findChild(ModelsDialog)
    assert dialog is not None
    dialog.resize(min(dialog.width(), stage.size.width()), dialog.height())
    if stage.size.width() > dialog.width():
        dialog.resize(stage.size.width(), dialog.height())
    await stage.picture(dialog)
    dialog.search.insert(query)
    return dialog


async def _matrix(stage: Stage) -> QWidget:
    return await _dialog(stage, count=3_000)


async def _corrected(stage: Stage) -> QWidget:
    dialog = await _dialog(stage, "aurora-1-mini")
    table = dialog.table
    table.setFocus()
    table.setCurrentIndex(table.matrix.index(0, 2))
    return dialog


async def _no_fit(stage: Stage) -> QWidget:
    return await _dialog(stage, "quantum leap")


SCENES = (
    Scene("models-header", _header),
    Scene("models-full", partial(_picker, count=3_000), is_on_every_screen=True),
    Scene("models-found", partial(_picker, query="bor thin")),
    Scene("models-filtered", partial(_picker, chips=("vision", "tool_use"))),
    Scene("models-unknown", _picker_unknown),
    Scene("models-typed", partial(_picker, query="quantum/leap-1")),
    Scene("models-none", partial(_picker, query="quantum leap", chips=("vision",))),
    Scene("models-loading", _picker_loading),
    Scene("models-refused", _picker_error),
    Scene("models-mirrored", _picker_mirrored),
    Scene("models-matrix", _matrix, is_on_every_screen=True),
    Scene("models-corrected", _corrected),
    Scene("models-nofit", _no_fit),
)
