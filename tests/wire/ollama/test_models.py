"""Lists of models and descriptions of one (PROV5)."""

from __future__ import annotations

import pytest

from agdesk.core.providers.base import ModelInfo, ProviderFeatures
from tests.wire.ollama.lines import WIRE


def models(*entries):
    return WIRE.parse_models({"models": list(entries)})


def test_a_bare_list_leaves_the_rest_unknown():
    entry = {"name": "a:1b", "model": "a:1b", "size": 1, "details": {"family": "a", "parameter_size": "1B"}}
    assert models(entry) == (ModelInfo("a:1b", "a:1b"),)
    assert WIRE.models_path == "/tags"


def test_a_list_with_abilities_and_windows_tells_them():
    (found,) = models({"name": "a", "capabilities": ["completion", "tools", "thinking"], "context_length": 4096})
    assert found.features == ProviderFeatures(
        thinking=True, vision=False, audio_input=False, tool_use=True, max_context_window=4096
    )
    assert set(found.source) == {"thinking", "vision", "audio_input", "tool_use", "max_context_window"}
    assert set(found.source.values()) == {"list"}


def test_a_description_tells_abilities_and_the_window_of_the_architecture():
    info = {"general.architecture": "qwen3", "general.name": "Qwen3 4B", "qwen3.context_length": 40960}
    (found,) = WIRE.parse_models({"capabilities": ["completion", "vision"], "model_info": info, "details": {}})
    assert (found.id, found.features.vision, found.features.tool_use) == ("Qwen3 4B", True, False)
    assert found.features.max_context_window == 40960
    assert WIRE.parse_models({"model": "a", "model_info": {}})[0].features == ProviderFeatures()


def test_a_model_that_only_embeds_is_not_in_the_list():
    assert models({"name": "e", "capabilities": ["embedding"]}, {"name": "a", "capabilities": []})[0].id == "a"


def test_an_older_server_tells_vision_by_the_families():
    (found,) = models({"name": "a", "details": {"families": ["llama", "clip", None]}})
    assert (found.features.vision, found.source) == (True, {"vision": "list"})


@pytest.mark.parametrize(
    "document", [None, [], "x", {}, {"models": None}, {"models": [None, {}, {"name": 7}]}, {"model_info": [1]}]
)
def test_what_is_no_list_has_no_models(document):
    assert WIRE.parse_models(document) == ()


def test_members_of_the_wrong_kind_are_unknown():
    odd = {
        "name": "a",
        "capabilities": "x",
        "details": [],
        "model_info": {"general.architecture": 7},
        "context_length": "4",
    }
    assert models(odd) == (ModelInfo("a", "a"),)
