"""The list of models (PROV5, A16, R11)."""

from __future__ import annotations

import pytest

from agdesk.core.providers.base import ModelInfo, ProviderFeatures
from tests.wire.anthropic.streams import WIRE

ENTRY = {
    "type": "model",
    "id": "claude-x",
    "display_name": "Claude X",
    "created_at": "2026-01-01T00:00:00Z",
    "max_input_tokens": 1000000,
    "max_tokens": 64000,
    "capabilities": {
        "image_input": {"supported": True},
        "thinking": {"supported": True, "types": {"adaptive": {"supported": True}, "enabled": {"supported": False}}},
    },
}


def test_A16_what_the_list_tells_is_known():
    (found,) = WIRE.parse_models({"data": [ENTRY], "has_more": False})
    known = dict.fromkeys(("thinking", "vision", "max_context_window", "max_output_tokens"), "list")
    features = ProviderFeatures(thinking=True, vision=True, max_context_window=1000000)
    assert found == ModelInfo("claude-x", "Claude X", features, 64000, source=known)


def test_PROV5_what_it_does_not_tell_is_unknown():
    assert WIRE.parse_models({"data": [{"id": "a"}]}) == (ModelInfo("a", "a"),)


@pytest.mark.parametrize(
    ("thinking", "wanted"),
    [
        ({"supported": False}, False),
        (True, True),
        ({"types": {"adaptive": {"supported": False}, "enabled": {"supported": True}}}, True),
        ({"types": {"adaptive": {"supported": False}}}, False),
        ({"types": {}}, None),
        ("yes", None),
    ],
)
def test_R11_a_model_thinks_if_it_does_in_any_way(thinking, wanted):
    (found,) = WIRE.parse_models([{**ENTRY, "capabilities": {"thinking": thinking}}])
    assert found.features.thinking is wanted


@pytest.mark.parametrize(
    "document", [None, [], {}, 7, "x", {"data": None}, {"data": [None, 1, {}, {"id": 5}, {"id": ""}]}]
)
def test_anything_else_is_no_list(document):
    assert WIRE.parse_models(document) == ()


def test_odd_values_are_unknown():
    odd = {"id": "a", "display_name": 5, "max_tokens": "many", "max_input_tokens": -1, "capabilities": [1]}
    assert WIRE.parse_models([odd]) == (ModelInfo("a", "a"),)
