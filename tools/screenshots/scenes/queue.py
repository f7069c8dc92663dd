"""Messages that wait: while an answer comes, one edited, paused by a failure, and more than fit."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from agdesk.core.errors import ErrorCategory, ProviderRejection
from agdesk.core.providers.scripted import Pause, text_answer
from agdesk.ui.chat import ChatTab
from agdesk.ui.qt_async import emission
from tools.screenshots.stage import HOLD, LIMIT_S, Scene, Stage

_COMING = (*text_answer("A token is a piece of text that a model reads or writes at once.")[:3], HOLD)
_WAITING = (
    "And how many tokens is this page?",
    "Show the same count in Python, with a vocabulary that is read from a file, and explain every step of the loop "
    "for someone who has never written a program before.",
    "用中文总结一下",
)
_REFUSED = ProviderRejection(
    "The rate limit was hit (HTTP 429, rate_limit_exceeded)",
    "Wait and send again, or choose another model.",
    category=ErrorCategory.RATE_LIMIT,
    status=429,
    retry_after_s=300.0,
)


async def _coming(stage: Stage, *texts: str) -> tuple[QWidget, ChatTab]:
    window = await stage.window(_COMING)
    chat = await stage.ask_and_hold(window, "What is a token?")
    for text in texts:
        chat.send(text)
    return window, chat


async def _waiting(stage: Stage) -> QWidget:
    window, chat = await _coming(stage, *_WAITING)
    chat.queue.focus()
    return window


async def _edited(stage: Stage) -> QWidget:
    window, chat = await _coming(stage, *_WAITING)
    assert chat.queue.panel is not None
    view = chat.queue.panel.view
    view.begin_edit(view.rows.rows[1].id)
    return window


async def _many(stage: Stage) -> QWidget:
    window, chat = await _coming(stage, *(f"Question {number}" for number in range(1, 101)))
    chat.composer.setPlainText("One more")
    return window


async def _failed(stage: Stage) -> QWidget:
    window = await stage.window((Pause(1.0), _REFUSED))
    chat = window.current_tab
    assert chat is not None
    chat.send("What is a token?")
    for text in _WAITING:
        chat.send(text)
    await emission(chat.turn_ended, timeout_s=LIMIT_S)
    chat.composer.setFocus(Qt.FocusReason.OtherFocusReason)
    return window


SCENES = (
    Scene("queue-waiting", _waiting, is_on_every_screen=True),
    Scene("queue-edited", _edited),
    Scene("queue-many", _many),
    Scene("queue-failed", _failed),
)
