"""A session whose provider is on a scripted server, with a clock that takes no time and a memory for refusals."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from agdesk.core.cycle import AgentSession, SessionServices
from agdesk.core.ir.messages import Message
from agdesk.core.providers.base import Endpoint, ModelInfo
from agdesk.core.providers.http import Access, HttpProvider
from agdesk.core.providers.registry import wire_format
from agdesk.core.trace.recorder import Recorder
from agdesk.core.trace.redact import Secrets
from agdesk.core.trace.transport import HttpPool
from tests.contract.conversation import ENDPOINT, KEY


class Turns:
    """One conversation; what it waited for and what it remembers.

    Attributes:
        waits: the seconds of each wait before a retry; a wait is over at once, unless ``is_held``.
        refused: what the model refused so far.
    """

    def __init__(self, endpoint: Endpoint, pool: HttpPool, messages: tuple[Message, ...]) -> None:
        self.waits: list[float] = []
        self.is_held = False
        self.refused: list[str] = []

        async def resolve() -> Access:
            return Access(endpoint, KEY)

        def describe(model: str) -> ModelInfo:
            return ModelInfo(model, model, refused=tuple(self.refused))

        provider = HttpProvider(
            endpoint, wire=wire_format(endpoint.wire), pool=pool, resolve=resolve, describe=describe
        )

        async def connect(_provider_id: str) -> HttpProvider:
            return provider

        async def price(*_: Any) -> float:
            return 0.25

        services = SessionServices(
            connect=connect,
            price=price,
            wire_of=lambda _provider_id: endpoint.wire,
            remember_refused=self._remember,
            sleep=self._sleep,
        )
        self.session = AgentSession("fake/model-1", services=services, recorder=Recorder("session"), messages=messages)
        self.payloads: list[Any] = []
        self.session.records.subscribe(lambda record: self.payloads.append(record.payload))

    def recorded(self, *kinds: type) -> list[Any]:
        return [payload for payload in self.payloads if isinstance(payload, kinds)]

    async def _remember(self, model_ref: str, parameter: str) -> None:
        assert model_ref == "fake/model-1"
        self.refused.append(parameter)

    async def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        if self.is_held:
            await asyncio.Event().wait()


@asynccontextmanager
async def turns(base_url: str, *, messages: tuple[Message, ...] = (), **changes: Any) -> AsyncGenerator[Turns, None]:
    """A session with the server at ``base_url``; ``changes`` are fields of its endpoint, ``messages`` its history."""
    pool = HttpPool(Secrets())
    made = Turns(dataclasses.replace(ENDPOINT, base_url=base_url, **changes), pool, messages)
    try:
        yield made
    finally:
        await made.session.aclose()
        await pool.aclose()
