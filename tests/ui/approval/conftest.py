"""A desk above a field for messages, in a window that has the keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QVBoxLayout, QWidget
from typing_extensions import override

from agdesk.ui.approval import ApprovalDesk
from agdesk.ui.theme import apply_theme
from agdesk.ui.widgets.focus_order import set_reading_order
from tests.ui.approval.requests import Adviser, Session
from tests.ui.settings.workspaces import until


class Window(QWidget):
    """What a tab is to the desk."""

    def __init__(self, adviser):
        super().__init__()
        self.setWindowTitle("Conversation")
        self.adviser = adviser
        self.transcript = QPlainTextEdit()
        self.transcript.setTabChangesFocus(True)
        self.composer = QPlainTextEdit()
        self.composer.setAccessibleName("Message")
        self.composer.setTabChangesFocus(True)
        self.composer.setFixedHeight(40)
        self.desk = ApprovalDesk(self, advice=adviser.advice())
        self.desk.left.connect(self.composer.setFocus)
        column = QVBoxLayout(self)
        column.addWidget(self.transcript, 1)
        column.addWidget(self.desk)
        column.addWidget(self.composer)
        self.resize(900, 700)

    @override
    def focusNextPrevChild(self, next):
        set_reading_order((self.transcript, self.desk, self.composer))
        return super().focusNextPrevChild(next)


@pytest.fixture
def open_desk(qapp, qtbot, monkeypatch):
    """Opens a window over some requests; gives the session and what was announced."""
    apply_theme(qapp, "light")
    qapp.setQuitOnLastWindowClosed(False)
    said: list[str] = []
    for module in ("desk", "card", "rule_asking"):
        monkeypatch.setattr(f"agdesk.ui.approval.{module}.announce", lambda _widget, text: said.append(text))
    windows = []

    async def open_it(*requests):
        window = Window(Adviser())
        windows.append(window)
        qtbot.addWidget(window)
        window.show()
        window.activateWindow()
        await until(lambda: QApplication.activeWindow() is window)
        window.composer.setFocus()
        session = Session(window.desk, requests)
        session.window, session.said = window, said  # type: ignore[attr-defined]
        return session

    yield open_it
    for window in windows:
        window.desk.close_down()
    qapp.setQuitOnLastWindowClosed(True)
