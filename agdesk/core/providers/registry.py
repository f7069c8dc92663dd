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
    from agdesk.core.providers.base import Endpoint, LlmProvider, ModelInfo, WireFormat
    from agdesk.core.providers.catalogue import ModelRow
    from agdesk.core.providers.http import Access
    from agdesk.core.providers.llama_server import LlamaOptions, LlamaServer
    from agdesk.core.settings.file import SettingsFile
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
        """Every known provider."""
        from agdesk.core.providers.presets import shipped_endpoints

        return tuple(shipped_endpoints())

    def endpoint(self, provider_id: str) -> Endpoint:
        """A provider's row with what the user has set: address and extra authority, the built-in model's file.

        Raises:
            ConfigurationError: there is no such provider, or its address is none.
        """
        from agdesk.core.providers.presets import at_base_url

        endpoint = self.row(provider_id)
        chosen = self.settings_file.current().providers.get(provider_id)
        base_url = self._base_urls.get(provider_id) or (chosen.base_url if chosen is not None else "")
        if provider_id == BUILTIN:
            if base_url:
                raise ConfigurationError("The built-in model has no base URL", "Use custom/MODEL for another server.")
            return endpoint
        if chosen is not None and chosen.ca_file:
            endpoint = dataclasses.replace(endpoint, ca_file=str(Path(chosen.ca_file).expanduser()))
        return at_base_url(endpoint, base_url) if base_url else endpoint

    def row(self, provider_id: str) -> Endpoint:
        """The shipped row; the built-in model's with the file and context that are set.

        Raises:
            ConfigurationError: there is no such provider.
        """
        from agdesk.core.providers.presets import shipped_endpoints

        endpoint = shipped_endpoints().get(provider_id)
        if endpoint is None:
            raise ConfigurationError(
                f"There is no provider {provider_id!r}", f"Known are: {', '.join(self.provider_ids())}."
            )
        if provider_id == BUILTIN:
            return dataclasses.replace(endpoint, models=(_builtin_model(endpoint, self.llama_options()),))
        return endpoint

    def get(self, provider_id: str) -> LlmProvider:
        """The provider, made on first use and again when its row has changed. Call it on a thread.

        Raises:
            ConfigurationError: there is no such provider, or it cannot be reached as configured.
        """
        with self._building:
            endpoint = self.endpoint(provider_id)
            if not endpoint.base_url and provider_id != BUILTIN:
                raise ConfigurationError(
                    f"{endpoint.name} has no base URL",
                    "Set it in Settings › Providers (on the command line: --base-url).",
                )
            made = self._providers.get(provider_id)
            if made is None or made[0] != endpoint:
                made = self._providers[provider_id] = (endpoint, self._make(endpoint))
            return made[1]

    def models(self) -> tuple[ModelRow, ...]:
        """The rows of the capability matrix, from the presets and the catalogue. Call it on a thread."""
        from agdesk.core.providers.catalogue import ModelRow

        return tuple(
            ModelRow(provider_id, model)
            for provider_id in self.provider_ids()
            for model in _all_models(self.row(provider_id))
        )

    def key_reference(self, provider_id: str) -> str:
        """Where the user says that a provider's key is: ``keyring``, ``env:NAME``, or empty. Call it on a thread."""
        provider = self.settings_file.current().providers.get(provider_id)
        return provider.key if provider is not None else ""

    async def learn_keys(self) -> None:
        """Makes the keys that are set known to the redactor before one is used: one that is pasted into a message is
        recognised then (SEC1). The key store is asked only for what the user has put there; if it is locked, once.
        """

        def places() -> list[tuple[str, str, str]]:
            return [(row_id, self.key_reference(row_id), self.row(row_id).key_env) for row_id in self.provider_ids()]

        may_ask = True
        for provider_id, reference, key_env in await asyncio.to_thread(places):
            if may_ask or reference != "keyring":
                key = await self.keys.find(provider_id, reference=reference, key_env=key_env, asks_keyring=False)
                may_ask = may_ask and (reference != "keyring" or not key.problem)

    def llama_options(self) -> LlamaOptions:
        """What the built-in model's server is to serve, as set now."""
        from agdesk.core.providers.llama_child import starter_gguf
        from agdesk.core.providers.llama_server import LlamaOptions

        chosen = self.settings_file.current().builtin_model
        gguf = Path(chosen.path).expanduser() if chosen.path else starter_gguf()
        return LlamaOptions(gguf, chosen.n_ctx)

    async def aclose(self) -> None:
        """Ends the built-in model and closes every connection."""
        if self._llama is not None:
            await self._llama.aclose()
        if self._pool is not None:
            await self._pool.aclose()

    def _proxy_choice(self) -> ProxyChoice:
        from agdesk.core.trace.transport import ProxyChoice

        network = self.settings_file.current().network
        return ProxyChoice(network.proxy, network.proxy_url, network.proxy_bypass)

    def _make(self, endpoint: Endpoint) -> LlmProvider:
        from agdesk.core.providers.http import HttpProvider
        from agdesk.core.trace.transport import HttpPool

        if self._pool is None:
            self._pool = HttpPool(self.secrets, proxies=self._proxy_choice)
        return HttpProvider(
            dataclasses.replace(endpoint, models=_all_models(endpoint)),
            wire=wire_format(endpoint.wire),
            pool=self._pool,
            resolve=functools.partial(self._access, endpoint),
        )

    async def _access(self, endpoint: Endpoint) -> Access:
        from agdesk.core.providers.http import Access

        if endpoint.id == BUILTIN:
            base_url, server_key = await self.llama.acquire()
            return Access(dataclasses.replace(endpoint, base_url=base_url), server_key)
        reference = await asyncio.to_thread(self.key_reference, endpoint.id)
        key = await self.keys.find(
            endpoint.id, reference=reference, key_env=endpoint.key_env, asks_keyring=endpoint.needs_key
        )
        if key.value is None and (key.problem or endpoint.needs_key):
            raise _no_key(endpoint, reference, key.problem)
        return Access(endpoint, key.value)


def _no_key(endpoint: Endpoint, reference: str, problem: str) -> ConfigurationError:
    variable = "" if reference == "keyring" else reference.removeprefix("env:") or endpoint.key_env
    step = f"Set the environment variable {variable} and start agdesk again, or give" if variable else "Give"
    hint = f"{problem} {step} a key in Settings › Providers."
    return ConfigurationError(f"There is no key for {endpoint.name}", hint.strip())


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


def _all_models(endpoint: Endpoint) -> tuple[ModelInfo, ...]:
    from agdesk.core.providers.catalogue import known_models

    listed = {model.id for model in endpoint.models}
    return endpoint.models + tuple(model for model in known_models(endpoint.id) if model.id not in listed)


def _builtin_model(endpoint: Endpoint, options: LlamaOptions) -> ModelInfo:
    """What is known of the file that is served: the row's model, or next to nothing of another one."""
    from agdesk.core.providers.base import ModelInfo, Prices, ProviderFeatures
    from agdesk.core.providers.llama_child import model_id_of

    model = endpoint.models[0]
    if options.gguf is not None and (model_id := model_id_of(options.gguf)) != model.id:
        features = ProviderFeatures(streaming=True, system_prompt_in_messages=True)
        source = {"streaming": "preset", "system_prompt_in_messages": "preset"}
        model = ModelInfo(model_id, options.gguf.name, features, source=source)
    free = {"input_per_million": "preset", "output_per_million": "preset"}
    return dataclasses.replace(
        model,
        features=dataclasses.replace(model.features, max_context_window=options.n_ctx),
        prices=Prices(0.0, 0.0),
        source={**model.source, **free, "max_context_window": "settings"},
    )
