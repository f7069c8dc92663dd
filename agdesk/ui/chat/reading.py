"""What one does with a conversation without changing it: finding in it, copying it, and how its code looks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from agdesk.ui.widgets.code_look import CodeLook

if TYPE_CHECKING:
    from agdesk.ui.widgets.find_bar import FindBar
    from agdesk.ui.widgets.transcript import VirtualTranscript


class Reading(QObject):
    """Of one conversation. Until that has a transcript there is nothing to read.

    Args:
        leave: puts the keyboard back when the find bar closes.
        parent: the conversation's tab.

    Attributes:
        bar: the find bar, once it was opened.
    """

    def __init__(self, *, leave: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self.bar: FindBar | None = None
        self._leave = leave
        self._transcript: VirtualTranscript | None = None
        self._code_look = CodeLook()

    def attach(self, transcript: VirtualTranscript) -> None:
        """The transcript was made."""
        self._transcript = transcript
        transcript.set_code_look(self._code_look)

    def set_code_look(self, look: CodeLook) -> None:
        """How code blocks look that the user has not changed."""
        self._code_look = look
        if self._transcript is not None:
            self._transcript.set_code_look(look)

    def open_find(self) -> None:
        """Shows the find bar and searches again for what was searched for last."""
        transcript = self._transcript
        if transcript is None or not transcript.isVisible():
            return
        if self.bar is None:
            self.bar = self._make_bar(transcript)
        is_new = self.bar.isHidden()
        self.bar.open()
        if is_new:
            transcript.finder.start()
            if self.bar.field.text():
                self._search(self.bar.field.text(), self.bar.case.isChecked())

    def step_find(self, by: int) -> None:
        """The next match, or the one before; opens the bar first."""
        if self.bar is None or self.bar.isHidden():
            self.open_find()
        elif self._transcript is not None:
            self._transcript.finder.step(by)

    def close_find(self) -> None:
        """Takes bar and marks away."""
        if self.bar is not None and self._transcript is not None:
            self.bar.hide()
            self._transcript.finder.stop()
            self._leave()

    def copy_markdown(self) -> None:
        """Copies the whole conversation."""
        if self._transcript is not None and (text := self._transcript.markdown()):
            QGuiApplication.clipboard().setText(text)

    def _make_bar(self, transcript: VirtualTranscript) -> FindBar:
        from agdesk.ui.widgets.find_bar import FindBar

        bar = FindBar(transcript)
        bar.search_changed.connect(self._search)
        bar.step_wanted.connect(transcript.finder.step)
        bar.closed.connect(self.close_find)
        transcript.finder.changed.connect(self._show_count)
        return bar

    def _search(self, text: str, is_case_sensitive: bool) -> None:
        if self._transcript is not None:
            self._transcript.finder.find(text, is_case_sensitive=is_case_sensitive)
            self._show_count()

    def _show_count(self) -> None:
        if self.bar is not None and self._transcript is not None:
            finder = self._transcript.finder
            self.bar.show_count(finder.number, finder.total, progress=finder.progress)
