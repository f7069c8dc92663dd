"""Prices: what a provider reports comes first, what nobody knows is None, and nothing asks the network."""

from __future__ import annotations

import json

import pytest

from agdesk.core.ir.response import PromptTokensDetails, Usage
from agdesk.core.providers.base import ModelInfo, ProviderFeatures
from agdesk.core.providers.catalogue import ModelRow, cost_usd, known_models, models_document

USED = Usage(prompt_tokens=1_000_000, completion_tokens=1_000_000)


def test_a_known_model_costs_its_price_per_million():
    (model,) = (model for model in known_models("openai") if model.id == "gpt-4o-mini")
    assert model.prices.input_per_million is not None
    assert model.prices.output_per_million is not None
    expected = model.prices.input_per_million + model.prices.output_per_million
    assert cost_usd("openai", "gpt-4o-mini", USED) == pytest.approx(expected)


def test_what_the_provider_reports_comes_first():
    reported = Usage(prompt_tokens=10, completion_tokens=10, cost_usd=0.5)
    assert cost_usd("openai", "gpt-4o-mini", reported) == 0.5
    assert cost_usd("custom", "whatever", reported) == 0.5


def test_the_builtin_model_is_known_to_be_free_whatever_it_serves():
    assert cost_usd("builtin", "smollm2-135m", USED) == 0.0
    assert cost_usd("builtin", "another-file", Usage()) == 0.0


@pytest.mark.parametrize(
    ("provider_id", "model", "usage"),
    [
        ("openai", "a-model-of-tomorrow", USED),
        ("openai", "gpt-4o-mini", Usage()),
        ("openai", "gpt-4o-mini", Usage(prompt_tokens=5)),
        ("openai", "gpt-4o-mini", Usage(completion_tokens=5)),
        ("openai", "whisper-1", USED),  # priced by the hour
        ("custom", "gpt-4o-mini", USED),  # nobody knows what a server of the user's own charges
        ("nowhere", "gpt-4o-mini", USED),
    ],
)
def test_an_unknown_cost_is_none_and_never_0(provider_id, model, usage):
    assert cost_usd(provider_id, model, usage) is None


def test_cached_tokens_are_a_cheaper_part_of_the_prompt():
    cached = Usage(prompt_tokens=1_000_000, completion_tokens=0, prompt_tokens_details=PromptTokensDetails(500_000))
    plain = Usage(prompt_tokens=1_000_000, completion_tokens=0)
    cheap, full = cost_usd("openai", "gpt-4o-mini", cached), cost_usd("openai", "gpt-4o-mini", plain)
    assert cheap is not None
    assert full is not None
    assert full / 2 < cheap < full


def test_counts_that_contradict_each_other_cost_nobody_knows_what():
    absurd = Usage(prompt_tokens=1, completion_tokens=1, prompt_tokens_details=PromptTokensDetails(500))
    assert cost_usd("openai", "gpt-4o-mini", absurd) is None


def test_known_models_say_where_their_values_come_from_and_leave_the_rest_unknown():
    models = {model.id: model for model in known_models("openai")}
    model = models["gpt-4o-mini"]
    assert model.features.max_context_window == 128_000
    assert model.source == {
        "max_context_window": "catalogue",
        "input_per_million": "catalogue",
        "output_per_million": "catalogue",
    }
    assert model.features.vision is None
    assert list(models) == sorted(models)


def test_what_is_no_chat_model_or_no_model_at_all_is_not_listed():
    ids = {model.id for model in known_models("openai")}
    assert not ids & {"whisper-1", "text-embedding-3-small", "ft:gpt-4o", "ft:gpt-3.5-turbo-"}
    assert known_models("custom") == known_models("nowhere") == ()


def test_the_document_says_null_for_unknown_and_names_every_source():
    features = ProviderFeatures(vision=False, max_context_window=4096)
    row = ModelRow("builtin", ModelInfo("m", "M", features, source={"vision": "preset"}))
    document = models_document([row])
    assert json.loads(json.dumps(document)) == {
        "models": [
            {
                "provider": "builtin",
                "id": "m",
                "name": "M",
                "features": {
                    "streaming": None,
                    "thinking": None,
                    "vision": False,
                    "audio_input": None,
                    "tool_use": None,
                    "parallel_tool_calls": None,
                    "system_prompt_in_messages": None,
                    "max_context_window": 4096,
                },
                "max_output_tokens": None,
                "prices": {"input_per_million": None, "output_per_million": None},
                "source": {"vision": "preset"},
            }
        ]
    }


def test_no_price_needs_the_network(blocked_connections):
    cost_usd("openai", "gpt-4o-mini", USED)
    known_models("openai")
    assert blocked_connections == []
