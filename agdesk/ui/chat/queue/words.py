"""What the queue does, in words."""

from __future__ import annotations

from typing import assert_never

from PySide6.QtCore import QCoreApplication

from agdesk.core.cycle.queue import Pause
from agdesk.ui.core_words import said


def state_text(count: int, pause: Pause | None, *, is_held: bool) -> str:
    """How many messages wait, and for what."""
    translate = QCoreApplication.translate
    if pause is not None:
        state = translate("Queue", "{count} queued, paused: {reason}").replace("{reason}", _reason(pause))
    elif is_held:
        state = translate("Queue", "{count} queued. Nothing is sent before you have finished editing or choosing.")
    else:
        state = translate("Queue", "{count} queued. Each is sent when the answer before it is complete.")
    return state.replace("{count}", str(count), 1)


def _reason(pause: Pause) -> str:
    translate = QCoreApplication.translate
    error = said(pause.error.message) if pause.error is not None else ""
    match pause.cause:
        case "user":
            return translate("Queue", "nothing is sent until you resume.")
        case "stopped":
            return translate("Queue", "you stopped the answer.")
        case "failed":
            return translate("Queue", "the answer failed. {error}").replace("{error}", error)
        case "refused":
            return translate("Queue", "the next message could not be sent. {error}").replace("{error}", error)
        case "kept":
            return translate("Queue", "kept from before, nothing is sent until you resume.")
        case other:
            assert_never(other)
