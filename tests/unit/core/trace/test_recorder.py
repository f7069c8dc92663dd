"""The recorder numbers the records of a session and hands them out at once."""

import hashlib
import time
from collections.abc import Callable

import pytest

from agdesk.core.ir.blocks import BlobRef
from agdesk.core.trace.events import RequestPrepared, TraceRecord, TurnCompleted
from agdesk.core.trace.recorder import Recorder, RequestTrace


def clock(*ticks_ns: int) -> Callable[[], int]:
    values = iter(ticks_ns)
    return lambda: next(values)


def recorded(recorder: Recorder) -> list[TraceRecord]:
    records: list[TraceRecord] = []
    recorder.records.subscribe(records.append)
    return records


def test_the_numbers_of_a_session_have_no_gaps_whoever_emits():
    recorder = Recorder("s")
    records = recorded(recorder)
    one, two = RequestTrace(recorder, "req-1"), RequestTrace(recorder, "req-2")

    returned = [emit(TurnCompleted()) for emit in (recorder.emit, one.emit, two.emit, one.emit, recorder.emit)]

    assert returned == [1, 2, 3, 4, 5]
    assert [record.seq for record in records] == returned
    assert [record.request_id for record in records] == ["", "req-1", "req-2", "req-1", ""]


def test_a_failing_listener_makes_no_gap(caplog):
    recorder = Recorder("s")

    def broken(_: TraceRecord) -> None:
        raise ValueError("broken on purpose")

    recorder.records.subscribe(broken)
    records = recorded(recorder)

    for _ in range(3):
        recorder.emit(TurnCompleted())

    assert [record.seq for record in records] == [1, 2, 3]
    assert len(caplog.records) == 3


def test_times_count_from_the_start_of_the_session():
    recorder = Recorder("s", clock_ns=clock(1_000, 1_250, 4_000))
    records = recorded(recorder)

    recorder.emit(TurnCompleted())
    recorder.emit(TurnCompleted())

    assert [record.ts_ns for record in records] == [250, 3_000]


def test_a_continued_conversation_goes_on_counting():
    recorder = Recorder("s", wall_start_ns=time.time_ns() - 60_000_000_000, last_seq=7, clock_ns=clock(1_000, 1_500))
    records = recorded(recorder)
    recorder.emit(TurnCompleted())
    assert records[0].seq == 8
    assert 60_000_000_000 <= records[0].ts_ns < 120_000_000_000


def test_times_grow_even_when_the_clock_was_set_back():
    future_ns = time.time_ns() + 3_600_000_000_000
    recorder = Recorder("s", wall_start_ns=future_ns, last_seq=7, last_ts_ns=5_000, clock_ns=clock(1_000, 1_500))
    records = recorded(recorder)
    recorder.emit(TurnCompleted())
    assert records[0].ts_ns == 5_500


def test_the_present_is_told_on_the_same_clock_as_the_records():
    assert Recorder("s", clock_ns=clock(1_000, 1_700)).now_ns() == 700


def test_a_record_is_an_envelope_around_a_payload_that_knows_no_time_and_no_number():
    recorder = Recorder("session", clock_ns=clock(0, 5))
    records = recorded(recorder)
    payload = RequestPrepared(1, 2, 3)

    recorder.turn_id = "turn-7"
    RequestTrace(recorder, "req-1").emit(payload)

    assert records == [TraceRecord(1, 5, "session", "turn-7", "req-1", payload)]


def test_records_keep_the_turn_they_were_made_in():
    recorder = Recorder("s")
    records = recorded(recorder)

    for turn_id in ("", "turn-1", "turn-2"):
        recorder.turn_id = turn_id
        recorder.emit(TurnCompleted())

    assert [record.turn_id for record in records] == ["", "turn-1", "turn-2"]


def test_two_sessions_count_apart():
    first, second = Recorder("a"), Recorder("b")
    first.emit(TurnCompleted())

    assert second.emit(TurnCompleted()) == 1


def test_body_bytes_go_out_under_their_request():
    recorder = Recorder("s")
    chunks: list[tuple[str, bytes]] = []
    recorder.bodies.subscribe(chunks.append)

    trace = RequestTrace(recorder, "req-1")
    trace.body(b"data: ")
    trace.body(b"[DONE]\n\n")

    assert chunks == [("req-1", b"data: "), ("req-1", b"[DONE]\n\n")]


def test_a_request_body_is_addressed_by_its_content():
    recorder = Recorder("s")
    blobs: list[tuple[BlobRef, bytes]] = []
    recorder.blobs.subscribe(blobs.append)

    reference = RequestTrace(recorder, "req-1").blob(b'{"model": "m"}')

    assert reference == BlobRef(hashlib.sha256(b'{"model": "m"}').hexdigest(), 14)
    assert blobs == [(reference, b'{"model": "m"}')]


def test_a_request_is_recorded_once_it_is_rendered_with_the_whole_ledger():
    recorder = Recorder("s")
    records = []
    recorder.records.subscribe(records.append)
    trace = RequestTrace(recorder, "req-1")
    with trace.preparing(RequestPrepared(1, 2, 3, ledger=("thinking was left out",))):
        assert records == []
        trace.rendered(("message 1: an image was left out",))
        trace.rendered(("never said",))
    (record,) = records
    assert record.request_id == "req-1"
    assert record.payload == RequestPrepared(1, 2, 3, ("thinking was left out", "message 1: an image was left out"))


def test_a_request_that_is_never_rendered_is_recorded_all_the_same():
    recorder = Recorder("s")
    payloads = []
    recorder.records.subscribe(lambda record: payloads.append(record.payload))
    trace = RequestTrace(recorder, "req-1")
    with pytest.raises(ValueError, match="no key"), trace.preparing(RequestPrepared(1, 2, 3)):
        raise ValueError("no key")
    trace.rendered(("too late",))
    assert payloads == [RequestPrepared(1, 2, 3)]
