"""The question before there is a window."""

import asyncio

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox

from agdesk.core.errors import StoreCorrupt, StoreError
from agdesk.core.tasks import spawn
from agdesk.ui.start_problem import ask_at_start
from agdesk.ui.theme import apply_theme

DAMAGED = StoreCorrupt("The database is damaged", "It was left as it is.")


@pytest.fixture(autouse=True)
def _as_in_the_program(qapp):
    apply_theme(qapp, "light")
    qapp.setQuitOnLastWindowClosed(False)
    yield
    qapp.setQuitOnLastWindowClosed(True)


async def asked(error):
    """The dialog, and the task that waits for its answer."""
    task = spawn(ask_at_start(error), name="question")
    await asyncio.sleep(0)
    boxes = [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, QMessageBox)]
    return boxes[-1], task


@pytest.mark.parametrize(("place", "wants_empty"), [(0, False), (1, True)])
async def test_of_a_damaged_store_one_chooses_to_quit_or_to_begin_with_an_empty_one(place, wants_empty):
    box, task = await asked(DAMAGED)
    texts = ["Quit", "Keep it aside and begin with an empty list"]
    assert sorted(button.text() for button in box.buttons()) == sorted(texts)
    assert box.defaultButton().text() == "Quit"
    button = next(button for button in box.buttons() if button.text() == texts[place])
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert await asyncio.wait_for(task, 5) is wants_empty


async def test_any_other_problem_is_told_as_it_is_and_there_is_nothing_to_begin_with():
    box, task = await asked(StoreError("<b>The disk</b> is gone", "Put it back."))
    assert (box.text(), box.informativeText()) == ("<b>The disk</b> is gone", "Put it back.")
    assert box.textFormat() == Qt.TextFormat.PlainText
    assert not box.iconPixmap().isNull()
    assert [button.text() for button in box.buttons()] == ["Quit"]
    QTest.keyClick(box, Qt.Key.Key_Escape)
    assert await asyncio.wait_for(task, 5) is False
