"""The dialog of an error that nobody expected."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from agdesk.ui.widgets.crash_dialog import CrashDialog
from tools.screenshots.stage import Scene, Stage

_TRACEBACK = """Traceback (most recent call last):
  File "agdesk/ui/bridge.py", line 62, in flush
    self.batch.emit(records)
  File "agdesk/ui/chat/feed.py", line 81, in append
    self._settle(response, cause)
KeyError: 'req-4f1c9a07b2de'
"""


async def _folded(stage: Stage) -> QWidget:
    return await _dialog(stage)


async def _unfolded(stage: Stage) -> QWidget:
    dialog = await _dialog(stage)
    dialog.set_more(2)
    dialog.details_button.click()
    return dialog


async def _dialog(stage: Stage) -> CrashDialog:
    dialog = CrashDialog("KeyError: 'req-4f1c9a07b2de'", _TRACEBACK)
    await stage.show(dialog)
    dialog.adjustSize()
    return dialog


SCENES = (Scene("crash-folded", _folded), Scene("crash-details", _unfolded))
