"""What the status line says of a stream (CHAT9): phases and figures from the records alone.

No widget and no clock of its own: ``apply`` takes records, ``snapshot`` takes the time and gives the figures.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from agdesk.core.ir.blocks import ContentBlock, Text, Thinking, ToolUse
from agdesk.core.ir.response import EndCause, Usage
from agdesk.core.ir.stream import (
    ContentBlockStart,
    CostUpdate,
    RefusalDelta,
    TextDelta,
    ThinkingDelta,
    ToolCallArgumentsDelta,
    ToolUseType,
)
from agdesk.core.trace.events import (
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
from agdesk.core.trace.tools import ToolApprovalRequested, ToolApprovalResolved, ToolRoundCompleted
from agdesk.core.trace.wire import FrameReceived, RequestSent, ResponseStarted

# Characters of an English token, on average; only used until the provider reports usage, and marked ~ then.
_CHARACTERS_PER_TOKEN = 4
_SILENCE_NS = 10_000_000_000
# A rate over less than this says how the network cut the answer up, not how fast the model is.
_LEAST_RATE_S = 0.1


class Phase(Enum):
    """Where a stream is."""

    IDLE = auto()
    CONNECTING = auto()
    WAITING = auto()
    SENT = auto()
    HEADERS = auto()
    FIRST_BYTE = auto()
    THINKING = auto()
    TEXT = auto()
    TOOL = auto()
    DECIDING = auto()
    RUNNING_TOOL = auto()
    DONE = auto()
    STOPPED = auto()
    FAILED = auto()

    @property
    def is_running(self) -> bool:
        """Whether something is still expected to arrive."""
        return self not in (Phase.IDLE, Phase.DONE, Phase.STOPPED, Phase.FAILED)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The figures at one moment; None is unknown.

    Attributes:
        elapsed_s: since the turn started, until its end; of a turn that was copied, what its answer took.
        silent_s: seconds without any byte, once that is 10 or more.
        first_token_s: from the request to the first token of the latest answer.
        tokens_per_s: over the time since the first token; ``is_rate_estimated`` until usage was reported.
        retry: what is waited for, while it is; ``retry_in_s`` is what is left of the wait.
    """

    phase: Phase
    elapsed_s: float
    silent_s: int | None
    first_token_s: float | None
    tokens_per_s: float | None
    is_rate_estimated: bool
    usage: Usage
    retry: RetryScheduled | None = None
    retry_in_s: float = 0.0


class StreamStatus:
    """Follows one conversation's records.

    Attributes:
        phase: where the latest turn is.
        ended_turns: how many turns have come to their end.
    """

    def __init__(self) -> None:
        self.phase = Phase.IDLE
        self.ended_turns = 0
        self._usage = Usage()
        self._turn_start_ns = 0
        self._request_ns = 0
        self._first_token_ns: int | None = None
        self._last_token_ns = 0
        self._last_ns = 0
        self._end_ns: int | None = None
        self._characters = 0
        self._settled: ResponseReceived | None = None
        self._retry: RetryScheduled | None = None
        self._retry_ns = 0
        self._undecided: set[str] = set()

    def apply(self, record: TraceRecord) -> None:
        """Takes in the next record of the conversation."""
        self._last_ns = record.ts_ns
        match record.payload:
            case StreamEventReceived(event=event):
                self._apply_event(event, record.ts_ns)
            case FrameReceived():
                if self.phase is Phase.HEADERS:
                    self.phase = Phase.FIRST_BYTE
            case TurnStarted():
                self._turn_start_ns, self._end_ns = record.ts_ns, None
                self._start_request(record.ts_ns)
            case RequestPrepared():
                self._start_request(record.ts_ns)
            case RetryScheduled() as retry:
                self.phase = Phase.WAITING
                self._retry, self._retry_ns = retry, record.ts_ns
            case RequestSent():
                self.phase = Phase.SENT
                self._request_ns = record.ts_ns
            case ResponseStarted():
                self.phase = Phase.HEADERS
            case ResponseReceived(response=response, end_cause=cause):
                self._settled = record.payload
                self._usage = response.usage
                if record.payload.continues is None:  # else what came is part of what there is
                    self._characters = _count_characters(response.message.content)
                self.phase = Phase.STOPPED if cause is EndCause.USER else self.phase
            case ToolApprovalRequested(request=request):
                self._undecided.add(request.call_id)
                self.phase = Phase.DECIDING
            case ToolApprovalResolved(tool_use_id=call_id):
                self._undecided.discard(call_id)
                self.phase = Phase.DECIDING if self._undecided else Phase.RUNNING_TOOL
            case ToolRoundCompleted():
                self._undecided.clear()
            case TurnCompleted():
                self._end(Phase.DONE, record.ts_ns)
            case TurnFailed():
                self._end(Phase.FAILED, record.ts_ns)
            case TurnCancelled():
                self._end(Phase.STOPPED, record.ts_ns)
            case _:
                pass

    def snapshot(self, now_ns: int) -> Snapshot:
        """The figures at ``now_ns``, in the session's own nanoseconds."""
        end_ns = now_ns if self._end_ns is None else self._end_ns
        silence_ns = now_ns - self._last_ns
        is_waiting = self.phase is Phase.WAITING and self._retry is not None
        is_streaming = self.phase.is_running and self.phase not in (Phase.DECIDING, Phase.RUNNING_TOOL)
        is_silent = is_streaming and not is_waiting and silence_ns >= _SILENCE_NS
        retry = self._retry if is_waiting else None
        retry_in_s = 0.0 if retry is None else max(0.0, retry.wait_s - (now_ns - self._retry_ns) / 1e9)
        rate, is_estimated = self._rate()
        return Snapshot(
            phase=self.phase,
            elapsed_s=max(self._answer_s(), (end_ns - self._turn_start_ns) / 1e9),
            silent_s=silence_ns // 1_000_000_000 if is_silent else None,
            first_token_s=self._first_token_s(),
            tokens_per_s=rate,
            is_rate_estimated=is_estimated,
            usage=self._usage,
            retry=retry,
            retry_in_s=retry_in_s,
        )

    def _start_request(self, ts_ns: int) -> None:
        self.phase = Phase.CONNECTING
        self._request_ns = ts_ns
        self._first_token_ns = None
        self._characters = 0
        self._settled = None
        self._usage = Usage()

    def _apply_event(self, event: object, ts_ns: int) -> None:
        match event:
            case TextDelta(text=text) | RefusalDelta(text=text):
                self._count(text, Phase.TEXT, ts_ns)
            case ThinkingDelta(text=text):
                self._count(text, Phase.THINKING, ts_ns)
            case ToolCallArgumentsDelta(arguments=text):
                self._count(text, Phase.TOOL, ts_ns)
            case ContentBlockStart(block_type=ToolUseType()):
                self._count("", Phase.TOOL, ts_ns)
            case CostUpdate(usage=usage):
                self._usage = self._usage.merged(usage)
            case _:
                pass

    def _count(self, text: str, phase: Phase, ts_ns: int) -> None:
        self.phase = phase
        self._characters += len(text)
        self._last_token_ns = ts_ns
        if self._first_token_ns is None:
            self._first_token_ns = ts_ns

    def _answer_s(self) -> float:
        """How long the answer took by itself: less than its turn, unless that is a copy, which takes no time."""
        settled = self._settled
        return 0.0 if settled is None else (settled.first_token_s or 0.0) + (settled.streaming_s or 0.0)

    def _first_token_s(self) -> float | None:
        if self._settled is not None:
            return self._settled.first_token_s
        return None if self._first_token_ns is None else (self._first_token_ns - self._request_ns) / 1e9

    def _rate(self) -> tuple[float | None, bool]:
        if self._settled is not None:
            seconds = self._settled.streaming_s or 0.0
        elif self._first_token_ns is not None:
            seconds = (self._last_token_ns - self._first_token_ns) / 1e9
        else:
            seconds = 0.0
        reported = self._usage.completion_tokens
        if seconds < _LEAST_RATE_S or (reported is None and not self._characters):
            return None, False
        tokens = self._characters / _CHARACTERS_PER_TOKEN if reported is None else reported
        return tokens / seconds, reported is None

    def _end(self, phase: Phase, ts_ns: int) -> None:
        self.phase = phase
        self.ended_turns += 1
        self._end_ns = ts_ns


def _count_characters(content: tuple[ContentBlock, ...]) -> int:
    """What the deltas of a whole answer held."""
    characters = 0
    for block in content:
        match block:
            case Text(text=text) | Thinking(text=text) | ToolUse(raw_arguments=text):
                characters += len(text)
            case _:
                pass
    return characters
