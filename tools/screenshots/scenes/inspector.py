"""The inspector: an answer with thinking and a tool call, one row in detail, an error, nothing; the README's."""

from __future__ import annotations

import json
from collections.abc import Iterator

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QWidget

from agdesk.core.errors import StoreError
from agdesk.core.settings.window_state import PanelState, WindowState
from agdesk.core.trace.events import TraceRecord
from agdesk.ui.inspector import InspectorPanel
from agdesk.ui.main_window import MainWindow
from tools.screenshots.scenes.conversation import ANSWER
from tools.screenshots.scenes.conversations import PAST
from tools.screenshots.stage import Scene, Stage
from tools.screenshots.wire import WireAnswer, chunk, frame, wire_provider

_WIDTH = 380
_LIST_WIDTH = 240
_THOUGHT = "They want the weather in Paris. There is a tool for that: get_weather takes a city and a unit."
_ARGUMENTS = '{"city": "Paris", "unit": "celsius"}'
_USAGE = {"prompt_tokens": 812, "completion_tokens": 131, "prompt_tokens_details": {"cached_tokens": 640}}
_REFUSAL = {
    "error": {
        "message": "Rate limit reached for gpt-5-mini on tokens per min (TPM): limit 200000, used 199204.",
        "type": "tokens",
        "code": "rate_limit_exceeded",
    }
}


def _pieces(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def _call(piece: str) -> dict[str, object]:
    return {"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}


def _end(finish_reason: str) -> tuple[tuple[float, bytes], ...]:
    usage = 0.02, chunk(choices=[], usage=_USAGE)
    return frame(0.01, {}, finish_reason=finish_reason), usage, (0.001, b"data: [DONE]\n\n")


def _tool_answer() -> WireAnswer:
    begun = {"tool_calls": [{"index": 0, "id": "call_9", "type": "function", "function": {"name": "get_weather"}}]}
    return WireAnswer(
        (
            frame(0.2, {"role": "assistant", "content": ""}),
            *(frame(0.03, {"reasoning_content": piece}) for piece in _pieces(_THOUGHT, 6)),
            *(frame(0.02, {"content": piece}) for piece in _pieces("I look the weather up first. ", 5)),
            frame(0.05, begun),
            *(frame(0.01, _call(piece)) for piece in _pieces(_ARGUMENTS, 4)),
            *_end("tool_calls"),
        )
    )


def _text_answer(text: str) -> WireAnswer:
    return WireAnswer(
        (
            frame(0.1, {"role": "assistant", "content": ""}),
            *(frame(0.012, {"content": piece}) for piece in _pieces(text, 9)),
            *_end("stop"),
        )
    )


async def _window(stage: Stage, *answers: WireAnswer, has_list: bool = False) -> MainWindow:
    workspace = stage.workspace()
    if has_list:
        await stage.keep(workspace, *PAST)
    workspace.registry.default_model_ref = "openai/gpt-5-mini"
    state = WindowState(
        left_panel=PanelState(_LIST_WIDTH, is_folded=not has_list), right_panel=PanelState(_WIDTH, is_folded=False)
    )
    provider = wire_provider(workspace.registry, "openai", *answers)
    window = await stage.window(workspace=workspace, provider=provider, state=state)
    await stage.picture(window)
    return window


def _panel(window: MainWindow) -> InspectorPanel:
    assert window.panels.inspector is not None
    return window.panels.inspector


def _choose(panel: InspectorPanel, words: str) -> None:
    """Makes the row current whose text begins so."""
    model = panel.view.model()
    flags = Qt.MatchFlag.MatchStartsWith | Qt.MatchFlag.MatchRecursive
    found = model.match(model.index(0, 0, QModelIndex()), Qt.ItemDataRole.DisplayRole, words, 1, flags)
    panel.view.setCurrentIndex(found[0])


async def _streamed(stage: Stage) -> QWidget:
    window = await _window(stage, _tool_answer())
    await stage.ask(window, "What is the weather in Paris?")
    await stage.picture(window)
    _panel(window).view.expandToDepth(1)
    return window


async def _detail(stage: Stage) -> QWidget:
    window = await _window(stage, _tool_answer())
    await stage.ask(window, "What is the weather in Paris?")
    await stage.picture(window)
    _choose(_panel(window), "request_sent")
    return window


async def _failed(stage: Stage) -> QWidget:
    refusal = WireAnswer(((0.0, json.dumps(_REFUSAL).encode()),), status=429)
    window = await _window(stage, _text_answer("Hello."), refusal)
    await stage.ask(window, "Hello")
    await stage.ask(window, "What is the weather in Paris?")
    return window


async def _empty(stage: Stage) -> QWidget:
    return await _window(stage)


async def _nothing_found(stage: Stage) -> QWidget:
    window = await _window(stage, _tool_answer())
    await stage.ask(window, "What is the weather in Paris?")
    await stage.picture(window)
    panel = _panel(window)
    panel.filter_line.setFocus()
    panel.filter_line.insert("quantum")
    return window


async def _unreadable(stage: Stage) -> QWidget:
    def read(conversation_id: str) -> Iterator[list[TraceRecord]]:
        raise StoreError(
            "The database ~/.local/share/agdesk/agdesk.db cannot be used: disk I/O error",
            "Check that the folder can be read and written and that its disk is there.",
        )

    workspace = stage.workspace()
    workspace.store.trace = read  # type: ignore[method-assign]
    state = WindowState(right_panel=PanelState(_WIDTH, is_folded=False))
    return await stage.window(workspace=workspace, state=state)


async def _readme(stage: Stage) -> QWidget:
    window = await _window(stage, _text_answer(ANSWER), has_list=True)
    await stage.ask(window, "What is a token, and how do I count them?")
    await stage.picture(window)
    _choose(_panel(window), "request_sent")
    return window


SCENES = (
    Scene("inspector-streamed", _streamed),
    Scene("inspector-detail", _detail, is_on_every_screen=True),
    Scene("inspector-refused", _failed),
    Scene("inspector-empty", _empty),
    Scene("inspector-nothing", _nothing_found),
    Scene("inspector-unreadable", _unreadable),
    Scene("readme-window", _readme, is_on_every_screen=True),
)
