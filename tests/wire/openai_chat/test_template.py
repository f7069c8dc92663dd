"""Frames that differ in their text only are read by that text; whatever else they may be, nothing is taken for it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agdesk.core.providers.base import Endpoint, Frame
from agdesk.core.providers.registry import wire_format
from agdesk.core.providers.template import TextTemplate

ENDPOINT = Endpoint("test", "Test", "openai_chat", "http://127.0.0.1/v1")


def chunk(text, *, member="content", finish=None, **more):
    choice = {"index": 0, "delta": {member: text}, "finish_reason": finish}
    return json.dumps({"id": "c1", "model": "m", "choices": [choice], **more}).encode()


def decoded(frames, *, is_plain):
    """The events of frames; ``is_plain`` parses each whole."""
    decoder = wire_format("openai_chat").decoder(endpoint=ENDPOINT, model="m", seed="s")
    if is_plain:
        decoder.wrap_document = lambda document: document
    events = [event for data in frames for event in decoder.decode(Frame(0, 0, "", data))]
    return [*events, *decoder.finish()]


def same(*frames):
    events = decoded(frames, is_plain=False)
    assert events == decoded(frames, is_plain=True)
    return events


def learned(data, text, member="content"):
    template = TextTemplate()
    template.learn(data, member=member, text=text)
    return template


@given(st.lists(st.text(), max_size=12))
def test_any_texts_give_the_same_events_as_whole_parsing(texts):
    same(*(chunk(text) for text in texts))


@given(st.lists(st.tuples(st.sampled_from(["content", "reasoning_content"]), st.text(max_size=5)), max_size=12))
def test_text_and_thinking_in_turn_give_the_same_events(pieces):
    same(*(chunk(text, member=member) for member, text in pieces))


START, AGAIN = chunk("one"), chunk("two")


@pytest.mark.parametrize(
    "odd",
    [
        chunk("two", finish="stop"),
        chunk("two", usage={"prompt_tokens": 1, "completion_tokens": 2}),
        chunk("two", error={"message": "no"}),
        chunk('", "content": "x'),
        chunk('"}, "finish_reason": "stop"'),
        chunk(""),
        chunk(None),
        chunk(["two"]),
        chunk(2),
        chunk({"content": "two"}),
        chunk("\\"),
        chunk("two").replace(b'"two"', b'"t" , "refusal": "no"'),
        chunk("two").replace(b'"two"', b'"t", "content": "u"'),
        chunk("two").replace(b'"two"', b'"\\ud83d"'),
        chunk("two").replace(b'"two"', b'"two'),
        chunk("two").replace(b'"two"', b""),
        chunk("two")[:-3],
        chunk("two", obfuscation="x"),
        chunk("two", obfuscation={"content": "x"}),
        b"[DONE]",
        START[: len(START) // 2] + AGAIN[len(AGAIN) // 2 :],
    ],
)
def test_a_frame_that_looks_alike_but_says_more_is_read_whole(odd):
    same(START, AGAIN, AGAIN, odd, AGAIN)


def test_a_stream_whose_frames_are_padded_at_random_is_read_too():
    events = same(*(chunk(f"word{i}", obfuscation="x" * (i * 7 % 11)) for i in range(40)))
    assert sum(type(event).__name__ == "TextDelta" for event in events) == 40


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b'{"a": {"content": "x"}, "content": "x"}', "x"),  # twice
        (b'{"content": ["x"]}', "x"),  # not a string
        (b'{"content": "y"}', "x"),  # another text
        (b'{"kontent": "x"}', "x"),  # not there
        (b'{"content" : "x"}', "x"),  # written in another way
    ],
)
def test_a_place_that_is_not_sure_is_none(data, text):
    assert learned(data, text).text_in(data) == ""


def test_the_place_of_the_text_is_found():
    template = learned(b'{"content": "a\\"b", "z": 1}', 'a"b')
    assert template.text_in(b'{"content": "c\\\\", "z": 1}') == "c\\"
    assert template.text_in(b'{"content": "c", "z": 2}') == ""
    template.forget()
    assert template.text_in(b'{"content": "a\\"b", "z": 1}') == ""


NUMBERED = b'{"sequence_number":41,"delta":"a","logprobs":[],"obfuscation":"xY3"}'


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b'{"sequence_number":5,"delta":"b","logprobs":[],"obfuscation":"x"}', "b"),
        (
            b'{"sequence_number":1234,"delta":"},\\"obfuscation\\":\\"","logprobs":[],"obfuscation":"xy"}',
            '},"obfuscation":"',
        ),
        (b'{"sequence_number":5,"delta":"b","logprobs":[1],"obfuscation":"x"}', ""),
        (b'{"sequence_number":null,"delta":"b","logprobs":[],"obfuscation":"x"}', ""),
        (b'{"sequence_number":,"delta":"b","logprobs":[],"obfuscation":"x"}', ""),
        (b'{"sequence_number":5,"x":6,"delta":"b","logprobs":[],"obfuscation":"x"}', ""),
        (b'{"sequence_number":5,"delta":"b","logprobs":[],"obfuscation":"x","error":"y"}', ""),
        (b'{"sequence_number":5,"delta":"b","error":"y","logprobs":[],"obfuscation":"x"}', ""),
        (b'{"sequence_number":5,"delta":"b","logprobs":[],"obfuscation":""}', ""),
        (b'{"sequence_number":5,"delta":"b","logprobs":[],"obfuscation":"}', ""),
        (b'{"sequence_number":5,"delta":["b"],"logprobs":[],"obfuscation":"x"}', ""),
    ],
)
def test_number_and_padding_say_nothing_and_whatever_else_differs_does(data, text):
    assert learned(NUMBERED, "a", member="delta").text_in(data) == text


def test_a_text_that_never_comes_in_the_same_place_is_not_looked_for_again_and_again():
    template = TextTemplate()
    for i in range(20):
        template.learn(b'{"id": %d, "content": "a"}' % i, member="content", text="a")
    assert template.text_in(b'{"id": 19, "content": "b"}') == ""
