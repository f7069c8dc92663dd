"""The parts of a conversation's tab and where they stand."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from agdesk.ui.chat.edit_bar import EditBar
from agdesk.ui.chat.send_button import SendButton
from agdesk.ui.chat.status_row import StatusRow
from agdesk.ui.chat.welcome import make_welcome
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.banner import Banner
from agdesk.ui.widgets.composer import Composer
from agdesk.ui.widgets.icon_button import IconButton


class ChatFrame(QWidget):
    """Header, pages, questions, notice, composer and status line, from the top down; what they do is the tab's.

    Signals:
        example_chosen(str): an example of the welcome is to be sent.

    Attributes:
        header: where the picker of models and the parameters stand.
        panel_place: where what is opened from the header stands.
        pages: the welcome, and the transcript once there is one.
        question_place: where what must be decided before the next message stands.
        queue_place: where the messages that wait stand.
        notice: why something could not be done.
        edit_bar: what says that a message is being edited.
        attachment_place: where what goes with the next message stands.
    """

    example_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        metrics = current_theme().metrics
        side = metrics.space_16
        self.composer = Composer()
        self.status_row = StatusRow()
        self.status_line = self.status_row.line
        self.notice = Banner()
        self.edit_bar = EditBar()
        self.send_button = SendButton()
        self.attach_button = IconButton("attach", self.tr("Attach files…"))
        self.header = QHBoxLayout()
        self.header.setContentsMargins(side, 0, side, 0)
        self.header.setSpacing(metrics.space_8)
        self.panel_place = QVBoxLayout()
        self.panel_place.setContentsMargins(side, 0, side, 0)
        self.pages = QStackedWidget()
        self.empty_state = make_welcome(self.example_chosen.emit)
        self.pages.addWidget(self.empty_state)
        self.question_place = QVBoxLayout()
        self.queue_place = QVBoxLayout()
        self.attachment_place = QVBoxLayout()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, metrics.space_8, 0, metrics.space_8)
        layout.setSpacing(metrics.space_8)
        layout.addLayout(self.header)
        layout.addLayout(self.panel_place)
        layout.addWidget(self.pages, 1)
        layout.addLayout(self._centred(self._writing_column()))

    def _writing_column(self) -> QWidget:
        """As wide as the text above it, and centred with it."""
        metrics = current_theme().metrics
        column = QWidget()
        column.setMaximumWidth(metrics.text_column + 2 * metrics.space_12)
        writing = QGridLayout(column)
        writing.setContentsMargins(0, 0, 0, 0)
        writing.setColumnStretch(0, 1)
        writing.addLayout(self.question_place, 0, 0, 1, 3)
        writing.addLayout(self.queue_place, 1, 0, 1, 3)
        writing.addWidget(self.notice, 2, 0, 1, 3)
        writing.addWidget(self.edit_bar, 3, 0, 1, 3)
        writing.addLayout(self.attachment_place, 4, 0, 1, 3)
        writing.addWidget(self.composer, 5, 0)
        writing.addWidget(self.attach_button, 5, 1, Qt.AlignmentFlag.AlignBottom)
        writing.addWidget(self.send_button, 5, 2, Qt.AlignmentFlag.AlignBottom)
        writing.addWidget(self.status_row, 6, 0, 1, 3)
        return column

    @staticmethod
    def _centred(column: QWidget) -> QHBoxLayout:
        side = current_theme().metrics.space_16
        centred = QHBoxLayout()
        centred.setContentsMargins(side, 0, side, 0)
        centred.addStretch()
        centred.addWidget(column, 1)
        centred.addStretch()
        return centred
