"""When an answer's parts came: the figures that the settled answer keeps, so that they outlive its trace."""

from __future__ import annotations

from agdesk.core.ir.stream import (
    ContentBlockEnd,
    ContentBlockStart,
    ExtensionType,
    RefusalDelta,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
    ThinkingType,
    ToolCallArgumentsDelta,
    ToolUseType,
)

_TOKENS = (TextDelta, ThinkingDelta, ToolCallArgumentsDelta, RefusalDelta)


class AnswerClock:
    """Notes the events of one answer; times are the session's nanoseconds.

    Attributes:
        first_token_ns, last_token_ns: of any text, thinking, refusal or arguments; None before one.
        has_shown: something of the answer could be seen: a token, a call, a block that comes whole (PROV6).
    """

    def __init__(self) -> None:
        self.first_token_ns: int | None = None
        self.last_token_ns: int | None = None
        self.has_shown = False
        self._thinking_start_ns: dict[int, int] = {}
        self._thinking_s: dict[int, float] = {}

    def note(self, event: StreamEvent, now_ns: int) -> None:
        """Takes in the next event; called for every one."""
        if isinstance(event, _TOKENS):
            self.last_token_ns = now_ns
            self.has_shown = True
            if self.first_token_ns is None:
                self.first_token_ns = now_ns
        elif isinstance(event, ContentBlockStart):
            if isinstance(event.block_type, ThinkingType):
                self._thinking_start_ns.setdefault(event.index, now_ns)
            elif isinstance(event.block_type, ToolUseType | ExtensionType):
                self.has_shown = True
        elif isinstance(event, ContentBlockEnd) and event.index in self._thinking_start_ns:
            self._thinking_s[event.index] = (now_ns - self._thinking_start_ns[event.index]) / 1e9

    def first_token_s(self, sent_ns: int) -> float | None:
        """Seconds from ``sent_ns`` to the first token."""
        return None if self.first_token_ns is None else (self.first_token_ns - sent_ns) / 1e9

    def streaming_s(self) -> float | None:
        """Seconds from the first token to the last."""
        if self.first_token_ns is None or self.last_token_ns is None:
            return None
        return (self.last_token_ns - self.first_token_ns) / 1e9

    def thinking_s(self) -> tuple[float | None, ...]:
        """Seconds that each thinking block took, in the order of the blocks; None for one that did not end."""
        return tuple(self._thinking_s.get(index) for index in sorted(self._thinking_start_ns))
