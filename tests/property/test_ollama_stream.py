"""Streams of Ollama made of every kind of line: reads of any size, cuts anywhere, and any JSON at all."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from agdesk.core.ir.blocks import Text, Thinking, ToolUse
from agdesk.core.ir.stream import (
    ContentBlockEnd,
    ContentBlockStart,
    MessageComplete,
    StreamError,
)
from agdesk.core.providers.base import Dialect, Endpoint
from agdesk.core.providers.framing import NdjsonFramer
from agdesk.core.providers.wire.ollama import Ollama
from tests.property.played import Player, assembled, assert_fit, frames_of

WIRE = Ollama()
PLAIN = Endpoint("ollama", "Ollama", "ollama", "http://127.0.0.1:11434/api")
PLAYER = Player(WIRE, PLAIN)
TAGGED = replace(PLAIN, dialect=Dialect(parses_think_tags=True))

words = st.text(st.sampled_from("a<é😀\u2028\r {}/>"), max_size=4) | st.sampled_from(
    ["<think>", "</think>", "</thi", "nk>", "\ud83d", "\ude00"]
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 2**70) | st.floats() | st.text(max_size=3) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=4,
)
functions = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(["", "f", "g", None]),
        "index": st.sampled_from([0, 1, None]),
        "arguments": st.sampled_from([None, "", "{}", '{"a"', {"a": 1}, {"\ud83d": "\ude00"}, [1]]),
        "proof": st.just(["p"]),
    },
)
entries = st.fixed_dictionaries(
    {"function": functions}, optional={"id": st.sampled_from([None, "", "A", "B", 7]), "seal": st.just({"k": 1})}
)
messages = st.fixed_dictionaries(
    {"role": st.just("assistant")},
    optional={
        "content": words | st.none(),
        "thinking": words | st.none(),
        "tool_calls": st.lists(entries, max_size=3),
        "images": st.sampled_from([[], ["QQ=="], ["Qg=="]]),
    },
)
figures = st.fixed_dictionaries(
    {}, optional={"prompt_eval_count": st.integers(-1, 9), "eval_count": st.integers(0, 9), "eval_duration": st.just(3)}
)


@st.composite
def lines(draw: Any) -> dict[str, Any]:
    line = {"model": draw(st.sampled_from(["m", "m", "m", "n", ""])), "created_at": "t", "message": draw(messages)}
    return line | {"done": False} | (draw(figures) if draw(st.integers(0, 5)) == 0 else {})


ends = st.builds(
    lambda line, reason, counts: line | {"done": True, "done_reason": reason} | counts,
    lines(),
    st.sampled_from(["stop", "stop", "length", "load", None, "eos"]),
    figures,
)


@st.composite
def bodies(draw: Any) -> bytes:
    """Whole streams, as lines or as server-sent events, with what proxies put between, with or without the end."""
    line_end = draw(st.sampled_from(["\n", "\r\n"]))
    before, after = draw(st.sampled_from([("", line_end), ("", line_end), ("data: ", line_end * 2)]))
    units = [json_of(document) for document in draw(st.lists(lines(), max_size=5))]
    if draw(st.integers(0, 9)) == 0:
        units.append('{"error": "died"}')
    if draw(st.booleans()):
        units.append(json_of(draw(ends)))
    parts = [f"{before}{unit}{after}" for unit in units]
    if parts and draw(st.integers(0, 5)) == 0:
        parts.insert(1, f": ping{after}")
    return "".join(parts).encode()


def json_of(document: Any) -> str:
    # only lone surrogates are escaped, so that most characters cross the wire as bytes
    text = json.dumps(document, ensure_ascii=False)
    return json.dumps(document) if any("\ud800" <= character <= "\udfff" for character in text) else text


endpoints = st.sampled_from([PLAIN, TAGGED])


@given(bodies(), st.lists(st.integers(0, 2000)), endpoints)
def test_PROV3_reads_of_any_size_give_the_same_events(body, cuts, at):
    PLAYER.assert_reads_do_not_matter(body, cuts, at=at)


@given(
    st.binary(max_size=60) | st.text('{}[]":,data:\n\r \\', max_size=60).map(str.encode), st.lists(st.integers(0, 60))
)
@example(b"da\n\nta: {}\n\n", [2])
@example(b'{"a":\n1}', [3])
@example(b": \n{}\n", [1])
def test_any_bytes_are_read_without_an_exception_and_alike_in_any_reads(body, cuts):
    events = PLAYER.events(body)
    assembled(events)
    assert isinstance(events[-1], StreamError | MessageComplete)
    PLAYER.assert_reads_do_not_matter(body, cuts)


@given(bodies(), endpoints)
def test_every_event_is_legal_where_it_stands_and_fit_to_be_stored(body, at):
    events = PLAYER.events(body, at=at)
    assert_fit(events)
    opened = [event.index for event in events if isinstance(event, ContentBlockStart)]
    assert opened == list(range(len(opened)))
    assert sorted(event.index for event in events if isinstance(event, ContentBlockEnd)) == opened


@given(bodies(), endpoints, st.data())
@settings(max_examples=200)
def test_PROV3_a_cut_anywhere_keeps_what_came_marks_it_and_runs_nothing(body, at, data):
    cut = data.draw(st.integers(0, len(body)))
    played = PLAYER.play(body[:cut], at=at)
    response = assembled(played.events).finalize()
    if not played.is_terminal:
        assert response.is_incomplete
        assert all(block.input_error for block in response.message.content if isinstance(block, ToolUse))
    whole = assembled(PLAYER.events(body, at=at)).finalize()
    for kind in (Text, Thinking):
        partial_text = "".join(block.text for block in response.message.content if isinstance(block, kind))
        whole_text = "".join(block.text for block in whole.message.content if isinstance(block, kind))
        if at is PLAIN and "\ufffd" not in partial_text:
            assert whole_text.startswith(partial_text)


@given(st.lists(lines(), max_size=8), endpoints)
def test_the_short_way_gives_the_same_events_as_the_long_one(documents, at):
    PLAYER.assert_ways_agree(frames_of(documents), at=at)


@given(st.lists(words, max_size=8), st.sampled_from(["content", "thinking"]))
def test_a_text_comes_out_as_it_went_in_however_it_is_cut(pieces, member):
    body = "".join(f"{json_of({'model': 'm', 'message': {member: piece}, 'done': False})}\n" for piece in pieces)
    content = assembled(PLAYER.events(body.encode() + b'{"done": true}\n')).finalize().message.content
    text = "".join(pieces).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert "".join(block.text for block in content if isinstance(block, Text | Thinking)) == text


MEMBERS = [
    "model",
    "message",
    "content",
    "thinking",
    "tool_calls",
    "function",
    "name",
    "arguments",
    "done",
    "done_reason",
]
odd_documents = st.recursive(
    json_values,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(MEMBERS), inner, max_size=4),
    max_leaves=8,
)


@given(st.lists(odd_documents, max_size=4))
@example([{"message": {"content": "a"}, "done": True, "done_reason": {"x": []}}])
@example([{"message": {"tool_calls": [{"id": 1.5, "function": {"arguments": float("inf")}}]}}])
def test_any_json_at_all_is_read_without_an_exception(documents):
    PLAYER.assert_readable(documents)
    for document in documents:
        assembled(PLAYER.events(json.dumps(document, indent=1).encode()))


@given(st.lists(lines() | ends, max_size=5))
def test_explaining_changes_no_event_and_names_every_leaf(documents):
    framer = NdjsonFramer()
    body = "".join(f"{json.dumps(document)}\n" for document in documents).encode()
    PLAYER.assert_explained([*framer.feed(body), *framer.finish()])
