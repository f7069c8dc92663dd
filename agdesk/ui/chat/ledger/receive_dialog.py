"""What a model would receive if the draft were sent to it now: the whole request, and what it leaves out (PROV8)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from agdesk.core.cycle import AgentSession
from agdesk.core.errors import AgdeskError
from agdesk.core.ir.blocks import ContentBlock
from agdesk.core.ir.ledger import read_line
from agdesk.core.ir.messages import Message
from agdesk.core.providers.rendering import Rendering
from agdesk.core.tasks import spawn
from agdesk.core.workspace import Workspace
from agdesk.ui.chat.ledger.changes import ChangeGroups, changes_by_message
from agdesk.ui.chat.ledger.document import body_text, curl_text, shown_text
from agdesk.ui.core_words import words_of
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.announce import announce
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.code_view import CodeView
from agdesk.ui.widgets.editable_box import EditableBox
from agdesk.ui.widgets.grouped_text import GroupedText
from agdesk.ui.widgets.labels import PlainLabel, StatusLine
from agdesk.ui.widgets.notice import Notice
from agdesk.ui.widgets.skeleton import DELAY_MS, Skeleton
from agdesk.ui.widgets.wrapped_label import WrappedLabel

SHOWN_CHARACTERS = 1_000_000
_SIZE = (720, 640)


class ReceiveDialog(QDialog):
    """The request in the format of any model's provider. It is made anew whenever the dialog gets the keyboard.

    Not modal, deleted when it is closed.

    Args:
        session: the conversation.
        model_ref: the model that is shown first.
        draft: what is written and not sent.
    """

    def __init__(
        self,
        workspace: Workspace,
        session: AgentSession,
        *,
        model_ref: str,
        draft: Callable[[], tuple[ContentBlock, ...]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("What would a model receive?"))
        self._workspace = workspace
        self._session = session
        self._draft = draft
        self._model_ref = model_ref
        self._rendering: Rendering | None = None
        self._groups: ChangeGroups = ()
        self._text = ""
        self._task: asyncio.Task[None] | None = None
        self._copying: asyncio.Task[None] | None = None
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(DELAY_MS)
        self._skeleton = Skeleton(self.tr("Making the request"), self)
        self._content = self._make_content()
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self._skeleton)
        self._pages.addWidget(self._content)
        self._problem_page = self._make_problem()
        self._pages.addWidget(self._problem_page)
        self._late.timeout.connect(lambda: self._pages.setCurrentWidget(self._skeleton))
        self._build()
        self.box.set_choices(workspace.model_refs(), model_ref)
        self.box.chosen.connect(self.choose)
        self.finished.connect(lambda _result: self._stop())
        self._load()

    def choose(self, model_ref: str) -> None:
        """Shows what another model would receive."""
        self._model_ref = model_ref
        self._load()

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowActivate and (self._task is None or self._task.done()):
            self._load()  # something may have been said or written meanwhile
        return super().event(event)

    def _load(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self._late.start()
        self._task = spawn(self._show(self._model_ref), name=f"what {self._model_ref} would receive")

    def _stop(self) -> None:
        self._late.stop()
        for task in (self._task, self._copying):
            if task is not None:
                task.cancel()

    async def _show(self, model_ref: str) -> None:
        draft = self._draft()
        try:
            rendering = await self._workspace.rendered(self._session, model_ref, draft)
        except AgdeskError as error:
            self._show_problem(*words_of(error))
            return
        messages = self._session.next_request(rendering.model, draft).messages
        groups, text = await asyncio.to_thread(_made, rendering, messages)
        if self._rendering is None or (groups, text) != (self._groups, self._text):
            self._groups, self._text = groups, text
            self._show_changes(groups)
            self._show_text(text[:SHOWN_CHARACTERS])
        self._rendering = rendering
        self.empty_note.setVisible(not messages)
        self.changes_title.setVisible(bool(messages or groups))
        self._late.stop()
        self.problem.clear()
        self._pages.setCurrentWidget(self._content)
        self._allow_copying(True)

    def _show_changes(self, groups: ChangeGroups) -> None:
        title = self.tr("Changed for this provider") if groups else self.tr("Nothing is left out or changed.")
        self.changes_title.setText(title)
        self.changes.show_groups(groups)
        self.changes.setVisible(bool(groups))

    def _show_text(self, text: str) -> None:
        self.view.set_text(text)
        self.all_button.setVisible(len(text) < len(self._text))

    def _show_problem(self, message: str, hint: str) -> None:
        self._late.stop()
        self._rendering = None
        self.problem.show_text(message, hint)
        self._pages.setCurrentWidget(self._problem_page)
        self._allow_copying(False)
        announce(self, f"{message} {hint}")

    def _allow_copying(self, is_allowed: bool) -> None:
        self.copy_button.setEnabled(is_allowed)
        self.curl_button.setEnabled(is_allowed)

    def _copy(self, make: Callable[[Rendering], str], done: str) -> None:
        self._copying = spawn(self._put(make, done), name="copy a request")

    async def _put(self, make: Callable[[Rendering], str], done: str) -> None:
        if self._rendering is not None:
            QGuiApplication.clipboard().setText(await asyncio.to_thread(make, self._rendering))
            self.note.setText(done)
            announce(self, done)

    def _build(self) -> None:
        metrics = current_theme().metrics
        label = PlainLabel(self)
        label.setText(self.tr("Model"))
        self.box = EditableBox(self.tr("Model"), self)
        label.setBuddy(self.box)
        first = QHBoxLayout()
        first.setSpacing(metrics.space_8)
        first.addWidget(label)
        first.addWidget(self.box, 1)
        self.note = StatusLine(self)
        self.copy_button = self._button(self.tr("Copy body"))
        self.copy_button.clicked.connect(lambda: self._copy(body_text, self.tr("The body was copied.")))
        self.curl_button = self._button(self.tr("Copy as cURL"))
        self.curl_button.clicked.connect(lambda: self._copy(curl_text, self.tr("Copied as cURL.")))
        self.close_button = self._button(self.tr("Close"))
        self.close_button.clicked.connect(self.close)
        self._allow_copying(False)
        last = QHBoxLayout()
        last.setSpacing(metrics.space_8)
        last.addWidget(self.note, 1)
        for button in (self.copy_button, self.curl_button, self.close_button):
            last.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(metrics.space_16, metrics.space_16, metrics.space_16, metrics.space_12)
        layout.setSpacing(metrics.space_12)
        layout.addLayout(first)
        layout.addWidget(self._pages, 1)
        layout.addLayout(last)
        self.resize(*map(metrics.px, _SIZE))

    def _make_content(self) -> QWidget:
        metrics = current_theme().metrics
        content = QWidget(self)
        self.empty_note = WrappedLabel(content, color="muted")
        self.empty_note.setText(self.tr("Nothing was said or written yet: this is the request without a message."))
        self.changes_title = WrappedLabel(content, color="muted")
        self.changes = GroupedText(self.tr("Changed for this provider"), content, most_lines=7)
        self.view = CodeView(self.tr("The request"), content)
        self.all_button = self._button(self.tr("Show all"))
        self.all_button.clicked.connect(lambda: self._show_text(self._text))
        layout = QVBoxLayout(content)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(metrics.space_8)
        for widget in (self.empty_note, self.changes_title, self.changes):
            layout.addWidget(widget)
        layout.addWidget(self.view, 1)
        layout.addWidget(self.all_button, 0, Qt.AlignmentFlag.AlignHCenter)
        return content

    def _make_problem(self) -> QWidget:
        page = QWidget(self)
        self.problem = Notice(page)
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.problem)
        layout.addStretch(1)
        return page

    def _button(self, text: str) -> QPushButton:
        button = PushButton(text, self)
        button.setAccessibleName(text)
        button.setAutoDefault(False)
        return button


def _made(rendering: Rendering, messages: Sequence[Message]) -> tuple[ChangeGroups, str]:
    return changes_by_message(map(read_line, rendering.ledger), messages), shown_text(rendering)
