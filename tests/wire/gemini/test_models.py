"""The list of models."""

from __future__ import annotations

import pytest

from agdesk.core.providers.base import ModelInfo, ProviderFeatures
from tests.wire.gemini.streams import WIRE

ENTRY = {
    "name": "models/g",
    "displayName": "G",
    "inputTokenLimit": 1000,
    "outputTokenLimit": 10,
    "supportedGenerationMethods": ["generateContent", "countTokens"],
    "thinking": True,
}


def test_what_the_list_says_of_a_model():
    (model,) = WIRE.parse_models({"models": [ENTRY]})
    source = {"thinking": "list", "max_context_window": "list", "max_output_tokens": "list"}
    assert model == ModelInfo("g", "G", ProviderFeatures(thinking=True, max_context_window=1000), 10, source=source)


def test_what_the_list_does_not_say_stays_unknown():
    (model,) = WIRE.parse_models({"models": [{"name": "models/g"}]})
    assert model == ModelInfo("g", "g")


def test_models_that_cannot_answer_are_left_out():
    entries = [ENTRY | {"supportedGenerationMethods": ["embedContent"]}, ENTRY | {"supportedGenerationMethods": []}]
    assert WIRE.parse_models({"models": entries}) == ()


@pytest.mark.parametrize("odd", [None, 1, "x", [], {}, {"models": 3}, {"models": [None, 3, {"name": 1}, {"name": ""}]}])
def test_a_list_of_anything_else_has_no_models(odd):
    assert WIRE.parse_models(odd) == ()


def test_numbers_that_are_none_are_unknown():
    (model,) = WIRE.parse_models(
        {"models": [ENTRY | {"inputTokenLimit": "many", "outputTokenLimit": 0, "thinking": 1}]}
    )
    assert (model.features, model.max_output_tokens, model.source) == (ProviderFeatures(), None, {})


def test_all_models_are_asked_for_at_once():
    assert WIRE.models_path == "/models?pageSize=1000"
