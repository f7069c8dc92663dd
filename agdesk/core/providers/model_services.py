"""``ModelServices``: what a ``Workspace`` offers about models, of which it is a part."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING

from agdesk.core.emitter import Emitter
from agdesk.core.errors import ConfigurationError, SettingsError
from agdesk.core.providers.registry import ProviderRegistry, split_model_ref, wire_format
from agdesk.core.tasks import spawn

if TYPE_CHECKING:
    from agdesk.core.ir.parameters import RequestParameters
    from agdesk.core.ir.response import Usage
    from agdesk.core.providers.base import Endpoint, ModelInfo
    from agdesk.core.providers.catalogue import ModelRow
    from agdesk.core.providers.local_servers import LocalServer
    from agdesk.core.providers.model_lists import Listing
    from agdesk.core.providers.model_table import ModelTable
    from agdesk.core.providers.parameters import Parameter
    from agdesk.core.providers.price_sheet import PriceSheet
    from agdesk.core.providers.router import Needs
    from agdesk.core.settings.model import Settings

log = logging.getLogger(__name__)


class ModelServices(ABC):
    """Rows, corrections and choice of models.

    Attributes:
        models_changed: emitted on the loop's thread when something that is known of models has changed.
    """

    def __init__(self, registry: ProviderRegistry) -> None:
        self.registry = registry
        self.models_changed: Emitter[None] = Emitter()
        self._table: ModelTable | None = None
        registry.keys.changed.subscribe(lambda _: self._on_keys_changed())

    @abstractmethod
    async def change_settings(self, changes: dict[str, object]) -> None:
        """Puts settings in force and writes the file."""

    def model_rows(self) -> tuple[ModelRow, ...]:
        """Every known model with what is known of it, the default's provider first; empty until ``warm_up``."""
        default_provider = self.registry.default_model_ref.partition("/")[0]
        rows = self._table.rows if self._table is not None else ()
        return tuple(sorted(rows, key=lambda row: row.provider_id != default_provider))

    def model_refs(self) -> tuple[str, ...]:
        """Every known ``provider/model``, in the order of ``model_rows``."""
        return tuple(row.ref for row in self.model_rows())

    def model_info(self, model_ref: str) -> ModelInfo:
        """What is known of a model, listed or not; next to nothing until ``warm_up``, and of what names no model."""
        from agdesk.core.providers.base import ModelInfo

        provider_id, _, model_id = model_ref.partition("/")
        if self._table is not None:
            with contextlib.suppress(ConfigurationError):
                return self._table.info(provider_id, model_id)
        return ModelInfo(model_id, model_id)

    async def refresh_models(self, provider_id: str) -> Listing:
        """Asks a provider for its list of models, keeps it, and tells how many there are.

        Raises:
            LlmError: it cannot be asked or did not answer with a list; the old list stays.
            SettingsError: the list cannot be kept; it is in force until the program ends.
        """
        try:
            return await self.registry.table.refresh(provider_id)
        finally:
            await self._reload_models()

    async def find_local_servers(self) -> tuple[LocalServer, ...]:
        """The servers of models that answer on this machine, at the addresses of providers and accounts.

        What they list is kept: their models can be chosen at once.
        """
        from agdesk.core.providers.local_servers import find_local_servers

        found = await find_local_servers(self.registry)
        lists = self.registry.table.lists
        for server in found:
            if server.models is not None:
                with contextlib.suppress(SettingsError):  # in force until the program ends
                    await asyncio.to_thread(lists.put, server.provider_id, server.models, base_url=server.base_url)
        await self._reload_models()
        return found

    async def correct_model(self, model_ref: str, field: str, value: object | None) -> None:
        """Sets what the user knows better of a model, a field of ``ModelChoice``; None is back to what others say.

        Raises:
            SettingsError: there is no such field, or not such a value.
        """
        await self.change_settings({f"models.{model_ref}.{field}": value})

    async def forget_refused(self, model_ref: str, members: Iterable[str]) -> None:
        """Forgets that a model refused parts of a request: they are sent to it again (E07).

        Raises:
            SettingsError: the settings cannot be written; nothing has changed then.
        """
        choice = self.registry.settings_file.current().models.get(model_ref)
        forgotten = frozenset(members)
        kept = [member for member in choice.refused if member not in forgotten] if choice is not None else []
        await self.change_settings({f"models.{model_ref}.refused": kept or None})

    def parameters(self, model_ref: str) -> tuple[Parameter, ...]:
        """Every parameter as it stands for a model; all can be set for ``AUTO``, which stands for any.

        Raises:
            ConfigurationError: there is no such provider, or it cannot be used as it is set.
        """
        from agdesk.core.providers.parameters import parameters_of, parameters_of_any
        from agdesk.core.providers.router import AUTO

        if model_ref == AUTO:
            return parameters_of_any()
        endpoint = self.registry.endpoint(split_model_ref(model_ref)[0])
        return parameters_of(self.model_info(model_ref), endpoint=endpoint, wire=wire_format(endpoint.wire))

    def goes_on(self, model_ref: str, parameters: RequestParameters) -> bool:
        """Whether a model, asked with these parameters, is known to go on with an answer that was cut (CHAT5).

        What is not known yet, as all is until ``warm_up``, is not said to be so.
        """
        from agdesk.core.providers.parameters import goes_on

        provider_id, _, model_id = model_ref.partition("/")
        if self._table is None:
            return False
        try:
            return goes_on(self._table.info(provider_id, model_id), self.registry.endpoint(provider_id), parameters)
        except ConfigurationError:
            return False

    async def resolve_model(self, model_ref: str, needs: Needs) -> str:
        """The model that a reference stands for: that of ``AUTO`` is chosen for ``needs``, any other is itself.

        Raises:
            ConfigurationError: no model that can be used meets the needs.
        """
        from agdesk.core.providers.router import AUTO

        return model_ref if model_ref != AUTO else (await self.choose_model(needs)).ref

    async def choose_model(self, needs: Needs) -> ModelRow:
        """The best usable model for ``needs``; the model of new conversations if none is better.

        Raises:
            ConfigurationError: no model that can be used meets the needs.
        """
        from agdesk.core.providers.router import route

        rows = await asyncio.to_thread(self.load_models)
        return route(needs, rows, preferred_ref=self.registry.default_model_ref)

    def load_models(self) -> tuple[ModelRow, ...]:
        """Brings the rows up to date. Call it on a thread."""
        self._table = self.registry.table
        return self._table.load()

    def costs_usd(self, usages: Iterable[tuple[str, Usage]]) -> list[float | None]:
        """What requests to ``provider/model`` cost in US dollars; None is unknown. Call it on a thread."""
        from agdesk.core.providers.catalogue import cost_usd

        find = functools.cache(self._priced)  # a long conversation asks one model thousands of times
        costs: list[float | None] = []
        for model_ref, usage in usages:
            priced = find(model_ref)
            costs.append(usage.cost_usd if priced is None else cost_usd(*priced, usage))
        return costs

    def price_sheet(self, model_ref: str) -> PriceSheet | None:
        """What a model's tokens cost and who says so; None if its provider is no more. Call it on a thread."""
        from agdesk.core.providers.price_sheet import price_sheet

        try:
            provider_id, model_id = split_model_ref(model_ref)
            return price_sheet(self.registry.row(provider_id), self.registry.table.info(provider_id, model_id))
        except ConfigurationError:
            return None

    def _priced(self, model_ref: str) -> tuple[Endpoint, ModelInfo] | None:
        """What a price depends on; None for a provider that is no more, or one that a later agdesk knows."""
        try:
            provider_id, model_id = split_model_ref(model_ref)
            return self.registry.row(provider_id), self.registry.table.info(provider_id, model_id)
        except ConfigurationError:
            return None

    async def _remember_refused(self, model_ref: str, parameter: str) -> None:
        """Keeps what a model refused (E07); if the settings cannot be written, as long as the program runs."""
        from agdesk.core.settings.file import changed

        choice = self.registry.settings_file.current().models.get(model_ref)
        refused = [*(choice.refused if choice is not None else ()), parameter]
        key, value = f"models.{model_ref}.refused", list(dict.fromkeys(refused))
        try:
            await self.change_settings({key: value})
        except SettingsError as error:
            log.warning("%s %s", error.message, error.hint)
            self.registry.settings_file.use(changed(self.registry.settings_file.current(), key, value))

    async def _follow_settings(self, before: Settings, after: Settings) -> None:
        """After a change of the settings: what is known of models may be another now."""
        parts = [(at.providers, at.models, at.builtin_model, at.chat.default_model) for at in (before, after)]
        if parts[0] != parts[1]:
            await self._reload_models()

    async def _reload_models(self) -> None:
        if self._table is not None:
            await asyncio.to_thread(self._table.load)
            self.models_changed.emit(None)

    def _on_keys_changed(self) -> None:
        if self._table is not None:
            spawn(self._reload_models(), name="which models have a key")
