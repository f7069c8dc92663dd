"""E12: stopping closes the socket at once, whatever the request is waiting for."""

import asyncio
import gc
import sys
import time
from contextlib import aclosing

import pytest

from agdesk.core.tasks import spawn
from agdesk.core.trace.wire import CloseReason
from tests.contract.conversation import chunk, conversation
from tests.fakes.script import HOLD, SSE, head, send

LATENCY_S = 0.1


async def wait_until(condition, timeout_s=5.0):
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.005)


@pytest.mark.parametrize(
    "script",
    [
        pytest.param((HOLD,), id="before the head"),
        pytest.param((head(200, SSE), HOLD), id="before the body"),
        pytest.param((head(200, SSE), send(chunk(content="a")), HOLD), id="in the middle"),
        pytest.param((head(200, SSE), send('data: {"cho'), HOLD), id="in a frame"),
        pytest.param((head(200, SSE), send(chunk(content="a", finish="stop")), HOLD), id="after the content"),
        pytest.param((head(500), send("{"), HOLD), id="in the body of an error"),
    ],
)
async def test_E12_cancelling_the_task_closes_the_socket_at_once(fake_server, script):
    fake_server.script(*script)
    async with conversation(fake_server.base_url) as asked:
        task = spawn(asked.ask(), name="ask")
        await wait_until(lambda: fake_server.requests)
        await asyncio.sleep(0.05)
        cancelled_at = time.time()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert fake_server.wait_for_disconnect() - cancelled_at < LATENCY_S
    assert asked.closed().reason is CloseReason.CANCELLED
    assert asked.closed().byte_count == len(asked.body)


async def test_closing_the_stream_closes_the_socket_at_once(fake_server):
    fake_server.script(head(200, SSE), send(chunk(content="a")), HOLD)
    async with conversation(fake_server.base_url) as asked:
        async with aclosing(asked.stream()) as events:
            await anext(events)
            closed_at = time.time()
        assert fake_server.wait_for_disconnect() - closed_at < LATENCY_S
    assert asked.closed().reason is CloseReason.CANCELLED


@pytest.mark.parametrize("reads_all", [False, True])
async def test_no_generator_is_left_for_the_loop_to_close(fake_server, reads_all):
    pieces = [send(chunk(content="a"))] * 50
    fake_server.script(head(200, SSE), *pieces, send(chunk(finish="stop") + "data: [DONE]\n\n"), send("more"), HOLD)
    abandoned: list[object] = []
    hooks = sys.get_asyncgen_hooks()
    sys.set_asyncgen_hooks(finalizer=abandoned.append)
    async with conversation(fake_server.base_url) as asked:
        async with aclosing(asked.stream()) as events:
            async for _ in events:
                if not reads_all:
                    break
        fake_server.wait_for_disconnect()
    sys.set_asyncgen_hooks(*hooks)
    gc.collect()
    assert abandoned == []


async def test_cancelling_a_consumer_that_is_between_two_events_closes_the_socket(fake_server):
    fake_server.script(head(200, SSE), send(chunk(content="a")), HOLD)
    is_busy = asyncio.Event()
    async with conversation(fake_server.base_url) as asked:

        async def consume():
            async with aclosing(asked.stream()) as events:
                async for _ in events:
                    is_busy.set()
                    await asyncio.sleep(60)

        task = spawn(consume(), name="consume")
        await is_busy.wait()
        cancelled_at = time.time()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert fake_server.wait_for_disconnect() - cancelled_at < LATENCY_S


async def test_cancelling_in_the_middle_of_a_handshake_closes_the_socket():
    """The server takes the connection and says nothing."""
    has_begun, has_left = asyncio.Event(), asyncio.Event()

    async def be_silent(reader, writer):
        await reader.read(1)
        has_begun.set()
        await reader.read()
        has_left.set()
        writer.close()

    async with await asyncio.start_server(be_silent, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        async with conversation(f"https://127.0.0.1:{port}/v1") as asked:
            task = spawn(asked.ask(), name="ask")
            await has_begun.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            async with asyncio.timeout(LATENCY_S):
                await has_left.wait()


async def test_one_cancelled_stream_leaves_the_others_alone(fake_server):
    fake_server.script(head(200, SSE), send(chunk(content="a")), HOLD)
    async with conversation(fake_server.base_url) as asked:
        stopped = spawn(asked.ask(), name="stopped")
        await wait_until(lambda: fake_server.requests)
        pieces = [step for _ in range(20) for step in (send(chunk(content="b")), {"do": "sleep", "seconds": 0.01})]
        fake_server.script(head(200, SSE), *pieces, send(chunk(finish="stop") + "data: [DONE]\n\n"), {"do": "end"})
        other = spawn(asked.ask(), name="other")
        await wait_until(lambda: len(fake_server.requests) == 2)
        stopped.cancel()
        with pytest.raises(asyncio.CancelledError):
            await stopped
        assert (await other).text() == "b" * 20


@pytest.mark.allow_warnings  # a task that fails by itself is logged
async def test_cancelling_while_the_timeout_is_near_is_still_a_cancellation(fake_server):
    for _ in range(5):
        fake_server.script(HOLD)
    async with conversation(fake_server.base_url, first_byte_timeout_s=0.1) as asked:
        for delay_s in (0.08, 0.09, 0.1, 0.11, 0.12):
            task = spawn(asked.ask(), name="ask")
            await asyncio.sleep(delay_s)
            if task.done():
                assert not task.cancelled() and task.exception() is not None
                continue
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
