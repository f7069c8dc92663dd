"""What a model's tokens cost, who says so, and as of when (CHAT9)."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from agdesk.core.providers.base import Endpoint, ModelInfo
from agdesk.core.providers.capabilities import CATALOGUE
from agdesk.core.providers.catalogue import cached_prices

_CHECKED = re.compile(r"\b(?:[Cc]hecked|[Vv]erified|[Cc]onfirmed)\b[^.]{0,90} (20\d\d-[01]\d-[0-3]\d)\b")


@dataclass(frozen=True, slots=True)
class PriceSheet:
    """US dollars per million tokens; None is unknown.

    Attributes:
        cached_per_million, cache_write_per_million: of prompt tokens that were read from the provider's cache, or put
            into it; None: they cost what any other does.
        input_source, output_source: ``user``, ``list``, ``preset`` or ``catalogue``; empty if nobody tells.
        catalogue: name and version of the catalogue, if a price is from it.
        as_of: the newest date on which a price of that catalogue was checked; None if it names none.
    """

    input_per_million: float | None
    output_per_million: float | None
    cached_per_million: float | None
    cache_write_per_million: float | None
    input_source: str
    output_source: str
    catalogue: str
    as_of: date | None


def price_sheet(endpoint: Endpoint, model: ModelInfo) -> PriceSheet:
    """The prices that ``catalogue.cost_usd`` reckons with. Loads the catalogue: call it on a thread."""
    input_source, output_source = (model.source.get(f"{way}_per_million", "") for way in ("input", "output"))
    sources = {input_source, output_source}
    cached, written = cached_prices(endpoint, model.id) if sources == {CATALOGUE} else (None, None)
    return PriceSheet(
        model.prices.input_per_million,
        model.prices.output_per_million,
        cached,
        written,
        input_source,
        output_source,
        catalogue=_catalogue_name() if CATALOGUE in sources else "",
        as_of=_catalogue_date() if CATALOGUE in sources else None,
    )


def _catalogue_name() -> str:
    import genai_prices

    return f"genai-prices {genai_prices.__version__}"


@functools.cache
def _catalogue_date() -> date | None:
    """The package has no date of its own, but its comments say when prices were checked."""
    from genai_prices.data_snapshot import get_snapshot

    today = datetime.now(tz=UTC).date()
    found: list[date] = []
    for provider in get_snapshot().providers:
        comments: list[Any] = [provider.price_comments, *(model.price_comments for model in provider.models)]
        for text in _CHECKED.findall(" ".join(filter(None, comments))):
            try:
                found.append(date.fromisoformat(text))
            except ValueError:  # the 30th of February
                continue
    return max((day for day in found if day <= today), default=None)
