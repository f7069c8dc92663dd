"""The same on the loop of the window, which finalises no generator and keeps cancelled timers."""

import asyncio
import gc
import time
from contextlib import aclosing

import pytest

pytest.importorskip("PySide6")

from agdesk.core.ir.response import StopReason
from agdesk.core.tasks import spawn
from tests.contract.conversation import DONE, chunk, conversation
from tests.fakes.script import END, HOLD, SSE, head, send

pytestmark = pytest.mark.usefixtures("qapp")


async def test_an_answer_whose_connection_is_held_open_leaves_nothing_half_done(fake_server):
    assert type(asyncio.get_running_loop()).__module__.startswith("qasync")
    pieces = [send(chunk(content=str(number))) for number in range(50)]
    fake_server.script(head(200, SSE), *pieces, send(chunk(finish="stop") + DONE), HOLD)
    fake_server.script(head(200, SSE), send(chunk(content="again", finish="stop") + DONE), END)
    async with conversation(fake_server.base_url) as asked:
        assert (await asked.ask()).text() == "".join(map(str, range(50)))
        assert (await asked.ask()).text() == "again"
        gc.collect()


async def test_a_stream_that_is_closed_early_leaves_nothing_half_done(fake_server):
    fake_server.script(head(200, SSE), *[send(chunk(content="a"))] * 50, HOLD)
    async with conversation(fake_server.base_url) as asked:
        async with aclosing(asked.stream()) as events:
            await anext(events)
            closed_at = time.time()
        gc.collect()
        assert fake_server.wait_for_disconnect() - closed_at < 5  # not with the end of the program


async def test_cancelling_closes_the_socket_at_once(fake_server):
    fake_server.script(head(200, SSE), send(chunk(content="a")), HOLD)
    async with conversation(fake_server.base_url) as asked:
        task = spawn(asked.ask(), name="ask")
        while not asked.body:
            await asyncio.sleep(0.005)
        cancelled_at = time.time()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert fake_server.wait_for_disconnect() - cancelled_at < 5  # not with the end of the program


async def test_a_stall_ends_with_the_idle_timeout(fake_server):
    fake_server.script(head(200, SSE), send(chunk(content="a")), HOLD)
    async with conversation(fake_server.base_url, idle_timeout_s=0.2) as asked:
        response = await asked.ask()
    assert response.stop_reason is StopReason.ERROR
    assert response.error is not None and response.error.details["is_timeout"] is True
