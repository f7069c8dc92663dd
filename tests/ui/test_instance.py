"""SEC6: the second start brings the first window to the front."""

import asyncio

from agdesk.ui.instance import Doorbell, ring
from agdesk.ui.qt_async import emission


async def test_a_second_start_rings_at_the_first(tmp_path, qtbot):
    bell = Doorbell(tmp_path)
    heard = emission(bell.rung, timeout_s=10)
    answered, _ = await asyncio.gather(ring(tmp_path), heard)
    assert answered
    bell.close()


async def test_nobody_answers_where_no_window_is_open(tmp_path, qtbot):
    assert not await ring(tmp_path)


async def test_a_bell_that_a_killed_program_left_is_replaced(tmp_path, qtbot):
    left = Doorbell(tmp_path)
    bell = Doorbell(tmp_path)
    heard = emission(bell.rung, timeout_s=10)
    answered, _ = await asyncio.gather(ring(tmp_path), heard)
    assert answered
    left.close()
    bell.close()


async def test_a_window_that_does_not_answer_is_none(tmp_path, qtbot):
    bell = Doorbell(tmp_path)
    bell._server.blockSignals(True)  # the system goes on connecting, as for a program that hangs
    assert not await ring(tmp_path)
    bell.close()
