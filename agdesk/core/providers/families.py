"""``resources/models.toml``: what the bundled catalogue knows of models, by patterns of ids (PROV5). Loads pydantic."""

from __future__ import annotations

import functools
import json
import re
import tomllib
from dataclasses import dataclass
from fnmatch import translate

from agdesk.core.providers.base import ModelInfo, ProviderFeatures
from agdesk.core.settings.paths import resource
from agdesk.core.settings.validation import TypeAdapter


@dataclass(frozen=True, slots=True)
class Family:
    """Models that one sentence is true of; the file says what the fields mean. None and empty are unknown."""

    providers: tuple[str, ...]
    models: tuple[str, ...]
    thinking: bool | None = None
    vision: bool | None = None
    audio_input: bool | None = None
    tool_use: bool | None = None
    parallel_tool_calls: bool | None = None
    max_context_window: int | None = None
    max_output_tokens: int | None = None
    lacks: tuple[str, ...] = ()
    efforts: tuple[str, ...] = ()
    takes_prefill: bool | None = None


@functools.cache
def families() -> tuple[Family, ...]:
    """Every family, in the order of the file."""
    document = tomllib.loads(resource("models.toml").read_text("utf-8"))
    return TypeAdapter(tuple[Family, ...]).validate_json(json.dumps(document["families"]), strict=True)


def family_layers(preset_id: str, model_id: str) -> tuple[ModelInfo, ...]:
    """What the families tell of a model of a shipped provider, the first to be asked first."""
    name = model_id.lower()
    return tuple(info for pattern, info in _patterns(preset_id) if pattern.match(name))


@functools.cache
def _patterns(preset_id: str) -> tuple[tuple[re.Pattern[str], ModelInfo], ...]:
    return tuple(
        (re.compile("|".join(map(translate, family.models))), _layer(family))
        for family in families()
        if preset_id in family.providers
    )


def _layer(family: Family) -> ModelInfo:
    features = ProviderFeatures(
        thinking=family.thinking,
        vision=family.vision,
        audio_input=family.audio_input,
        tool_use=family.tool_use,
        parallel_tool_calls=family.parallel_tool_calls,
        max_context_window=family.max_context_window,
    )
    return ModelInfo(
        "",
        "",
        features,
        family.max_output_tokens,
        lacks=family.lacks,
        efforts=family.efforts,
        takes_prefill=family.takes_prefill,
    )
