"""Opens the folder with the log files in the desktop's file manager."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices


def show_log_folder(folder: Path) -> bool:
    """Whether the desktop could open ``folder``, which is agdesk's own and exists; never a path from elsewhere."""
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
