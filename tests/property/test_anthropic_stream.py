"""Streams of Anthropic Messages made of every kind of event: reads of any size, cuts anywhere, any order, any JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from agdesk.core.ir.blocks import Text, Thinking, ToolUse
from agdesk.core.ir.messages import Origin, user
from agdesk.core.ir.request import MessageRequest
from agdesk.core.providers.base import Endpoint
from agdesk.core.providers.explain import explain
from agdesk.core.providers.framing import SseFramer
from agdesk.core.providers.wire.anthropic import Anthropic
from tests.property.played import Player, assembled, assert_fit, assert_stored, frames_of

WIRE = Anthropic()
ENDPOINT = Endpoint("acme", "Acme", "anthropic", "http://127.0.0.1/v1")
PLAYER = Player(WIRE, ENDPOINT)

words = st.text(st.sampled_from('aé😀\u2028\r {}/"'), max_size=4) | st.sampled_from(["\ud83d", "\ude00"])
indexes = st.sampled_from([0, 0, 0, 1, 2, 7, None])
fragments = st.sampled_from(["", "{", "}", "{}", '{"a": 1}', '{"a"', ": 1}", "[1]"])
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 2**70) | st.floats(allow_nan=False) | st.text(max_size=3) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=4,
)
typed = st.sampled_from(
    ["text", "thinking", "tool_use", "redacted_thinking", "server_tool_use", "web_search_tool_result", "compaction"]
)
starts_of_blocks = st.fixed_dictionaries(
    {"type": typed},
    optional={
        "id": st.sampled_from(["A", "B", "", None]),
        "name": st.sampled_from(["f", "", None]),
        "input": st.sampled_from([{}, {"a": 1}, None, "x"]),
        "text": words,
        "thinking": words,
        "signature": st.sampled_from(["", "S"]),
        "citations": st.sampled_from([None, [], [{"u": 1}]]),
        "content": json_values,
        "caller": st.just({"type": "direct"}),
    },
)
deltas = st.one_of(
    st.builds(lambda text: {"type": "text_delta", "text": text}, words),
    st.builds(lambda text: {"type": "thinking_delta", "thinking": text}, words),
    st.builds(lambda text: {"type": "input_json_delta", "partial_json": text}, fragments),
    st.sampled_from(
        [
            {"type": "signature_delta", "signature": "S"},
            {"type": "citations_delta", "citation": {"u": 1}},
            {"type": "compaction_delta", "content": "c"},
            {"type": "new_delta", "x": [1]},
            {"text": "a"},
        ]
    ),
)
counted = ("input_tokens", "output_tokens", "cache_read_input_tokens")
usages = st.fixed_dictionaries({}, optional=dict.fromkeys(counted, st.integers(0, 9) | st.none()))
beginnings = st.builds(
    lambda name, usage: {"type": "message_start", "message": {"id": name, "model": "m", "usage": usage}},
    st.sampled_from(["m1"] * 9 + ["m2", None]),
    usages,
)
ends = st.builds(
    lambda reason, usage: {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage},
    st.sampled_from(["end_turn", "tool_use", "max_tokens", "pause_turn", None, "new"]),
    usages,
)
events_within = st.one_of(
    st.builds(lambda i, b: {"type": "content_block_start", "index": i, "content_block": b}, indexes, starts_of_blocks),
    st.builds(lambda i, d: {"type": "content_block_delta", "index": i, "delta": d}, indexes, deltas),
    st.builds(lambda i, d: {"type": "content_block_delta", "index": i, "delta": d}, indexes, deltas),
    st.builds(lambda i: {"type": "content_block_stop", "index": i}, indexes),
    st.just({"type": "ping"}),
)


@st.composite
def documents(draw: Any) -> list[dict[str, Any]]:
    """The events of one response, in nearly the order that servers send them."""
    found = draw(st.lists(beginnings, min_size=1, max_size=2)) if draw(st.integers(0, 9)) else []
    found += draw(st.lists(events_within, max_size=8))
    if draw(st.integers(0, 9)) == 0:
        found.append({"type": "error", "error": {"type": "overloaded_error", "message": "boom"}})
    found += draw(st.lists(ends, max_size=2))
    return found + ([{"type": "message_stop"}] if draw(st.booleans()) else [])


def unit_of(document: Any, end: str, *, is_named: bool) -> bytes:
    # only lone surrogates are escaped, so that most characters cross the wire as bytes
    text = json.dumps(document, ensure_ascii=False)
    if any("\ud800" <= character <= "\udfff" for character in text):
        text = json.dumps(document)
    name = f"event: {document['type']}{end}" if is_named else ""
    return f"{name}data: {text}{end}{end}".encode()


@st.composite
def bodies(draw: Any) -> bytes:
    end, is_named = draw(st.sampled_from(["\n", "\r\n"])), draw(st.booleans())
    parts = [unit_of(document, end, is_named=is_named) for document in draw(documents())]
    return b"".join(parts)


@given(bodies(), st.lists(st.integers(0, 2000)))
def test_PROV3_reads_of_any_size_give_the_same_events(body, cuts):
    PLAYER.assert_reads_do_not_matter(body, cuts)


@given(bodies())
def test_every_event_is_legal_where_it_stands_and_fit_to_be_stored(body):
    assert_fit(PLAYER.events(body))


@given(bodies(), st.data())
@settings(max_examples=200)
def test_PROV3_a_cut_anywhere_keeps_what_came_marks_it_and_runs_nothing(body, data):
    cut = data.draw(st.integers(0, len(body)))
    played = PLAYER.play(body[:cut])
    response = assembled(played.events).finalize()
    if not (played.is_complete or played.is_terminal):
        assert response.is_incomplete
        assert all(b.input_error for b in response.message.content if isinstance(b, ToolUse))
    whole = assembled(PLAYER.events(body)).finalize()
    kept = [block for block in response.message.content if isinstance(block, Text | Thinking)]
    later = [block for block in whole.message.content if isinstance(block, Text | Thinking)]
    assert len(kept) <= len(later)
    for block in kept:
        assert "\ufffd" in block.text or any(other.text.startswith(block.text) for other in later)


@given(documents())
def test_the_short_way_gives_the_same_events_as_the_long_one(found):
    PLAYER.assert_ways_agree(frame for document in found for frame in frames_of([document], name=document["type"]))


@given(
    st.lists(st.sampled_from(["a", "b", "\n", '"', "é"]), max_size=9),
    st.sampled_from(["ping", "stop", "text"]),
    st.integers(0, 9),
)
def test_every_piece_of_a_running_block_arrives_once(pieces, kind, place):
    units: list[Any] = [
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}} for piece in pieces
    ]
    between = {
        "ping": {"type": "ping"},
        "stop": {"type": "content_block_stop", "index": 0},
        "text": {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": ""}},
    }
    units.insert(place, between[kind])
    body = b"".join(unit_of(unit, "\n", is_named=True) for unit in units)
    response = assembled(PLAYER.events(body)).finalize()
    assert response.text() == "".join(pieces)


@given(documents())
def test_PROV4_an_answer_goes_back_whatever_it_was(found):
    body = b"".join(unit_of(document, "\n", is_named=True) for document in found)
    response = assembled(PLAYER.events(body)).finalize()
    message = replace(response.message, origin=Origin("acme", "m", "anthropic"))
    request = MessageRequest("m", (user("a"), message, user("b")))
    sent = WIRE.render_request(request, endpoint=ENDPOINT, api_key=None, is_streaming=True)
    json.dumps(sent.body, ensure_ascii=False).encode("utf-8")
    roles = [item["role"] for item in sent.body["messages"]]
    assert roles == ["user", "assistant", "user"][: len(roles)] or roles == ["user"]
    parts = [part for item in sent.body["messages"] for part in item["content"]]
    calls = [part["id"] for part in parts if part["type"] == "tool_use"]
    results = [part["tool_use_id"] for part in parts if part["type"] == "tool_result"]
    assert calls == results


kinds_of_events = st.sampled_from(
    [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
        "message",
        "error",
        "ping",
    ]
)


def any_members(*names: str, kind: Any) -> Any:
    """An object of some kind with anything in its members, or anything else."""
    members = dict.fromkeys(names, json_values)
    return json_values | st.fixed_dictionaries({"type": kind | json_values}, optional=members)


any_event = st.fixed_dictionaries(
    {},
    optional={
        "type": kinds_of_events | json_values,
        "index": json_values,
        "message": any_members("id", "model", "usage", kind=st.just("message")),
        "content_block": any_members("input", "text", "id", "name", "citations", "signature", kind=typed),
        "delta": any_members(
            "text", "partial_json", "citation", "signature", "stop_reason", kind=deltas.map(lambda d: d.get("type"))
        ),
        "usage": any_members("input_tokens", "cache_creation", kind=st.none()),
        "content": json_values,
        "error": json_values,
        "stop_reason": json_values,
    },
)


@given(st.lists(any_event | json_values, max_size=6))
@settings(max_examples=300)
def test_any_json_in_any_place_raises_nothing_but_typed_errors(found):
    body = b"".join(b"data: " + json.dumps(document).encode() + b"\n\n" for document in found)
    events = PLAYER.events(body)
    assembled(events)
    assert_stored(events)
    framer = SseFramer()
    explain([*framer.feed(body), *framer.finish()], wire=WIRE, endpoint=ENDPOINT, model="m")


@given(any_event)
@settings(max_examples=200)
def test_any_json_as_a_whole_answer_raises_nothing_but_typed_errors(document):
    assembled(PLAYER.events(json.dumps(document).encode()))


@given(st.binary(max_size=60), st.lists(st.integers(0, 60)))
def test_any_bytes_give_the_same_typed_outcome_for_any_reads(noise, cuts):
    body = b'data: {"type":"message_start","message":{"id":"m1"}}\n\ndata: ' + noise
    events = PLAYER.events(body)
    assembled(events)
    assert PLAYER.events(body, cuts=cuts) == events
