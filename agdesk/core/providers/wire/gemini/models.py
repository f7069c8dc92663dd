"""Google's list of models (PROV5)."""

from __future__ import annotations

from typing import Any

from agdesk.core.providers.base import ModelInfo, ProviderFeatures
from agdesk.core.providers.lenient import first_count, object_of, objects_of, text_in

_PREFIX = "models/"
_METHOD = "generateContent"


def parse_models(document: Any) -> tuple[ModelInfo, ...]:
    """The models that can answer; the list says nothing of images and tools, so these stay unknown."""
    models = []
    for entry in objects_of(object_of(document).get("models")):
        model_id = text_in(entry.get("name")).removeprefix(_PREFIX)
        methods = entry.get("supportedGenerationMethods")
        if model_id and (not isinstance(methods, list) or _METHOD in methods):
            models.append(_model(model_id, entry))
    return tuple(models)


def _model(model_id: str, entry: dict[str, Any]) -> ModelInfo:
    thinking = entry["thinking"] if isinstance(entry.get("thinking"), bool) else None
    window, output = first_count(entry.get("inputTokenLimit")), first_count(entry.get("outputTokenLimit"))
    known = {"thinking": thinking, "max_context_window": window, "max_output_tokens": output}
    return ModelInfo(
        model_id,
        text_in(entry.get("displayName")) or model_id,
        ProviderFeatures(thinking=thinking, max_context_window=window),
        output,
        source={field: "list" for field, value in known.items() if value is not None},
    )
