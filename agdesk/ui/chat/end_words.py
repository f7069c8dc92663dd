"""What stands below an answer that did not end by itself: a line, or an error with its next step."""

from __future__ import annotations

import re

from PySide6.QtCore import QCoreApplication

from agdesk.core.errors import ErrorRecord
from agdesk.core.ir.response import EndCause, MessageResponse, StopReason
from agdesk.ui.core_words import said
from agdesk.ui.widgets.transcript import ErrorView, NextStep

translate = QCoreApplication.translate


def end_text(response: MessageResponse, cause: EndCause) -> str:
    """The line below an answer that did not end by itself; empty for one that did."""
    if cause is EndCause.USER:
        return translate("TranscriptFeed", "Stopped by you")
    if cause is EndCause.CRASH:
        return ""  # the error below says it
    if cause is EndCause.EDITED:
        return translate("TranscriptFeed", "Edited by you")
    match response.stop_reason:
        case StopReason.INCOMPLETE:
            return translate(
                "TranscriptFeed", "Incomplete: the connection ended before the provider said the answer was finished"
            )
        case StopReason.MAX_TOKENS:
            return translate("TranscriptFeed", "Cut at the output limit")
        case StopReason.CONTENT_FILTER:
            return translate("TranscriptFeed", "Cut by the provider's content filter")
        case StopReason.CONTEXT_OVERFLOW:
            return translate("TranscriptFeed", "Cut at the end of the context window")
        case StopReason.REFUSAL:
            return translate("TranscriptFeed", "The model refused")
        case StopReason.OTHER:
            return translate("TranscriptFeed", "Ended with “{reason}”").format(reason=response.raw_stop_reason)
        case StopReason.END_TURN if not response.message.content:
            return translate("TranscriptFeed", "The model gave an empty answer")
        case _:
            return ""


def error_view(error: ErrorRecord) -> ErrorView:
    """An error as it is painted."""
    return ErrorView(said(error.message), error_detail(error), said(error.hint))


def next_steps(error: ErrorRecord | None, *, can_go_on: bool) -> tuple[NextStep, ...]:
    """What can be done about an answer that was cut, or that did not come."""
    again = NextStep("again", _again_text(error))
    return (NextStep("continue", translate("TranscriptFeed", "Continue")), again) if can_go_on else (again,)


def _again_text(error: ErrorRecord | None) -> str:
    parameter = error.details.get("removable") if error is not None else None
    if not isinstance(parameter, str):
        return translate("TranscriptFeed", "Try again")
    if parameter.endswith(".role"):
        return translate("TranscriptFeed", "Resend with another role for the system text, and remember")
    return translate("TranscriptFeed", "Resend without {parameter}, and remember").format(parameter=parameter)


def error_detail(error: ErrorRecord) -> str:
    """The provider's words, the status and the request id of an error, as far as its message does not say them."""
    details = error.details
    lines = []
    words = str(details.get("provider_message") or "")
    if words and words not in error.message:
        lines.append(words)
    facts = []
    status = details.get("status")
    if status and not re.search(rf"\b{status}\b", error.message):
        facts.append(translate("TranscriptFeed", "status {status}").format(status=status))
    code = details.get("code")
    if code and str(code) not in error.message:
        facts.append(str(code))
    if request_id := details.get("request_id"):
        facts.append(translate("TranscriptFeed", "request {id}").format(id=request_id))
    if frame := details.get("frame"):
        facts.append(str(frame)[:300])
    if facts:
        lines.append(" · ".join(facts))
    return "\n".join(lines)
