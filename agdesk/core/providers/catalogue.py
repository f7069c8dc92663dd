"""Prices and context windows from the bundled catalogue (package ``genai-prices``), which asks nobody (PROV5).

The first call that needs the catalogue takes 0.2 s to load it: call from a thread. What the catalogue does not know is
None, never 0.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from agdesk.core.ir.response import PromptTokensDetails, Usage
from agdesk.core.providers.base import ModelInfo, Prices, ProviderFeatures
from agdesk.core.providers.presets import shipped_endpoints

if TYPE_CHECKING:
    from genai_prices import types


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One row of the capability matrix."""

    provider_id: str
    model: ModelInfo


def cost_usd(provider_id: str, model: str, usage: Usage) -> float | None:
    """What a request cost in US dollars; None when that is unknown.

    What the provider itself reported counts before the catalogue (U04). Without a count of both prompt and completion
    tokens there is no cost; cached tokens that were not reported are taken as not cached.
    """
    if usage.cost_usd is not None:
        return usage.cost_usd
    endpoint = shipped_endpoints().get(provider_id)
    if endpoint is None:
        return None
    if endpoint.is_free:
        return 0.0
    if not endpoint.catalogue_id or usage.prompt_tokens is None or usage.completion_tokens is None:
        return None
    import genai_prices

    details = usage.prompt_tokens_details or PromptTokensDetails()
    tokens = genai_prices.Usage(
        input_tokens=usage.prompt_tokens,
        output_tokens=usage.completion_tokens,
        cache_read_tokens=details.cached_tokens,
        cache_write_tokens=details.cache_write_tokens,
    )
    try:
        result = genai_prices.calc_price(tokens, model, provider_id=endpoint.catalogue_id)
    except (LookupError, ValueError):  # not in the catalogue; or counts that contradict each other
        return None
    # a model priced by the hour or by the request would come out as 0
    return float(result.total_price) if _prices(result.model_price) else None


def known_models(provider_id: str) -> tuple[ModelInfo, ...]:
    """The chat models of a provider that the catalogue lists, sorted by id; the retired ones are left out."""
    endpoint = shipped_endpoints().get(provider_id)
    if endpoint is None or not endpoint.catalogue_id:
        return ()
    from genai_prices.data_snapshot import find_provider_by_id, get_snapshot

    provider = find_provider_by_id(get_snapshot().providers, endpoint.catalogue_id)
    if provider is None:
        return ()
    now = datetime.now(tz=UTC)
    found = (_model_info(model, now) for model in provider.models if _is_offered(model))
    return tuple(sorted((info for info in found if info is not None), key=lambda info: info.id))


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
    }


def _is_offered(model: types.ModelInfo) -> bool:
    is_family = model.id.endswith("-") or model.id.startswith("ft:")  # stands for names that begin so, is none itself
    return not model.deprecated and not is_family


def _model_info(model: types.ModelInfo, now: datetime) -> ModelInfo | None:
    prices = _prices(model.get_prices(now))
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
