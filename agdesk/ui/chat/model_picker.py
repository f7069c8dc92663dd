"""Chooses the model of the next turn: any known one from the list, or any ``provider/model`` typed in."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QComboBox, QCompleter, QLineEdit, QWidget
from typing_extensions import override

from agdesk.core.cycle import AgentSession
from agdesk.ui.theme import current_theme


class ModelPicker(QComboBox):
    """The model of one conversation. A text that is no ``provider/model`` is put back to the one in use.

    Signals:
        refused(str): what was typed names no model.
    """

    refused = Signal(str)

    def __init__(self, session: AgentSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setMinimumContentsLength(28)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setAccessibleName(self.tr("Model"))
        self.setToolTip(self.tr("The model that answers next: choose one, or type provider/model"))
        editor = QLineEdit()
        editor.setAccessibleName(self.tr("Model"))
        self.setLineEdit(editor)
        completer = QCompleter(self.model(), self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setCompleter(completer)
        self.setCurrentText(session.model_ref)
        editor.editingFinished.connect(self._choose)
        self.textActivated.connect(lambda _text: self._choose())

    def set_models(self, model_refs: Sequence[str]) -> None:
        """Fills the list; the choice stays."""
        self.clear()
        self.addItems(model_refs)
        self.setCurrentText(self._session.model_ref)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        theme = current_theme()
        size = theme.metrics.icon
        arrow = theme.pixmap("chevron_down", color="muted", size=size, ratio=self.devicePixelRatioF())
        margin = theme.metrics.space_8
        x = margin if self.isRightToLeft() else self.width() - size - margin  # the type QStyle costs 9 ms of the start
        QPainter(self).drawPixmap(QPoint(x, (self.height() - size) // 2), arrow)

    def _choose(self) -> None:
        provider_id, _, model = (part.strip() for part in self.currentText().partition("/"))
        typed = self.currentText().strip()
        if provider_id and model:
            self._session.model_ref = f"{provider_id}/{model}"
        self.setCurrentText(self._session.model_ref)
        if typed and not (provider_id and model):
            self.refused.emit(typed)
