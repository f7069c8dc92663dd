"""From trace records to the transcript: the one path for live and stored turns.

Deltas grow the tail of their block; ``ResponseReceived`` settles the message with what the response really holds, the
same call that draws a stored message. So a fault of replaying is a fault of live painting, and is seen.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from agdesk.core.errors import ErrorRecord
from agdesk.core.ir.blocks import ContentBlock, Extension, Text, Thinking, ToolUse
from agdesk.core.ir.messages import text_of
from agdesk.core.ir.response import EndCause, MessageResponse, StopReason
from agdesk.core.ir.stream import (
    ContentBlockEnd,
    ContentBlockStart,
    MessageStart,
    RefusalDelta,
    RefusalType,
    StreamEvent,
    TextDelta,
    TextType,
    ThinkingDelta,
    ThinkingType,
    ToolCallArgumentsDelta,
)
from agdesk.core.trace.events import (
    ParameterRepaired,
    RequestPrepared,
    ResponseReceived,
    RetryScheduled,
    StreamEventReceived,
    TraceRecord,
    TurnCancelled,
    TurnFailed,
    TurnStarted,
)
from agdesk.ui.widgets.transcript import BlockKind, BlockView, ErrorView, MessageView, VirtualTranscript

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class Offer:
    """What can be done about the last error: to ask ``model_ref`` again without what it refused (E07)."""

    key: str
    model_ref: str
    error: ErrorRecord


class TranscriptFeed:
    """Draws the records of one conversation into one transcript."""

    def __init__(self, transcript: VirtualTranscript) -> None:
        self._transcript = transcript
        self._model_ref = ""
        self._answer_key = ""
        self._request_id = ""
        self._is_answer_shown = False
        self._offer: Offer | None = None
        self._open: dict[int, int] = {}
        self._last_index = 0
        self._waiting: list[str] = []
        self._waiting_index = -1

    def offer_at(self, key: str) -> Offer | None:
        """What the button of the error below a message offers; None if it stands no more."""
        return self._offer if self._offer is not None and self._offer.key == key else None

    def append(self, records: list[TraceRecord]) -> None:
        """Draws a batch; neighbouring deltas of a block become one call."""
        for record in records:
            payload = record.payload
            if isinstance(payload, StreamEventReceived):
                self._stream_event(payload.event, record.ts_ns)
                continue
            self._flush()
            match payload:
                case TurnStarted(message=message, model_ref=model_ref):
                    self._model_ref = model_ref
                    self._answer_key = f"{record.turn_id}/answer"
                    self._is_answer_shown = False
                    self._withdraw_offer()
                    if message.content:  # without: what failed is only asked again
                        self._draw_user(f"{record.turn_id}/user", text_of(message.content))
                case RequestPrepared():
                    self._request_id = record.request_id
                    if not self._is_answer_shown:  # an attempt before may have begun it
                        self._answer_key = record.request_id
                    self._open = {}
                case RetryScheduled() | ParameterRepaired() if self._is_answer_shown:
                    self._transcript.replace_message(self._answer_key, ())
                case ResponseReceived():
                    self._settle(payload, record.request_id)
                case TurnFailed(error=error):
                    self._draw_error(error)
                case TurnCancelled() if not self._is_answer_shown:
                    self._show_answer()
                    self._transcript.set_footer(
                        self._answer_key, translate("TranscriptFeed", "Stopped by you before an answer began")
                    )
                    self._transcript.finish_message(self._answer_key)
                case _:
                    pass
        self._flush()

    def _stream_event(self, event: StreamEvent, ts_ns: int) -> None:
        match event:
            case TextDelta(text=text, index=index) | ThinkingDelta(text=text, index=index):
                self._wait(text, self._last_index if index is None else index)
            case RefusalDelta(text=text, index=index):
                self._wait(text, self._last_index if index is None else index)
            case ToolCallArgumentsDelta():
                pass  # drawn when the call is whole
            case MessageStart():
                self._show_answer()
            case ContentBlockStart(index=index, block_type=TextType() | RefusalType() | ThinkingType() as block_type):
                self._flush()
                self._begin(index, block_type, ts_ns)
            case ContentBlockEnd(index=index) if index in self._open:
                self._flush()
                self._end(index, ts_ns)
            case _:
                pass

    def _wait(self, text: str, index: int) -> None:
        if index != self._waiting_index:
            self._flush()
            self._waiting_index = index
        self._waiting.append(text)

    def _flush(self) -> None:
        if not self._waiting:
            return
        text, self._waiting = "".join(self._waiting), []
        if self._waiting_index in self._open:
            self._transcript.append_text(self._answer_key, self._waiting_index, text)

    def _begin(self, index: int, block_type: TextType | RefusalType | ThinkingType, ts_ns: int) -> None:
        if index in self._open:
            return
        self._show_answer()
        self._last_index = index
        self._open[index] = ts_ns
        kind: BlockKind = "thinking" if isinstance(block_type, ThinkingType) else "text"
        self._transcript.begin_block(self._answer_key, index, kind)

    def _end(self, index: int, ts_ns: int) -> None:
        duration_s = (ts_ns - self._open.pop(index)) / 1e9
        self._transcript.end_block(self._answer_key, index, duration_s=duration_s)

    def _settle(self, received: ResponseReceived, request_id: str) -> None:
        response = received.response
        content = response.message.content
        if request_id != self._request_id:  # a stored one: nothing of it was drawn while it arrived
            self._request_id = self._answer_key = request_id
            self._is_answer_shown = False
        if not self._is_answer_shown and not content and response.error is not None:
            return  # the error that follows draws the message
        self._show_answer()
        self._transcript.replace_message(self._answer_key, block_views(content, received.thinking_s))
        self._open = {}
        self._transcript.finish_message(self._answer_key)
        if footer := end_text(response, received.end_cause):
            self._transcript.set_footer(self._answer_key, footer)

    def _draw_user(self, key: str, text: str) -> None:
        self._transcript.append_message(MessageView(key, "user", translate("TranscriptFeed", "You")))
        self._transcript.replace_message(key, (BlockView("text", text),))
        self._transcript.finish_message(key)

    def _draw_error(self, error: ErrorRecord) -> None:
        self._show_answer()
        action = offer_text(error)
        self._offer = Offer(self._answer_key, self._model_ref, error) if action else None
        self._transcript.set_error(self._answer_key, error_view(error, action=action))
        self._transcript.finish_message(self._answer_key)

    def _withdraw_offer(self) -> None:
        """What failed is not the last word any more: it cannot be asked again."""
        if self._offer is not None:
            self._transcript.set_error(self._offer.key, error_view(self._offer.error))
            self._offer = None

    def _show_answer(self) -> None:
        if not self._is_answer_shown:
            self._is_answer_shown = True
            self._transcript.append_message(MessageView(self._answer_key, "assistant", self._model_ref))


def block_views(content: tuple[ContentBlock, ...], thinking_s: Sequence[float | None] = ()) -> tuple[BlockView, ...]:
    """What is painted of a settled message's content, block by block.

    Args:
        content: of the message.
        thinking_s: how long each Thinking block took, in order, as far as known.
    """
    views = []
    durations = iter(thinking_s)
    for block in content:
        match block:
            case Text(text=text):
                views.append(BlockView("text", text))
            case Thinking(text=text):
                views.append(BlockView("thinking", text, next(durations, None)))
            case ToolUse(name=name, raw_arguments=raw, input_error=reason):
                title = translate("TranscriptFeed", "Tool call: {name}").format(name=name)
                note = f"\n\n{reason}" if reason else ""
                views.append(BlockView("text", f"{title}\n\n{fenced(raw, 'json')}{note}"))
            case Extension(kind=kind, raw=raw):
                text = json.dumps(raw, ensure_ascii=False, indent=2)
                views.append(BlockView("text", f"{kind}\n\n{fenced(text, 'json')}"))
            case _:
                views.append(BlockView("text", type(block).__name__))
    return tuple(views)


def fenced(text: str, language: str) -> str:
    """``text`` as a Markdown code fence that nothing inside it can close."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text}\n{fence}"


def end_text(response: MessageResponse, cause: EndCause) -> str:
    """The line below an answer that did not end by itself; empty for one that did."""
    if cause is EndCause.USER:
        return translate("TranscriptFeed", "Stopped by you")
    if cause is EndCause.CRASH:
        return ""  # the error below says it
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


def error_view(error: ErrorRecord, *, action: str = "") -> ErrorView:
    """An error as it is painted."""
    return ErrorView(error.message, error_detail(error), error.hint, action)


def offer_text(error: ErrorRecord) -> str:
    """What a button offers to do about an error; empty for nothing."""
    parameter = error.details.get("removable")
    if not isinstance(parameter, str):
        return ""
    if parameter.endswith(".role"):
        return translate("TranscriptFeed", "Resend with another role for the system text, and remember")
    return translate("TranscriptFeed", "Resend without {parameter}, and remember").format(parameter=parameter)


def error_detail(error: ErrorRecord) -> str:
    """The provider's words, the status and the request id of an error, as far as there are any."""
    details = error.details
    lines = []
    words = str(details.get("provider_message") or "")
    if words and words not in error.message:
        lines.append(words)
    facts = []
    if status := details.get("status"):
        facts.append(translate("TranscriptFeed", "status {status}").format(status=status))
    if code := details.get("code"):
        facts.append(str(code))
    if request_id := details.get("request_id"):
        facts.append(translate("TranscriptFeed", "request {id}").format(id=request_id))
    if frame := details.get("frame"):
        facts.append(str(frame)[:300])
    if facts:
        lines.append(" · ".join(facts))
    return "\n".join(lines)
