"""Recorded responses of Google, read as they came: nothing is lost, whatever the reads are cut into."""

from __future__ import annotations

import pytest

from agdesk.core.ir.messages import user
from tests.wire.gemini.streams import ENDPOINT, READING, WIRE, contents, inputs, own
from tests.wire.recordings import ROOT, body_of, ignored_paths

STREAMS = sorted(
    path.name
    for path in [*(ROOT / "gemini").glob("*.sse"), *(ROOT / "gemini").glob("*.chunks.txt")]
    if b"chat.completion" not in path.read_bytes()
)


def replay(recordings, name):
    return READING.answer(body_of(recordings / "gemini" / name))


@pytest.mark.parametrize("name", STREAMS)
def test_a_recording_replays_the_same_in_reads_of_any_size(recordings, name):
    found = replay(recordings, name)
    assert found.response.error is None
    assert not found.response.is_incomplete


@pytest.mark.parametrize("name", STREAMS)
def test_no_field_of_a_recording_is_ignored(recordings, name):
    assert ignored_paths(body_of(recordings / "gemini" / name), wire=WIRE, endpoint=ENDPOINT) == set()


def test_G04_a_finish_chunk_without_parts(recordings):
    found = replay(recordings, "finish_without_parts.sse")
    assert (found.kinds, found.text, found.stop) == (["Thinking", "Text"], "5040", "end_turn")
    usage = found.response.usage
    assert (usage.prompt_tokens, usage.completion_tokens, usage.total_tokens) == (21, 312, 333)


def test_G02_G03_parallel_calls_without_ids(recordings):
    found = replay(recordings, "parallel_function_calls.sse")
    assert [(tool.id, tool.name, tool.input) for tool in found.tools] == [
        ("call_s_0", "lookup_harbor_label", {}),
        ("call_s_1", "lookup_orchard_label", {}),
    ]
    assert found.stop == "tool_use"


def test_G05_text_after_the_first_finish_reason(recordings):
    found = replay(recordings, "two_finish_chunks.sse")
    assert found.kinds == ["Extension"] * 4 + ["Text"]
    assert found.text.startswith("The first number is 121932631112635269.")
    assert (found.stop, found.response.usage.total_tokens) == ("end_turn", 969)


def test_G15_server_side_tools_keep_their_signatures_and_go_back(recordings):
    found = replay(recordings, "server_side_tool_parts.sse")
    assert [block.kind for block in found.extensions] == ["toolCall", "toolResponse"]
    assert all(block.raw["thoughtSignature"] for block in found.extensions)
    assert found.response.extra["groundingMetadata"]["groundingChunks"]
    parts = contents(user("Hi"), own(found))[1]["parts"]
    assert [part for part in parts if "text" not in part] == [block.raw for block in found.extensions]


def test_G13_arguments_in_pieces(recordings):
    found = replay(recordings, "vertex_partial_args.chunks.txt")
    assert inputs(found.tools) == [{"location": "Boston"}, {"location": "San Francisco"}]
    assert found.tools[0].provider_data.raw["thoughtSignature"].startswith("CiMB")
    assert (found.stop, found.response.usage.total_tokens) == ("tool_use", 181)
