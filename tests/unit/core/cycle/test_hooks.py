"""Hooks: order, veto, failure, time, and what is recorded of each."""

import asyncio

import pytest

from agdesk.core.cycle.hooks import Hook, HookContext, HookExecutor, HookPoint
from agdesk.core.errors import HookFailed, HookTimeout, HookVeto
from agdesk.core.trace.events import HookRan
from agdesk.core.trace.recorder import Recorder

CONTEXT = HookContext()


class Hooks:
    """An executor, with what the hooks did and what was recorded."""

    def __init__(self, *hooks):
        self.recorder = Recorder("s")
        self.ran: list[HookRan] = []
        self.recorder.records.subscribe(self._take)
        self.executor = HookExecutor(hooks, self.recorder)

    def _take(self, record):
        assert isinstance(record.payload, HookRan)
        self.ran.append(record.payload)

    async def run(self, point=HookPoint.BEFORE_REQUEST):
        await self.executor.run(point, CONTEXT, "subject")


def saying(names, name):
    async def call(context, subject):
        assert (context, subject) == (CONTEXT, "subject")
        names.append(name)

    return call


async def veto(_context, _subject):
    raise HookVeto("Too dear", "Raise the limit.")


async def fail(_context, _subject):
    raise RuntimeError("oh")


async def dawdle(_context, _subject):
    await asyncio.sleep(30)


async def test_hooks_of_a_place_run_in_their_order_and_are_recorded():
    names: list[str] = []
    hooks = Hooks(
        Hook("a", HookPoint.BEFORE_REQUEST, saying(names, "a")),
        Hook("x", HookPoint.AFTER_TOOL, saying(names, "x")),
        Hook("b", HookPoint.BEFORE_REQUEST, saying(names, "b")),
    )
    await hooks.run()
    assert names == ["a", "b"]
    assert [(ran.name, ran.point, ran.error) for ran in hooks.ran] == [
        ("a", "before_request", None),
        ("b", "before_request", None),
    ]


async def test_a_veto_ends_it_and_those_behind_are_not_asked():
    names: list[str] = []
    hooks = Hooks(Hook("v", HookPoint.BEFORE_TOOL, veto), Hook("b", HookPoint.BEFORE_TOOL, saying(names, "b")))
    with pytest.raises(HookVeto, match="Too dear"):
        await hooks.run(HookPoint.BEFORE_TOOL)
    assert names == []
    assert hooks.ran[0].error is not None and hooks.ran[0].error.kind == "hook_veto"


async def test_where_there_is_nothing_to_prevent_a_veto_is_a_failure():
    hooks = Hooks(Hook("v", HookPoint.AFTER_TOOL, veto, is_required=True))
    with pytest.raises(HookFailed, match="nothing to prevent"):
        await hooks.run(HookPoint.AFTER_TOOL)


@pytest.mark.parametrize(
    ("call", "error", "said"), [(fail, HookFailed, "failed: oh"), (dawdle, HookTimeout, "took longer")]
)
async def test_a_failure_is_recorded_and_ends_the_turn_only_if_the_hook_is_required(call, error, said, caplog):
    hooks = Hooks(Hook("h", HookPoint.BEFORE_REQUEST, call, timeout_s=0.05))
    await hooks.run()
    assert said in hooks.ran[0].error.message
    required = Hooks(Hook("h", HookPoint.BEFORE_REQUEST, call, timeout_s=0.05, is_required=True))
    with pytest.raises(error, match=said):
        await required.run()
    caplog.clear()  # the traceback of a hook that failed is in the log


async def test_stopping_a_turn_stops_its_hook():
    hooks = Hooks(Hook("h", HookPoint.BEFORE_REQUEST, dawdle))
    task = asyncio.get_running_loop().create_task(hooks.run())
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert asyncio.all_tasks() == {asyncio.current_task()}
