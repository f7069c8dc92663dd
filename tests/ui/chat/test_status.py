"""What the status line says of a stream (CHAT9)."""

import pytest

from agdesk.core.cycle import CostTracker
from agdesk.core.errors import ErrorCategory, ErrorRecord
from agdesk.core.ir.blocks import Text
from agdesk.core.ir.messages import Assistant, user
from agdesk.core.ir.response import (
    CompletionTokensDetails,
    EndCause,
    MessageResponse,
    PromptTokensDetails,
    StopReason,
    Usage,
)
from agdesk.core.ir.stream import (
    ContentBlockStart,
    CostUpdate,
    MessageStart,
    TextDelta,
    ThinkingDelta,
    ToolUseType,
)
from agdesk.core.trace.events import (
    Payload,
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
from agdesk.core.trace.wire import FrameKind, FrameReceived, RequestSent, ResponseStarted
from agdesk.ui.chat.status import Phase, StreamStatus
from agdesk.ui.chat.status_cost import cost_text
from agdesk.ui.chat.status_text import count, dollars, seconds, status_text

MS = 1_000_000
FRAME = FrameReceived(0, 9, "", FrameKind.DATA)


def record(ms: float, payload: Payload) -> TraceRecord:
    return TraceRecord(1, int(ms * MS), "s", "t", "r", payload)


def event(ms: float, stream_event: object) -> TraceRecord:
    return record(ms, StreamEventReceived(None, stream_event))  # type: ignore[arg-type]


def response(usage: Usage, stop_reason: StopReason = StopReason.END_TURN) -> MessageResponse:
    return MessageResponse("i", "m", Assistant(()), usage, stop_reason)


def followed(*records: TraceRecord) -> StreamStatus:
    status = StreamStatus()
    for item in records:
        status.apply(item)
    return status


LIMITED = ErrorRecord("provider_rejection", "The rate limit was hit", category=ErrorCategory.RATE_LIMIT)
WAIT = RetryScheduled(2, 12.0, LIMITED, 3)
STARTED = (
    record(0, TurnStarted(user("hi"), "p/m")),
    record(1, RequestPrepared(1, 1, 3)),
    record(2, RequestSent("POST", "http://h", (), None)),
)
ANSWERING = (*STARTED, record(50, ResponseStarted(200, (), "HTTP/1.1")), record(60, FRAME))


@pytest.mark.parametrize(
    ("records", "phase"),
    [
        ((), Phase.IDLE),
        (STARTED[:1], Phase.CONNECTING),
        (STARTED, Phase.SENT),
        (ANSWERING[:-1], Phase.HEADERS),
        (ANSWERING, Phase.FIRST_BYTE),
        ((*ANSWERING, event(60, MessageStart("i", "m"))), Phase.FIRST_BYTE),
        ((*ANSWERING, event(70, ThinkingDelta("hm", 0))), Phase.THINKING),
        ((*ANSWERING, event(70, TextDelta("a", 0))), Phase.TEXT),
        ((*ANSWERING, event(70, ContentBlockStart(0, ToolUseType("c", "f")))), Phase.TOOL),
        ((*ANSWERING, record(70, WAIT)), Phase.WAITING),
        ((*ANSWERING, record(70, WAIT), record(99, RequestPrepared(2, 1, 3))), Phase.CONNECTING),
        ((*ANSWERING, record(70, WAIT), record(99, TurnCancelled())), Phase.STOPPED),
        ((*ANSWERING, record(99, TurnCompleted())), Phase.DONE),
        ((*ANSWERING, record(99, TurnCancelled())), Phase.STOPPED),
        ((*ANSWERING, record(99, TurnFailed(ErrorRecord("k", "m")))), Phase.FAILED),
    ],
)
def test_each_record_moves_the_stream_into_its_phase(records, phase):
    assert followed(*records).phase is phase


def test_a_keep_alive_after_the_first_token_does_not_move_the_phase_back():
    status = followed(*ANSWERING, event(70, TextDelta("a", 0)), record(80, FRAME))
    assert status.phase is Phase.TEXT


def test_the_first_token_is_counted_from_the_request_and_thinking_counts_as_one():
    status = followed(*ANSWERING, event(412, ThinkingDelta("hm", 0)), event(900, TextDelta("a", 1)))
    assert status.snapshot(900 * MS).first_token_s == pytest.approx(0.410)


def test_the_rate_is_estimated_until_usage_is_reported():
    status = followed(*ANSWERING, event(100, TextDelta("abcd", 0)), event(1100, TextDelta("abcd" * 9, 0)))
    before = status.snapshot(1200 * MS)
    assert (before.tokens_per_s, before.is_rate_estimated) == (pytest.approx(10.0), True)
    status.apply(event(1100, CostUpdate(Usage(completion_tokens=63))))
    after = status.snapshot(1200 * MS)
    assert (after.tokens_per_s, after.is_rate_estimated) == (pytest.approx(63.0), False)


def test_silence_is_told_from_ten_seconds_on_and_any_frame_ends_it():
    status = followed(*ANSWERING)
    assert status.snapshot(10_059 * MS).silent_s is None
    assert status.snapshot(23_000 * MS).silent_s == 22
    status.apply(record(23_000, FRAME))
    assert status.snapshot(23_001 * MS).silent_s is None


def test_a_finished_turn_is_never_silent_and_its_clock_stands():
    status = followed(*ANSWERING, record(1500, TurnCompleted()))
    late = status.snapshot(99_000 * MS)
    assert late.silent_s is None
    assert late.elapsed_s == pytest.approx(1.5)


def test_a_second_turn_starts_from_nothing():
    status = followed(
        *ANSWERING,
        event(70, TextDelta("abcd", 0)),
        event(71, CostUpdate(Usage(prompt_tokens=5))),
        record(99, TurnCompleted()),
        record(2000, TurnStarted(user("again"), "p/m")),
    )
    fresh = status.snapshot(2100 * MS)
    assert (fresh.usage, fresh.first_token_s, fresh.tokens_per_s) == (Usage(), None, None)
    assert fresh.elapsed_s == pytest.approx(0.1)


def test_the_line_of_a_finished_answer_has_every_figure():
    usage = Usage(812, 131, None, PromptTokensDetails(640), CompletionTokensDetails(30))
    status = followed(
        *ANSWERING,
        event(412, TextDelta("a", 0)),
        event(2412, TextDelta("b", 0)),
        record(2500, ResponseReceived(response(usage), EndCause.SERVER, 0.41, 2.0)),
        record(2500, TurnCompleted()),
    )
    cost = CostTracker()
    cost.add(usage, 0.0021)
    line = status_text(status.snapshot(9999 * MS)).replace("\u2009", " ")
    assert line == "Done 2.50 s · first token 0.41 s · 66 tok/s · 812 in (640 cached) · 131 out (30 thinking)"
    assert cost_text(cost) == "conversation $0.0021"


def test_a_stored_answer_has_the_line_that_it_had_when_it_came():
    answer = MessageResponse("i", "m", Assistant((Text("a" * 400),)), Usage(), StopReason.END_TURN)
    settled = (record(2500, ResponseReceived(answer, EndCause.SERVER, 0.41, 2.0)), record(2500, TurnCompleted()))
    live = followed(*ANSWERING, event(412, TextDelta("a" * 200, 0)), event(2412, TextDelta("a" * 200, 0)), *settled)
    stored = followed(record(0, TurnStarted(user("hi"), "p/m")), *settled)
    assert stored.snapshot(9999 * MS) == live.snapshot(9999 * MS)
    assert "~50\u2009tok/s" in status_text(stored.snapshot(9999 * MS))


def test_unknown_tokens_and_unknown_cost_are_said_and_never_shown_as_nothing():
    status = followed(
        *ANSWERING,
        event(412, TextDelta("a", 0)),
        record(2500, ResponseReceived(response(Usage()), EndCause.SERVER, 0.41, 0.0)),
        record(2500, TurnCompleted()),
    )
    cost = CostTracker()
    cost.add(Usage(), None)
    line = status_text(status.snapshot(9999 * MS))
    assert "tokens unknown" in line
    assert cost_text(cost) == "conversation cost unknown"
    assert cost_text(CostTracker()) == ""
    assert "$0" not in line


def test_figures_are_written_with_thin_spaces_and_units():
    assert (seconds(0.414), seconds(12.34), seconds(245.0)) == ("0.41\u2009s", "12.3\u2009s", "4\u2009min 05\u2009s")
    assert count(1234567) == "1\u2009234\u2009567"
    assert (dollars(None), dollars(0.0), dollars(0.0021), dollars(1.234)) == (
        "cost unknown",
        "$0.00",
        "$0.0021",
        "$1.23",
    )


@pytest.mark.parametrize(
    ("category", "words"),
    [
        (ErrorCategory.RATE_LIMIT, "Rate limit"),
        (ErrorCategory.OVERLOADED, "Provider overloaded"),
        (ErrorCategory.TRANSPORT, "No connection"),
        (ErrorCategory.SERVER, "Provider failed"),
    ],
)
def test_a_wait_before_a_retry_counts_down_and_is_no_silence(category, words):
    reason = ErrorRecord("k", "m", category=category)
    status = followed(*ANSWERING, record(1000, RetryScheduled(2, 12.0, reason, 3)))
    lines = [status_text(status.snapshot(ms * MS)) for ms in (1000, 1001, 2500, 12_999, 13_000, 99_000)]
    assert [line.replace("\u2009", " ") for line in lines] == [
        f"{words} · next try in {left} s (2 of 3)" for left in (12, 12, 11, 1, 0, 0)
    ]


def test_a_copied_turn_took_as_long_as_its_answer():
    settled = ResponseReceived(response(Usage()), EndCause.SERVER, first_token_s=0.5, streaming_s=2.5)
    status = followed(record(7, TurnStarted(user("hi"), "p/m")), record(7, settled), record(7, TurnCompleted()))
    assert status.snapshot(0).elapsed_s == 3.0
