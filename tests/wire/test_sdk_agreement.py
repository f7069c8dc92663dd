"""Where a vendor's SDK can read the same body, agdesk makes the same answer of it.

What differs stands in ``DIFFERENCES``, each with the quirk that is behind it, and is tested to differ.
"""

import dataclasses
import json
from typing import NamedTuple

import pytest

from agdesk.core.providers.base import Endpoint
from agdesk.core.providers.registry import wire_format
from tests.contract.dialects.abstract import ANSWERS
from tests.contract.dialects.writers import WRITERS
from tests.wire.reading import Reading, sse
from tests.wire.recordings import ROOT, body_of
from tests.wire.sdk_answers import SDKS, of_agdesk

MARKS = {"openai_chat": b"chat.completion", "openai_responses": b'"response.', "anthropic": b'"message_start"'}
RECORDINGS = [
    (wire, path.relative_to(ROOT).as_posix())
    for wire, mark in MARKS.items()
    for path in sorted([*ROOT.glob("*/*.sse"), *ROOT.glob("*/*.chunks.txt")])
    if mark in path.read_bytes()
]


class Difference(NamedTuple):
    """What an SDK makes of a body that agdesk does not.

    Attributes:
        quirk: the id of the deviation, as in docs/quirks.md.
        fields: of ``Said`` that differ; none: the SDK raises.
        reason: what the SDK does.
    """

    quirk: str
    fields: set[str]
    reason: str


HALVES = Difference("T27", {"text"}, "halves of pairs stay in the text, where nothing can store or send them")
DIFFERENCES = {
    ("openai_chat", "surrogates"): HALVES,
    ("openai_responses", "surrogates"): HALVES,
    ("anthropic", "surrogates"): HALVES,
    ("anthropic", "cut call"): Difference("C18", {"calls"}, "the half of the arguments that can be read counts as all"),
}


def call_delta(**members):
    delta = {"tool_calls": [{"type": "function", **members}]}
    return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice(delta)]}


def choice(delta, finish=None):
    return {"index": 0, "delta": delta, "finish_reason": finish}


def ending(finish):
    return {**call_delta(), "choices": [choice({}, finish)]}


HEAD = {"id": "call_1", "function": {"name": "f", "arguments": ""}}
TAIL = {"function": {"arguments": "{}"}}
QUIRKS = {
    "no index": (
        sse(call_delta(**HEAD), call_delta(**TAIL), ending("tool_calls"), "[DONE]"),
        Difference("K01", set(), "a call without an index is an error"),
    ),
    "an id said twice": (
        sse(call_delta(index=0, **HEAD), call_delta(index=0, id="call_1", **TAIL), ending("tool_calls"), "[DONE]"),
        Difference("K04", {"calls"}, "the id is put together from its repetitions"),
    ),
}
RECORDED_DIFFERENCES = {
    "gemini/openai_compat_empty_id_no_index.sse": Difference("K01", set(), "a call without an index is an error"),
    "qwen/compat_tool_stream.sse": Difference("K04", {"calls"}, "the id is put together from its repetitions"),
    "openrouter/signed_reasoning_parallel_tools_dup_finish.sse": Difference(
        "R08", {"thoughts"}, "signatures in reasoning_details are not read"
    ),
    "together/chat_stream.sse": Difference("U01", {"usage"}, "cached tokens are read in one spelling"),
    "xai/chat_reasoning_tools.sse": Difference("C26", {"usage"}, "reasoning is not added to the completion"),
    "openai-responses/error_then_failed.chunks.txt": Difference("P05", set(), "the error is an exception"),
    "openai-responses/parallel_wrapper_tool.chunks.txt": Difference("T25", set(), "broken JSON is an exception"),
    "anthropic/spliced_message_start.chunks.txt": Difference(
        "A14", {"thoughts", "calls", "stop", "usage"}, "two messages are mixed into one"
    ),
}


def compare(wire, body, difference):
    ours = of_agdesk(Reading(wire_format(wire), Endpoint("acme", "Acme", wire, "http://127.0.0.1/v1")).read(body))
    if difference is not None and not difference.fields:
        with pytest.raises(Exception):  # noqa: B017 - whatever the SDK raises
            SDKS[wire](body)
        return
    theirs = SDKS[wire](body)
    names = [field.name for field in dataclasses.fields(ours)]
    differing = {name for name in names if getattr(ours, name) != getattr(theirs, name)}
    assert differing == (set() if difference is None else difference.fields), (ours, theirs)


@pytest.mark.parametrize("name", ANSWERS)
@pytest.mark.parametrize("wire", SDKS)
def test_an_answer_is_the_same_as_the_one_of_the_sdk(wire, name):
    compare(wire, WRITERS[wire].stream(ANSWERS[name]).body, DIFFERENCES.get((wire, name)))


@pytest.mark.parametrize("name", QUIRKS)
def test_K01_K04_the_sdk_does_not_bear_what_compatible_servers_send(name):
    body, difference = QUIRKS[name]
    compare("openai_chat", body, difference)
    found = Reading(wire_format("openai_chat"), Endpoint("acme", "Acme", "openai_chat", "http://127.0.0.1/v1")).read(
        body
    )
    assert [(call.id, call.name, call.input) for call in found.tools] == [("call_1", "f", {})]


@pytest.mark.parametrize(("wire", "name"), RECORDINGS)
def test_a_recorded_answer_is_the_same_as_the_one_of_the_sdk(recordings, wire, name):
    body = body_of(recordings / name)
    if wire == "anthropic" and name.endswith(".chunks.txt"):
        # this SDK goes by the names of the events, which the file does not have (P04)
        lines = (recordings / name).read_bytes().splitlines()
        units = [(json.loads(line)["type"].encode(), line) for line in lines if line.strip()]
        body = b"".join(b"event: " + kind + b"\ndata: " + line + b"\n\n" for kind, line in units)
    compare(wire, body, RECORDED_DIFFERENCES.get(name))
