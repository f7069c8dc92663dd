"""The bundled catalogue of models: its file is sound, and it says nothing of what it does not name."""

from __future__ import annotations

import tomllib
from dataclasses import fields

import pytest

from agdesk.core.providers.families import Family, families, family_layers
from agdesk.core.providers.parameter_names import PARAMETERS
from agdesk.core.providers.presets import shipped_endpoints
from agdesk.core.settings.paths import resource

ROWS = tomllib.loads(resource("models.toml").read_text("utf-8"))["families"]


def told(provider_id, model_id, field):
    layers = family_layers(provider_id, model_id)
    values = [getattr(layer.features, field, None) for layer in layers]
    return next((value for value in values if value is not None), None)


def test_every_family_names_shipped_providers_known_fields_and_parameters_that_exist():
    names = {field.name for field in fields(Family)}
    for row in ROWS:
        assert set(row) <= names, row
        assert row["providers"] and set(row["providers"]) <= set(shipped_endpoints()), row
        assert row["models"] and all(pattern == pattern.lower() for pattern in row["models"]), row
        assert set(row.get("lacks", ())) <= PARAMETERS, row
    assert len(families()) == len(ROWS)


def test_every_family_tells_something():
    silent = [family for family in families() if family == Family(family.providers, family.models)]
    assert silent == []


@pytest.mark.parametrize(
    ("provider_id", "model_id", "field", "expected"),
    [
        ("openai", "gpt-5", "thinking", True),
        ("openai", "gpt-5-chat-latest", "thinking", False),
        ("openai-responses", "gpt-4o-2024-08-06", "vision", True),
        ("openai", "o3-mini", "vision", False),
        ("openai", "gpt-99", "vision", None),
        ("anthropic", "claude-opus-4-7", "tool_use", True),
        ("anthropic", "Claude-Opus-4-7", "tool_use", True),
        ("gemini", "gemini-2.5-flash", "audio_input", True),
        ("gemini", "gemini-2.5-flash-tts", "audio_input", None),
        ("deepseek", "deepseek-v4-pro", "vision", False),
        ("ollama", "gpt-5", "thinking", None),
        ("custom", "gpt-5", "thinking", None),
    ],
)
def test_a_family_tells_of_its_models_at_its_providers_only(provider_id, model_id, field, expected):
    assert told(provider_id, model_id, field) is expected


@pytest.mark.parametrize("model_id", ["gpt-5", "gpt-5-mini-2025-08-07", "o3", "o4-mini", "o1"])
def test_R13_models_that_always_think_lack_sampling(model_id):
    lacks = next(layer.lacks for layer in family_layers("openai", model_id) if layer.lacks)
    assert {"temperature", "top_p"} <= set(lacks)


@pytest.mark.parametrize("model_id", ["gpt-4o", "gpt-4.1-mini", "gpt-5-chat-latest", "gpt-5.1", "gpt-5.4"])
def test_models_that_take_sampling_at_least_while_they_do_not_think_lack_nothing(model_id):
    assert [layer.lacks for layer in family_layers("openai", model_id) if layer.lacks] == []


def test_R11_new_claude_models_take_no_budget():
    lacks = [layer.lacks for layer in family_layers("anthropic", "claude-opus-4-8")]
    assert any("thinking.budget_tokens" in words for words in lacks)


@pytest.mark.parametrize(
    "model_id", ["claude-haiku-4-5", "claude-sonnet-4-5-20250929", "claude-opus-4-1", "claude-3-7-sonnet-latest"]
)
def test_R11_old_claude_models_take_a_budget_and_neither_an_effort_nor_a_mere_on(model_id):
    lacks = next(layer.lacks for layer in family_layers("anthropic", model_id) if layer.lacks)
    assert set(lacks) == {"thinking.effort", "thinking.is_enabled"}


def test_R11_the_first_claude_model_with_an_effort_takes_no_mere_on():
    layers = family_layers("anthropic", "claude-opus-4-5-20251101")
    assert next(layer.lacks for layer in layers if layer.lacks) == ("thinking.is_enabled",)
    assert next(layer.efforts for layer in layers if layer.efforts) == ("low", "medium", "high")


@pytest.mark.parametrize(("provider_id", "model_id"), [("moonshot", "kimi-k3"), ("zai", "glm-5.3")])
def test_R11_models_that_cannot_be_kept_from_thinking_have_an_effort_and_no_switch(provider_id, model_id):
    layers = family_layers(provider_id, model_id)
    assert next(layer.lacks for layer in layers if layer.lacks) == ("thinking.is_enabled",)
    assert next(layer.efforts for layer in layers if layer.efforts) == ("low", "high", "max")
