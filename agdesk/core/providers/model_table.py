"""``ModelTable``: every known model of every provider, with all that is known of it (PROV5, CHAT8). Loads pydantic."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agdesk.core.errors import ConfigurationError
from agdesk.core.providers.base import Endpoint, ModelInfo
from agdesk.core.providers.capabilities import Knowledge
from agdesk.core.providers.catalogue import ModelRow, known_models
from agdesk.core.providers.model_lists import Listing, ModelList, ModelLists, listing
from agdesk.core.providers.registry import BUILTIN, ProviderRegistry, wire_format

if TYPE_CHECKING:
    from agdesk.core.settings.model import ModelChoice


@dataclass(frozen=True, slots=True)
class _Basis:
    """What the rows of one provider are made from: while it is the same, they are."""

    endpoint: Endpoint
    preset_id: str
    kept: ModelList | None
    choices: Mapping[str, ModelChoice]
    is_usable: bool


class ModelTable:
    """The owner of the rows. A row is made again only when something of its provider has changed.

    A provider's own list says which models there are; without one it is the models of its row and of the catalogue.
    A model that the user has set something for is there in any case.

    Args:
        registry: the providers and the settings.
        folder: where the lists are kept.
    """

    def __init__(self, registry: ProviderRegistry, *, folder: Path) -> None:
        self.lists = ModelLists(folder)
        self._registry = registry
        self._made: dict[str, tuple[_Basis, dict[str, ModelRow]]] = {}
        self._rows: tuple[ModelRow, ...] = ()
        self._making = threading.Lock()

    @property
    def rows(self) -> tuple[ModelRow, ...]:
        """Every row, by provider, as of the last ``load``; empty before the first. Never waits."""
        return self._rows

    def load(self) -> tuple[ModelRow, ...]:
        """Makes the rows that are not up to date and gives all of them. Call it on a thread."""
        with self._making:
            provider_ids = self._registry.provider_ids()
            self._made = {provider_id: self._made_anew(provider_id) for provider_id in provider_ids}
            self._rows = tuple(row for _, rows in self._made.values() for row in rows.values())
            return self._rows

    def info(self, provider_id: str, model_id: str) -> ModelInfo:
        """What is known of a model now, listed or not. Call it on a thread, unless there are rows.

        Raises:
            ConfigurationError: there is no such provider.
        """
        basis = self._basis(provider_id)
        made = self._made.get(provider_id)
        if made is not None and made[0] == basis and (row := made[1].get(model_id)) is not None:
            return row.model
        listed = next((info for info in basis.kept.models if info.id == model_id), None) if basis.kept else None
        choice = basis.choices.get(model_id)
        return _knowledge(basis).of(model_id, listed=listed, choice=choice)

    async def refresh(self, provider_id: str) -> Listing:
        """Asks a provider for its list, keeps it, and tells how many models it has.

        Raises:
            LlmError: the provider cannot be asked or did not answer with a list; the old list stays.
            SettingsError: the list cannot be kept; it is in force until the program ends.
        """
        from agdesk.core.providers.http import HttpProvider

        if provider_id == BUILTIN:  # its row is its list
            return Listing(len((await asyncio.to_thread(self._registry.row, provider_id)).models))
        provider = await asyncio.to_thread(self._registry.get, provider_id)
        assert isinstance(provider, HttpProvider)
        models = await provider.describe_models(await provider.list_models())
        base_url = (await asyncio.to_thread(self._registry.endpoint, provider_id)).base_url
        kept = await asyncio.to_thread(self.lists.put, provider_id, models, base_url=base_url)
        return listing(models, kept.models)

    def _made_anew(self, provider_id: str) -> tuple[_Basis, dict[str, ModelRow]]:
        basis = self._basis(provider_id)
        made = self._made.get(provider_id)
        return made if made is not None and made[0] == basis else (basis, dict(_rows(provider_id, basis)))

    def _basis(self, provider_id: str) -> _Basis:
        try:
            endpoint, is_reachable = self._registry.endpoint(provider_id), True
        except ConfigurationError:  # the settings of the provider tell
            endpoint, is_reachable = self._registry.row(provider_id), False
        is_reachable = is_reachable and bool(endpoint.base_url or provider_id == BUILTIN)
        return _Basis(
            endpoint,
            self._registry.preset_id(provider_id),
            self.lists.get(provider_id, base_url=endpoint.base_url) if endpoint.base_url else None,
            {
                ref.partition("/")[2]: choice
                for ref, choice in self._registry.settings_file.current().models.items()
                if ref.partition("/")[0] == provider_id
            },
            is_reachable and self._has_key(endpoint),
        )

    def _has_key(self, endpoint: Endpoint) -> bool:
        place = self._registry.key_place(endpoint.id)
        return not endpoint.needs_key or self._registry.keys.is_set(
            place.provider_id, reference=place.reference, key_env=place.key_env, account=place.account
        )


def _knowledge(basis: _Basis) -> Knowledge:
    return Knowledge(basis.endpoint, basis.preset_id, wire_format(basis.endpoint.wire))


def _rows(provider_id: str, basis: _Basis) -> Iterator[tuple[str, ModelRow]]:
    knowledge, endpoint = _knowledge(basis), basis.endpoint
    preset = [info.id for info in endpoint.models]
    listed: dict[str, ModelInfo] = {}
    if basis.kept is not None:
        listed = {info.id: info for info in basis.kept.models}
        catalogued = []
    else:
        catalogued = [info.id for info in known_models(endpoint)]
    for model_id in dict.fromkeys((*preset, *listed, *catalogued, *basis.choices)):
        info = knowledge.of(model_id, listed=listed.get(model_id), choice=basis.choices.get(model_id))
        yield model_id, ModelRow(provider_id, info, endpoint.name, endpoint.is_local, basis.is_usable)
