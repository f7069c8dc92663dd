"""Model lists: ``/api/tags``, ``/api/ps``, and the description of one model, ``/api/show`` (PROV5)."""

from __future__ import annotations

from typing import Any

from agdesk.core.providers.base import ModelInfo, ProviderFeatures
from agdesk.core.providers.lenient import first_count, object_of, objects_of, text_in

_LIST = "list"
_CHATS = "completion"
_VISION_FAMILIES = frozenset({"clip", "mllama"})


def parse_models(document: Any) -> tuple[ModelInfo, ...]:
    """The models of ``{"models": [...]}``, or the one that a document of ``/api/show`` describes.

    Abilities are known where the server lists them: then what is not listed is not there. Models that only embed are
    left out; servers that list no abilities do not tell which do.
    """
    envelope = object_of(document)
    entries = objects_of(envelope["models"]) if "models" in envelope else [envelope]
    models = []
    for entry in entries:
        abilities = _abilities(entry)
        if (model_id := _id_of(entry)) and (abilities is None or _CHATS in abilities):
            models.append(_model(model_id, entry, abilities))
    return tuple(models)


def _model(model_id: str, entry: dict[str, Any], abilities: frozenset[str] | None) -> ModelInfo:
    def has(ability: str) -> bool | None:
        return None if abilities is None else ability in abilities

    details = object_of(entry.get("details"))
    vision = has("vision")
    families = details.get("families")
    if (
        vision is None
        and isinstance(families, list)
        and any(family in _VISION_FAMILIES for family in map(str, families))
    ):
        vision = True
    features = ProviderFeatures(
        thinking=has("thinking"),
        vision=vision,
        audio_input=has("audio"),
        tool_use=has("tools"),
        max_context_window=first_count(
            entry.get("context_length"), details.get("context_length"), _trained_context(entry)
        ),
    )
    fields = ("thinking", "vision", "audio_input", "tool_use", "max_context_window")
    source = {field: _LIST for field in fields if getattr(features, field) is not None}
    return ModelInfo(model_id, model_id, features, source=source)


def _abilities(entry: dict[str, Any]) -> frozenset[str] | None:
    """What the server says that a model can; None if it says nothing."""
    listed = entry.get("capabilities")
    words = frozenset(word for word in listed if isinstance(word, str)) if isinstance(listed, list) else frozenset()
    return words or None


def _trained_context(entry: dict[str, Any]) -> Any:
    """The window a model was trained with; the member is named after its architecture."""
    info = object_of(entry.get("model_info"))
    return info.get(f"{text_in(info.get('general.architecture'))}.context_length")


def _id_of(entry: dict[str, Any]) -> str:
    """A description does not say what the model is called here, only what its makers call it."""
    names = (entry.get("model"), entry.get("name"), object_of(entry.get("model_info")).get("general.name"))
    return next(filter(None, map(text_in, names)), "")
