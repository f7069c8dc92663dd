"""What became of every field of a frame (D5)."""

from __future__ import annotations

from agdesk.core.providers.explain import explain
from agdesk.core.providers.framing import SseFramer
from tests.wire.gemini.streams import ENDPOINT, WIRE, body_of, call, chunk, text, thought

USAGE = {"promptTokenCount": 1, "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 1}], "serviceTier": "x"}


def explained(*units):
    framer = SseFramer()
    frames = [*framer.feed(body_of(*units)), *framer.finish()]
    return explain(frames, wire=WIRE, endpoint=ENDPOINT, model="m")


def ignored(*units):
    return [path for explanation in explained(*units) for path in explanation.ignored]


def test_an_invented_field_is_counted_wherever_it_stands():
    odd = chunk(text("a", invented=1), candidate={"invented": {"deep": [1]}}, invented="x")
    odd["candidates"][0]["content"]["invented"] = True
    assert ignored(odd) == [
        "candidates[].content.parts[].invented",
        "candidates[].content.invented",
        "candidates[].invented.deep[]",
        "invented",
    ]


def test_nothing_of_ordinary_chunks_is_ignored():
    assert (
        ignored(
            chunk(thought("t"), usageMetadata=USAGE, createTime="now"),
            chunk(text("a"), text("b", thought=False), usageMetadata=USAGE),
            chunk(text("c"), usageMetadata=USAGE, candidate={"avgLogprobs": -0.1, "logprobsResult": {"x": [1]}}),
            chunk(text("", thoughtSignature="S"), call("f", {"a": [1]}, id="A", signature="T")),
            chunk({"executableCode": {"code": "1"}}, text("d", videoMetadata={"fps": 1})),
            chunk(
                finish="STOP",
                candidate={"finishMessage": "m", "groundingMetadata": {"groundingChunks": [{"web": {"uri": "u"}}]}},
                promptFeedback={"safetyRatings": [{"category": "c"}]},
            ),
            chunk(candidate={"groundingMetadata": {"webSearchQueries": ["q"], "retrievalMetadata": {"score": 1}}}),
        )
        == []
    )


def test_calls_in_pieces_are_read():
    pieces = [
        {"jsonPath": "$.a", "stringValue": "x", "willContinue": True},
        {"jsonPath": "$.b", "nullValue": "NULL_VALUE"},
    ]
    assert (
        ignored(chunk(call("f", willContinue=True)), chunk(call(None, partialArgs=pieces)), chunk(finish="STOP")) == []
    )


def test_what_is_kept_whole_is_raw():
    explanation, _ = explained(chunk({"toolCall": {"args": {"q": [1]}}}), chunk(finish="STOP"))
    assert "candidates[].content.parts[].toolCall.args.q[]" in explanation.raw


def test_each_frame_names_its_events():
    explanations = explained(chunk(text("a")), chunk(text("b"), usageMetadata=USAGE), chunk(finish="STOP"))
    assert [explanation.event_indexes for explanation in explanations] == [(0, 1, 2), (3, 4), ()]


def test_an_error_is_read():
    (explanation,) = explained({"error": {"message": "boom", "code": 400, "status": "X"}})
    assert explanation.ignored == ()
