"""What another model would not receive, asked before the switch; and the whole request that any model would receive."""

from __future__ import annotations

import asyncio

from PySide6.QtWidgets import QWidget

from agdesk.core.ir import stream as ev
from agdesk.core.ir.response import PartialUsage, StopReason
from agdesk.core.providers.scripted import Pause, Step, text_answer
from agdesk.ui.chat import ChatTab
from agdesk.ui.chat.ledger.receive_dialog import ReceiveDialog
from tools.screenshots.stage import LIMIT_S, Scene, Stage

_CLAUDE, _GPT = "anthropic/claude-sonnet-4-5", "openai/gpt-5"
_LONG_MODEL = "openrouter/" + "a-model-with-a-name-that-never-ends-" * 5
_LONG_WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 3
_PICTURE = "iVBORw0KGgoAAAANSUhEUgAA" * 400
_SMALL_WIDTH = 900


def _thoughtful(text: str, *, is_called: bool = False) -> tuple[Step, ...]:
    call: tuple[Step, ...] = (
        ev.ContentBlockStart(2, ev.ToolUseType("call-1", "read_file")),
        ev.ToolCallArgumentsDelta('{"path": "notes.md"}', 2),
        ev.ToolCallEnd(2),
        ev.ContentBlockEnd(2),
    )
    return (
        Pause(0.4),
        ev.MessageStart("answer-1", "scripted"),
        ev.ContentBlockStart(0, ev.ThinkingType()),
        ev.ThinkingDelta("The user wants a plan for three days.", 0),
        Pause(2.6),
        ev.ContentBlockEnd(0),
        ev.ContentBlockStart(1, ev.TextType()),
        ev.TextDelta(text, 1),
        Pause(1.0),
        ev.ContentBlockEnd(1),
        *(call if is_called else ()),
        ev.CostUpdate(PartialUsage(prompt_tokens=38, completion_tokens=412)),
        ev.MessageComplete(StopReason.TOOL_USE if is_called else StopReason.END_TURN),
    )


async def _talk(stage: Stage, *turns: tuple[str, tuple[Step, ...]]) -> ChatTab:
    """A conversation with Claude."""
    window = await stage.window(*(script for _, script in turns))
    tab = window.current_tab
    assert tab is not None
    tab.session.model_ref = _CLAUDE
    tab.picker.refresh()
    for question, _ in turns:
        await stage.ask(window, question)
    return tab


async def _asked(tab: ChatTab, model_ref: str) -> QWidget:
    tab.switch.choose(model_ref)
    async with asyncio.timeout(LIMIT_S):
        while tab.switch.is_pending and not (
            "sheet" in vars(tab.switch) and tab.switch.sheet.switch_button.isVisible()
        ):
            await asyncio.sleep(0.01)
    return tab.window()


async def _changes(stage: Stage) -> QWidget:
    tab = await _talk(
        stage,
        ("Plan three days in Paris.", _thoughtful("Day one: the Louvre. Day two: Montmartre. Day three: Versailles.")),
        ("Look into my notes, too.", _thoughtful("I read them first.", is_called=True)),
        ("And if it rains?", text_answer("Then the museums come first.")),
    )
    return await _asked(tab, _GPT)


async def _chinese(stage: Stage) -> QWidget:
    tab = await _talk(
        stage,
        ("什么是词元？请用两句话说明。", _thoughtful("词元是模型一次读取或写入的一小段文字。")),
        (_LONG_WORD, _thoughtful(_LONG_WORD, is_called=True)),
    )
    return await _asked(tab, _LONG_MODEL)


async def _unreachable(stage: Stage) -> QWidget:
    tab = await _talk(stage, ("Plan three days in Paris.", text_answer("Day one: the Louvre.")))
    return await _asked(tab, "custom/my-model")


async def _busy(stage: Stage) -> QWidget:
    tab = await _talk(stage, ("Plan three days in Paris.", text_answer("Day one: the Louvre.")))
    workspace = stage.workspaces[0]

    async def never(*_arguments: object) -> None:
        await asyncio.Event().wait()

    workspace.rendered = never  # type: ignore[method-assign, assignment]
    tab.switch.choose(_GPT)
    async with asyncio.timeout(LIMIT_S):
        while "sheet" not in vars(tab.switch) or tab.switch.sheet.isHidden():
            await asyncio.sleep(0.01)
    return tab.window()


async def _dialog(stage: Stage, tab: ChatTab, model_ref: str) -> QWidget:
    tab.switch.show_received(model_ref)
    (dialog,) = tab.findChildren(ReceiveDialog)
    dialog.resize(dialog.minimumSizeHint() if stage.size.width() == _SMALL_WIDTH else dialog.size())
    async with asyncio.timeout(LIMIT_S):
        while not dialog.copy_button.isEnabled() and not dialog.problem.text:
            await asyncio.sleep(0.01)
    return dialog


async def _received(stage: Stage) -> QWidget:
    tab = await _talk(
        stage,
        ("Plan three days in Paris.", _thoughtful("Day one: the Louvre. Day two: Montmartre. Day three: Versailles.")),
        ("Look into my notes, too.", _thoughtful("I read them first.", is_called=True)),
    )
    tab.composer.setPlainText("And if it rains?")
    return await _dialog(stage, tab, _GPT)


async def _received_nothing(stage: Stage) -> QWidget:
    tab = await _talk(stage)
    return await _dialog(stage, tab, _CLAUDE)


async def _received_error(stage: Stage) -> QWidget:
    tab = await _talk(stage, ("Plan three days in Paris.", text_answer("Day one: the Louvre.")))
    return await _dialog(stage, tab, "custom/my-model")


async def _received_long(stage: Stage) -> QWidget:
    tab = await _talk(
        stage,
        ("什么是词元？", _thoughtful("词元是模型一次读取或写入的一小段文字。")),
        (f"data:image/png;base64,{_PICTURE}", _thoughtful(_LONG_WORD, is_called=True)),
    )
    return await _dialog(stage, tab, _LONG_MODEL)


SCENES = (
    Scene("switch-changes", _changes),
    Scene("switch-chinese", _chinese),
    Scene("switch-error", _unreachable),
    Scene("switch-busy", _busy),
    Scene("receive-full", _received),
    Scene("receive-empty", _received_nothing),
    Scene("receive-error", _received_error),
    Scene("receive-long", _received_long),
)
