"""Model lists: OpenAI's bare ids and what llama.cpp, vLLM, Groq, Mistral, OpenRouter and Together add (PROV5, L12)."""

from __future__ import annotations

import json
from typing import Any

from agdesk.core.errors import ProtocolError
from agdesk.core.providers.base import ModelInfo, Prices, ProviderFeatures
from agdesk.core.providers.lenient import first_count, object_of, objects_of

_WINDOW_MEMBERS = ("context_length", "context_window", "max_context_length", "max_model_len")
_OUTPUT_MEMBERS = ("max_completion_tokens", "max_output_tokens")
_LIST = "list"
_QUOTED_BYTES = 10_000


def read_list(content: bytes, *, name: str, max_bytes: int) -> Any:
    """The JSON of a list. A byte that is no UTF-8 spoils the name that it stands in, and not the list.

    Args:
        content: a body, as far as it was read.
        name: of the provider.
        max_bytes: a longer one is no list.

    Raises:
        ProtocolError: it is not JSON.
    """
    try:
        if len(content) > max_bytes:
            raise ValueError("too long")
        try:
            return json.loads(content)
        except UnicodeDecodeError:
            return json.loads(content.decode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        raise ProtocolError(
            f"The list of models of {name} is not JSON",
            "Check the base URL of this provider.",
            frame=content[:_QUOTED_BYTES].decode("utf-8", "replace"),
            expected="a JSON document",
        ) from error


def parse_models(document: Any) -> tuple[ModelInfo, ...]:
    """The models of a list: ``{"data": [...]}``, a bare array, or llama.cpp's ``models`` alone.

    What the list does not say stays unknown; models it calls inactive are left out.
    """
    envelope = object_of(document)
    entries = document if isinstance(document, list) else envelope.get("data") or envelope.get("models")
    words = {_id_of(entry): entry.get("capabilities") for entry in objects_of(envelope.get("models"))}
    models = []
    for entry in objects_of(entries):
        if (model_id := _id_of(entry)) and entry.get("active") is not False:
            models.append(_model(model_id, entry, words.get(model_id)))
    return tuple(models)


def _model(model_id: str, entry: dict[str, Any], words: Any) -> ModelInfo:
    """``words``: capabilities as llama.cpp lists them, by what is there; what is not in the list stays unknown."""
    listed = words if isinstance(words, list) else []
    meta, provider = object_of(entry.get("meta")), object_of(entry.get("top_provider"))
    window = first_count(*(entry.get(member) for member in _WINDOW_MEMBERS), meta.get("n_ctx"))
    output = first_count(*(entry.get(member) for member in _OUTPUT_MEMBERS), provider.get("max_completion_tokens"))
    features = ProviderFeatures(
        thinking=_ability(entry, capability="reasoning", parameter="reasoning"),
        vision=_known(_takes_input(entry, "image", capability="vision"), "multimodal" in listed),
        audio_input=_takes_input(entry, "audio", capability="audio"),
        tool_use=_known(_ability(entry, capability="function_calling", parameter="tools"), "tools" in listed),
        # without the switch for it a model may call several tools all the same
        parallel_tool_calls=_ability(entry, capability="", parameter="parallel_tool_calls") or None,
        max_context_window=window,
    )
    prices = _prices(object_of(entry.get("pricing")))
    name = next((entry[key] for key in ("display_name", "name") if isinstance(entry.get(key), str)), "")
    known = {field: getattr(features, field) for field in ("thinking", "vision", "audio_input", "tool_use")}
    known |= {"parallel_tool_calls": features.parallel_tool_calls, "max_context_window": window}
    known |= {"max_output_tokens": output, "input_per_million": prices.input_per_million}
    known |= {"output_per_million": prices.output_per_million}
    source = {field: _LIST for field, value in known.items() if value is not None}
    return ModelInfo(
        model_id,
        name or model_id,
        features,
        output,
        prices,
        source,
        parameters=_words(entry.get("supported_parameters")) or None,
        efforts=_words(object_of(entry.get("reasoning")).get("supported_efforts")),
    )


def _words(value: Any) -> tuple[str, ...]:
    return tuple(word for word in value if isinstance(word, str)) if isinstance(value, list) else ()


def _known(told: bool | None, is_listed: bool) -> bool | None:
    return True if told is None and is_listed else told


def _ability(entry: dict[str, Any], *, capability: str, parameter: str) -> bool | None:
    """Mistral has a table of capabilities, OpenRouter a list of the parameters a model takes."""
    if isinstance(value := object_of(entry.get("capabilities")).get(capability), bool):
        return value
    parameters = entry.get("supported_parameters")
    return parameter in parameters if isinstance(parameters, list) and parameters else None


def _takes_input(entry: dict[str, Any], modality: str, *, capability: str) -> bool | None:
    if isinstance(value := object_of(entry.get("capabilities")).get(capability), bool):
        return value
    for holder in (entry, object_of(entry.get("architecture"))):
        modalities = holder.get("input_modalities")
        if isinstance(modalities, list) and modalities:
            return modality in modalities
    return None


def _prices(pricing: dict[str, Any]) -> Prices:
    """OpenRouter: dollars per token, as text, under ``prompt``; Together: dollars per million under ``input``."""
    if "prompt" in pricing or "completion" in pricing:
        return Prices(_dollars(pricing.get("prompt"), 1e6), _dollars(pricing.get("completion"), 1e6))
    return Prices(_dollars(pricing.get("input"), 1.0), _dollars(pricing.get("output"), 1.0))


def _dollars(value: Any, factor: float) -> float | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        amount = float(value)
    except (ValueError, OverflowError):
        return None
    # OpenRouter writes -1 for models whose price depends on what they route to
    return round(amount * factor, 9) if 0 <= amount < 1e9 else None


def _id_of(entry: dict[str, Any]) -> str:
    return next((entry[key] for key in ("id", "model", "name") if isinstance(entry.get(key), str)), "")
