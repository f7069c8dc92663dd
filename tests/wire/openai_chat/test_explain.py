"""What became of every field of a frame (D5)."""

from __future__ import annotations

import json

import pytest

from agdesk.core.providers.base import Frame
from agdesk.core.providers.explain import explain
from agdesk.core.providers.framing import SseFramer
from agdesk.core.trace.wire import FrameKind
from tests.wire.openai_chat.streams import ENDPOINT, WIRE, call, calls, chunk, sse, text


def explained(*units):
    framer = SseFramer()
    frames = [*framer.feed(sse(*units)), *framer.finish()]
    return explain(frames, wire=WIRE, endpoint=ENDPOINT, model="m")


def ignored(*units):
    return [path for explanation in explained(*units) for path in explanation.ignored]


def test_a_field_that_nobody_reads_is_counted_wherever_it_stands():
    first, second = explained(
        text("a", invented=1), chunk({"content": "b", "invented": "x"}, choice={"invented": {"deep": [1]}})
    )
    assert (first.ignored, first.ignored_fields) == (("invented",), 1)
    assert second.ignored == ("choices[].delta.invented", "choices[].invented.deep[]")


def test_a_field_that_nobody_reads_is_counted_in_a_whole_answer_too():
    message = {"role": "assistant", "content": "a", "invented": 1, "new": {"x": 1}}
    assert ignored({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}) == [
        "choices[].message.invented"
    ]


def test_noise_is_not_counted():
    noise = {"created": 1, "system_fingerprint": "f", "service_tier": "x", "obfuscation": "zz", "p": "ab"}
    logprobs = {"content": [{"token": "a", "logprob": -1}]}
    assert ignored(chunk({"role": "assistant", "content": "a"}, "stop", choice={"logprobs": logprobs}, **noise)) == []


def test_noise_covers_what_is_beneath_it_and_not_what_begins_like_it():
    assert ignored(text("a", id={"part": 1}, idx=1, provider_name="x")) == ["idx", "provider_name"]


@pytest.mark.parametrize("nothing", [None, "", [], {}])
def test_a_field_that_carries_nothing_is_not_counted(nothing):
    (explanation,) = explained(text("a", invented=nothing))
    assert "invented" in explanation.unread
    assert explanation.ignored == ()


def test_what_the_decoder_reads_is_read():
    (explanation,) = explained(calls(call('{"a"', "f", index=0, id="A"), finish="stop"))
    for path in ("id", "choices[].finish_reason", *(f"choices[].delta.tool_calls[].{m}" for m in ("id", "index"))):
        assert path in explanation.read
    assert "choices[].delta.tool_calls[].function.arguments" in explanation.read
    assert "object" in explanation.unread


def test_arguments_that_are_an_object_are_read_as_a_whole():
    (explanation,) = explained(calls(call({"a": {"b": [1, "x"]}}, "f", index=0, id="A")))
    assert explanation.ignored == ()


def test_what_is_passed_on_as_it_came_is_raw_even_if_it_goes_out_later():
    cited = [{"type": "url_citation", "url_citation": {"url": "u", "spans": [1, 2]}}]
    first, second, _ = explained(
        text("a", moderation={"flagged": False, "why": None}),
        chunk({"annotations": cited}, usage={"prompt_tokens": 1, "is_byok": False}),
        chunk(finish="stop"),
    )
    assert first.raw == ("moderation.flagged", "moderation.why")
    assert set(second.raw) == {
        "choices[].delta.annotations[].type",
        "choices[].delta.annotations[].url_citation.url",
        "choices[].delta.annotations[].url_citation.spans[]",
        "usage.is_byok",
    }
    assert "usage.prompt_tokens" in second.read
    assert second.ignored == ()


def test_what_is_said_twice_beside_thinking_is_not_counted():
    blocks = [{"type": "thinking", "thinking": "hm", "signature": None}]
    fields = {"thinking_blocks": blocks, "reasoning_content": "hm", "invented": "x"}
    delta = {"reasoning_content": "hm", "thinking_blocks": blocks, "provider_specific_fields": fields}
    assert ignored(chunk(delta), text("ok"), chunk(finish="stop")) == []


def test_details_of_reasoning_are_not_ignored():
    detail = {"type": "reasoning.text", "text": "h", "index": 0, "format": "f", "new": {"x": 1}}
    assert ignored(chunk({"reasoning": "h", "reasoning_details": [detail]}), chunk(finish="stop")) == []


def test_each_frame_names_its_events():
    explanations = explained(
        chunk({"role": "assistant"}), text("a"), b": ping", text("b"), chunk(finish="stop"), "[DONE]"
    )
    assert [explanation.event_indexes for explanation in explanations] == [(0,), (1, 2), (), (3,), (), (4, 5)]


def test_the_events_are_those_of_the_short_way():
    units = [
        text("a"),
        text("b", invented=1),
        chunk({"reasoning": "c"}),
        chunk({"reasoning": "d"}),
        chunk(finish="stop"),
    ]
    framer = SseFramer()
    frames = framer.feed(sse(*units, "[DONE]"))
    decoder = WIRE.decoder(endpoint=ENDPOINT, model="m", seed="s")
    counts = [len(decoder.decode(frame)) for frame in frames]
    assert [len(explanation.event_indexes) for explanation in explained(*units, "[DONE]")] == counts


def test_frames_that_are_no_json_have_nothing_to_explain():
    whole = Frame(0, 9, "", b"{oops", FrameKind.DATA)
    lost = Frame(9, 12, "", b'{"cho', FrameKind.MALFORMED)
    for explanation in explain([whole, lost], wire=WIRE, endpoint=ENDPOINT, model="m"):
        assert (explanation.read, explanation.unread, explanation.ignored) == ((), (), ())


def test_an_error_is_read():
    (explanation,) = explained({"error": {"message": "boom", "code": 400}})
    assert explanation.ignored == ()
    assert explanation.event_indexes == (0,)


def test_a_whole_answer_is_explained_too():
    whole = {"id": "r", "choices": [{"message": {"content": "a", "odd": 1}, "finish_reason": "stop"}], "odd": 2}
    frame = Frame(0, 9, "", json.dumps(whole).encode())
    (explanation,) = explain([frame], wire=WIRE, endpoint=ENDPOINT, model="m")
    assert "choices[].message.content" in explanation.read
    assert explanation.ignored == ("choices[].message.odd", "odd")


def test_odd_json_is_explained_too():
    (explanation,) = explained(
        r'{"choices":[{"delta":{"content":"\ud83d","annotations":[{"u":"\ud83d","v":"x"}]}}],"odd":1}'
    )
    assert explanation.ignored == ("odd",)
