"""A session that records only what a test makes it, and a workspace that keeps what was recorded before."""

import asyncio
from dataclasses import dataclass, field

from agdesk.core.cycle import AgentSession, SessionServices
from agdesk.core.errors import StoreError
from agdesk.core.trace.events import TraceRecord
from agdesk.core.trace.recorder import Recorder


async def _unasked(*_):
    raise AssertionError("no test of the inspector asks a provider")


def session(session_id: str = "s", *, last_seq: int = 0) -> AgentSession:
    services = SessionServices(connect=_unasked, price=_unasked, wire_of=lambda _: "openai_chat")
    return AgentSession("test/model", services=services, recorder=Recorder(session_id, last_seq=last_seq))


@dataclass(frozen=True)
class Provider:
    id: str
    key_env: str


@dataclass
class KeptTraces:
    """Stands where the workspace stands; ``gate`` holds every batch back while it is not set."""

    records: dict[str, list[TraceRecord]] = field(default_factory=dict)
    bodies: dict[str, bytes] = field(default_factory=dict)
    blobs: dict[str, bytes] = field(default_factory=dict)
    gate: asyncio.Event | None = None
    error: StoreError | None = None
    asked: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)

    async def trace(self, conversation_id):
        self.asked.append(conversation_id)
        try:
            records = self.records.get(conversation_id, [])
            for start in range(0, len(records), 50):
                if self.gate is not None:
                    await self.gate.wait()
                yield records[start : start + 50]
            if self.error is not None:
                raise self.error
        finally:
            self.ended.append(conversation_id)

    async def body(self, request_id):
        return self.bodies.get(request_id)

    async def blob(self, reference):
        return self.blobs.get(reference.sha256)

    def providers(self):
        return (Provider("test", "TEST_API_KEY"),)


async def until(condition, *, limit_s: float = 10.0):
    """Waits until ``condition()`` holds; the loop and Qt go on meanwhile."""
    async with asyncio.timeout(limit_s):
        while not condition():
            await asyncio.sleep(0.01)
