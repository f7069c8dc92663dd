"""Recorded responses of the real server, read as they came: nothing is lost, whatever the reads are cut into."""

from __future__ import annotations

import pytest

from agdesk.core.ir.blocks import Extension, Thinking
from tests.wire.anthropic.streams import ENDPOINT, WIRE, read
from tests.wire.recordings import ROOT, body_of, ignored_paths

FOLDER = ROOT / "anthropic"
STREAMS = sorted(path.name for path in [*FOLDER.glob("*.sse"), *FOLDER.glob("*.chunks.txt")])


def replay(recordings, name):
    return read(body_of(recordings / "anthropic" / name))


@pytest.mark.parametrize("name", STREAMS)
def test_a_recording_replays_the_same_in_reads_of_any_size(recordings, name):
    body = body_of(recordings / "anthropic" / name)
    whole = read(body)
    assert whole.ignored_count == 0
    for size in (1, 7):
        assert read(body, size=size).events == whole.events


@pytest.mark.parametrize("name", STREAMS)
def test_no_field_of_a_recording_is_ignored(recordings, name):
    assert ignored_paths(body_of(recordings / "anthropic" / name), wire=WIRE, endpoint=ENDPOINT) == set()


def test_thinking_and_text(recordings):
    found = replay(recordings, "stream_grammar.sse")
    assert (found.kinds, found.stop) == (["Thinking", "Text"], "end_turn")
    assert found.response.message.content[0].signature == "signature_REDACTED_2"
    assert found.thinking.startswith("I need to find") and found.text.endswith("**25**")
    usage = found.response.usage
    assert (usage.prompt_tokens, usage.completion_tokens, usage.total_tokens) == (69, 353, 422)
    assert usage.completion_tokens_details.reasoning_tokens == 158


def test_A14_a_message_start_sent_twice(recordings):
    found = replay(recordings, "duplicate_message_start.chunks.txt")
    assert (found.text, found.stop, found.error) == ("Hello, World!", "end_turn", None)


def test_A14_two_messages_spliced_into_one(recordings):
    found = replay(recordings, "spliced_message_start.chunks.txt")
    assert found.response.error.kind == "protocol_error"
    assert found.response.message.content[0] == Thinking("I will call the tool.", "sig-first")
    assert [tool.input for tool in found.tools] == [None]


def test_A15_a_refusal_without_blocks(recordings):
    found = replay(recordings, "refusal_empty.chunks.txt")
    assert (found.stop, found.response.message.content) == ("refusal", ())
    assert found.response.extra["stop_details"]["category"] == "cyber"


def test_A12_U06_a_fallback_to_another_model(recordings):
    found = replay(recordings, "fallback_block.chunks.txt")
    fallback = found.response.message.content[0]
    assert isinstance(fallback, Extension) and fallback.kind == "fallback"
    assert (found.response.model, found.text[:12]) == ("claude-opus-4-8", "The printing")
    assert found.response.usage.prompt_tokens == 412
    assert len(found.response.extra["usage"]["iterations"]) == 2
