"""Model lists of different servers: what they say, and that the rest stays unknown (PROV5, L12)."""

from __future__ import annotations

import json

import pytest

from agdesk.core.providers.base import ModelInfo, Prices, ProviderFeatures
from tests.wire.openai_chat.streams import WIRE


def listed(*entries, **envelope):
    return WIRE.parse_models({"object": "list", "data": list(entries), **envelope})


def test_openai_tells_ids_only():
    (model,) = listed({"id": "gpt-5", "object": "model", "created": 1, "owned_by": "openai"})
    assert model == ModelInfo("gpt-5", "gpt-5")


def test_L12_llama_cpp_tells_the_window_it_was_started_with():
    (model,) = listed(
        {"id": "q.gguf", "meta": {"n_ctx": 4096, "n_ctx_train": 40960}},
        models=[{"name": "q.gguf", "model": "q.gguf", "capabilities": ["completion", "multimodal"]}],
    )
    assert model.features == ProviderFeatures(vision=True, max_context_window=4096)
    assert model.source == {"vision": "list", "max_context_window": "list"}


def test_the_training_window_is_not_the_server_s():
    (model,) = listed({"id": "q.gguf", "meta": {"n_ctx_train": 40960}})
    assert model.features.max_context_window is None


def test_L12_a_list_under_models_alone_is_read():
    (model,) = WIRE.parse_models({"models": [{"name": "a", "model": "a:latest"}]})
    assert (model.id, model.display_name) == ("a:latest", "a")


def test_vllm_tells_its_window():
    (model,) = listed({"id": "q", "max_model_len": 32768})
    assert model.features.max_context_window == 32768


def test_groq_tells_windows_and_hides_inactive_models():
    entry = {"id": "g", "active": True, "context_window": 131072, "max_completion_tokens": 8192}
    (model,) = listed(entry, {"id": "old", "active": False})
    assert (model.features.max_context_window, model.max_output_tokens) == (131072, 8192)


def test_mistral_tells_capabilities_both_ways():
    entry = {"id": "mi", "max_context_length": 32768, "capabilities": {"function_calling": True, "vision": False}}
    (model,) = listed(entry)
    assert model.features == ProviderFeatures(vision=False, tool_use=True, max_context_window=32768)


def test_openrouter_tells_windows_modalities_parameters_and_prices():
    entry = {
        "id": "a/b",
        "name": "A: B",
        "context_length": 200000,
        "architecture": {"input_modalities": ["text", "image"]},
        "pricing": {"prompt": "0.000003", "completion": "0.000015"},
        "top_provider": {"max_completion_tokens": 64000},
        "supported_parameters": ["tools", "reasoning"],
        "reasoning": {"supported_efforts": ["low", "high"]},
    }
    (model,) = listed(entry)
    assert model.display_name == "A: B"
    assert model.features == ProviderFeatures(
        thinking=True,
        vision=True,
        audio_input=False,
        tool_use=True,
        parallel_tool_calls=None,  # that there is no switch for it does not tell
        max_context_window=200000,
    )
    assert (model.parameters, model.efforts) == (("tools", "reasoning"), ("low", "high"))
    assert (model.max_output_tokens, model.prices) == (64000, Prices(3.0, 15.0))
    assert model.source["input_per_million"] == "list"


def test_a_price_that_depends_on_routing_is_unknown():
    (model,) = listed({"id": "openrouter/auto", "pricing": {"prompt": "-1", "completion": "-1"}})
    assert model.prices == Prices()


def test_together_sends_a_bare_array_and_prices_per_million():
    (model,) = WIRE.parse_models([{"id": "t", "context_length": 8192, "pricing": {"input": 0.88, "output": 0.9}}])
    assert (model.features.max_context_window, model.prices) == (8192, Prices(0.88, 0.9))


@pytest.mark.parametrize(
    "document", [None, [], {}, "x", 7, {"data": None}, {"data": [None, 7, {}, {"id": 7}, {"id": ""}]}]
)
def test_a_list_of_any_other_form_is_empty(document):
    assert WIRE.parse_models(document) == ()


@pytest.mark.parametrize("odd", [None, "many", -1, True, 1.5, [], {}])
def test_figures_that_cannot_be_are_unknown(odd):
    names = ("context_length", "max_completion_tokens", "pricing", "capabilities", "architecture", "meta", "name")
    (model,) = listed({"id": "m", **dict.fromkeys(names, odd)})
    assert model.features.max_context_window is None
    assert model.max_output_tokens is None


def test_the_recorded_list_of_llama_cpp(recordings):
    (model,) = WIRE.parse_models(json.loads((recordings / "llamacpp" / "models_envelope.json").read_text()))
    assert model.features.max_context_window == 4096
