"""Tells of an error that nobody expected, without stopping anything (UX5)."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.labels import PlainLabel
from agdesk.ui.widgets.text import safe_text

_WIDTH = 480
_DETAILS_HEIGHT = 240


class CrashDialog(QDialog):
    """What happened, that agdesk goes on, and what can be done; not modal, deleted when it is closed.

    Args:
        summary: the error in one sentence.
        details: its traceback, without secrets.

    Signals:
        copy_requested(): the user wants the diagnostics in the clipboard.
        log_requested(): the user wants to see the log file.
    """

    copy_requested = Signal()
    log_requested = Signal()

    def __init__(self, summary: str, details: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Something went wrong"))
        metrics = current_theme().metrics
        title = PlainLabel(self, font="title")
        title.setText(self.tr("Something went wrong inside agdesk"))
        self.summary = PlainLabel(self)
        self.summary.setText(summary)
        self.summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        advice = PlainLabel(self, color="muted")
        advice.setText(self.tr("agdesk goes on; save what you need."))
        self.count = PlainLabel(self, color="muted")
        self.count.hide()
        for label in (title, self.summary, advice, self.count):
            label.setWordWrap(True)
        self.details = QPlainTextEdit(safe_text(details))
        self.details.setReadOnly(True)
        self.details.setTabChangesFocus(True)
        self.details.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.details.setFont(current_theme().font("code"))
        self.details.setMinimumHeight(metrics.px(_DETAILS_HEIGHT))
        self.details.setAccessibleName(self.tr("Details of the error"))
        self.details.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(metrics.space_24, metrics.space_24, metrics.space_24, metrics.space_16)
        layout.setSpacing(metrics.space_12)
        for widget in (title, self.summary, advice, self.count, self.details):
            layout.addWidget(widget)
        layout.addLayout(self._make_buttons())
        self.setMinimumWidth(metrics.px(_WIDTH))

    def set_more(self, count: int) -> None:
        """Says that ``count`` further errors came while this one was shown."""
        self.count.setText(self.tr("Further errors since then: {count}. The log has them.").format(count=count))
        self.count.show()

    def set_copied(self) -> None:
        """Says that the diagnostics are in the clipboard now."""
        self._name(self.copy_button, self.tr("Copied"))

    def _make_buttons(self) -> QHBoxLayout:
        self.details_button = self._make_button(self.tr("Show details"))
        self.details_button.clicked.connect(self._toggle_details)
        self.copy_button = self._make_button(self.tr("Copy diagnostics"))
        self.copy_button.clicked.connect(self.copy_requested)
        self.log_button = self._make_button(self.tr("Show log"))
        self.log_button.clicked.connect(self.log_requested)
        self.close_button = self._make_button(self.tr("Close"))
        self.close_button.clicked.connect(self.close)
        self.close_button.setDefault(True)
        self.close_button.setFocus()
        row = QHBoxLayout()
        row.setSpacing(current_theme().metrics.space_8)
        for button in (self.details_button, self.copy_button, self.log_button):
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.close_button)
        return row

    def _make_button(self, text: str) -> QPushButton:
        button = QPushButton()
        self._name(button, text)
        return button

    def _name(self, button: QPushButton, text: str) -> None:
        button.setText(text)
        button.setAccessibleName(text)

    def _toggle_details(self) -> None:
        is_shown = self.details.isHidden()
        self.details.setVisible(is_shown)
        self._name(self.details_button, self.tr("Hide details") if is_shown else self.tr("Show details"))
        self.adjustSize()
