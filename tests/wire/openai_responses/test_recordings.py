"""Recorded responses of real servers, read as they came: nothing is lost, whatever the reads are cut into."""

from __future__ import annotations

from pathlib import Path

import pytest

from agdesk.core.ir.blocks import Text, Thinking
from agdesk.core.ir.messages import Origin, user
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.ir.request import MessageRequest
from tests.wire.openai_responses.streams import ENDPOINT, READING, WIRE, Answer
from tests.wire.recordings import ROOT, body_of, ignored_paths

WRAPPER = "openai-responses/parallel_wrapper_tool.chunks.txt"
STREAMS = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("*.sse", "*.chunks.txt")
    for path in ROOT.glob(f"*/{pattern}")
    if b'"response.created"' in path.read_bytes()
)


def recorded(recordings: Path, name: str) -> bytes:
    body = body_of(recordings / name)
    # whoever stripped this one cut the last brace of the two events with a response
    return body.replace(b'"metadata":{}}\n', b'"metadata":{}}}\n') if name == WRAPPER else body


def replay(recordings: Path, name: str) -> Answer:
    return READING.answer(recorded(recordings, name))


@pytest.mark.parametrize("name", STREAMS)
def test_a_recording_replays_the_same_in_reads_of_any_size_and_no_field_is_lost(recordings, name):
    found = replay(recordings, name)
    assert ignored_paths(recorded(recordings, name), wire=WIRE, endpoint=ENDPOINT) == set()
    assert (found.response.error is None) is (name != "openai-responses/error_then_failed.chunks.txt")
    if found.response.error is None:
        assert found.stop in ("end_turn", "tool_use")
        assert found.response.usage.prompt_tokens and found.response.usage.completion_tokens


@pytest.mark.parametrize("name", STREAMS)
def test_a_recorded_answer_can_be_sent_back(recordings, name):
    partial = PartialMessageResponse()
    for event in replay(recordings, name).events:
        partial.apply(event)
    answer = partial.finalize(Origin("acme", "m", "openai_responses")).message
    request = MessageRequest("m", (user("Hello"), answer, user("Go on")))
    items = WIRE.render_request(request, endpoint=ENDPOINT, api_key="k", is_streaming=True).body["input"]
    texts = [part["text"] for item in items if item.get("role") == "assistant" for part in item["content"]]
    assert "".join(texts) == "".join(block.text for block in answer.content if isinstance(block, Text))


def test_P01_P02_mcp_lists_that_are_never_done(recordings):
    found = replay(recordings, "openai-responses/mcp_list_tools_missing_done.sse")
    assert found.kinds == ["Extension", "Extension", "Extension", "Text"]
    assert [block.raw["server_label"] for block in found.extensions] == ["deepwiki", "microsoft_learn", "gitmcp"]
    assert all(block.raw["tools"] for block in found.extensions)


def test_P02_items_of_openrouter_that_overlap(recordings):
    found = replay(recordings, "openrouter/responses_overlapping_items.sse")
    assert (found.kinds, found.text) == (["Thinking", "Text"], "4")
    assert found.thinking.endswith("Just answer 4.")
    assert found.response.usage.cost_usd == pytest.approx(1.13e-05)


def test_P02_R10_a_hidden_thought_that_opens_in_the_middle_of_a_text(recordings):
    found = replay(recordings, "openrouter/responses_text_before_reasoning_close.sse")
    text, thought = found.response.message.content
    assert isinstance(text, Text) and text.text.startswith("Yes, this")
    assert isinstance(thought, Thinking) and thought.text == ""
    assert thought.provider_data.raw["encrypted_content"] == "encrypted_content_REDACTED_1"


def test_P03_ids_of_copilot_that_rotate(recordings):
    found = replay(recordings, "openai-responses/copilot_rotating_item_ids.chunks.txt")
    assert (found.kinds, found.thinking) == (["Thinking", "Text"], "**Counting character occurrences**")
    assert found.text.startswith("There are **3** letter")
    assert found.response.message.content[1].provider_data.raw == {"phase": "final_answer"}


def test_P05_an_error_and_then_a_failed_answer(recordings):
    found = replay(recordings, "openai-responses/error_then_failed.chunks.txt")
    assert found.response.error.details["code"] == "insufficient_quota"
    assert found.response.error.is_retryable is False


def test_P13_what_a_web_search_did_stands_between_the_thoughts(recordings):
    found = replay(recordings, "openai-responses/web_search.chunks.txt")
    assert found.kinds == ["Thinking", "Extension"] * 6 + ["Thinking", "Text"]
    assert len(found.response.message.content[-1].citations) == 12
    code = replay(recordings, "openai-responses/code_interpreter_reasoning.sse")
    assert [block.raw["code"][:1] for block in code.extensions] == ["n", "s", "n"]


def test_P09_calls_of_azure_deepseek_and_lm_studio(recordings):
    for name, call_id, arguments in (
        ("azure/responses_tool_stream.sse", "call_iYO0n3telKobYKUdU5SVySH6", {"location": "Florence, Italy"}),
        ("deepseek/responses_function_tool_stream.sse", "call_00_xjY8Z2BvSlzgEmmw0DtH0464", {"city": "Tokyo"}),
        ("lmstudio/responses_tool_call.chunks.txt", "call_2025306790300011", {"location": "San Francisco"}),
    ):
        found = replay(recordings, name)
        assert [(tool.id, tool.input) for tool in found.tools] == [(call_id, arguments)]
        assert found.stop == "tool_use"


def test_K15_a_wrapper_that_the_model_invented(recordings):
    found = replay(recordings, WRAPPER)
    calls = [(tool.name, tool.input) for tool in found.tools]
    assert calls == [("weather", {"location": "San Francisco"}), ("cityAttractions", {"city": "Rome"})]


def test_P14_a_whole_answer_with_encrypted_reasoning(recordings):
    found = READING.answer((recordings / "openai-responses" / "interleaved_reasoning_tools.json").read_bytes())
    assert (found.kinds, found.stop) == (["Thinking", "ToolUse"], "tool_use")
    assert found.response.message.content[0].provider_data.raw["encrypted_content"].startswith("gAAAA")


def test_U04_the_cost_of_xai(recordings):
    found = replay(recordings, "xai/responses_keepalive_comments.sse")
    assert (found.text, found.response.usage.cost_usd) == ("stream identity probe", pytest.approx(0.00025215))


def test_T25_the_recording_that_lost_braces_is_one_error_and_nothing_is_ignored(recordings):
    body = body_of(recordings / WRAPPER)
    found = READING.answer(body)
    assert found.error is not None and found.error.to_record().kind == "protocol_error"
    assert ignored_paths(body, wire=WIRE, endpoint=ENDPOINT) == set()
