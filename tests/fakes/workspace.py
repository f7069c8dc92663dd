"""A workspace whose providers play scripts: everything above the network, nothing below."""

from __future__ import annotations

from pathlib import Path

from agdesk.core.errors import ConfigurationError
from agdesk.core.providers.base import Endpoint, LlmProvider
from agdesk.core.providers.scripted import ScriptedProvider, Step
from agdesk.core.workspace import Workspace


class ScriptedRegistry:
    """Stands where the registry stands; its only provider is ``test``."""

    default_model_ref = "test/model"

    def __init__(self, provider: LlmProvider) -> None:
        self.provider = provider
        self.is_closed = False

    def get(self, provider_id: str) -> LlmProvider:
        if provider_id != "test":
            raise ConfigurationError(f"There is no provider {provider_id!r}", "Known are: test.")
        return self.provider

    def endpoint(self, provider_id: str) -> Endpoint:
        return Endpoint(provider_id, "Test", "openai_chat", "http://127.0.0.1/v1")

    async def aclose(self) -> None:
        self.is_closed = True


def scripted_workspace(tmp_path: Path, *scripts: tuple[Step, ...]) -> tuple[Workspace, ScriptedProvider]:
    """A workspace over ``scripts``, one a request, and the provider that plays them."""
    provider = ScriptedProvider(scripts)
    return Workspace(ScriptedRegistry(provider), data_dir=tmp_path), provider  # type: ignore[arg-type]
