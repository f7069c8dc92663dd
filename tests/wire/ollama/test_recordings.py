"""Recorded responses of real servers, read as they came."""

from __future__ import annotations

import json

from tests.wire.ollama.lines import ENDPOINT, READING, WIRE
from tests.wire.recordings import body_of, ignored_paths

STREAM = "ollama/tools_stream_ndjson.ndjson"


def test_a_recording_replays_the_same_in_reads_of_any_size(recordings):
    found = READING.answer(body_of(recordings / STREAM))
    assert [(tool.name, tool.input) for tool in found.tools] == [
        ("weather", {"city": "Detroit"}),
        ("search", {"query": "Detroit Tigers game time today"}),
    ]
    assert (found.stop, found.response.raw_stop_reason, found.response.model) == ("tool_use", "stop", "qwen3:14b")
    assert (found.response.usage.prompt_tokens, found.response.usage.completion_tokens) == (218, 306)


def test_no_field_of_a_recording_is_ignored(recordings):
    assert ignored_paths(body_of(recordings / STREAM), wire=WIRE, endpoint=ENDPOINT) == set()


def test_a_recorded_list_of_models(recordings):
    models = WIRE.parse_models(json.loads((recordings / "ollama" / "tags.json").read_text()))
    assert [model.id for model in models][:2] == ["all-minilm:latest", "qwen3:4b"]
    assert all(model.features.max_context_window is None for model in models)
