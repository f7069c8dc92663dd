"""What stands below the tree: exact bytes, values, requests and responses as text."""

import json

import pytest

from agdesk.core.ir import stream as ev
from agdesk.core.trace.events import (
    ParameterRepaired,
    RequestPrepared,
    RetryScheduled,
    StreamEventReceived,
    payload_to_json,
)
from agdesk.core.trace.wire import RequestSent, ResponseStarted
from agdesk.ui.inspector.model import TraceModel
from agdesk.ui.inspector.pages import (
    Chosen,
    Page,
    frames_of,
    hex_table,
    pages_of,
    raw_text,
    request_text,
    response_text,
    typed_text,
)
from agdesk.ui.inspector.rows import RENDERERS, row_text
from tests.ui.inspector.traces import BODY, ERROR, Trace, troubled_turn, whole_turn

pytestmark = pytest.mark.usefixtures("qapp")


def chosen_of(model, number):
    return Chosen(*model.record_span(model.find(number)))


def model_of(trace):
    model = TraceModel("s")
    model.append(trace.records)
    return model


def numbers(model, name):
    return [number for number in range(len(model.records)) if model.records.kind(number).name == name]


def test_the_raw_page_of_an_event_has_exactly_the_bytes_of_its_frame():
    trace = whole_turn(5)
    model = model_of(trace)
    for place, number in enumerate(numbers(model, "text_delta")):
        span = frames_of(model.records, chosen_of(model, number))
        assert span is not None
        assert raw_text(bytes(trace.body), start=span[0], end=span[1]).text == f'data: {{"text": "word{place} "}}\n\n'


def test_the_raw_page_of_a_run_has_the_bytes_of_all_its_frames():
    trace = whole_turn(3)
    model = model_of(trace)
    run = model.find(numbers(model, "text_delta")[0]).parent()
    first, last = model.record_span(run)
    span = frames_of(model.records, Chosen(first, last, is_run=True))
    assert span is not None
    assert bytes(trace.body[span[0] : span[1]]).count(b"word") == 3


def test_bytes_that_are_no_utf8_are_a_table_of_numbers():
    text = raw_text(b"data: \xff\xfe\n\n", start=0).text
    assert text.splitlines()[0] == "00000000  64 61 74 61 3a 20 ff fe  data: ··"
    assert hex_table(b"AB", 16) == "00000010  41 42                    AB"


@pytest.mark.parametrize(("body", "end"), [(None, 4), (b"abc", 4)])
def test_bytes_that_are_not_kept_are_said_to_be_gone(body, end):
    page = raw_text(body, start=0, end=end)
    assert page.text == "" and "not kept" in page.note


def test_the_typed_page_is_the_json_of_the_event():
    trace = whole_turn(2)
    model = model_of(trace)
    number = numbers(model, "text_delta")[1]
    page = typed_text(model.records, chosen_of(model, number))
    assert json.loads(page.text) == payload_to_json(trace.records[number].payload)


def test_the_typed_page_of_a_run_is_its_text():
    model = model_of(whole_turn(3))
    run = model.find(numbers(model, "text_delta")[0]).parent()
    first, last = model.record_span(run)
    page = typed_text(model.records, Chosen(first, last, is_run=True))
    assert page.text == "word0 word1 word2 "


def test_a_request_is_shown_with_its_headers_and_its_body_in_lines():
    sent = RequestSent("POST", "https://api.example/v1", (("authorization", "Bearer key-0a1b2c3d"),), BODY)
    page = request_text(sent, b'{"a":[1]}')
    assert page.text.startswith("POST https://api.example/v1\n\nauthorization: Bearer key-0a1b2c3d\n")
    assert page.text.endswith('{\n  "a": [\n    1\n  ]\n}')
    assert "not kept" in request_text(sent, None).note


def test_a_request_is_shown_with_what_was_changed_for_its_format():
    sent = RequestSent("POST", "https://api.example/v1", (("accept", "*/*"),), BODY)
    page = request_text(sent, b"{}", ledger=("message 2: thinking was left out", "tools were left out"))
    changes = "Changed for this provider:\n– message 2: thinking was left out\n– tools were left out"
    assert page.text == f"POST https://api.example/v1\n\n{changes}\n\naccept: */*\n\n{{}}"


def test_a_response_is_shown_with_status_headers_and_timings():
    model = model_of(whole_turn(3))
    group = model.records.group(3)
    page = response_text(model.records, group, None)
    for part in (
        "HTTP/1.1 200",
        "content-type: text/event-stream",
        "headers after 1\u2009ms",
        "first frame after 2\u2009ms",
    ):
        assert part in page.text
    assert "end: terminal" in page.text


def test_the_body_of_a_response_without_frames_is_shown_in_it():
    trace = Trace()
    trace.add(ResponseStarted(401, (), "HTTP/1.1"))
    index = model_of(trace).records
    assert '"error": "no"' in response_text(index, index.group(0), b'{"error":"no"}').text


@pytest.mark.parametrize(
    ("name", "pages"),
    [
        ("text_delta", (Page.TYPED, Page.RAW)),
        ("request_sent", (Page.REQUEST, Page.TYPED, Page.RAW)),
        ("response_closed", (Page.RESPONSE, Page.TYPED, Page.RAW)),
        ("turn_completed", (Page.TYPED,)),
    ],
)
def test_each_kind_of_row_has_its_pages(name, pages):
    model = model_of(whole_turn(2))
    assert pages_of(model.records, chosen_of(model, numbers(model, name)[0])) == pages


def test_an_event_without_a_frame_has_no_bytes():
    model = model_of(troubled_turn())
    chosen = chosen_of(model, numbers(model, "stream_error")[0])
    assert pages_of(model.records, chosen) == (Page.TYPED,)


def test_a_row_of_a_class_without_a_renderer_is_its_json(monkeypatch):
    monkeypatch.setattr("agdesk.ui.inspector.rows.RENDERERS", {})
    assert row_text(StreamEventReceived(None, ev.TextDelta("hi", 2))).text == '{"text": "hi", "index": 2}'


@pytest.mark.parametrize(
    "record", [*whole_turn(2).records, *troubled_turn().records], ids=lambda record: str(record.seq)
)
def test_every_record_has_a_row_of_one_line(record):
    row = row_text(record.payload)
    assert "\n" not in row.text


def test_an_error_says_so_in_a_word():
    assert row_text(ev.StreamError(ERROR)).problem == "Error"
    assert ev.StreamError in RENDERERS


def test_what_follows_a_failure_has_words_of_its_own():
    retry = row_text(RetryScheduled(2, 12.0, ERROR, 3))
    assert (retry.text, retry.problem) == ("in 12.0 s · 2 of 3 · The key was refused", "Error")
    repair = row_text(ParameterRepaired("temperature", ERROR, is_automatic=True))
    assert (repair.text, repair.problem) == ("temperature · by itself · The key was refused", "Refused")


def test_the_row_of_a_prepared_request_says_what_was_changed():
    row = row_text(RequestPrepared(1, 3, 12, ("message 2: thinking was left out", "tools were left out")))
    assert row.text.split(" · ")[-3:] == ["2 changes", "message 2: thinking was left out", "tools were left out"]
    assert "change" not in row_text(RequestPrepared(1, 3, 12)).text
