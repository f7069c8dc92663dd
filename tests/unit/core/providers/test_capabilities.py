"""What is known of a model: user before list before row before catalogue, field by field, and else unknown (D2)."""

from __future__ import annotations

import dataclasses

import pytest

from agdesk.core.providers.base import Endpoint, ModelInfo, Prices, ProviderFeatures
from agdesk.core.providers.capabilities import CORRECTABLE, FIELDS, Knowledge, known_values, value_of
from agdesk.core.providers.dialect import Dialect, MediaKind
from agdesk.core.providers.presets import shipped_endpoints
from agdesk.core.providers.registry import wire_format
from agdesk.core.settings.model import ModelChoice

SERVER = Endpoint("server", "Server", "openai_chat", "http://127.0.0.1/v1")


def knowledge(endpoint=SERVER, preset_id=""):
    return Knowledge(endpoint, preset_id or endpoint.id, wire_format(endpoint.wire))


def shipped(provider_id):
    return knowledge(shipped_endpoints()[provider_id])


def listed(**features):
    return ModelInfo("m", "m", ProviderFeatures(**features))


def with_preset(**features):
    return knowledge(dataclasses.replace(SERVER, models=(listed(**features),)))


def test_the_user_knows_better_than_the_list_and_the_list_than_the_row():
    info = with_preset(vision=True, thinking=True, tool_use=True).of(
        "m", listed=listed(vision=False, thinking=False), choice=ModelChoice(vision=True)
    )
    assert (info.features.vision, info.source["vision"]) == (True, "user")
    assert (info.features.thinking, info.source["thinking"]) == (False, "list")
    assert (info.features.tool_use, info.source["tool_use"]) == (True, "preset")


def test_a_known_false_is_not_overruled_by_a_true_of_someone_who_knows_less():
    info = with_preset(vision=True).of("m", choice=ModelChoice(vision=False))
    assert info.features.vision is False


def test_the_catalogue_comes_last():
    info = shipped("openai").of("gpt-4o", listed=listed(vision=False))
    assert (info.features.vision, info.source["vision"]) == (False, "list")
    assert (info.features.tool_use, info.source["tool_use"]) == (True, "catalogue")
    assert (info.features.max_context_window, info.source["max_context_window"]) == (128_000, "catalogue")
    assert info.source["input_per_million"] == "catalogue"


def test_what_nobody_tells_is_unknown_and_has_no_source():
    info = knowledge().of("m")
    known = {"streaming": "preset", "system_prompt_in_messages": "preset"}
    assert dict(known_values(info)) == dict.fromkeys(known, True)
    assert info.source == known
    assert (info.parameters, info.lacks, info.refused, info.efforts) == (None, (), (), ())


def test_every_known_value_has_a_source_and_no_other_has():
    for provider_id, model_id in (("openai", "gpt-5"), ("builtin", "smollm2-135m"), ("anthropic", "claude-opus-4-8")):
        info = shipped(provider_id).of(model_id)
        assert set(info.source) == {field for field in FIELDS if value_of(info, field) is not None}


@pytest.mark.parametrize("field", CORRECTABLE)
def test_each_field_can_be_corrected(field):
    value = False if field in ("thinking", "vision", "audio_input", "tool_use", "parallel_tool_calls") else 7
    info = shipped("openai").of("gpt-4o", choice=ModelChoice.model_validate({field: value}))
    assert (value_of(info, field), info.source[field]) == (value, "user")


def test_the_system_prompt_is_a_message_in_some_formats_only():
    told = {
        id: shipped(id).of("m").features.system_prompt_in_messages for id in ("openai", "ollama", "anthropic", "gemini")
    }
    assert told == {"openai": True, "ollama": True, "anthropic": False, "gemini": False}


def test_what_the_endpoint_cannot_carry_no_model_behind_it_can():
    row = dataclasses.replace(SERVER, dialect=Dialect(media=(MediaKind.IMAGE,), refused_parameters=("tools",)))
    features = knowledge(row).of("m").features
    assert (features.audio_input, features.tool_use, features.vision) == (False, False, None)


def test_a_free_endpoint_costs_nothing():
    info = shipped("lm-studio").of("whatever")
    assert info.prices == Prices(0.0, 0.0)
    assert info.source["input_per_million"] == "preset"


def test_the_list_has_the_say_over_names_parameters_and_efforts():
    entry = ModelInfo("m", "Model M", parameters=("temperature",), efforts=("low", "max"))
    info = knowledge().of("m", listed=entry)
    assert (info.display_name, info.parameters, info.efforts) == ("Model M", ("temperature",), ("low", "max"))


def test_refusals_that_are_remembered_and_those_of_the_catalogue_stand_apart():
    info = shipped("openai").of("gpt-5", choice=ModelChoice(refused=["seed"]))
    assert info.refused == ("seed",)
    assert "temperature" in info.lacks and "seed" not in info.lacks


def test_an_account_has_the_catalogue_of_its_provider():
    account = dataclasses.replace(shipped_endpoints()["openai"], id="openai-work")
    assert knowledge(account, "openai").of("gpt-4o").features.vision is True
    assert knowledge(account).of("gpt-4o").features.vision is None
