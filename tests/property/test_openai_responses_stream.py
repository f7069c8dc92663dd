"""Streams of Responses made of every kind of event, in any order: reads of any size, cuts anywhere, and any JSON."""

from __future__ import annotations

import itertools
import json
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from agdesk.core.ir.blocks import Text, Thinking, ToolUse
from agdesk.core.ir.messages import Origin, user
from agdesk.core.ir.request import MessageRequest
from agdesk.core.ir.stream import MessageComplete, MessageStart, StreamError
from agdesk.core.providers.base import Endpoint
from agdesk.core.providers.framing import SseFramer
from agdesk.core.providers.wire.openai_responses import OpenAiResponses
from tests.property.played import Player, assembled, assert_fit, frames_of
from tests.wire.reading import Answer, Reading, sse

WIRE = OpenAiResponses()
ENDPOINT = Endpoint("acme", "Acme", "openai_responses", "http://127.0.0.1/v1")
READING = Reading(WIRE, ENDPOINT)
PLAYER = Player(WIRE, ENDPOINT)

words = st.text(st.sampled_from('aé😀\u2028\r {}/"'), max_size=4) | st.sampled_from(["\ud83d", "\ude00"])
indexes = st.sampled_from([0, 0, 0, 1, 2, None, 1.0, "0"])
ids = st.sampled_from(["A", "B", "C", "", None])
fragments = st.sampled_from(["", "{", "}", "{}", '{"a": 1}', '{"a"', ": 1}", "[1]", None]) | st.just({"a": 1})
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 2**70) | st.floats(allow_nan=False) | st.text(max_size=3) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=4,
)
parts = st.fixed_dictionaries(
    {"type": st.sampled_from(["output_text", "refusal", "summary_text", "reasoning_text", "new", None])},
    optional={
        "text": words,
        "refusal": words,
        "annotations": st.sampled_from([[], [{"u": 1}], None]),
        "data": json_values,
    },
)
items = st.fixed_dictionaries(
    {"type": st.sampled_from(["message", "reasoning", "function_call", "custom_tool_call", "web_search_call", None])},
    optional={
        "id": ids,
        "call_id": ids,
        "name": st.sampled_from(["f", "parallel", "", None]),
        "arguments": fragments,
        "input": words,
        "content": st.lists(parts, max_size=3) | words,
        "summary": st.lists(parts, max_size=3),
        "encrypted_content": st.just("E"),
        "phase": st.just("commentary"),
        "status": st.sampled_from(["completed", "incomplete"]),
        "new": json_values,
    },
)
places: dict[str, st.SearchStrategy[Any]] = {
    "output_index": indexes,
    "content_index": indexes,
    "summary_index": indexes,
    "item_id": ids,
}


def event(name: str, /, **members: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """An event of this name somewhere."""
    return st.fixed_dictionaries({"type": st.just(f"response.{name}"), **members}, optional=places)


usages = st.none() | st.fixed_dictionaries({}, optional={"input_tokens": st.integers(0, 9), "cost": st.just(0.5)})
events = st.one_of(
    *[event(f"{name}.delta", delta=words) for name in ("output_text", "refusal", "reasoning_text")],
    event("output_text.delta", delta=words),
    event("reasoning_summary_text.delta", delta=words),
    event("function_call_arguments.delta", delta=fragments),
    event("custom_tool_call_input.delta", delta=words),
    event("code_interpreter_call_code.delta", delta=words),
    event("output_text.done", text=words),
    event("reasoning_summary_text.done", text=words),
    event("function_call_arguments.done", arguments=fragments, name=st.sampled_from(["f", None])),
    event("content_part.done", part=parts),
    event("output_text.annotation.added", annotation=json_values),
    event("output_item.added", item=items),
    event("output_item.added", item=items),
    event("output_item.done", item=items),
    event("output_item.done", item=items),
    event("in_progress", response=st.fixed_dictionaries({}, optional={"id": ids, "usage": usages})),
    event("web_search_call.searching", new=json_values),
)
responses = st.fixed_dictionaries(
    {"status": st.sampled_from(["completed", "completed", "incomplete", "failed", None])},
    optional={
        "output": st.lists(items, max_size=3),
        "usage": usages,
        "model": st.sampled_from(["m", "n", ""]),
        "error": st.sampled_from([None, {"code": "server_error"}]),
        "incomplete_details": st.sampled_from([None, {"reason": "max_output_tokens"}]),
    },
)
ends = st.one_of(
    st.none(),
    st.just("[DONE]"),
    st.just({"type": "error", "message": "boom"}),
    event("completed", response=responses),
    event("incomplete", response=responses),
)


def unit_of(document: Any) -> str:
    text = json.dumps(document, ensure_ascii=False)
    # only lone surrogates are escaped, so that most characters cross the wire as bytes
    return json.dumps(document) if any("\ud800" <= c <= "\udfff" for c in text) else text


@st.composite
def bodies(draw: Any) -> bytes:
    units = [unit_of(document) for document in draw(st.lists(events, max_size=8))]
    end = draw(ends)
    if end is not None:
        units.append(end if isinstance(end, str) else unit_of(end))
    return sse(*units)


def legal(answer: Answer) -> Answer:
    assert answer.ignored_count == 0
    assert isinstance(answer.events[0], MessageStart | StreamError)
    assert isinstance(answer.events[-1], MessageComplete | StreamError)
    return answer


@given(bodies(), st.integers(1, 90))
@settings(max_examples=200)
def test_PROV3_reads_of_any_size_give_the_same_legal_events_fit_to_be_stored(body, size):
    found = legal(READING.read(body))
    assert READING.read(body, size=size).events == READING.read(body, size=1).events == found.events
    assert_fit(found.events)


@given(bodies(), st.data())
@settings(max_examples=200)
def test_PROV3_a_cut_anywhere_keeps_what_came_marks_it_and_runs_nothing(body, data):
    cut = data.draw(st.integers(0, len(body)))
    found = legal(READING.read(body[:cut]))
    # with a line end, so that a last event that was only not ended counts (T06)
    if not READING.read(body[:cut] + b"\n\n", ends=False).is_complete:
        assert found.response.is_incomplete
        assert all(tool.input_error for tool in found.tools)


@given(st.lists(events, max_size=12))
@settings(max_examples=200)
def test_the_short_way_gives_the_same_events_as_the_long_one(documents):
    PLAYER.assert_ways_agree(frames_of(documents))


SPOKEN = ["output_text", "refusal", "reasoning_text"]


@given(
    st.lists(words, max_size=8), st.sampled_from(SPOKEN), st.sampled_from([{}, {"output_index": 3}, {"item_id": "x"}])
)
def test_a_text_comes_out_as_it_went_in_however_it_is_cut(pieces, name, place):
    units = [unit_of({"type": f"response.{name}.delta", "delta": piece, **place}) for piece in pieces]
    content = legal(READING.read(sse(*units))).response.message.content
    said = "".join(block.text for block in content if isinstance(block, Text | Thinking))
    whole = "".join(pieces).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert said == whole
    assert len(content) == (1 if whole else 0) or name == "reasoning_text"


@given(st.dictionaries(st.text(max_size=3), st.integers(), max_size=3), st.lists(st.integers(0, 60)))
def test_arguments_come_out_as_they_went_in_however_they_are_cut(arguments, cuts):
    raw = json.dumps(arguments)
    edges = [0, *sorted(cut for cut in cuts if cut < len(raw)), len(raw)]
    head = {"type": "function_call", "call_id": "c", "name": "f"}
    units: list[Any] = [{"type": "response.output_item.added", "output_index": 0, "item": head}]
    for start, stop in itertools.pairwise(edges):
        delta = {"type": "response.function_call_arguments.delta", "output_index": 0, "delta": raw[start:stop]}
        units.append(delta)
    units.append({"type": "response.completed", "response": {"output": [{**head, "arguments": raw}]}})
    (tool,) = legal(READING.read(sse(*units))).tools
    assert (tool.input, tool.raw_arguments) == (arguments, raw)


MEMBERS = [
    "type",
    "response",
    "item",
    "part",
    "delta",
    "output",
    "content",
    "summary",
    "output_index",
    "usage",
    "error",
]
TYPES = st.sampled_from(["response.output_item.added", "response.output_item.done", "response.completed", "message"])
odd_documents = st.recursive(
    json_values | TYPES,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(MEMBERS), inner, max_size=4),
    max_leaves=8,
)


@given(st.lists(odd_documents, max_size=4))
@settings(max_examples=200)
@example([{"type": "response.output_text.delta", "output_index": [], "delta": {"a": float("inf")}}])
@example([{"type": ["response.completed"], "response": {"output": {"type": []}}}])
@example([{"type": "response.output_item.done", "item": {"type": "message", "content": [[], {"text": {}}]}}])
@example([{"type": "response.completed", "response": {"output": [{"type": {}, "summary": {"a": [1]}}], "usage": []}}])
def test_any_json_at_all_is_read_without_an_exception(documents):
    PLAYER.assert_readable(documents)
    for document in documents:
        PLAYER.assert_readable_whole(document)
        WIRE.parse_models(document)


@given(bodies())
def test_explaining_changes_no_event_and_names_every_leaf(body):
    framer = SseFramer()
    PLAYER.assert_explained([*framer.feed(body), *framer.finish()])


@given(bodies(), st.sampled_from(["acme", "other"]))
@settings(max_examples=200)
def test_whatever_came_can_be_sent_back(body, provider):
    answer = assembled(READING.read(body).events).finalize(Origin(provider, "m", "openai_responses")).message
    request = MessageRequest("m", (user("Hello"), answer, user("Go on")))
    rendered = WIRE.render_request(request, endpoint=ENDPOINT, api_key="k", is_streaming=True)
    items = json.loads(json.dumps(rendered.body, ensure_ascii=False).encode())["input"]
    called = [item["call_id"] for item in items if str(item.get("type")).endswith("_call") and "call_id" in item]
    given_back = [item["call_id"] for item in items if str(item.get("type")).endswith("_call_output")]
    uses = [block for block in answer.content if isinstance(block, ToolUse)]
    assert len(uses) == len(given_back) == len(set(given_back))
    assert set(given_back) <= set(called)
    for earlier, later in itertools.pairwise(items):
        if earlier.get("type") == "reasoning":
            assert "id" not in earlier
            assert later.get("role") != "user"
