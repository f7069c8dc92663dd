"""T18: a read that waits too long ends; a consumer that pauses, and a user who cancels, are left alone."""

import asyncio
import contextlib
import time

import pytest

from agdesk.core.providers.watchdog import WaitedTooLong, Watchdog
from agdesk.core.tasks import spawn


@contextlib.contextmanager
def watchdog(limit_s):
    dog = Watchdog(limit_s)
    try:
        yield dog
    finally:
        dog.close()


async def test_a_read_that_is_in_time_gives_its_value():
    with watchdog(5) as dog:
        assert await dog.watch(asyncio.sleep(0.01, "bytes")) == "bytes"


async def test_a_read_that_takes_too_long_is_given_up():
    with watchdog(0.1) as dog:
        started = time.monotonic()
        with pytest.raises(WaitedTooLong) as caught:
            await dog.watch(asyncio.sleep(30))
        assert 0.09 <= time.monotonic() - started < 10
    assert caught.value.limit_s == 0.1


async def test_each_read_has_the_whole_limit():
    with watchdog(1.0) as dog:
        for _ in range(4):
            await dog.watch(asyncio.sleep(0.3))


async def test_the_time_between_reads_does_not_count():
    with watchdog(0.5) as dog:
        await dog.watch(asyncio.sleep(0))
        await asyncio.sleep(0.8)
        assert await dog.watch(asyncio.sleep(0.01, "bytes")) == "bytes"


async def test_without_a_limit_a_read_waits_until_one_is_set():
    with watchdog(None) as dog:
        await dog.watch(asyncio.sleep(0.05))
        dog.allow(0.05)
        with pytest.raises(WaitedTooLong):
            await dog.watch(asyncio.sleep(5))


async def test_a_limit_in_all_is_not_prolonged_by_reads():
    with watchdog(None) as dog:
        dog.allow_in_all(0.1)
        started = time.monotonic()
        with pytest.raises(WaitedTooLong):
            while True:
                dog.allow_in_all(0.1)
                dog.allow(60.0)
                await dog.watch(asyncio.sleep(0.02))
        assert time.monotonic() - started < 10


async def test_a_cancellation_by_the_user_stays_one():
    with watchdog(0.1) as dog:
        task = spawn(dog.watch(asyncio.sleep(5)), name="reader")
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_a_cancellation_by_the_user_at_the_moment_of_the_limit_stays_one():
    """The read is slow to end after its cancellation, and the user cancels meanwhile."""

    async def end_slowly():
        try:
            await asyncio.sleep(5)
        finally:
            await asyncio.sleep(0.1)

    with watchdog(0.05) as dog:
        task = spawn(dog.watch(end_slowly()), name="reader")
        await asyncio.sleep(0.1)
        assert task.cancelling() == 1
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_the_task_that_read_can_go_on_after_the_limit():
    with watchdog(0.02) as dog:
        with pytest.raises(WaitedTooLong):
            await dog.watch(asyncio.sleep(5))
        await asyncio.sleep(0.05)
    task = asyncio.current_task()
    assert task is not None and task.cancelling() == 0


async def test_a_failure_of_the_read_itself_comes_through():
    async def fail():
        raise OSError("broken")

    with watchdog(0.1) as dog, pytest.raises(OSError, match="broken"):
        await dog.watch(fail())


async def test_many_reads_leave_no_timers_behind():
    with watchdog(60.0) as dog:
        for _ in range(1000):
            await dog.watch(asyncio.sleep(0))
        scheduled = asyncio.get_running_loop()._scheduled  # type: ignore[attr-defined]
        assert len(scheduled) < 5


@pytest.mark.parametrize("is_in_all", [False, True])
async def test_the_time_in_which_the_program_stood_still_does_not_count(is_in_all):
    with watchdog(None if is_in_all else 1.0) as dog:
        if is_in_all:
            dog.allow_in_all(1.0)
        arrived = asyncio.get_running_loop().create_future()

        async def sleep_and_arrive():
            await asyncio.sleep(0.3)  # the read has been seen
            time.sleep(1.5)  # the machine sleeps
            await asyncio.sleep(0.2)
            arrived.set_result("bytes")

        sleeping = spawn(sleep_and_arrive(), name="sleep")
        assert await dog.watch(arrived) == "bytes"
        await sleeping


async def test_after_a_sleep_a_read_that_gets_nothing_is_given_up_all_the_same():
    with watchdog(0.3) as dog:

        async def sleep():
            await asyncio.sleep(0.1)
            time.sleep(0.5)

        sleeping = spawn(sleep(), name="sleep")
        with pytest.raises(WaitedTooLong):
            await dog.watch(asyncio.sleep(30))
        await sleeping
