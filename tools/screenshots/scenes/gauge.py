"""The context gauge, the cost and the presets: in the header and explained, roomy, filling up, full, unknown."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QWidget

from agdesk.core.ir.request import RequestParameters, ThinkingOptions
from agdesk.core.ir.response import CompletionTokensDetails, PartialUsage, PromptTokensDetails
from agdesk.core.providers.scripted import Pause, text_answer
from agdesk.core.settings.presets import Preset
from agdesk.ui.chat import ChatTab
from agdesk.ui.chat.status_cost_sheet import CostSheet
from agdesk.ui.main_window import MainWindow
from agdesk.ui.qt_async import emission
from tools.screenshots.stage import LIMIT_S, Scene, Stage

_MODEL = "openai/gpt-5"
_DRAFT = "And what if the tree is older than forty years? " * 40
_ANSWER = "In late summer, once it has borne fruit; never in winter, because of silver leaf. " * 12
_SHORT = Preset("Short and exact", RequestParameters(temperature=0.2, max_tokens=500), "Answer in two sentences.")
_DEEP = Preset("Think hard", RequestParameters(thinking=ThinkingOptions(effort="high")), "Reason step by step.")


async def _conversation(stage: Stage, *, share: float, model_ref: str = _MODEL, draft: str = "") -> ChatTab:
    """A conversation of two turns that takes a share of its model's window."""
    window_tokens = 400_000
    answers = []
    for at in (0.5, 1.0):
        usage = PartialUsage(
            prompt_tokens=round(window_tokens * share * at),
            completion_tokens=400,
            prompt_tokens_details=PromptTokensDetails(cached_tokens=round(window_tokens * share * at / 2)),
            completion_tokens_details=CompletionTokensDetails(reasoning_tokens=120),
        )
        answers.append((Pause(0.4), *text_answer(_ANSWER, delay_s=2.0, usage=usage)))
    window = await stage.window(*answers)
    chat = window.current_tab
    assert chat is not None
    chat.session.model_ref = model_ref
    chat.session.system_prompt = "You are a gardener. Answer from experience. " * 10
    chat.picker.refresh()
    for question in ("How do I prune a plum tree?", "And when? " * 30):
        await stage.ask(window, question)
    chat.composer.setPlainText(draft)
    await _settle(chat)
    return chat


async def _settle(chat: ChatTab) -> None:
    """Waits until the gauge has followed everything."""
    chat.gauge.refresh()
    await emission(chat.gauge.changed, timeout_s=LIMIT_S)


async def _closed(stage: Stage, share: float, model_ref: str = _MODEL) -> QWidget:
    return (await _conversation(stage, share=share, model_ref=model_ref, draft=_DRAFT)).window()


async def _open(stage: Stage, share: float, model_ref: str = _MODEL) -> QWidget:
    chat = await _conversation(stage, share=share, model_ref=model_ref, draft=_DRAFT)
    chat.gauge.open()
    return chat.window()


async def _cost(stage: Stage, *, is_corrected: bool = False) -> QWidget:
    chat = await _conversation(stage, share=0.3)
    if is_corrected:
        await stage.workspaces[0].correct_model(_MODEL, "input_per_million", 0.9)
    chat.explain_cost()
    (sheet,) = chat.window().findChildren(CostSheet)
    await sheet.loading
    return chat.window()


async def _models_at_price(stage: Stage) -> QWidget:
    chat = await _conversation(stage, share=0.3)
    window = chat.window()
    assert isinstance(window, MainWindow)
    chat.price_correction_wanted.emit(_MODEL)
    from agdesk.ui.models.dialog import ModelsDialog

    (dialog,) = window.findChildren(ModelsDialog)
    await stage.show(dialog)
    return dialog


async def _presets(stage: Stage) -> QWidget:
    workspace = stage.workspace()
    for preset in (_SHORT, _DEEP):
        await workspace.presets.put(preset)
    await workspace.presets.set_default(_SHORT.id)
    window = await stage.window(workspace=workspace)
    chat = window.current_tab
    assert chat is not None
    chat.parameters.set_open(True)
    menu = chat.parameters.presets.make_menu()
    await stage.show(menu)
    menu.resize(menu.sizeHint())
    return menu


async def _preset_panel(stage: Stage) -> QWidget:
    chat = await _conversation(stage, share=0.3)
    await stage.workspaces[0].presets.put(_DEEP)
    chat.parameters.set_open(True)
    chat.parameters.presets.apply(_DEEP.id)
    return chat.window()


SCENES = (
    Scene("gauge-roomy", partial(_closed, share=0.34)),
    Scene("gauge-unknown", partial(_closed, share=0.34, model_ref="openai/of-tomorrow")),
    Scene("gauge-open", partial(_open, share=0.34), is_on_every_screen=True),
    Scene("gauge-open-warning", partial(_open, share=0.86)),
    Scene("gauge-open-danger", partial(_open, share=0.97)),
    Scene("gauge-open-unknown", partial(_open, share=0.34, model_ref="openai/of-tomorrow")),
    Scene("cost-open", _cost),
    Scene("cost-corrected", partial(_cost, is_corrected=True)),
    Scene("cost-to-models", _models_at_price),
    Scene("presets-menu", _presets),
    Scene("presets-applied", _preset_panel),
)
