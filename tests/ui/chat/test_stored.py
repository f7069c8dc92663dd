"""A stored turn, opened again, paints what was painted live: messages, thinking, errors, ends, the status line."""

import asyncio

import pytest

from agdesk.core.errors import ErrorCategory, ProviderRejection, TransportError
from agdesk.core.ir.response import StopReason, Usage
from agdesk.core.ir.stream import (
    ContentBlockEnd,
    ContentBlockStart,
    ExtensionType,
    MessageComplete,
    MessageStart,
    RefusalDelta,
    RefusalType,
    TextDelta,
    TextType,
    ThinkingDelta,
    ThinkingType,
    ToolCallArgumentsDelta,
    ToolCallEnd,
    ToolUseType,
)
from agdesk.core.providers.scripted import Pause, text_answer
from agdesk.ui.bridge import DrainTimer
from agdesk.ui.chat import ChatTab
from agdesk.ui.qt_async import emission
from agdesk.ui.theme import apply_theme
from tests.fakes.workspace import scripted_workspace

START = MessageStart("i", "m")
THINKING = (
    START,
    ContentBlockStart(0, ThinkingType()),
    ThinkingDelta("let me see", 0),
    Pause(0.02),
    ContentBlockEnd(0),
    ContentBlockStart(1, TextType()),
    TextDelta("**你好**, a list:\n\n- one\n- two\n", 1),
    ContentBlockEnd(1),
    MessageComplete(StopReason.END_TURN),
)
CALL = (
    START,
    ContentBlockStart(0, ToolUseType("c", "look_up")),
    ToolCallArgumentsDelta('{"q": "x"}', 0),
    ToolCallEnd(0),
    ContentBlockEnd(0),
    ContentBlockStart(1, ExtensionType("test", "odd", {"type": "odd", "n": 1})),
    ContentBlockEnd(1),
    MessageComplete(StopReason.TOOL_USE),
)
REFUSAL = (
    START,
    ContentBlockStart(0, RefusalType()),
    RefusalDelta("No.", 0),
    ContentBlockEnd(0),
    MessageComplete(StopReason.REFUSAL),
)
CUT = (START, ContentBlockStart(0, TextType()), TextDelta("half an", 0))
REJECTED = (
    ProviderRejection(
        "The provider refused", "Wait.", category=ErrorCategory.RATE_LIMIT, status=429, provider_message="slow down"
    ),
)
BROKEN = (*CUT, TransportError("The connection broke", "Send again."))

SCRIPTS = {
    "an answer": text_answer("Bon", "jour", usage=Usage(3, 2)),
    "thinking and a list": THINKING,
    "a call and an extension": CALL,
    "a refusal": REFUSAL,
    "a cut answer": CUT,
    "an error before the first token": REJECTED,
    "an error in the middle": BROKEN,
    "an empty answer": (START, MessageComplete(StopReason.END_TURN)),
}


def painted(tab):
    """Everything that the conversation shows, without pixels."""
    messages = []
    for message in tab.transcript._model.messages:
        blocks = [
            (block.kind, block.source.join(), block.duration_s if block.kind == "thinking" else None)
            for block in message.blocks
        ]
        view = message.view
        messages.append((view.role, view.title, blocks, message.error, message.footer))
    return messages, tab.status_line.text()


def open_tab(workspace, session, qtbot):
    tab = ChatTab(workspace, session, DrainTimer())
    qtbot.addWidget(tab)
    tab.resize(700, 600)
    tab.show()
    return tab


async def opened_again(tmp_path, conversation_id, qtbot):
    """What the next start paints of a conversation."""
    workspace, _ = scripted_workspace(tmp_path)
    session, records = await workspace.open_conversation(conversation_id)
    tab = open_tab(workspace, session, qtbot)
    tab.show_stored(records)
    result = painted(tab)
    tab.close_session()
    await workspace.aclose()
    return result


@pytest.fixture(autouse=True)
def theme(qapp):
    apply_theme(qapp, "light")


@pytest.mark.parametrize("name", SCRIPTS)
async def test_the_next_start_paints_what_was_painted_live(name, tmp_path, qtbot):
    workspace, _ = scripted_workspace(tmp_path, SCRIPTS[name], text_answer("and more"))
    tab = open_tab(workspace, workspace.open_session(), qtbot)
    for text in ("hello\nworld", "go on"):
        async with asyncio.TaskGroup() as group:
            ended = group.create_task(emission(tab.turn_ended, timeout_s=10))
            await asyncio.sleep(0)
            tab.send(text)
        assert ended.done()
    live = painted(tab)
    assert len(live[0]) == 4
    tab.close_session()
    await workspace.aclose()
    assert await opened_again(tmp_path, tab.session.id, qtbot) == live


async def test_an_answer_that_was_stopped_is_painted_as_stopped(tmp_path, qtbot):
    workspace, _ = scripted_workspace(tmp_path, (*CUT, Pause(30)))
    tab = open_tab(workspace, workspace.open_session(), qtbot)
    tab.send("hello")
    while "half an" not in repr(painted(tab)):
        await asyncio.sleep(0.01)
    tab.stop()
    await emission(tab.turn_ended, timeout_s=10)
    live = painted(tab)
    assert "Stopped by you" in repr(live)
    tab.close_session()
    await workspace.aclose()
    assert await opened_again(tmp_path, tab.session.id, qtbot) == live
