"""Assembles stream events into a ``MessageResponse`` (the documents' ``PartialMessageResponse``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from agdesk.core.errors import ErrorCategory, ErrorRecord
from agdesk.core.ir import stream as ev
from agdesk.core.ir.arguments import parse_arguments as parse_arguments
from agdesk.core.ir.blocks import ContentBlock, Extension, ProviderData, Text, Thinking, ToolUse
from agdesk.core.ir.messages import Assistant, Origin
from agdesk.core.ir.response import MessageResponse, StopReason, Usage

# An answer that ended in one of these may have been cut anywhere: none of its calls may run (C18, PROV3).
_CUT = frozenset(
    {
        StopReason.MAX_TOKENS,
        StopReason.CONTENT_FILTER,
        StopReason.REFUSAL,
        StopReason.CONTEXT_OVERFLOW,
        StopReason.INCOMPLETE,
        StopReason.ERROR,
        StopReason.OTHER,
    }
)
# For each delta the kind of block that it goes to.
_DELTAS: dict[type, type[ev.ContentBlockType]] = {
    ev.TextDelta: ev.TextType,
    ev.ThinkingDelta: ev.ThinkingType,
    ev.RefusalDelta: ev.RefusalType,
    ev.ToolCallArgumentsDelta: ev.ToolUseType,
}
_BEFORE_START = frozenset({ev.MessageStart, ev.CostUpdate, ev.StreamError})
_AFTER_END = frozenset({ev.CostUpdate, ev.StreamError})


@dataclass(slots=True)
class BlockBuilder:
    """One block under construction; deltas are kept as parts so that each costs O(1)."""

    block_type: ev.ContentBlockType
    parts: list[str] = field(default_factory=list)
    is_ended: bool = False
    has_call_ended: bool = False
    signature: str | None = None
    provider_data: ProviderData | None = None
    citations: tuple[Mapping[str, Any], ...] = ()

    def build(self, stop_reason: StopReason, message_signature: str | None) -> ContentBlock:
        """The finished block; a call that was cut, or stands in a cut answer, carries an ``input_error``."""
        text = "".join(self.parts)
        match self.block_type:
            case ev.TextType():
                return Text(text, citations=self.citations, provider_data=self.provider_data)
            case ev.RefusalType():
                return Text(text, is_refusal=True, citations=self.citations, provider_data=self.provider_data)
            case ev.ThinkingType():
                return Thinking(text, self.signature or message_signature, self.provider_data)
            case ev.ToolUseType(id=call_id, name=name):
                arguments, error = parse_arguments(text)
                if not name:
                    arguments, error = None, "the call names no tool"
                if stop_reason in _CUT:
                    arguments, error = None, f"the answer was cut ({stop_reason.value}); the call was not run"
                elif not self.has_call_ended:
                    arguments, error = None, "the call never ended; it was not run"
                return ToolUse(call_id, name, arguments, text, error, self.provider_data)
            case ev.ExtensionType(provider=provider, kind=kind, raw=raw):
                return Extension(provider, kind, raw)


class PartialMessageResponse:
    """The growing state of one streamed answer.

    ``apply`` never raises. An event that is not legal where it stands (before MessageStart, no open block, wrong kind,
    after the end) is ignored; ``ignored_count`` and ``last_warning`` tell, so that the caller can record which frame
    it came from.
    """

    def __init__(self) -> None:
        self.id: str | None = None
        self.model: str | None = None
        self.blocks: dict[int, BlockBuilder] = {}
        self.last_open_index: int | None = None
        self.usage = Usage()
        self.stop_reason: StopReason | None = None
        self.raw_stop_reason: str | None = None
        self.thinking_signature: str | None = None
        self.extra: Mapping[str, Any] = {}
        self.error: ErrorRecord | None = None
        self.is_complete = False
        self._is_open = False  # between MessageStart and MessageComplete, while there is no error
        self.ignored_count = 0
        self.last_warning = ""

    @property
    def is_errored(self) -> bool:
        return self.error is not None

    def apply(self, event: ev.StreamEvent) -> bool:
        """Takes one event in. False: the stream has failed and no further event counts (the documents' rule)."""
        kind = event.__class__
        if self._is_open:
            if (block_kind := _DELTAS.get(kind)) is not None:  # nearly every event
                self._delta(event, block_kind)
                return True
        elif self.error is not None:
            self._ignore(f"{kind.__name__} after the error")
            return False
        elif kind not in (_AFTER_END if self.is_complete else _BEFORE_START):
            self._ignore(f"{kind.__name__} {'after the end' if self.is_complete else 'before MessageStart'}")
            return True
        handler = _HANDLERS.get(kind)
        if handler is None:
            self._ignore(f"unknown event {kind.__name__}")
            return True
        handler(self, event)
        return self.error is None

    def is_meaningful(self) -> bool:
        """As documented: an id, and an end. Partial content is kept whatever this says (CHAT5)."""
        return self.id is not None and (self.is_complete or self.is_errored)

    def finalize(self, origin: Origin | None = None) -> MessageResponse:
        """The response as it stands: ERROR after an error, INCOMPLETE without a terminal event.

        An error that says the content was filtered, as Gemini's of a blocked prompt, ends it as CONTENT_FILTER (G10).
        """
        stop_reason = self.stop_reason or StopReason.INCOMPLETE
        if self.error is not None:
            is_filter = self.error.category is ErrorCategory.CONTENT_FILTER
            stop_reason = StopReason.CONTENT_FILTER if is_filter else StopReason.ERROR
        unsigned = [i for i in sorted(self.blocks) if self._is_unsigned_thinking(self.blocks[i])]
        content = []
        for index in sorted(self.blocks):
            fill = self.thinking_signature if unsigned and index == unsigned[-1] else None
            content.append(self.blocks[index].build(stop_reason, fill))
        return MessageResponse(
            id=self.id or "stream-unknown",
            model=self.model or "unknown",
            message=Assistant(tuple(content), origin),
            usage=self.usage.with_total(),
            stop_reason=stop_reason,
            raw_stop_reason=self.raw_stop_reason,
            error=self.error,
            extra=self.extra,
        )

    @staticmethod
    def _is_unsigned_thinking(block: BlockBuilder) -> bool:
        return isinstance(block.block_type, ev.ThinkingType) and not block.signature

    def _ignore(self, reason: str) -> None:
        self.ignored_count += 1
        self.last_warning = reason

    def _message_start(self, event: ev.MessageStart) -> None:
        # A later MessageStart may name the model that really answers; the first id stays (C21).
        named = (self.id or event.id or None, event.model or self.model)
        if self._is_open and named == (self.id, self.model):
            return self._ignore("a second MessageStart that adds nothing")
        self.id, self.model = named
        self._is_open = True
        return None

    def _block_start(self, event: ev.ContentBlockStart) -> None:
        if event.index in self.blocks:
            return self._ignore(f"block {event.index} was opened before")
        self.blocks[event.index] = BlockBuilder(event.block_type)
        self.last_open_index = event.index
        return None

    def _block_end(self, event: ev.ContentBlockEnd) -> None:
        block = self.blocks.get(event.index)
        if block is None or block.is_ended:
            return self._ignore(f"ContentBlockEnd {event.index} without an open block")
        block.is_ended = True
        block.signature = event.signature
        block.provider_data = event.provider_data
        block.citations = event.citations
        return None

    def _delta(self, event: Any, block_kind: type[ev.ContentBlockType]) -> None:
        index = self.last_open_index if event.index is None else event.index
        block = self.blocks.get(index) if index is not None else None
        if block is None or block.is_ended or block.has_call_ended:
            self._ignore(f"a delta for block {event.index} that is not open")
        elif block.block_type.__class__ is not block_kind:
            self._ignore(f"a delta of the wrong kind for block {event.index}")
        else:
            block.parts.append(event.arguments if block_kind is ev.ToolUseType else event.text)

    def _call_end(self, event: ev.ToolCallEnd) -> None:
        block = self.blocks.get(event.index)
        is_call = block is not None and isinstance(block.block_type, ev.ToolUseType)
        if block is None or not is_call or block.is_ended or block.has_call_ended:
            return self._ignore(f"ToolCallEnd {event.index} without an open call")
        block.has_call_ended = True
        return None

    def _cost_update(self, event: ev.CostUpdate) -> None:
        self.usage = self.usage.merged(event.usage)

    def _message_complete(self, event: ev.MessageComplete) -> None:
        self.is_complete, self._is_open = True, False
        self.stop_reason = event.stop_reason
        self.raw_stop_reason = event.raw_stop_reason
        self.thinking_signature = event.thinking_signature
        self.extra = event.extra or {}

    def _stream_error(self, event: ev.StreamError) -> None:
        self.error, self._is_open = event.error, False


_HANDLERS: dict[type, Callable[[PartialMessageResponse, Any], None]] = {
    ev.MessageStart: PartialMessageResponse._message_start,
    ev.ContentBlockStart: PartialMessageResponse._block_start,
    ev.ContentBlockEnd: PartialMessageResponse._block_end,
    ev.ToolCallEnd: PartialMessageResponse._call_end,
    ev.CostUpdate: PartialMessageResponse._cost_update,
    ev.MessageComplete: PartialMessageResponse._message_complete,
    ev.StreamError: PartialMessageResponse._stream_error,
}
