"""All providers by id. The only module that names a wire format.

Making a registry is cheap; rows, settings and network libraries are loaded by the first call that needs them, which
belongs on a thread.
"""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from agdesk.core.errors import ConfigurationError
from agdesk.core.settings.early import DEFAULT_MODEL
from agdesk.core.settings.paths import logs_folder, settings_path
from agdesk.core.settings.secrets import SecretStore
from agdesk.core.trace.redact import Secrets

if TYPE_CHECKING:
    from agdesk.core.ir.media import ReadBlob
    from agdesk.core.providers.account_rows import KeyPlace
    from agdesk.core.providers.base import Endpoint, LlmProvider, ProviderCapabilities, WireFormat
    from agdesk.core.providers.http import Access, HttpProvider, Resolve
    from agdesk.core.providers.llama_server import LlamaOptions, LlamaServer
    from agdesk.core.providers.model_table import ModelTable
    from agdesk.core.settings.file import SettingsFile
    from agdesk.core.settings.secrets import KeySource
    from agdesk.core.trace.transport import HttpPool, ProxyChoice

BUILTIN = "builtin"
CUSTOM = "custom"
WIRE_FORMATS = ("openai_chat", "openai_responses", "anthropic", "gemini", "ollama")


class ProviderRegistry:
    """Gives providers by id and owns what they share.

    Attributes:
        default_model_ref: ``provider/model`` of a new conversation (SEED5).
        secrets: every key that was found so far, for the redactor.
        keys: where keys come from and go to.
        read_blob: gives the bytes of what is attached to messages; called on threads.

    Args:
        data_folder: an opened data folder; settings and logs are in it.
        base_urls: addresses that replace those of rows and settings, by provider id.
    """

    def __init__(
        self,
        *,
        data_folder: Path,
        default_model_ref: str = DEFAULT_MODEL,
        base_urls: Mapping[str, str] | None = None,
    ) -> None:
        self.default_model_ref = default_model_ref
        self.secrets = Secrets()
        self.keys = SecretStore(self.secrets.add)
        self.read_blob: ReadBlob = lambda _: None
        self._data_folder = data_folder
        self._base_urls = dict(base_urls or {})
        self._llama: LlamaServer | None = None
        self._pool: HttpPool | None = None
        self._providers: dict[str, tuple[Endpoint, LlmProvider]] = {}
        self._building = threading.Lock()

    @property
    def llama(self) -> LlamaServer:
        """The built-in model's server."""
        if self._llama is None:
            from agdesk.core.providers.llama_server import LlamaServer

            log_file = logs_folder(self._data_folder) / "builtin-model.log"
            self._llama = LlamaServer(self.llama_options, log_file=log_file)
        return self._llama

    @functools.cached_property
    def settings_file(self) -> SettingsFile:
        """The settings in force and their file."""
        from agdesk.core.settings.file import SettingsFile

        return SettingsFile(settings_path(self._data_folder))

    def provider_ids(self) -> tuple[str, ...]:
        """Every known provider: the shipped ones, then the accounts of the settings."""
        from agdesk.core.providers.account_rows import account_ids
        from agdesk.core.providers.presets import shipped_endpoints

        return (*shipped_endpoints(), *account_ids(self.settings_file.current()))

    def preset_id(self, provider_id: str) -> str:
        """The shipped provider that an account is with; of every other provider its own id."""
        from agdesk.core.providers.account_rows import preset_id

        return preset_id(self.settings_file.current(), provider_id)

    def endpoint(self, provider_id: str) -> Endpoint:
        """A provider's row with what the user has set: address, headers and authority, the built-in model's file.

        Raises:
            ConfigurationError: there is no such provider, or what is set for it cannot be used.
        """
        from agdesk.core.providers.account_rows import endpoint_of
        from agdesk.core.settings.model import Provider

        row = self.row(provider_id)
        chosen = self.settings_file.current().providers.get(provider_id, Provider())
        base_url = self._base_urls.get(provider_id, "")
        if provider_id == BUILTIN:
            if base_url or chosen.base_url:
                raise ConfigurationError("The built-in model has no base URL", "Use custom/MODEL for another server.")
            return row
        return endpoint_of(row, chosen, base_url=base_url)

    def row(self, provider_id: str) -> Endpoint:
        """The shipped row, or an account's; the built-in model's with the file and context that are set.

        Raises:
            ConfigurationError: there is no such provider.
        """
        from agdesk.core.providers.account_rows import row_of

        row = row_of(self.settings_file.current(), provider_id)
        if row is None:
            raise ConfigurationError(
                f"There is no provider {provider_id!r}", f"Known are: {', '.join(self.provider_ids())}."
            )
        if provider_id == BUILTIN:
            from agdesk.core.providers.builtin_row import served_model

            return dataclasses.replace(row, models=(served_model(row, self.llama_options()),))
        return row

    def get(self, provider_id: str) -> LlmProvider:
        """The provider, made on first use and again when its row has changed. Call it on a thread.

        Raises:
            ConfigurationError: there is no such provider, or it cannot be reached as configured.
        """
        with self._building:
            endpoint = self.endpoint(provider_id)
            if not endpoint.base_url and provider_id != BUILTIN:
                from agdesk.core.providers.rendering import no_base_url

                raise no_base_url(endpoint)
            if (made := self._providers.get(provider_id)) is None or made[0] != endpoint:
                made = self._providers[provider_id] = (
                    endpoint,
                    self._http_provider(endpoint, functools.partial(self._access, endpoint)),
                )
            return made[1]

    def without_key(self, endpoint: Endpoint) -> HttpProvider:
        """A provider at ``endpoint`` that sends no key. Call it on a thread."""
        from agdesk.core.providers.http import Access

        async def resolve() -> Access:
            return Access(endpoint)

        return self._http_provider(endpoint, resolve)

    @functools.cached_property
    def table(self) -> ModelTable:
        """Every known model."""
        from agdesk.core.providers.model_table import ModelTable

        return ModelTable(self, folder=self._data_folder / "models")

    def capabilities(self, model_ref: str | None = None) -> ProviderCapabilities:
        """What a model can do, by default the model of new conversations (SEED5). Call it on a thread.

        Raises:
            ConfigurationError: there is no such provider, or it cannot be reached as configured.
        """
        provider_id, model = split_model_ref(model_ref or self.default_model_ref)
        return self.get(provider_id).capabilities(model)

    def key_place(self, provider_id: str) -> KeyPlace:
        """Where a provider's key may be. Call it on a thread."""
        from agdesk.core.providers.account_rows import key_place

        return key_place(self.settings_file.current(), provider_id)

    async def key_of(self, provider_id: str, *, asks_keyring: bool = True) -> KeySource:
        """A provider's key; without ``asks_keyring`` the key store is asked only if the user has put it there."""
        place = await asyncio.to_thread(self.key_place, provider_id)
        return await self.keys.find(
            place.provider_id,
            reference=place.reference,
            key_env=place.key_env,
            asks_keyring=asks_keyring,
            account=place.account,
        )

    async def learn_keys(self) -> None:
        """Makes the keys that are set known to the redactor before one is used: one that is pasted into a message is
        recognised then (SEC1). The key store is asked only for what the user has put there; if it is locked, once.
        """
        may_ask = True
        for provider_id in await asyncio.to_thread(self.provider_ids):
            is_kept = self.key_place(provider_id).reference == "keyring"
            if may_ask or not is_kept:
                key = await self.key_of(provider_id, asks_keyring=False)
                may_ask = may_ask and not (is_kept and key.problem)

    def llama_options(self) -> LlamaOptions:
        """What the built-in model's server is to serve, as set now."""
        from agdesk.core.providers.llama_child import starter_gguf
        from agdesk.core.providers.llama_server import LlamaOptions

        chosen = self.settings_file.current().builtin_model
        gguf = Path(chosen.path).expanduser() if chosen.path else starter_gguf()
        return LlamaOptions(gguf, chosen.n_ctx)

    async def aclose(self) -> None:
        """Ends the built-in model and closes every connection."""
        for part in (self._llama, self._pool):
            if part is not None:
                await part.aclose()

    def proxy_choice(self) -> ProxyChoice:
        """The user's choice of a proxy."""
        from agdesk.core.trace.transport import ProxyChoice

        network = self.settings_file.current().network
        return ProxyChoice(network.proxy, network.proxy_url, network.proxy_bypass)

    def _http_provider(self, endpoint: Endpoint, resolve: Resolve) -> HttpProvider:
        from agdesk.core.providers.http import HttpProvider
        from agdesk.core.trace.transport import HttpPool

        if self._pool is None:
            self._pool = HttpPool(self.secrets, proxies=self.proxy_choice)
        return HttpProvider(
            endpoint,
            wire=wire_format(endpoint.wire),
            pool=self._pool,
            resolve=resolve,
            describe=functools.partial(self.table.info, endpoint.id),
            read_blob=lambda reference: self.read_blob(reference),
        )

    async def _access(self, endpoint: Endpoint) -> Access:
        from agdesk.core.providers.http import Access

        if endpoint.id == BUILTIN:
            base_url, server_key = await self.llama.acquire()
            return Access(dataclasses.replace(endpoint, base_url=base_url), server_key)
        key = await self.key_of(endpoint.id, asks_keyring=endpoint.needs_key)
        if key.value is None and (key.problem or endpoint.needs_key):
            from agdesk.core.providers.account_rows import no_key

            raise no_key(endpoint, self.key_place(endpoint.id), key.problem)
        return Access(endpoint, key.value)


def split_model_ref(model_ref: str) -> tuple[str, str]:
    """``provider/model`` in two; the model's id is all that follows the first ``/`` (D14).

    Raises:
        ConfigurationError: one of them is missing.
    """
    provider_id, _, model = model_ref.partition("/")
    if not provider_id or not model:
        raise ConfigurationError(f"{model_ref!r} names no model", "Write it as PROVIDER/MODEL, as in openai/gpt-5.")
    return provider_id, model


def wire_format(name: str) -> WireFormat:
    """The wire format of a name.

    Raises:
        ConfigurationError: there is no such format.
    """
    match name:
        case "openai_chat":
            from agdesk.core.providers.wire.openai_chat import OpenAiChat

            return OpenAiChat()
        case "openai_responses":
            from agdesk.core.providers.wire.openai_responses import OpenAiResponses

            return OpenAiResponses()
        case "anthropic":
            from agdesk.core.providers.wire.anthropic import Anthropic

            return Anthropic()
        case "gemini":
            from agdesk.core.providers.wire.gemini import Gemini

            return Gemini()
        case "ollama":
            from agdesk.core.providers.wire.ollama import Ollama

            return Ollama()
    raise ConfigurationError(f"There is no wire format {name!r}", f"Known are: {', '.join(WIRE_FORMATS)}.")
