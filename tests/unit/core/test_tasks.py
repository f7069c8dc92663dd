"""Tasks: kept alive, named, and never silent."""

import asyncio
import gc
import weakref

import pytest

from agdesk.core.tasks import cancel_and_wait, spawn


async def test_a_task_gives_its_result_and_carries_its_name():
    async def answer() -> int:
        return 42

    task = spawn(answer(), name="answer")

    assert task.get_name() == "answer"
    assert await task == 42


async def test_a_task_nobody_holds_lives_until_its_end():
    done = asyncio.Event()

    async def work() -> None:
        # only this frame refers to the future: without a strong reference to the task both could be collected
        await asyncio.get_running_loop().create_future()

    task = spawn(work(), name="unheld")
    reference = weakref.ref(task)
    task.add_done_callback(lambda _: done.set())
    del task
    await asyncio.sleep(0)
    gc.collect()

    held = reference()
    assert held is not None
    held.cancel()
    await done.wait()


async def test_a_task_that_ended_is_let_go():
    async def work() -> None:
        pass

    task = spawn(work(), name="short")
    reference = weakref.ref(task)
    await task
    del task
    await asyncio.sleep(0)
    gc.collect()

    assert reference() is None


async def test_a_failure_is_logged_with_the_task_s_name(caplog):
    async def fail() -> None:
        raise ValueError("broken on purpose")

    task = spawn(fail(), name="doomed")
    await asyncio.wait([task])
    await asyncio.sleep(0)

    (record,) = caplog.records
    assert record.getMessage() == "task doomed failed"
    assert record.exc_info and isinstance(record.exc_info[1], ValueError)


async def test_whoever_awaits_a_failed_task_gets_its_exception(caplog):
    async def fail() -> None:
        raise ValueError("broken on purpose")

    with pytest.raises(ValueError, match="broken on purpose"):
        await spawn(fail(), name="doomed")


async def test_a_cancelled_task_is_no_failure(caplog):
    async def wait() -> None:
        await asyncio.sleep(60)

    task = spawn(wait(), name="waiting")
    await asyncio.sleep(0)
    await cancel_and_wait(task)
    await asyncio.sleep(0)

    assert task.cancelled()
    assert not caplog.records


async def test_cancel_and_wait_returns_when_the_finally_blocks_have_run():
    steps: list[str] = []

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.01)
            steps.append("closed")

    task = spawn(work(), name="closing")
    await asyncio.sleep(0)
    await cancel_and_wait(task)

    assert steps == ["closed"]


async def test_cancel_and_wait_raises_nothing_for_a_task_that_fails_or_is_over(caplog):
    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            raise ValueError("broken on the way out")

    task = spawn(work(), name="closing")
    await asyncio.sleep(0)
    await cancel_and_wait(task)
    await cancel_and_wait(task)

    assert isinstance(task.exception(), ValueError)
