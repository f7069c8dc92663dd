"""Parameters: the panel of a conversation with some set, at a model that takes few, with JSON that is none."""

from __future__ import annotations

import asyncio
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from agdesk.core.ir.request import RequestParameters, ResponseFormat, ThinkingOptions
from agdesk.core.workspace import Workspace
from agdesk.ui.chat.parameters.controls import JsonControl
from agdesk.ui.chat.parameters.panel import ParameterPanel
from tools.screenshots.stage import Past, Scene, Stage

_PAST = (Past("How do I prune a plum tree?", 86_400.0),)
_SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
_SOME = RequestParameters(max_tokens=2000, temperature=0.7, stop=("\n\n", "END"), seed=7)
_ALL = RequestParameters(
    max_tokens=2000,
    temperature=1.5,
    top_p=0.9,
    stop=("END",),
    thinking=ThinkingOptions(effort="high"),
    response_format=ResponseFormat(_SCHEMA),
    seed=7,
    extra={"top_k": 40},
)


async def _workspace(stage: Stage) -> Workspace:
    workspace = stage.workspace()
    await stage.keep(workspace, *_PAST)
    await asyncio.to_thread(workspace.warm_up)
    return workspace


async def _panel(
    stage: Stage,
    model_ref: str,
    parameters: RequestParameters = _SOME,
    *,
    prompt: str | None = "You are a gardener. Answer in two sentences.",
    is_open: bool = True,
) -> QWidget:
    workspace = await _workspace(stage)
    window = await stage.window(workspace=workspace)
    chat = window.current_tab
    assert chat is not None
    chat.session.model_ref = model_ref
    chat.session.parameters, chat.session.system_prompt = parameters, prompt
    chat.picker.refresh()
    chat.parameters.refresh()
    chat.parameters.set_open(is_open)
    return window


async def _refused(stage: Stage) -> QWidget:
    window = await _panel(stage, "openai/gpt-4o", _ALL)
    await stage.workspaces[0].correct_model("openai/gpt-4o", "refused", ["temperature", "seed"])
    return window


async def _error(stage: Stage) -> QWidget:
    window = await _panel(stage, "openai/gpt-5", _ALL, prompt=None)
    panel = window.findChild(ParameterPanel)
    assert panel is not None
    control = panel.rows["response_format"].control
    assert isinstance(control, JsonControl)
    await stage.picture(window)
    control.editor.setPlainText('{\n  "type": "object",\n  "properties": {"city": {"type": "string"},}\n}')  # type: ignore[attr-defined]
    panel.focus_parameter("response_format")
    return window


async def _mirrored(stage: Stage) -> QWidget:
    window = await _panel(stage, "openai/gpt-5", _ALL)
    window.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    return window


_CHINESE_PROMPT = "你是一位园丁。请用两句话回答，并用中文说明理由；如果不知道，就直说不知道。"
_CLAUDE = "anthropic/claude-opus-4-6"
SCENES = (
    Scene("parameters-some", partial(_panel, model_ref="openai/gpt-5"), is_on_every_screen=True),
    Scene("parameters-closed", partial(_panel, model_ref="openai/gpt-5", is_open=False)),
    Scene("parameters-mirrored", _mirrored),
    Scene("parameters-refused", _refused),
    Scene("parameters-small-model", partial(_panel, model_ref="builtin/smollm2-135m", parameters=_ALL)),
    Scene("parameters-json-error", _error),
    Scene("parameters-chinese", partial(_panel, model_ref=_CLAUDE, parameters=_ALL, prompt=_CHINESE_PROMPT)),
    Scene("parameters-auto", partial(_panel, model_ref="auto/best", parameters=RequestParameters(), prompt=None)),
    Scene("parameters-no-provider", partial(_panel, model_ref="nowhere/model")),
)
