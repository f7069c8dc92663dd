"""From trace records to the transcript: the one path for live and stored turns.

Deltas grow the tail of their block; ``ResponseReceived`` settles the message with what the response really holds, the
same call that draws a stored message. So a fault of replaying is a fault of live painting, and is seen.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from agdesk.core.errors import ErrorRecord
from agdesk.core.ir.blocks import Audio, ContentBlock, Extension, File, Image, Text, Thinking, ToolUse
from agdesk.core.ir.messages import text_of
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
from agdesk.core.ir.tree import TreeNode
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
from agdesk.ui.chat.attachments.sent import images_in
from agdesk.ui.chat.attachments.words import view_of
from agdesk.ui.chat.end_words import end_text, error_view, offer_text
from agdesk.ui.widgets.transcript import BlockKind, BlockView, MessageView, VirtualTranscript

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class Offer:
    """What can be done about the last error: to ask again, without what ``model_ref`` refused if it was that (E07)."""

    key: str
    model_ref: str
    error: ErrorRecord


class TranscriptFeed:
    """Draws the records of one conversation into one transcript.

    Attributes:
        attached: what was drawn of attachments, by the keys of their views.
    """

    def __init__(self, transcript: VirtualTranscript) -> None:
        self.attached: dict[str, Image | Audio | File] = {}
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

    def key_of(self, message_id: str) -> str:
        """The key of a message of the tree in the transcript."""
        own = f"{message_id}/user"
        return own if self._transcript.has_message(own) else message_id

    def message_id(self, key: str) -> str:
        """The id in the tree of what is drawn under a key; of an answer that nothing came of, its question's."""
        return key.removesuffix("/user").removesuffix("/answer")

    def draw_branch(self, shared: TreeNode | None, records: Sequence[TraceRecord]) -> None:
        """Draws another path in place of what follows the last message that both have."""
        key = None if shared is None else self.key_of(shared.id)
        if key is None or self._transcript.has_message(key):
            self._offer = None
            self._transcript.drop_after(key)
            if shared is not None:  # the end of its turn may come first
                self._model_ref = shared.model_ref
                self._is_answer_shown = shared.role == "assistant"
                self._answer_key = shared.id if self._is_answer_shown else f"{shared.id}/answer"
            self.append(list(records))

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
                        self._draw_user(f"{record.turn_id}/user", message.content)
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
        views = block_views(content, received.thinking_s, attachment=self._attachment)
        self._transcript.replace_message(self._answer_key, views)
        self._open = {}
        self._transcript.finish_message(self._answer_key)
        if footer := end_text(response, received.end_cause):
            self._transcript.set_footer(self._answer_key, footer)

    def _draw_user(self, key: str, content: tuple[ContentBlock, ...]) -> None:
        views = [self._attachment(block) for block in content if isinstance(block, Image | Audio | File)]
        text = text_of(content)
        self._transcript.append_message(MessageView(key, "user", translate("TranscriptFeed", "You")))
        self._transcript.replace_message(key, (*views, *((BlockView("text", text),) if text or not views else ())))
        self._transcript.finish_message(key)

    def _draw_error(self, error: ErrorRecord) -> None:
        self._show_answer()
        self._offer = Offer(self._answer_key, self._model_ref, error)
        self._transcript.set_error(self._answer_key, error_view(error, action=offer_text(error)))
        self._transcript.finish_message(self._answer_key)

    def _withdraw_offer(self) -> None:
        """What failed is not the last word any more: it cannot be asked again."""
        if self._offer is not None:
            self._transcript.set_error(self._offer.key, error_view(self._offer.error))
            self._offer = None

    def _attachment(self, block: Image | Audio | File) -> BlockView:
        view = view_of(block)
        self.attached[view.key] = block
        return BlockView("attachment", "", attachment=view)

    def _show_answer(self) -> None:
        if not self._is_answer_shown:
            self._is_answer_shown = True
            self._transcript.append_message(MessageView(self._answer_key, "assistant", self._model_ref))


def block_views(
    content: tuple[ContentBlock, ...],
    thinking_s: Sequence[float | None] = (),
    *,
    attachment: Callable[[Image | Audio | File], BlockView],
) -> tuple[BlockView, ...]:
    """What is painted of a settled message's content, block by block.

    Args:
        content: of the message.
        thinking_s: how long each Thinking block took, in order, as far as known.
        attachment: what is painted of an image, a sound or a file.
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
            case Image() | Audio() | File():
                views.append(attachment(block))
            case Extension() if images := images_in(block):
                views.extend(map(attachment, images))
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
