"""Streams of Chat Completions made of every kind of chunk: reads of any size, cuts anywhere, and any JSON at all."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from agdesk.core.ir.blocks import Text, Thinking, ToolUse
from agdesk.core.providers.base import Dialect, Endpoint
from agdesk.core.providers.framing import SseFramer
from agdesk.core.providers.wire.openai_chat import OpenAiChat
from tests.property.played import Player, assembled, assert_fit, frames_of

WIRE = OpenAiChat()
PLAIN = Endpoint("acme", "Acme", "openai_chat", "http://127.0.0.1/v1")
PLAYER = Player(WIRE, PLAIN)
TAGGED = replace(PLAIN, dialect=Dialect(parses_think_tags=True, is_reasoning_extra=True))

words = st.text(st.sampled_from("a<é😀\u2028\r {}/>"), max_size=4) | st.sampled_from(
    ["<think>", "</think>", "</thi", "nk>"]
)
ids = st.sampled_from([None, "", "A", "B"])
fragments = st.sampled_from(
    [None, "", "{", "}", "{}", '{"a": 1}', '{"a": 2}', '{"a"', ": 1}", '"b": {', "\ud83d", "\ude00"]
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 2**70) | st.floats() | st.text(max_size=3) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=4,
)
entries = st.fixed_dictionaries(
    {},
    optional={
        "index": st.sampled_from([0, 1, 2, None]),
        "id": ids,
        "type": st.sampled_from(["function", "custom", None]),
        "function": st.fixed_dictionaries(
            {}, optional={"name": st.sampled_from(["", "f", "g"]), "arguments": fragments}
        ),
        "custom": st.fixed_dictionaries({}, optional={"name": st.just("c"), "input": words}),
        "extra_content": st.just({"google": {"thought_signature": "S"}}),
    },
)
details = st.fixed_dictionaries(
    {"type": st.sampled_from(["reasoning.text", "reasoning.encrypted"])},
    optional={"index": st.sampled_from([0, 1]), "text": words, "signature": st.just("S"), "data": st.just("X")},
)
deltas = st.fixed_dictionaries(
    {},
    optional={
        "role": st.sampled_from(["assistant", "", None]),
        "content": words | st.none() | st.lists(st.builds(lambda t: {"type": "text", "text": t}, words), max_size=2),
        "reasoning_content": words,
        "reasoning_details": st.lists(details, max_size=2),
        "refusal": st.sampled_from([None, "", "no"]),
        "tool_calls": st.lists(entries, max_size=3),
        "annotations": st.sampled_from([[], [{"u": 1}], [{"u": 2}]]),
        "audio": st.sampled_from([{"id": "a"}, {"data": "QQ=="}]),
    },
)
usages = st.none() | st.fixed_dictionaries(
    {}, optional={"prompt_tokens": st.integers(0, 9), "completion_tokens": st.integers(0, 9)}
)
finishes = st.sampled_from([None] * 8 + ["stop", "tool_calls", "length"])


@st.composite
def chunks(draw: Any) -> dict[str, Any]:
    choice = {"index": draw(st.sampled_from([0, 0, 0, 1])), "delta": draw(deltas), "finish_reason": draw(finishes)}
    chunk: dict[str, Any] = {"id": draw(ids), "model": draw(st.sampled_from(["m", "m", "n", ""])), "choices": [choice]}
    if draw(st.integers(0, 5)) == 0:
        chunk["choices"] = draw(st.sampled_from([[], None]))
    if draw(st.integers(0, 3)) == 0:
        chunk["usage"] = draw(usages)
    if draw(st.integers(0, 9)) == 0:
        chunk["citations"] = ["u"]
    return chunk


def unit_of(document: Any, end: str) -> bytes:
    # only lone surrogates are escaped, so that most characters cross the wire as bytes
    text = json.dumps(document, ensure_ascii=any("\ud800" <= c <= "\udfff" for c in repr_of(document)))
    return f"data: {text}{end}{end}".encode()


def repr_of(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False)


@st.composite
def bodies(draw: Any) -> bytes:
    """Whole streams, with what servers put between events, with or without the marker."""
    end = draw(st.sampled_from(["\n", "\r\n"]))
    parts = []
    for document in draw(st.lists(chunks(), max_size=6)):
        parts.append(unit_of(document, end))
        if draw(st.integers(0, 9)) == 0:
            parts.append(f": ping{end}{end}".encode())
    if draw(st.integers(0, 9)) == 0:
        parts.append(unit_of({"error": {"message": "boom"}}, end))
    if draw(st.booleans()):
        parts.append(f"data: [DONE]{end}{end}".encode())
    return b"".join(parts)


endpoints = st.sampled_from([PLAIN, TAGGED])


@given(bodies(), st.lists(st.integers(0, 2000)), endpoints)
def test_PROV3_reads_of_any_size_give_the_same_events(body, cuts, at):
    PLAYER.assert_reads_do_not_matter(body, cuts, at=at)


@given(bodies(), endpoints)
def test_every_event_is_legal_where_it_stands_and_fit_to_be_stored(body, at):
    assert_fit(PLAYER.events(body, at=at))


@given(bodies(), endpoints, st.data())
@settings(max_examples=200)
def test_PROV3_a_cut_anywhere_keeps_what_came_marks_it_and_runs_nothing(body, at, data):
    cut = data.draw(st.integers(0, len(body)))
    played = PLAYER.play(body[:cut], at=at)
    response = assembled(played.events).finalize()
    if not (played.is_complete or played.is_terminal):
        assert response.is_incomplete
        assert all(b.input_error for b in response.message.content if isinstance(b, ToolUse))
    whole = assembled(PLAYER.events(body, at=at)).finalize()
    for kind in (Text, Thinking):
        partial_text = "".join(b.text for b in response.message.content if isinstance(b, kind))
        whole_text = "".join(b.text for b in whole.message.content if isinstance(b, kind))
        if at is PLAIN and "\ufffd" not in partial_text:
            assert whole_text.startswith(partial_text)


@given(st.lists(chunks(), max_size=6), endpoints)
def test_the_short_way_gives_the_same_events_as_the_long_one(documents, at):
    PLAYER.assert_ways_agree(frames_of(documents), at=at)


def alike(text: str, shape: str) -> dict[str, Any]:
    """One of a few frames that differ from each other in little more than their text."""
    delta: dict[str, Any] = {"content": text, "reasoning_content": None}
    if shape == "thinking":
        delta = {"content": None, "reasoning_content": text}
    chunk = {"id": "c", "model": "n" if shape == "other model" else "m", "choices": [{"index": 0, "delta": delta}]}
    if shape == "call":
        delta["tool_calls"] = [{"index": 0, "function": {"name": "f", "arguments": "{}"}}]
    return chunk | ({"usage": {"prompt_tokens": len(text)}} if shape == "usage" else {})


shapes = st.sampled_from(["text"] * 4 + ["thinking"] * 3 + ["other model", "call", "usage"])


@given(st.lists(st.builds(alike, words, shapes), max_size=12), endpoints)
def test_runs_of_frames_that_are_alike_give_the_same_events_too(documents, at):
    PLAYER.assert_ways_agree(frames_of(documents), at=at)


@given(st.lists(words, max_size=8), st.sampled_from(["content", "reasoning_content", "reasoning", "refusal"]))
def test_a_text_comes_out_as_it_went_in_however_it_is_cut(pieces, member):
    body = b"".join(unit_of({"id": "c", "choices": [{"delta": {member: piece}}]}, "\n") for piece in pieces)
    content = assembled(PLAYER.events(body + b"data: [DONE]\n\n")).finalize().message.content
    assert "".join(block.text for block in content if isinstance(block, Text | Thinking)) == "".join(pieces)


@given(st.dictionaries(st.text(max_size=3), st.integers(), max_size=3), st.lists(st.integers(0, 60)), st.booleans())
def test_arguments_come_out_as_they_went_in_however_they_are_cut(arguments, cuts, has_ids):
    raw = json.dumps(arguments)
    edges = [0, *sorted(cut for cut in cuts if cut < len(raw)), len(raw)]
    pieces = [raw[a:b] for a, b in itertools.pairwise(edges)]
    head: dict[str, Any] = {"index": 0, "id": "A"} if has_ids else {"index": 0}
    units = [{"tool_calls": [{**head, "function": {"name": "f", "arguments": piece}}]} for piece in pieces]
    body = b"".join(unit_of({"id": "c", "choices": [{"delta": delta}]}, "\n") for delta in units)
    (tool,) = assembled(PLAYER.events(body + b"data: [DONE]\n\n")).finalize().message.content
    assert isinstance(tool, ToolUse)
    assert (tool.input, tool.raw_arguments) == (arguments, raw)


MEMBERS = [
    "choices",
    "delta",
    "message",
    "content",
    "tool_calls",
    "function",
    "arguments",
    "reasoning_details",
    "usage",
    "id",
]
odd_documents = st.recursive(
    json_values,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(MEMBERS), inner, max_size=4),
    max_leaves=8,
)


@given(st.lists(odd_documents, max_size=4))
@example([{"choices": [{"delta": {"tool_calls": [{"index": [], "function": {"arguments": float("inf")}}]}}]}])
@example([{"choices": [{"delta": {"content": {"type": []}}}]}])
def test_any_json_at_all_is_read_without_an_exception(documents):
    PLAYER.assert_readable(documents)
    for document in documents:
        PLAYER.assert_readable_whole(document)


@given(bodies())
def test_explaining_changes_no_event_and_names_every_leaf(body):
    framer = SseFramer()
    PLAYER.assert_explained([*framer.feed(body), *framer.finish()])
