"""The gate holds a turn where it stands (D10)."""

import asyncio

from agdesk.core.cycle.cycle import LlmCycle
from agdesk.core.cycle.gate import GatePoint
from agdesk.core.cycle.requests import CycleConfig
from agdesk.core.ir.messages import user
from agdesk.core.ir.stream import TextDelta
from agdesk.core.providers.scripted import ScriptedProvider, text_answer
from agdesk.core.trace.recorder import Recorder


class Watcher:
    """Holds the turn at the first text delta until it is released."""

    def __init__(self):
        self.seen = []
        self.release = asyncio.Event()
        self.reached = asyncio.Event()

    async def check(self, point, context):
        self.seen.append(point)
        if isinstance(context, TextDelta) and not self.release.is_set():
            self.reached.set()
            await self.release.wait()


async def test_a_turn_waits_at_the_gate_and_goes_on_when_it_opens():
    gate = Watcher()
    provider = ScriptedProvider([text_answer("a", "b")])
    cycle = LlmCycle(provider, CycleConfig("m"), Recorder("s"), gate=gate)
    turn = asyncio.get_running_loop().create_task(cycle.run_turn(user("hi")))
    await gate.reached.wait()
    await asyncio.sleep(0.01)
    assert not turn.done()
    assert provider.open_count == 1
    gate.release.set()
    assert (await turn).text() == "ab"


async def test_the_gate_is_asked_before_the_request_and_after_every_event():
    gate = Watcher()
    gate.release.set()
    script = text_answer("a", "b")
    await LlmCycle(ScriptedProvider([script]), CycleConfig("m"), Recorder("s"), gate=gate).run_turn(user("hi"))
    assert gate.seen == [GatePoint.BEFORE_REQUEST] + [GatePoint.EVENT] * len(script)
