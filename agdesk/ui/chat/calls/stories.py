"""What became of a call, from the records alone, and how that is said."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from PySide6.QtCore import QCoreApplication

from agdesk.core.ir.approval import ApprovalDecision, DecidedBy, Verdict
from agdesk.core.ir.blocks import JsonObject, Text, ToolResult, ToolUse
from agdesk.core.trace.events import ToolRecord
from agdesk.core.trace.tools import (
    ToolApprovalRequested,
    ToolApprovalResolved,
    ToolExecutionCompleted,
    ToolExecutionProgressed,
    ToolExecutionStarted,
)
from agdesk.ui.chat.block_text import fenced
from agdesk.ui.widgets.hidden_characters import revealed
from agdesk.ui.widgets.transcript import BlockView, CallState, CallView

translate = QCoreApplication.translate
_OUTPUT_CHARACTERS = 4_000  # of what a running tool says, the newest


@dataclass(slots=True)
class CallStory:
    """One call, as far as it has come."""

    call: ToolUse
    state: CallState = "proposed"
    decision: ApprovalDecision | None = None
    executed: JsonObject | None = None
    result: ToolResult | None = None
    duration_ms: int = 0
    output: str = field(default="")

    def take(self, payload: ToolRecord) -> None:
        """The next record of this call."""
        match payload:
            case ToolApprovalRequested():
                self.state = "pending"
            case ToolApprovalResolved(decision=decision):
                self.decision = decision
                if decision.verdict is Verdict.ALLOW:
                    self.state = "running"
            case ToolExecutionStarted(executed_input=executed):
                self.executed, self.state = executed, "running"
            case ToolExecutionProgressed(text=text):
                self.output = (self.output + text)[-_OUTPUT_CHARACTERS:]
            case ToolExecutionCompleted(result=result, duration_ms=duration_ms, effect=effect):
                self.result, self.duration_ms, self.output = result, duration_ms, ""
                self.state = self._end(is_error=result.is_error, is_stopped=effect == "cancelled, effect unknown")
            case _:
                pass

    def cut(self) -> None:
        """The turn has ended, and nothing more comes of this call."""
        if self.state in ("pending", "running"):
            self.state = "cancelled"

    def view(self) -> BlockView:
        """How it is drawn."""
        return BlockView("call", self._body(), call=CallView(revealed(self.call.name), self.state, self._words()))

    def _end(self, *, is_error: bool, is_stopped: bool) -> CallState:
        decision = self.decision
        if decision is not None and decision.verdict is Verdict.ANSWER:
            return "answered"
        if decision is not None and decision.verdict is Verdict.DENY:
            return "cancelled" if decision.by is DecidedBy.CANCEL else "denied"
        if is_stopped:
            return "cancelled"
        return "failed" if is_error else "done"

    def _words(self) -> str:
        match self.state:
            case "proposed":
                return translate("CallStory", "not run")
            case "pending":
                return translate("CallStory", "waits for you")
            case "running":
                return translate("CallStory", "running…")
            case "answered":
                return translate("CallStory", "answered by you")
            case "denied":
                is_rule = self.decision is not None and self.decision.by is DecidedBy.RULE
                return (
                    translate("CallStory", "denied by a rule") if is_rule else translate("CallStory", "denied by you")
                )
            case "cancelled":
                began = self.executed is not None
                return (
                    translate("CallStory", "stopped, effect unknown")
                    if began
                    else translate("CallStory", "stopped before it ran")
                )
            case "failed":
                return self._timed(translate("CallStory", "failed"))
            case "done":
                return self._timed(translate("CallStory", "done"))

    def _timed(self, word: str) -> str:
        parts = [word]
        if self.executed is not None:
            parts = [translate("CallStory", "{word} in {seconds}\u202fs").format(word=word, seconds=_seconds(self))]
        if self.decision is not None and self.decision.by is DecidedBy.RULE:
            parts.append(translate("CallStory", "allowed by a rule"))
        if self._is_changed:
            parts.append(translate("CallStory", "changed by you"))
        return " · ".join(parts)

    @property
    def _is_changed(self) -> bool:
        return self.executed is not None and self.executed != self.call.input

    def _body(self) -> str:
        parts = [_part(translate("CallStory", "Arguments"), _json(self.call.input, self.call.raw_arguments), "json")]
        if self.call.input_error:
            parts.append(_part(translate("CallStory", "Not valid"), self.call.input_error, ""))
        if self._is_changed:
            title = translate("CallStory", "Ran with, as changed by you")
            parts.append(_part(title, _json(self.executed, ""), "json"))
        if self.decision is not None and self.decision.reason:
            parts.append(_part(translate("CallStory", "Reason"), self.decision.reason, ""))
        if self.output:
            parts.append(_part(translate("CallStory", "Output so far"), self.output, ""))
        if self.result is not None:
            parts.append(_part(translate("CallStory", "Result"), _result_text(self.result), ""))
        return "\n\n".join(parts)


def _part(title: str, text: str, language: str) -> str:
    return f"{title}\n\n{fenced(revealed(text), language)}"


def _json(arguments: JsonObject | None, raw: str) -> str:
    return raw if arguments is None else json.dumps(arguments, ensure_ascii=False, indent=2)


def _result_text(result: ToolResult) -> str:
    return "\n".join(
        block.text if isinstance(block, Text) else f"[{type(block).__name__.lower()}]" for block in result.content
    )


def _seconds(story: CallStory) -> str:
    return f"{story.duration_ms / 1000:.1f}"
