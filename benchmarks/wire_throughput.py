"""PERF1: bytes → frames → typed events → final message, everything recorded, against the vendors' own SDKs.

Every wire format, the same bytes in the same reads for every arm; each arm's HTTP client gets them from an in-memory
transport, so no arm pays for a socket. ``limit`` is a bare loop of split, ``pydantic_core.from_json`` and one slotted
dataclass. As in the program, what is loaded before the first answer is frozen for the garbage collector: for all arms.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from typing_extensions import override

from benchmarks.wire_bodies import WIRES, Wire, text
from benchmarks.wire_peers import PEERS, Peer

EVENTS = 20_000
WARM_UP_EVENTS = 200
ROUNDS = 5
READS = {"one event a read": True, "16 kB reads": False}


async def agdesk_arm(name: str, chunks: list[bytes]) -> str:
    """The provider's own path under a cycle, with a recorder that keeps every record and the body."""
    import httpx

    from agdesk.core.cycle.cycle import LlmCycle
    from agdesk.core.cycle.requests import CycleConfig
    from agdesk.core.ir.messages import user
    from agdesk.core.trace.recorder import Recorder
    from benchmarks.arms import in_memory_provider

    class Body(httpx.AsyncByteStream):
        @override
        async def __aiter__(self) -> AsyncIterator[bytes]:
            for chunk in chunks:
                yield chunk

    recorder = Recorder("bench")
    records: list[Any] = []
    received = bytearray()
    recorder.records.subscribe(records.append)
    recorder.bodies.subscribe(lambda part: received.extend(part[1]))
    provider = in_memory_provider(lambda: Body(), wire=name)
    response = await LlmCycle(provider, CycleConfig("m"), recorder).run_turn(user("hi"))
    assert len(received) == sum(map(len, chunks)) and response.usage.completion_tokens, "the arm lost something"
    return response.text()


@dataclass(slots=True)
class _Delta:
    text: str | None


async def limit_arm(wire: Wire, chunks: list[bytes]) -> str:
    """The least a Python program can do with these bytes."""
    from pydantic_core import from_json

    events = []
    for frame in b"".join(chunks).split(wire.end):
        if (start := frame.find(b"{")) >= 0:
            events.append(_Delta(wire.text_of(from_json(frame[start:]))))
    return "".join(event.text for event in events if event.text)


def measure() -> dict[str, Any]:
    """Deltas per second of processor time of each arm of each format, for both kinds of reads.

    The best of ``ROUNDS`` interleaved rounds. No arm waits for anything, so the wall clock would only add what other
    processes take.
    """
    arms: dict[tuple[str, str], Peer] = {}
    for name, wire in WIRES.items():
        arms[name, "agdesk"] = partial(agdesk_arm, name)
        if name in PEERS:
            arms[name, PEERS[name][0]] = PEERS[name][1]
        arms[name, "limit"] = partial(limit_arm, wire)
    for (name, _), run in arms.items():
        asyncio.run(run(WIRES[name].reads(WIRES[name].body(WARM_UP_EVENTS), is_one_event_a_read=True)))
    bodies = {name: wire.body(EVENTS) for name, wire in WIRES.items()}
    expected = text(EVENTS)
    result: dict[str, Any] = {"events": EVENTS, "formats": {name: {} for name in WIRES}}
    gc.collect()
    gc.freeze()
    for kind, is_single in READS.items():
        chunks = {name: wire.reads(bodies[name], is_one_event_a_read=is_single) for name, wire in WIRES.items()}
        seconds = dict.fromkeys(arms, float("inf"))
        for _ in range(ROUNDS):
            for arm, run in arms.items():
                start = time.process_time()
                found = asyncio.run(run(chunks[arm[0]]))
                seconds[arm] = min(seconds[arm], time.process_time() - start)
                assert found == expected, f"{arm} read something else"
        for name in WIRES:
            result["formats"][name][kind] = {arm: round(EVENTS / s) for (of, arm), s in seconds.items() if of == name}
    return result


if __name__ == "__main__":
    json.dump(measure(), sys.stdout)
