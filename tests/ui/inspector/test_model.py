"""The tree: what stands where, however the records come, and that Qt finds nothing to complain about."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from agdesk.core.ir import stream as ev
from agdesk.core.ir.messages import user
from agdesk.core.trace.events import EventIgnored, RequestPrepared, StreamEventReceived, TurnCompleted, TurnStarted
from agdesk.core.trace.wire import FrameKind
from agdesk.ui.inspector import model as model_module
from agdesk.ui.inspector.columns import Column
from agdesk.ui.inspector.model import LABEL_ROLE, TraceModel
from tests.ui.inspector.traces import Trace, troubled_turn, whole_turn

pytestmark = pytest.mark.usefixtures("qapp", "small_buckets")
BUCKET = 4


@pytest.fixture
def small_buckets(monkeypatch):
    """Qt's tester looks at every row after every change: a thousand of them would take it half a minute."""
    assert model_module.BUCKET == 1000
    monkeypatch.setattr(model_module, "BUCKET", BUCKET)


def model_of(records, *, sizes=(10_000,)):
    model = TraceModel("s")
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    model.tester = tester  # type: ignore[attr-defined]
    start, turn = 0, 0
    while start < len(records):
        model.append(records[start : start + sizes[turn % len(sizes)]])
        start += sizes[turn % len(sizes)]
        turn += 1
    return model


def outline(model, parent=None, depth=0):
    parent = QModelIndex() if parent is None else parent
    lines = []
    for row in range(model.rowCount(parent)):
        index = model.index(row, 0, parent)
        assert model.parent(index) == parent
        if "–" in index.data():  # a bucket
            lines += outline(model, index, depth)
        else:
            lines.append("  " * depth + index.data())
            lines += outline(model, index, depth + 1)
    return lines


def rows(model, parent):
    """The rows below, out of their buckets."""
    found = []
    for row in range(model.rowCount(parent)):
        index = model.index(row, 0, parent)
        found += rows(model, index) if "–" in index.data() else [index]
    return found


def child(model, *places):
    index = QModelIndex()
    for place in places:
        index = rows(model, index)[place]
    return index


def test_a_turn_is_a_tree_of_requests_and_records_with_runs_of_deltas_in_one_row():
    assert outline(model_of(whole_turn(3).records)) == [
        "Turn 1",
        "  turn_started",
        "  Request 1",
        "    request_prepared",
        "    request_sent",
        "    response_started",
        "    frame_received",
        "      message_start",
        "      content_block_start",
        "    text_delta × 3",
        "      text_delta",
        "      text_delta",
        "      text_delta",
        "    frame_received",
        "      content_block_end",
        "      cost_update",
        "      message_complete",
        "    frame_received",
        "    response_closed",
        "    response_received",
        "  turn_completed",
    ]


def test_what_nobody_knows_and_what_was_ignored_have_their_rows():
    model = model_of(troubled_turn().records)
    request = child(model, 0, 1)
    labels = {(label.name, label.problem): label.text for label in labels_below(model, request)}
    assert labels["tea_served", ""] == json.dumps({"cups": 2})
    assert labels["event_ignored", "Ignored"] == "no open block"
    assert "comment" in labels["frame_received", ""]
    assert "bytes" in labels["frame_received", "Malformed"]
    assert labels["stream_error", "Error"] == "The key was refused"
    assert child(model, 0).data(LABEL_ROLE).problem == "Error"
    assert model.records.ignored_count == 1


def labels_below(model, parent):
    return [index.data(LABEL_ROLE) for index in rows(model, parent)]


def test_deltas_of_another_block_or_kind_begin_another_run():
    trace = Trace()
    text, other, thought = ev.TextDelta("a", 0), ev.TextDelta("b", 1), ev.ThinkingDelta("c", 1)
    for event in (text, text, other, thought, thought, thought):
        trace.frame(event)
    trace.add(StreamEventReceived(None, ev.ThinkingDelta("without a frame", 1)))
    model = model_of(trace.records)
    request = child(model, 0, 0)
    names = [label.name for label in labels_below(model, request)]
    assert names == ["text_delta × 2", "text_delta", "thinking_delta × 3", "thinking_delta"]


def test_a_long_run_is_in_buckets_and_every_record_is_found_in_its_row():
    trace = whole_turn(2 * BUCKET + 3)
    model = model_of(trace.records, sizes=(7, 1, 12, 2))
    run = next(index for index in rows(model, child(model, 0, 1)) if "×" in index.data())
    assert [index.data() for index in buckets(model, run)] == ["1–4", "5–8", "9–11"]
    assert [model.rowCount(index) for index in buckets(model, run)] == [BUCKET, BUCKET, 3]
    for number, record in enumerate(trace.records):
        first, last = model.record_span(model.find(number))
        assert first <= number <= last, record
    assert model.record_span(run) == (7, 7 + 2 * (2 * BUCKET + 3) - 1)


def buckets(model, parent):
    return [model.index(row, 0, parent) for row in range(model.rowCount(parent))]


def test_many_turns_are_in_buckets_too():
    trace = Trace()
    for number in range(BUCKET + 1):
        trace.turn_id = f"turn-{number}"
        trace.add(TurnCompleted(), is_of_request=False)
    model = model_of(trace.records, sizes=(3,))
    assert model.rowCount() == 2
    assert child(model, BUCKET).data() == "Turn 5"


EVENTS = st.sampled_from(
    [ev.TextDelta("a", 0), ev.TextDelta("b", 1), ev.ThinkingDelta("c", 0), ev.ContentBlockEnd(0), ev.TextDelta("d", 0)]
)
STEPS = st.one_of(
    st.tuples(st.just("frame"), st.lists(EVENTS, max_size=3)),
    st.tuples(st.just("alone"), EVENTS),
    st.tuples(st.just("comment"), st.none()),
    st.tuples(st.just("prepared"), st.none()),
    st.tuples(st.just("ignored"), st.none()),
    st.tuples(st.just("request"), st.sampled_from(["req-1", "req-2"])),
    st.tuples(st.just("turn"), st.sampled_from(["turn-1", "turn-2", ""])),
)


def trace_of(steps: list[Any]) -> Trace:
    trace = Trace()
    for what, detail in steps:
        match what:
            case "frame":
                trace.frame(*detail)
            case "alone":
                trace.add(StreamEventReceived(None, detail))
            case "comment":
                trace.frame(kind=FrameKind.COMMENT)
            case "prepared":
                trace.add(RequestPrepared(1, 1, 1))
            case "ignored":
                trace.add(EventIgnored(len(trace.records), "why not"))
            case "request":
                trace.request_id = detail
            case "turn":
                trace.turn_id = detail
                trace.add(TurnStarted(user("hi"), "p/m"), is_of_request=False)
    return trace


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(STEPS, max_size=40), st.lists(st.integers(1, 5), min_size=1, max_size=6))
def test_how_records_are_cut_into_batches_does_not_show(steps, sizes):
    records = trace_of(steps).records
    once, cut = model_of(records), model_of(records, sizes=tuple(sizes))
    assert outline(cut) == outline(once)
    for number, record in enumerate(records):
        first, last = cut.record_span(cut.find(number))
        assert first <= number <= last
        assert cut.records.record(number) == record


def test_a_selected_row_stays_the_row_it_was_while_others_come():
    trace = whole_turn(40)
    model = model_of(trace.records[:30])
    held = QPersistentModelIndex(model.find(20))
    before = (held.data(), model.record_span(held))
    model.append(trace.records[30:])
    assert held.isValid()
    assert (held.data(), model.record_span(held)) == before


def test_a_row_is_read_out_with_what_is_wrong_its_text_its_time_and_its_number():
    model = model_of(troubled_turn().records)
    index = model.find(len(model.records) - 2)
    spoken = index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("stream_error, Error, The key was refused, ")
    assert spoken.endswith(f"record {len(model.records) - 1}")


def test_figures_are_since_the_turn_began_and_since_the_record_before():
    model = model_of(whole_turn(2).records)
    index = model.find(3)
    assert index.siblingAtColumn(Column.TIME).data() == "3\u2009ms"
    assert index.siblingAtColumn(Column.STEP).data() == "+1\u2009ms"
    assert index.siblingAtColumn(Column.SEQ).data() == "4"


@pytest.mark.parametrize("column", list(Column))
def test_the_header_names_and_explains_every_column(column):
    model = TraceModel("s")
    horizontal = Qt.Orientation.Horizontal
    assert model.headerData(column, horizontal)
    assert model.headerData(column, horizontal, Qt.ItemDataRole.ToolTipRole)
