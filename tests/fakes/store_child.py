"""A process that plays scripted answers into a store until it is killed; run as a script.

Prints one JSON line per thing done: ``running`` when a turn starts, ``emitted`` for every tenth event of the answer,
``finished`` when the answer has ended and ``settled`` has returned.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from agdesk.core.cycle.session import AgentSession, SessionServices
from agdesk.core.ir.response import Usage
from agdesk.core.providers.scripted import Pause, ScriptedProvider, Step, text_answer
from agdesk.core.store.store import Store
from agdesk.core.store.values import Conversation
from agdesk.core.trace.events import ResponseReceived, StreamEventReceived, TraceRecord, TurnStarted
from agdesk.core.trace.recorder import Recorder

SESSION_ID = "killed"


def say(**values: object) -> None:
    os.write(1, json.dumps(values).encode() + b"\n")  # at once and whole, whatever happens next


def script(words: int) -> list[Step]:
    steps: list[Step] = []
    for number, step in enumerate(text_answer(*(f"word{i} " for i in range(words)))):
        steps.append(step)
        if number % 5 == 0:
            steps.append(Pause(0.002))
    return steps


async def play(folder: Path, words: int) -> None:
    store = Store.open(folder, budget_bytes=lambda: 1 << 30)
    recorder = Recorder(SESSION_ID)
    start_ns = recorder.wall_start_ns
    store.follow(recorder, Conversation(SESSION_ID, "", "test/model", start_ns // 10**6, start_ns // 10**6, start_ns))
    provider = ScriptedProvider([script(words)] * 1_000)

    async def connect(_provider_id: str) -> ScriptedProvider:
        return provider

    async def price(_model_ref: str, _usage: Usage) -> float | None:
        return None

    last: list[TraceRecord] = []

    def watch(record: TraceRecord) -> None:
        match record.payload:
            case TurnStarted():
                say(running=record.turn_id)
            case StreamEventReceived() if record.seq % 10 == 0:
                say(emitted=record.seq, ts_ns=record.ts_ns)
            case ResponseReceived():
                last.append(record)
            case _:
                pass

    recorder.records.subscribe(watch)
    services = SessionServices(connect=connect, price=price, wire_of=lambda _: "wire", kept=store.settled)
    session = AgentSession("test/model", services=services, recorder=recorder)
    while True:
        outcome = await session.submit("Tell me more")
        await store.settled()
        assert outcome.response is not None
        say(finished=last[-1].request_id, text=outcome.response.text())


asyncio.run(play(Path(sys.argv[1]), int(sys.argv[2])))
