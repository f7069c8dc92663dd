"""Streams of generateContent made of every kind of part: reads of any size, cuts anywhere, and any JSON at all."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from agdesk.core.ir.blocks import Text, Thinking, ToolUse
from agdesk.core.ir.messages import Assistant, Origin, user
from agdesk.core.ir.request import MessageRequest
from agdesk.core.ir.stream import ContentBlockEnd, ContentBlockStart
from agdesk.core.providers.base import Endpoint
from agdesk.core.providers.framing import SseFramer
from agdesk.core.providers.wire.gemini import Gemini
from tests.property.played import Player, assembled, assert_fit, frames_of

WIRE = Gemini()
ENDPOINT = Endpoint("gemini", "Google", "gemini", "http://127.0.0.1/v1beta")
PLAYER = Player(WIRE, ENDPOINT)

words = st.text(st.sampled_from("a<é😀\u2028\r {}/>"), max_size=4)
halves = words | st.sampled_from(["\ud83d", "\ude00"])
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 2**70) | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=4,
)
signatures = st.sampled_from(["S", "T"])
paths = st.sampled_from(["$.a", "$.a", "$.b[0]", "$.b[1].c", "$['d']", "$", "a"])
pieces = st.fixed_dictionaries(
    {"jsonPath": paths},
    optional={"stringValue": halves, "numberValue": st.floats(), "willContinue": st.booleans()},
)


def text_parts(text: Any) -> Any:
    return st.fixed_dictionaries(
        {"text": text}, optional={"thought": st.just(True), "thoughtSignature": signatures, "invented": st.just([1])}
    )


calls = st.fixed_dictionaries(
    {
        "functionCall": st.fixed_dictionaries(
            {},
            optional={
                "name": st.sampled_from(["f", "g", ""]),
                "args": st.dictionaries(words, json_values, max_size=2) | st.none(),
                "id": st.sampled_from(["A", "B", ""]),
                "partialArgs": st.lists(pieces, max_size=2),
                "willContinue": st.booleans(),
            },
        )
    },
    optional={"thoughtSignature": signatures},
)
others = st.sampled_from([{"executableCode": {"code": "1"}}, {"toolCall": {"id": "t"}, "thoughtSignature": "S"}, {}])
usages = st.none() | st.fixed_dictionaries(
    {}, optional={"promptTokenCount": st.integers(0, 9), "candidatesTokenCount": st.integers(0, 9)}
)
finishes = st.sampled_from([None] * 8 + ["STOP", "STOP", "MAX_TOKENS", "MALFORMED_FUNCTION_CALL", "SAFETY", "NEW", 2])


@st.composite
def chunks(draw: Any) -> dict[str, Any]:
    parts = draw(st.lists(text_parts(halves) | text_parts(halves) | calls | others, max_size=3))
    candidate = {"index": draw(st.sampled_from([0, 0, 0, 1])), "content": {"parts": parts}}
    if (finish := draw(finishes)) is not None:
        candidate["finishReason"] = finish
    chunk: dict[str, Any] = {"candidates": [candidate], "modelVersion": draw(st.sampled_from(["m", "m", "n", ""]))}
    if (usage := draw(usages)) is not None:
        chunk["usageMetadata"] = usage
    if draw(st.integers(0, 9)) == 0:
        chunk["promptFeedback"] = {"blockReason": draw(st.sampled_from(["SAFETY", 0]))}
    return chunk


def unit_of(document: Any) -> bytes:
    # only lone surrogates are escaped, so that most characters cross the wire as bytes
    plain = json.dumps(document, ensure_ascii=False)
    is_odd = any("\ud800" <= character <= "\udfff" for character in plain)
    return b"data: " + (json.dumps(document) if is_odd else plain).encode() + b"\r\n\r\n"


@st.composite
def bodies(draw: Any) -> bytes:
    """Whole streams, with what may stand between events, and sometimes an error or a marker at the end."""
    parts = []
    for document in draw(st.lists(chunks(), max_size=6)):
        parts.append(unit_of(document))
        if draw(st.integers(0, 9)) == 0:
            parts.append(b": ping\r\n\r\n")
    ends = [b"", b"", unit_of({"error": {"message": "boom"}}), b"data: [DONE]\r\n\r\n"]
    return b"".join([*parts, draw(st.sampled_from(ends))])


@given(bodies(), st.lists(st.integers(0, 2000)))
def test_PROV3_reads_of_any_size_give_the_same_events(body, cuts):
    PLAYER.assert_reads_do_not_matter(body, cuts)


@given(bodies())
def test_every_event_is_legal_where_it_stands_and_fit_to_be_stored(body):
    events = PLAYER.events(body)
    assert_fit(events)
    opened = [event.index for event in events if isinstance(event, ContentBlockStart)]
    assert sorted(opened) == sorted(event.index for event in events if isinstance(event, ContentBlockEnd))


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
    for kind in (Text, Thinking):
        partial_text = "".join(b.text for b in response.message.content if isinstance(b, kind))
        whole_text = "".join(b.text for b in whole.message.content if isinstance(b, kind))
        if "\ufffd" not in partial_text:
            assert whole_text.startswith(partial_text)


def alike(text: str, shape: str) -> dict[str, Any]:
    """One of a few frames that differ from each other in little more than their text."""
    part = {"text": text} | ({"thought": True} if shape == "thought" else {})
    if shape == "signed":
        part["thoughtSignature"] = "S"
    candidate = {"index": 0, "content": {"parts": [part] * (2 if shape == "two" else 1)}}
    usage = {"usageMetadata": {"promptTokenCount": len(text)}} if shape == "usage" else {}
    return {"candidates": [candidate], "modelVersion": "n" if shape == "other model" else "m"} | usage


shapes = st.sampled_from(["text"] * 4 + ["thought"] * 3 + ["usage"] * 3 + ["signed", "two", "other model"])


@given(st.lists(chunks() | st.builds(alike, words, shapes), max_size=12))
def test_the_short_way_gives_the_same_events_as_the_long_one(documents):
    PLAYER.assert_ways_agree(frames_of(documents))


def joined(parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The parts that must go back: plain texts of one kind joined, thoughts only where a signature ends them."""
    kept: list[dict[str, Any]] = []
    run, is_thought = "", False
    for part in parts:
        text = part.get("text", "")
        if (text and bool(part.get("thought")) != is_thought) or "text" not in part:
            kept += [{"text": run}] if run and not is_thought else []
            run, is_thought = "", bool(part.get("thought"))
        if "text" not in part:
            kept.append(part)
        elif "thoughtSignature" in part:
            kept += [{"text": run} | ({"thought": True} if is_thought else {})] if run else []
            kept.append(part)
            run = ""
        else:
            run += text
    return kept + ([{"text": run}] if run and not is_thought else [])


whole_calls = st.builds(
    lambda name, args, extra: {"functionCall": {"name": name, "args": args} | extra},
    st.sampled_from(["f", "g"]),
    st.dictionaries(words, st.integers(), max_size=2),
    st.sampled_from([{}, {"id": "A"}]),
)
signable = st.fixed_dictionaries(
    {"text": st.sampled_from(["", "a", "bc", "é"])},
    optional={"thought": st.just(True), "thoughtSignature": signatures},
)
other_parts = st.sampled_from([{"executableCode": {"code": "1"}}, {"toolCall": {"id": "t"}, "thoughtSignature": "S"}])


@given(st.lists(st.lists(signable | signable | whole_calls | other_parts, max_size=3), max_size=4))
def test_G01_G07_G15_what_came_goes_back_in_the_same_parts_and_order(cut_parts):
    units = [unit_of({"candidates": [{"content": {"parts": parts}}]}) for parts in cut_parts]
    body = b"".join([*units, unit_of({"candidates": [{"finishReason": "STOP"}]})])
    message = Assistant(assembled(PLAYER.events(body)).finalize().message.content, Origin("gemini", "m", "gemini"))
    request = MessageRequest("m", (user("Hi"), message))
    rendered = WIRE.render_request(request, endpoint=ENDPOINT, api_key=None, is_streaming=True)
    models = [content["parts"] for content in rendered.body["contents"] if content["role"] == "model"]
    expected = joined([part for parts in cut_parts for part in parts])
    assert models == ([expected] if expected else [])


MEMBERS = [
    "candidates",
    "content",
    "parts",
    "text",
    "thought",
    "thoughtSignature",
    "functionCall",
    "partialArgs",
    "jsonPath",
    "finishReason",
    "usageMetadata",
    "promptFeedback",
    "groundingMetadata",
    "error",
]
odd_documents = st.recursive(
    json_values,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(MEMBERS), inner, max_size=4),
    max_leaves=8,
)
odd_parts = st.dictionaries(st.sampled_from(MEMBERS), odd_documents, max_size=3)


@given(st.lists(odd_documents | st.builds(lambda part: {"candidates": [{"content": {"parts": [part]}}]}, odd_parts)))
@example([{"candidates": [{"content": {"parts": [{"functionCall": {"name": [], "args": {"a": float("nan")}}}]}}]}])
@example([{"candidates": [{"finishReason": [], "groundingMetadata": [1], "content": {"parts": {"text": {}}}}]}])
def test_any_json_at_all_is_read_without_an_exception(documents):
    PLAYER.assert_readable(documents)
    for document in documents:
        PLAYER.assert_readable_whole(document)


@given(bodies())
def test_explaining_changes_no_event_and_names_every_leaf(body):
    framer = SseFramer()
    PLAYER.assert_explained([*framer.feed(body), *framer.finish()])
