"""The list of models, with limits and capabilities where it tells them (PROV5, A16, R11)."""

from __future__ import annotations

from typing import Any

from agdesk.core.providers.base import ModelInfo, ProviderFeatures
from agdesk.core.providers.lenient import first_count, object_of, objects_of, text_in

_LIST = "list"


def parse_models(document: Any) -> tuple[ModelInfo, ...]:
    """The models of ``{"data": [...]}`` or of a bare array. What the list does not say stays unknown."""
    entries = document if isinstance(document, list) else object_of(document).get("data")
    return tuple(_model(entry) for entry in objects_of(entries) if text_in(entry.get("id")))


def _model(entry: dict[str, Any]) -> ModelInfo:
    capabilities = object_of(entry.get("capabilities"))
    window = first_count(entry.get("max_input_tokens"), entry.get("context_length"))
    output = first_count(entry.get("max_tokens"), entry.get("max_output_tokens"))
    features = ProviderFeatures(
        thinking=_thinks(capabilities.get("thinking")),
        vision=_is_supported(capabilities.get("image_input")),
        max_context_window=window,
    )
    known = {
        "thinking": features.thinking,
        "vision": features.vision,
        "max_context_window": window,
        "max_output_tokens": output,
    }
    source = {field: _LIST for field, value in known.items() if value is not None}
    name = text_in(entry.get("display_name")) or entry["id"]
    return ModelInfo(entry["id"], name, features, output, source=source)


def _thinks(capability: Any) -> bool | None:
    """Whether a model thinks in any of the ways it is asked to (R11)."""
    told = _is_supported(capability)
    if told is None:
        types = object_of(object_of(capability).get("types"))
        answers = [answer for member in types if (answer := _is_supported(types[member])) is not None]
        told = any(answers) if answers else None
    return told


def _is_supported(capability: Any) -> bool | None:
    if isinstance(capability, bool):
        return capability
    told = object_of(capability).get("supported")
    return told if isinstance(told, bool) else None
