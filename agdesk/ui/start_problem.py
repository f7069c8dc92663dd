"""What is asked before there is a window: the data folder cannot be used as it is."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QMessageBox

from agdesk.core.errors import AgdeskError, StoreCorrupt
from agdesk.ui.core_words import words_of
from agdesk.ui.qt_async import emission
from agdesk.ui.theme import current_theme

_ICON_SIZE = 32


async def ask_at_start(error: AgdeskError) -> bool:
    """Shows the problem; True if the user wants to begin with an empty store, which is offered for a damaged one."""
    translate = QCoreApplication.translate
    message, hint = words_of(error)
    box = QMessageBox(QMessageBox.Icon.Warning, "agdesk", message)
    theme = current_theme()
    size = theme.metrics.px(_ICON_SIZE)
    box.setIconPixmap(theme.pixmap("warning", color="warning", size=size, ratio=box.devicePixelRatioF()))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(hint)
    leave = box.addButton(translate("StartProblem", "Quit"), QMessageBox.ButtonRole.RejectRole)
    begin = None
    if isinstance(error, StoreCorrupt):
        text = translate("StartProblem", "Keep it aside and begin with an empty list")
        begin = box.addButton(text, QMessageBox.ButtonRole.ActionRole)
    box.setDefaultButton(leave)
    box.setEscapeButton(leave)
    box.open()
    await emission(box.finished, timeout_s=None)
    wants_empty = begin is not None and box.clickedButton() is begin
    box.deleteLater()
    return wants_empty
