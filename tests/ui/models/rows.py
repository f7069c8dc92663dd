"""Models to look for, and a workspace as far as picker and matrix need one."""

from __future__ import annotations

import asyncio
import dataclasses
from types import SimpleNamespace

from agdesk.core.emitter import Emitter
from agdesk.core.errors import AgdeskError, SettingsError
from agdesk.core.providers.base import ModelInfo, Prices, ProviderFeatures
from agdesk.core.providers.catalogue import ModelRow
from agdesk.core.providers.model_lists import Listing


def row(ref, *, is_usable=True, is_local=False, source=None, name="", **known):
    """A model of which only ``known`` is known; all of it from the provider's list, unless ``source`` says else."""
    provider_id, _, model_id = ref.partition("/")
    prices = Prices(known.pop("input_per_million", None), known.pop("output_per_million", None))
    longest = known.pop("max_output_tokens", None)
    told = {**dict.fromkeys(known, "list"), **(source or {})}
    info = ModelInfo(model_id, name or model_id, ProviderFeatures(**known), longest, prices, told)
    return ModelRow(provider_id, info, provider_id.title(), is_local, is_usable)


FEW = (
    row("alpha/one", vision=True, tool_use=True, max_context_window=200_000),
    row("alpha/two", vision=False, tool_use=True, max_context_window=8_192),
    row("beta/three", tool_use=True, thinking=True, is_usable=False),
    row("local/four", vision=True, is_local=True, max_context_window=32_768),
)


def many(count=3_000):
    """As many models of three providers, of which every second can be used."""
    names = ("aurora", "boreal", "cinder")
    return tuple(
        row(f"{names[at % 3]}/{names[at % 3]}-{at}", is_usable=at % 2 == 0, vision=(True, False, None)[at % 3])
        for at in range(count)
    )


class FakeWorkspace:
    """Rows that are given; corrections change them, and refreshing ends when the test says so.

    Attributes:
        corrections: what was asked for, in order.
        failure: what refreshing and correcting raise.
        left_out: how many models of a refreshed list cannot be used.
        gate: while it is cleared, refreshing waits.
    """

    def __init__(self, rows=FEW) -> None:
        self.models_changed: Emitter[None] = Emitter()
        self.rows = rows
        self.held: tuple[str, ...] = ()
        self.corrections: list[tuple[str, str, object]] = []
        self.refreshed: list[str] = []
        self.failure: AgdeskError | None = None
        self.left_out = 0
        self.gate = asyncio.Event()
        self.gate.set()

    @property
    def conversations(self):
        return SimpleNamespace(all=lambda: tuple(SimpleNamespace(model_ref=ref) for ref in self.held))

    def model_rows(self):
        return self.rows

    def model_info(self, model_ref):
        found = next((row.model for row in self.rows if row.ref == model_ref), None)
        return found or ModelInfo(model_ref.partition("/")[2], model_ref)

    def providers(self):
        names = dict.fromkeys(row.provider_id for row in self.rows)
        return tuple(SimpleNamespace(id=name, name=name.title()) for name in (*names, "empty"))

    async def refresh_models(self, provider_id):
        self.refreshed.append(provider_id)
        await self.gate.wait()
        if self.failure is not None:
            raise self.failure
        self.rows = (*self.rows, row(f"{provider_id}/new"))
        self.models_changed.emit(None)
        return Listing(17, left_out=self.left_out)

    async def correct_model(self, model_ref, field, value):
        self.corrections.append((model_ref, field, value))
        if isinstance(self.failure, SettingsError):
            raise self.failure
        self.rows = tuple(_corrected(row, field, value) if row.ref == model_ref else row for row in self.rows)
        self.models_changed.emit(None)


def _corrected(row: ModelRow, field: str, value: object) -> ModelRow:
    source = {**row.model.source, field: "user"}
    if value is None:
        del source[field]
    features = dataclasses.replace(row.model.features, **{field: value})  # type: ignore[arg-type]
    return dataclasses.replace(row, model=dataclasses.replace(row.model, features=features, source=source))
