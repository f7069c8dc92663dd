"""Asks before a link of a message is opened: what is shown as its text may lead anywhere (SEC4)."""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QMessageBox, QWidget


class LinkQuestion(QMessageBox):
    """Shows where a link leads, in full, and offers to open or to copy it; nothing happens by default.

    Args:
        url: an absolute http, https or mailto address.
    """

    def __init__(self, url: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._url = url
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Open link"))
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(self.tr("This link leads to:"))
        self.setInformativeText(url)
        open_button = self.addButton(self.tr("Open in browser"), QMessageBox.ButtonRole.AcceptRole)
        copy_button = self.addButton(self.tr("Copy address"), QMessageBox.ButtonRole.ActionRole)
        self.setDefaultButton(self.addButton(QMessageBox.StandardButton.Cancel))
        open_button.clicked.connect(lambda: QDesktopServices.openUrl(QUrl(self._url)))
        copy_button.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._url))
