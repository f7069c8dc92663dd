"""Recorded responses of real servers, read as they came: nothing is lost, whatever the reads are cut into."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agdesk.core.ir.blocks import ProviderData
from agdesk.core.providers.base import Endpoint
from tests.wire.openai_chat.streams import ENDPOINT, WIRE, Answer, endpoint, read
from tests.wire.recordings import ROOT, body_of, ignored_paths

FOLDERS = (
    "azure", "deepseek", "gemini", "llamacpp", "mistral", "openai-chat", "openrouter", "perplexity", "qwen", "together",
    "venice", "xai",
)  # fmt: skip
STREAMS = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in FOLDERS
    for path in [*(ROOT / folder).glob("*.sse"), *(ROOT / folder).glob("*.chunks.txt")]
    if b"chat.completion" in path.read_bytes()
)
DIALECTS = {"xai": endpoint(is_reasoning_extra=True)}


def replay(recordings: Path, name: str) -> Answer:
    return read(body_of(recordings / name), at=dialect(name))


def dialect(name: str) -> Endpoint:
    return DIALECTS.get(name.partition("/")[0], ENDPOINT)


@pytest.mark.parametrize("name", STREAMS)
def test_a_recording_replays_the_same_in_reads_of_any_size(recordings, name):
    body = body_of(recordings / name)
    whole = read(body, at=dialect(name))
    assert whole.ignored_count == 0
    assert whole.response.error is None
    assert not whole.response.is_incomplete
    for size in (1, 7):
        assert read(body, at=dialect(name), size=size).events == whole.events


@pytest.mark.parametrize("name", STREAMS)
def test_no_field_of_a_recording_is_ignored(recordings, name):
    found = ignored_paths(body_of(recordings / name), wire=WIRE, endpoint=dialect(name))
    assert found == set()


def test_parallel_calls_of_openai(recordings):
    found = replay(recordings, "openai-chat/parallel_tools.sse")
    assert [(tool.name, tool.input) for tool in found.tools] == [
        ("lookup_harbor_label", {}),
        ("lookup_orchard_label", {}),
    ]
    assert (found.stop, found.response.usage.total_tokens) == ("tool_use", 202)


def test_C07_a_forced_call_of_openai_ends_with_stop(recordings):
    found = replay(recordings, "openai-chat/forced_tool_finish_stop.sse")
    assert (found.stop, found.response.raw_stop_reason) == ("tool_use", "stop")
    assert found.tools[0].input is not None


def test_C18_a_call_of_openai_cut_by_length(recordings):
    found = replay(recordings, "openai-chat/tool_args_cut_by_length.sse")
    assert found.stop == "max_tokens"
    assert found.tools[0].input is None


def test_C03_moderation_after_the_usage(recordings):
    found = replay(recordings, "openai-chat/moderation_chunk_after_usage.sse")
    assert (found.text, found.response.usage.total_tokens) == ("Paris.", 24)
    assert "output" in found.response.extra["moderation"]


def test_U04_cost_and_arguments_of_a_gateway(recordings):
    found = replay(recordings, "openai-chat/variant_c_args_missing_leading_space.sse")
    assert (found.tools[0].id, found.tools[0].input) == ("llm_version:0", {})
    assert found.response.usage.cost_usd == 0.00005952


def test_thinking_and_parallel_calls_of_deepseek(recordings):
    found = replay(recordings, "deepseek/reasoning_parallel_tools.sse")
    assert found.kinds[0] == "Thinking"
    assert set(found.kinds[1:]) <= {"Text", "ToolUse"}
    assert all(tool.input is not None for tool in found.tools)
    assert found.response.usage.prompt_tokens_details is not None
    assert found.response.usage.prompt_tokens_details.cached_tokens == 384


def test_C18_parallel_calls_of_deepseek_of_which_one_was_cut(recordings):
    found = replay(recordings, "deepseek/parallel_calls_one_truncated.sse")
    assert found.stop == "max_tokens"
    assert len(found.tools) == 2
    assert all(tool.input is None and tool.input_error for tool in found.tools)


def test_R08_signed_thinking_of_openrouter(recordings):
    found = replay(recordings, "openrouter/signed_reasoning_parallel_tools_dup_finish.sse")
    thought = found.response.message.content[0]
    assert (found.kinds, found.stop) == (["Thinking", "ToolUse", "ToolUse"], "tool_use")
    assert thought.signature == "signature_REDACTED_1"
    assert isinstance(thought.provider_data, ProviderData)
    (detail,) = thought.provider_data.raw["reasoning_details"]
    assert (detail["text"], detail["format"]) == (thought.text, "anthropic-claude-v1")


def test_K08_two_calls_of_mistral_in_one_delta(recordings):
    found = replay(recordings, "mistral/two_tools_one_delta.sse")
    assert [tool.input for tool in found.tools] == [{"value": "red"}, {"value": "blue"}]


def test_K01_a_call_of_gemini_without_id_and_index(recordings):
    found = replay(recordings, "gemini/openai_compat_empty_id_no_index.sse")
    assert (found.stop, found.tools[0].id) == ("tool_use", "call_s_0")


def test_C23_citations_of_perplexity(recordings):
    found = replay(recordings, "perplexity/ping_comment_crlf_no_done.sse")
    assert (found.text, found.kinds) == ("1 2 3", ["Text", "Extension", "Extension"])
    assert [block.kind for block in found.extensions] == ["citations", "search_results"]


def test_K04_ids_of_qwen_that_become_empty(recordings):
    found = replay(recordings, "qwen/compat_tool_stream.sse")
    assert [(tool.name, tool.input) for tool in found.tools] == [("search", {"query": "AI news"})]


def test_K04_ids_of_venice_that_become_null(recordings):
    found = replay(recordings, "venice/later_deltas_null_id_name.sse")
    assert all(tool.input is not None and tool.name for tool in found.tools)
    assert found.response.usage.cost_usd == pytest.approx(0.00011328125)


def test_C26_reasoning_of_xai_is_part_of_the_completion(recordings):
    found = replay(recordings, "xai/chat_reasoning_tools.sse")
    assert found.response.usage.completion_tokens == 68 + 136


def test_R01_the_other_member_for_thinking_at_vllm(recordings):
    recorded = json.loads((recordings / "vllm" / "reasoning_field_stream.llamastack.json").read_text())
    chunks = [item["__data__"] for item in recorded["response"]["body"]]
    body = b"".join(b"data: " + json.dumps(item).encode() + b"\n\n" for item in chunks)
    found = read(body)
    assert found.thinking
    assert found.kinds == ["Thinking", "Text"]
    assert found.response.error is None
