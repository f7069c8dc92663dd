"""What became of every field of an event (D5)."""

from __future__ import annotations

import json

import pytest

from agdesk.core.providers.base import Frame
from agdesk.core.providers.explain import explain
from agdesk.core.providers.framing import SseFramer
from tests.wire.openai_responses.streams import (
    CREATED,
    ENDPOINT,
    WIRE,
    added,
    arguments,
    done,
    ended,
    event,
    spoken,
    sse,
    text,
)


def explained(*units):
    framer = SseFramer()
    frames = [*framer.feed(sse(CREATED, *units, ended())), *framer.finish()]
    return explain(frames, wire=WIRE, endpoint=ENDPOINT, model="m")


def ignored(*units):
    return [path for explanation in explained(*units) for path in explanation.ignored]


def test_a_field_that_nobody_reads_is_counted_wherever_it_stands():
    assert ignored(text("a", invented=1)) == ["invented"]
    assert ignored(text("a", invented={"deep": [1]})) == ["invented.deep[]"]
    assert ignored(added(0, "message", invented="x")) == ["item.invented"]
    assert ignored(event("in_progress", response={"invented": 1})) == ["response.invented"]
    assert ignored(done(0, "message", content=[spoken("a", invented=1)])) == ["item.content[].invented"]


def test_an_invented_event_is_counted():
    assert ignored(event("output_sparkle.delta", output_index=7, sparkle="x")) == ["sparkle"]
    assert ignored(text("a"), event("output_sparkle.delta", output_index=0, sparkle="x")) == ["sparkle"]


def test_an_invented_item_is_raw_with_all_its_members():
    item = {"id": "n", "status": "completed", "label": "l", "deep": {"a": [1, {"b": 2}]}}
    explanations = explained(added(0, "new_item", id="n", label="l"), done(0, "new_item", **item))
    assert [path for explanation in explanations for path in explanation.ignored] == []
    assert "item.deep.a[].b" in explanations[2].raw


def test_an_invented_delta_of_an_invented_item_is_read():
    assert ignored(added(0, "new_item", id="n"), event("new_item.grown", output_index=0, size=3)) == []


def test_an_invented_part_and_structures_of_known_ones_are_raw():
    parts = [{"type": "new_part", "deep": {"a": 1}}, spoken("a", invented={"deep": 1})]
    assert ignored(done(0, "message", invented=[1], content=parts)) == []


def test_noise_is_not_counted():
    frame = {"sequence_number": 4, "obfuscation": "zz", "logprobs": [{"token": "a"}]}
    units = [
        added(0, "message", id="x", status="in_progress", role="assistant") | frame,
        text("a", item_id="x", **frame),
        event("content_part.done", output_index=0, content_index=0, part=spoken("a", logprobs=[{"token": "a"}])),
        done(0, "message", id="x", status="completed", role="assistant", content=[spoken("a", logprobs=[1])]),
        event("in_progress", response={"tools": [{"name": "f"}], "reasoning": {"effort": "low"}, "store": False}),
        {"type": "keepalive", "sequence_number": 3},
    ]
    assert ignored(*units) == []


def test_reasoning_and_calls_are_not_ignored():
    units = [
        done(
            0, "reasoning", id="t", encrypted_content="E", format="f", summary=[{"type": "summary_text", "text": "s"}]
        ),
        arguments("{}", 1),
        done(1, "function_call", id="fc", call_id="c", name="f", arguments="{}", namespace="n", caller={"a": 1}),
        done(2, "custom_tool_call", id="ct", call_id="d", name="g", input="x"),
    ]
    assert ignored(*units) == []


@pytest.mark.parametrize("nothing", [None, "", [], {}])
def test_a_field_that_carries_nothing_is_not_counted(nothing):
    assert ignored(text("a", invented=nothing)) == []


def test_each_frame_names_its_events():
    explanations = explained(added(0, "message"), text("a"), b": ping", text("b"))
    assert [explanation.event_indexes for explanation in explanations] == [(0,), (), (1, 2), (), (3,), (4, 5)]


def test_a_whole_answer_is_explained_too():
    output = [{"type": "message", "id": "x", "role": "assistant", "content": [spoken("a", odd=1)]}]
    whole = {"id": "r", "object": "response", "status": "completed", "output": output, "tools": [{"a": 1}], "odd": 2}
    frame = Frame(0, 9, "", json.dumps(whole | {"usage": {"input_tokens": 1, "new": 2}}).encode())
    (explanation,) = explain([frame], wire=WIRE, endpoint=ENDPOINT, model="m")
    assert "output[].content[].text" in explanation.read
    assert set(explanation.ignored) == {"odd", "output[].content[].odd"}


def test_P13_what_an_event_alone_says_of_a_hosted_call_is_counted_once_its_final_json_does_not_have_it():
    progress = event("web_search_call.completed", output_index=0, new={"a": 1}, action={"query": "q"})
    final = done(0, "web_search_call", id="w", action={"query": "q"})
    assert ignored(CREATED, added(0, "web_search_call", id="w"), progress, final, ended()) == ["new.a"]
    assert (
        ignored(CREATED, added(0, "web_search_call", id="w"), progress, ended()) == []
    )  # then the event is all there is
