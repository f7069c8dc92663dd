"""Prices: what a provider reports comes first, what nobody knows is None, and nothing asks the network."""

from __future__ import annotations

import dataclasses
import json

import pytest

from agdesk.core.ir.response import PromptTokensDetails, Usage
from agdesk.core.providers.base import Endpoint, ModelInfo, Prices, ProviderFeatures
from agdesk.core.providers.catalogue import ModelRow, catalogue_model, cost_usd, known_models, models_document
from agdesk.core.providers.presets import shipped_endpoints


def of(provider_id):
    return shipped_endpoints().get(provider_id, Endpoint(provider_id, provider_id, "openai_chat", ""))


def cost(provider_id, model, usage, **known):
    return cost_usd(of(provider_id), ModelInfo(model, model, **known), usage)


USED = Usage(prompt_tokens=1_000_000, completion_tokens=1_000_000)


def test_a_known_model_costs_its_price_per_million():
    (model,) = (model for model in known_models(of("openai")) if model.id == "gpt-4o-mini")
    assert model.prices.input_per_million is not None
    assert model.prices.output_per_million is not None
    expected = model.prices.input_per_million + model.prices.output_per_million
    assert cost("openai", "gpt-4o-mini", USED) == pytest.approx(expected)


def test_what_the_provider_reports_comes_first():
    reported = Usage(prompt_tokens=10, completion_tokens=10, cost_usd=0.5)
    assert cost("openai", "gpt-4o-mini", reported) == 0.5
    assert cost("custom", "whatever", reported) == 0.5


def test_the_builtin_model_is_known_to_be_free_whatever_it_serves():
    assert cost("builtin", "smollm2-135m", USED) == 0.0
    assert cost("builtin", "another-file", Usage()) == 0.0


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
    assert cost(provider_id, model, usage) is None


def test_cached_tokens_are_a_cheaper_part_of_the_prompt():
    cached = Usage(prompt_tokens=1_000_000, completion_tokens=0, prompt_tokens_details=PromptTokensDetails(500_000))
    plain = Usage(prompt_tokens=1_000_000, completion_tokens=0)
    cheap, full = cost("openai", "gpt-4o-mini", cached), cost("openai", "gpt-4o-mini", plain)
    assert cheap is not None
    assert full is not None
    assert full / 2 < cheap < full


def test_counts_that_contradict_each_other_cost_nobody_knows_what():
    absurd = Usage(prompt_tokens=1, completion_tokens=1, prompt_tokens_details=PromptTokensDetails(500))
    assert cost("openai", "gpt-4o-mini", absurd) is None


def test_known_models_say_where_their_values_come_from_and_leave_the_rest_unknown():
    models = {model.id: model for model in known_models(of("openai"))}
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
    ids = {model.id for model in known_models(of("openai"))}
    assert not ids & {"whisper-1", "text-embedding-3-small", "ft:gpt-4o", "ft:gpt-3.5-turbo-"}
    assert known_models(of("custom")) == known_models(of("nowhere")) == ()


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
                "parameters": None,
                "lacks": [],
                "refused": [],
                "efforts": [],
                "local": False,
                "usable": True,
            }
        ]
    }


def test_no_price_needs_the_network(blocked_connections):
    cost("openai", "gpt-4o-mini", USED)
    known_models(of("openai"))
    assert blocked_connections == []


def test_a_dated_name_has_the_price_of_its_model():
    dated = catalogue_model(of("openai"), "gpt-4o-mini-2024-07-18")
    assert dated is not None
    assert dated.prices == catalogue_model(of("openai"), "gpt-4o-mini").prices
    assert catalogue_model(of("openai"), "a-model-of-tomorrow") is None
    assert catalogue_model(of("custom"), "gpt-4o-mini") is None


def test_a_price_that_the_user_has_corrected_comes_before_the_catalogues():
    corrected = {"prices": Prices(1.0, 2.0), "source": {"input_per_million": "user", "output_per_million": "user"}}
    assert cost("openai", "gpt-4o-mini", USED, **corrected) == pytest.approx(3.0)
    assert cost("builtin", "smollm2-135m", USED, **corrected) == pytest.approx(3.0)
    assert cost("custom", "mine", USED, **corrected) == pytest.approx(3.0)


def test_a_price_of_the_list_counts_where_the_catalogue_has_none():
    listed = {"prices": Prices(1.0, 2.0), "source": {"input_per_million": "list", "output_per_million": "list"}}
    assert cost("custom", "mine", USED, **listed) == pytest.approx(3.0)
    cached = Usage(1_000_000, 1_000_000, prompt_tokens_details=PromptTokensDetails(500_000))
    assert cost("custom", "mine", cached, **listed) is None, "a list does not say what cached tokens cost"
    assert cost("custom", "mine", USED, prices=Prices(1.0, None)) is None


def test_an_account_costs_what_its_provider_does():
    account = dataclasses.replace(of("openai"), id="openai-work", name="Work")
    model = ModelInfo("gpt-4o-mini", "gpt-4o-mini")
    assert cost_usd(account, model, USED) == cost("openai", "gpt-4o-mini", USED)


def test_a_name_is_found_as_the_catalogue_itself_would_find_it():
    from genai_prices.data_snapshot import find_provider_by_id, get_snapshot

    for provider_id in ("openai", "anthropic", "gemini", "openrouter", "mistral"):
        endpoint = of(provider_id)
        provider = find_provider_by_id(get_snapshot().providers, endpoint.catalogue_id)
        assert provider is not None
        for model in provider.models[::7]:
            for name in (f"{model.id}-2025-01-01", f"x{model.id}"):
                expected = next((other for other in provider.models if other.is_match(name.lower())), None)
                found = catalogue_model(endpoint, name)
                if expected is None:
                    assert found is None, name
                elif found is not None:  # None: one without a price for tokens
                    assert found.id == expected.id, name
