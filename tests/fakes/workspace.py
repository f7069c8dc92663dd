"""A workspace whose providers play scripts: everything above the network, nothing below."""

from __future__ import annotations

from pathlib import Path

from agdesk.core.errors import ConfigurationError
from agdesk.core.providers.account_rows import KeyPlace
from agdesk.core.providers.base import Endpoint, LlmProvider, ProviderFeatures
from agdesk.core.providers.dialect import Dialect, Prefill
from agdesk.core.providers.model_table import ModelTable
from agdesk.core.providers.scripted import ScriptedProvider, Step
from agdesk.core.settings.file import SettingsFile
from agdesk.core.settings.paths import settings_path
from agdesk.core.settings.secrets import DEFAULT_ACCOUNT, SecretStore
from agdesk.core.store.store import Store
from agdesk.core.trace.redact import Secrets
from agdesk.core.trace.transport import ProxyChoice
from agdesk.core.workspace import Workspace


class ScriptedRegistry:
    """Stands where the registry stands; its only provider is ``test``."""

    default_model_ref = "test/model"

    def __init__(self, provider: LlmProvider, *, data_folder: Path) -> None:
        self.provider = provider
        self.is_closed = False
        self.secrets = Secrets()
        self.keys = SecretStore(self.secrets.add, environment={})
        self.settings_file = SettingsFile(settings_path(data_folder))
        self.table = ModelTable(self, folder=data_folder / "models")  # type: ignore[arg-type]

    def provider_ids(self) -> tuple[str, ...]:
        return ("test",)

    def get(self, provider_id: str) -> LlmProvider:
        if provider_id != "test":
            raise ConfigurationError(f"There is no provider {provider_id!r}", "Known are: test.")
        return self.provider

    def endpoint(self, provider_id: str) -> Endpoint:
        dialect = Dialect(prefill=Prefill.LAST_MESSAGE)
        return Endpoint(provider_id, "Test", "openai_chat", "http://127.0.0.1/v1", needs_key=False, dialect=dialect)

    def row(self, provider_id: str) -> Endpoint:
        return self.endpoint(provider_id)

    def preset_id(self, provider_id: str) -> str:
        return provider_id

    def key_place(self, provider_id: str) -> KeyPlace:
        return KeyPlace(provider_id, DEFAULT_ACCOUNT, "", "")

    def proxy_choice(self) -> ProxyChoice:
        return ProxyChoice("none", "", "")

    async def aclose(self) -> None:
        self.is_closed = True


def scripted_workspace(
    tmp_path: Path, *scripts: tuple[Step, ...], features: ProviderFeatures | None = None
) -> tuple[Workspace, ScriptedProvider]:
    """A workspace over ``scripts``, one a request, with a store in ``tmp_path``, and the provider that plays them."""
    provider = ScriptedProvider(scripts, features=features or ProviderFeatures(streaming=True))
    store = Store.open(tmp_path, budget_bytes=lambda: 100_000_000)
    registry = ScriptedRegistry(provider, data_folder=tmp_path)
    return Workspace(registry, data_dir=tmp_path, store=store), provider  # type: ignore[arg-type]
