"""From trace records to the transcript: the one path for live and stored turns.

Deltas grow the tail of their block; ``ResponseReceived`` settles the message with what the response really holds, the
same call that draws a stored message. So a fault of replaying is a fault of live painting, and is seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication

from agdesk.core.errors import ErrorRecord
from agdesk.core.ir.blocks import Audio, ContentBlock, File, Image
from agdesk.core.ir.continuing import beginning_of
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
from agdesk.core.ir.tree import ConversationTree, TreeNode
from agdesk.core.trace.events import (
    ParameterRepaired,
    RequestPrepared,
    ResponseReceived,
    RetryScheduled,
    StreamEventReceived,
    TraceRecord,
    TurnCancelled,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
)
from agdesk.core.trace.tools import (
    ToolApprovalRequested,
    ToolApprovalResolved,
    ToolExecutionCompleted,
    ToolExecutionProgressed,
    ToolExecutionStarted,
    ToolRoundCompleted,
)
from agdesk.ui.chat.attachments.words import view_of
from agdesk.ui.chat.calls.drawing import CallDrawing
from agdesk.ui.chat.end_offers import EndOffers, Offer
from agdesk.ui.chat.end_words import end_text, error_view
from agdesk.ui.chat.growth import Growth
from agdesk.ui.widgets.transcript import BlockKind, BlockView, MessageView, TranscriptContent

translate = QCoreApplication.translate


class TranscriptFeed:
    """Draws the records of one conversation into its messages.

    Args:
        transcript: where they are drawn.
        tree: of the conversation; a record is in it before it is drawn.
        can_go_on: whether the answer at its end can be gone on with now.

    Attributes:
        attached: what was drawn of attachments, by the keys of their views.
        offers: what can be done about the answer at the end.
    """

    def __init__(self, transcript: TranscriptContent, *, tree: ConversationTree, can_go_on: Callable[[], bool]) -> None:
        self.attached: dict[str, Image | Audio | File] = {}
        self.offers = EndOffers(transcript, can_go_on=can_go_on)
        self._calls = CallDrawing(transcript, attachment=self._attachment)
        self._transcript = transcript
        self._model_ref = ""
        self._answer_key = ""
        self._request_id = ""
        self._is_answer_shown = False
        self._has_results = False
        self._tree = tree
        self._growth: Growth | None = None
        self._open: dict[int, int] = {}
        self._last_index = 0
        self._waiting: list[str] = []
        self._waiting_index = -1

    def key_of(self, message_id: str) -> str:
        """The key of a message of the tree in the transcript."""
        own = f"{message_id}/user"
        return own if self._transcript.has_message(own) else message_id

    def message_id(self, key: str) -> str:
        """The id in the tree of what is drawn under a key; of an answer that nothing came of, its question's."""
        return key.removesuffix("/user").removesuffix("/answer")

    def draw_branch(self, shared: TreeNode | None, records: Sequence[TraceRecord]) -> None:
        """Draws another path in place of what follows the last message that both have."""
        while shared is not None and shared.role == "tool" and shared.parent_id is not None:
            shared = self._tree.node(shared.parent_id)  # results are drawn with the answer that called
        key = None if shared is None else self.key_of(shared.id)
        if key is None or self._transcript.has_message(key):
            self._transcript.drop_after(key)
            self.offers.end_at(key)
            self._growth = None
            if shared is not None:  # the end of its turn may come first
                self._model_ref = shared.model_ref
                self._is_answer_shown = shared.role == "assistant"
                self._answer_key = shared.id if self._is_answer_shown else f"{shared.id}/answer"
            self.append(list(records))

    def follow_on(self, earlier: TranscriptFeed) -> None:
        """What another feed has drawn comes before what is here: it is not the last word."""
        self.offers.follow_on(earlier.offers)
        self.attached.update(earlier.attached)

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
                    self.offers.withdraw()
                    self._begin_turn(f"{record.turn_id}/answer", payload.continues)
                    if message.content:  # without: what failed is only asked again
                        self._draw_user(f"{record.turn_id}/user", message.content)
                case RequestPrepared():
                    self._request_id = record.request_id
                    if self._has_results or not self._is_answer_shown:  # an attempt before may have begun it
                        self._answer_key = record.request_id
                        self._is_answer_shown = self._has_results = False
                    self._open = {}
                case RetryScheduled() | ParameterRepaired() if self._is_answer_shown and self._growth is None:
                    self._transcript.replace_message(self._answer_key, ())
                case ResponseReceived():
                    self._settle(payload, record.request_id)
                case (
                    ToolApprovalRequested()
                    | ToolApprovalResolved()
                    | ToolExecutionStarted()
                    | ToolExecutionProgressed()
                    | ToolExecutionCompleted()
                ):
                    self._calls.take(payload)
                case ToolRoundCompleted():
                    self._has_results = True  # another answer follows, unless the turn ends with them
                case TurnFailed(error=error):
                    self._calls.end()
                    self._draw_error(error)
                case TurnCancelled() if not self._is_answer_shown:
                    self._show_answer()
                    self._transcript.set_footer(
                        self._answer_key, translate("TranscriptFeed", "Stopped by you before an answer began")
                    )
                    self._transcript.finish_message(self._answer_key)
                    self._offer(None)
                case _:
                    pass
            if isinstance(payload, TurnCompleted | TurnCancelled):
                self._calls.end()
        self._flush()
        self._calls.draw()
        self.offers.show()

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
            self._transcript.append_text(self._answer_key, self._place_of(self._waiting_index), text)

    def _begin(self, index: int, block_type: TextType | RefusalType | ThinkingType, ts_ns: int) -> None:
        if index in self._open:
            return
        self._show_answer()
        self._last_index = index
        self._open[index] = ts_ns
        if self._growth is not None:
            self._grow(self._growth)
            if isinstance(block_type, TextType) and self._growth.joins(index):
                return
        kind: BlockKind = "thinking" if isinstance(block_type, ThinkingType) else "text"
        self._transcript.begin_block(self._answer_key, self._place_of(index), kind)

    def _end(self, index: int, ts_ns: int) -> None:
        duration_s = (ts_ns - self._open.pop(index)) / 1e9
        self._transcript.end_block(self._answer_key, self._place_of(index), duration_s=duration_s)

    def _begin_turn(self, key: str, continues: str | None) -> None:
        """What comes is drawn under a key, or as the growth of the answer that it goes on with, if that is drawn."""
        self._growth, self._has_results = None, False
        self._answer_key, self._is_answer_shown = key, False
        if continues is None or continues not in self._tree or not self._transcript.has_message(continues):
            return
        if (beginning := beginning_of(self._tree.node(continues))) is not None:
            self._growth = Growth(self._transcript, beginning)
            self._answer_key, self._is_answer_shown = continues, True

    def _grow(self, growth: Growth) -> None:
        growth.begin(MessageView(self._request_id, "assistant", self._model_ref))
        self._answer_key = growth.key

    def _place_of(self, index: int) -> int:
        """Where a block of the stream stands among those that are drawn."""
        return index if self._growth is None else self._growth.place_of(index)

    def _settle(self, received: ResponseReceived, request_id: str) -> None:
        response = received.response
        content = response.message.content
        if self._growth is not None:
            self._request_id = request_id
            if not content:
                self._growth.give_up(self._model_ref)
                self._answer_key = self._growth.key
                self._end_answer(received)
                return
            self._grow(self._growth)
        if request_id != self._request_id:  # a stored one: nothing of it was drawn while it arrived
            self._request_id = self._answer_key = request_id
            self._is_answer_shown = False
        if not self._is_answer_shown and not content and response.error is not None:
            return  # the error that follows draws the message
        self._show_answer()
        self._calls.draw()
        views = self._calls.views(self._answer_key, content, received.thinking_s)
        self._transcript.replace_message(self._answer_key, views)
        self._open = {}
        self._growth = None
        self._end_answer(received)

    def _end_answer(self, received: ResponseReceived) -> None:
        self._transcript.finish_message(self._answer_key)
        if footer := end_text(received.response, received.end_cause):
            self._transcript.set_footer(self._answer_key, footer)
        if received.response.is_unfinished:
            self._offer(None)

    def _draw_user(self, key: str, content: tuple[ContentBlock, ...]) -> None:
        views = [self._attachment(block) for block in content if isinstance(block, Image | Audio | File)]
        text = text_of(content)
        self._transcript.append_message(MessageView(key, "user", translate("TranscriptFeed", "You")))
        self._transcript.replace_message(key, (*views, *((BlockView("text", text),) if text or not views else ())))
        self._transcript.finish_message(key)

    def _draw_error(self, error: ErrorRecord) -> None:
        self._show_answer()
        self._transcript.set_error(self._answer_key, error_view(error))
        self._transcript.finish_message(self._answer_key)
        self._offer(error)

    def _offer(self, error: ErrorRecord | None) -> None:
        self.offers.add(Offer(self._answer_key, self._model_ref, error))

    def _attachment(self, block: Image | Audio | File) -> BlockView:
        view = view_of(block)
        self.attached[view.key] = block
        return BlockView("attachment", "", attachment=view)

    def _show_answer(self) -> None:
        if not self._is_answer_shown:
            self._is_answer_shown = True
            self._transcript.append_message(MessageView(self._answer_key, "assistant", self._model_ref))
