"""Prices and context windows from the bundled catalogue (package ``genai-prices``), which asks nobody (PROV5).

The first call that needs the catalogue takes 0.2 s to load it: call from a thread. What the catalogue does not know is
None, never 0.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from agdesk.core.ir.response import PromptTokensDetails, Usage
from agdesk.core.providers.base import Endpoint, ModelInfo, Prices, ProviderFeatures

if TYPE_CHECKING:
    from genai_prices import types


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One row of the capability matrix.

    Attributes:
        provider_name: as the provider is called in lists.
        is_local: its server is on this machine or in a private network.
        is_usable: it has an address, and a key if it needs one, as far as can be told without asking anyone.
    """

    provider_id: str
    model: ModelInfo
    provider_name: str = ""
    is_local: bool = False
    is_usable: bool = True

    @property
    def ref(self) -> str:
        """``provider/model``."""
        return f"{self.provider_id}/{self.model.id}"


def cost_usd(endpoint: Endpoint, model: ModelInfo, usage: Usage) -> float | None:
    """What a request cost in US dollars; None when that is unknown.

    What the provider itself reported counts first (U04), then prices that the user has corrected, then the catalogue's,
    which knows cached tokens and long prompts apart, then those of the provider's list, which does not. Without a count
    of both prompt and completion tokens there is no cost; cached tokens that were not reported are taken as not cached.
    """
    if usage.cost_usd is not None:
        return usage.cost_usd
    is_corrected = "user" in (model.source.get("input_per_million"), model.source.get("output_per_million"))
    if endpoint.is_free and not is_corrected:
        return 0.0
    if usage.prompt_tokens is None or usage.completion_tokens is None:
        return None
    if not is_corrected and endpoint.catalogue_id:
        catalogued = _catalogue_cost_usd(endpoint.catalogue_id, model.id, usage)
        if catalogued is not None:
            return catalogued
    details = usage.prompt_tokens_details or PromptTokensDetails()
    if not is_corrected and (details.cached_tokens or details.cache_write_tokens):
        return None
    price_in, price_out = model.prices.input_per_million, model.prices.output_per_million
    if price_in is None or price_out is None:
        return None
    return (usage.prompt_tokens * price_in + usage.completion_tokens * price_out) / 1_000_000


def _catalogue_cost_usd(catalogue_id: str, model: str, usage: Usage) -> float | None:
    import genai_prices

    details = usage.prompt_tokens_details or PromptTokensDetails()
    tokens = genai_prices.Usage(
        input_tokens=usage.prompt_tokens,
        output_tokens=usage.completion_tokens,
        cache_read_tokens=details.cached_tokens,
        cache_write_tokens=details.cache_write_tokens,
    )
    try:
        result = genai_prices.calc_price(tokens, model, provider_id=catalogue_id)
    except (LookupError, ValueError):  # not in the catalogue; or counts that contradict each other
        return None
    # a model priced by the hour or by the request would come out as 0
    return float(result.total_price) if _prices(result.model_price) else None


def known_models(endpoint: Endpoint) -> tuple[ModelInfo, ...]:
    """The chat models of a provider that the catalogue lists, sorted by id; the retired ones are left out."""
    if not endpoint.catalogue_id:
        return ()
    return _known_models(endpoint.catalogue_id)


def catalogue_model(endpoint: Endpoint, model_id: str) -> ModelInfo | None:
    """What the catalogue knows of a model that it need not list by this id: dated names, aliases, retired models."""
    if not endpoint.catalogue_id:
        return None
    return _catalogue_model(endpoint.catalogue_id, model_id)


def cached_prices(endpoint: Endpoint, model_id: str) -> tuple[float | None, float | None]:
    """Dollars per million prompt tokens that are read from the provider's cache, and that are put into it."""
    model = _find_model(endpoint.catalogue_id, model_id) if endpoint.catalogue_id else None
    if model is None:
        return None, None
    given = vars(model.get_prices(datetime.now(tz=UTC)))
    return _base_price(given.get("cache_read_mtok")), _base_price(given.get("cache_write_mtok"))


@functools.cache
def _known_models(catalogue_id: str) -> tuple[ModelInfo, ...]:
    found = (_model_info(model) for model in _models(catalogue_id).values() if _is_offered(model))
    return tuple(sorted((info for info in found if info is not None), key=lambda info: info.id))


@functools.lru_cache(maxsize=20_000)
def _catalogue_model(catalogue_id: str, model_id: str) -> ModelInfo | None:
    model = _find_model(catalogue_id, model_id)
    return _model_info(model) if model is not None else None


def _find_model(catalogue_id: str, model_id: str) -> types.ModelInfo | None:
    name = model_id.lower()
    named, matching = _index(catalogue_id)
    model = _models(catalogue_id).get(name) or named.get(name)
    return model or next((model for model in matching if model.is_match(name)), None)


@functools.cache
def _models(catalogue_id: str) -> dict[str, types.ModelInfo]:
    """The catalogue's models by their ids in lower case, in its order."""
    from genai_prices.data_snapshot import find_provider_by_id, get_snapshot

    provider = find_provider_by_id(get_snapshot().providers, catalogue_id)
    return {model.id.lower(): model for model in provider.models} if provider is not None else {}


@functools.cache
def _index(catalogue_id: str) -> tuple[dict[str, types.ModelInfo], tuple[types.ModelInfo, ...]]:
    """The models by every name that they are called by, and those that have patterns too: asking all would be slow."""
    named: dict[str, types.ModelInfo] = {}
    matching = []
    for model in _models(catalogue_id).values():
        names, are_all = _names(model.match)
        for name in names:
            named.setdefault(name, model)
        if not are_all:
            matching.append(model)
    return named, tuple(matching)


def _names(match: Any) -> tuple[list[str], bool]:
    """The names that a condition of the catalogue lists, in lower case, and whether it is met by nothing else."""
    from genai_prices import types

    if isinstance(match, types.ClauseEquals):
        return [match.equals.lower()], True
    if not isinstance(match, types.ClauseOr):
        return [], False
    parts = [_names(part) for part in match.or_]
    return [name for names, _ in parts for name in names], all(are_all for _, are_all in parts)


def models_document(rows: Iterable[ModelRow]) -> dict[str, Any]:
    """The JSON of ``agdesk models --json``: every value with its source, unknown as null."""
    return {"models": [_row_document(row) for row in rows]}


def _row_document(row: ModelRow) -> dict[str, Any]:
    model = row.model
    return {
        "provider": row.provider_id,
        "id": model.id,
        "name": model.display_name,
        "features": dataclasses.asdict(model.features),
        "max_output_tokens": model.max_output_tokens,
        "prices": dataclasses.asdict(model.prices),
        "source": dict(model.source),
        "parameters": None if model.parameters is None else list(model.parameters),
        "lacks": list(model.lacks),
        "refused": list(model.refused),
        "efforts": list(model.efforts),
        "local": row.is_local,
        "usable": row.is_usable,
    }


def _is_offered(model: types.ModelInfo) -> bool:
    is_family = model.id.endswith("-") or model.id.startswith("ft:")  # stands for names that begin so, is none itself
    return not model.deprecated and not is_family


def _model_info(model: types.ModelInfo) -> ModelInfo | None:
    prices = _prices(model.get_prices(datetime.now(tz=UTC)))
    if prices is None:
        return None  # without a price per token in and out it is no chat model
    source = {"input_per_million": "catalogue", "output_per_million": "catalogue"}
    if model.context_window is not None:
        source["max_context_window"] = "catalogue"
    features = ProviderFeatures(max_context_window=model.context_window)
    return ModelInfo(model.id, model.name or model.id, features, prices=prices, source=source)


def _prices(price: types.ModelPrice) -> Prices | None:
    given = vars(price)
    per_million = [_base_price(given.get(name)) for name in ("input_mtok", "output_mtok")]
    return None if None in per_million else Prices(*per_million)


def _base_price(price: Any) -> float | None:
    """Dollars per million tokens; of a price that rises with the prompt's length, the first step."""
    return None if price is None else float(getattr(price, "base", price))
