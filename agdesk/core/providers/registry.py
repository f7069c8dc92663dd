"""All providers by id. The only module that names a wire format.

Making a registry is cheap; rows, settings and network libraries are loaded by the first call that needs them, which
belongs on a thread.
"""

from __future__ import annotations

import dataclasses
import functools
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from agdesk.core.errors import ConfigurationError
from agdesk.core.providers.base import Endpoint, LlmProvider, ModelInfo, Prices, ProviderFeatures, WireFormat
from agdesk.core.providers.llama_child import model_id_of, starter_gguf
from agdesk.core.providers.llama_server import LlamaOptions, LlamaServer
from agdesk.core.settings.early import DEFAULT_MODEL
from agdesk.core.settings.paths import logs_folder, settings_path
from agdesk.core.settings.secrets import Keys
from agdesk.core.trace.redact import Secrets

if TYPE_CHECKING:
    from agdesk.core.providers.catalogue import ModelRow
    from agdesk.core.providers.http import Access
    from agdesk.core.settings.file import SettingsFile
    from agdesk.core.trace.transport import HttpPool

BUILTIN = "builtin"
CUSTOM = "custom"
WIRE_FORMATS = ("openai_chat",)


class ProviderRegistry:
    """Gives providers by id and owns what they share.

    Attributes:
        default_model_ref: ``provider/model`` of a new conversation (SEED5).
        secrets: every key that was found so far, for the redactor.
        keys: where keys come from.
        llama: the built-in model's server.

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
        self.keys = Keys(self.secrets.add)
        self.llama = LlamaServer(self.llama_options, log_file=logs_folder(data_folder) / "builtin-model.log")
        self._data_folder = data_folder
        self._base_urls = dict(base_urls or {})
        self._pool: HttpPool | None = None
        self._providers: dict[str, tuple[Endpoint, LlmProvider]] = {}
        self._building = threading.Lock()

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
        """A provider's row with what the user has set: the address, the built-in model's file and context.

        Raises:
            ConfigurationError: there is no such provider, or its address is none.
        """
        from agdesk.core.providers.presets import at_base_url, shipped_endpoints

        endpoint = shipped_endpoints().get(provider_id)
        if endpoint is None:
            raise ConfigurationError(
                f"There is no provider {provider_id!r}", f"Known are: {', '.join(self.provider_ids())}."
            )
        base_url = self._base_urls.get(provider_id, "")
        if provider_id == BUILTIN:
            if base_url:
                raise ConfigurationError("The built-in model has no base URL", "Use custom/MODEL for another server.")
            return dataclasses.replace(endpoint, models=(_builtin_model(endpoint, self.llama_options()),))
        if provider_id == CUSTOM and not base_url:
            base_url = self.settings_file.current().custom_endpoint.base_url
        return at_base_url(endpoint, base_url) if base_url else endpoint

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
                    "Set it in the settings, [custom_endpoint] base_url, or give it with --base-url.",
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
            for model in _all_models(self.endpoint(provider_id))
        )

    def llama_options(self) -> LlamaOptions:
        """What the built-in model's server is to serve, as set now."""
        chosen = self.settings_file.current().builtin_model
        gguf = Path(chosen.path).expanduser() if chosen.path else starter_gguf()
        return LlamaOptions(gguf, chosen.n_ctx)

    async def aclose(self) -> None:
        """Ends the built-in model and closes every connection."""
        await self.llama.aclose()
        if self._pool is not None:
            await self._pool.aclose()

    def _make(self, endpoint: Endpoint) -> LlmProvider:
        from agdesk.core.providers.http import HttpProvider
        from agdesk.core.trace.transport import HttpPool

        if self._pool is None:
            self._pool = HttpPool(self.secrets)
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
        key = await self.keys.find(endpoint.id, key_env=endpoint.key_env, asks_keyring=endpoint.needs_key)
        if key.problem:  # no key, and the reason is more than that nobody gave one
            raise ConfigurationError(
                f"There is no key for {endpoint.name}",
                f"Set the environment variable {endpoint.key_env} and start agdesk again. {key.problem}",
            )
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
    raise ConfigurationError(f"There is no wire format {name!r}", f"Known are: {', '.join(WIRE_FORMATS)}.")


def _all_models(endpoint: Endpoint) -> tuple[ModelInfo, ...]:
    from agdesk.core.providers.catalogue import known_models

    listed = {model.id for model in endpoint.models}
    return endpoint.models + tuple(model for model in known_models(endpoint.id) if model.id not in listed)


def _builtin_model(endpoint: Endpoint, options: LlamaOptions) -> ModelInfo:
    """What is known of the file that is served: the row's model, or next to nothing of another one."""
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
