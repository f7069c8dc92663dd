"""A choice among many, found by typing any part of it; what is not in the list can be typed too."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QCompleter, QLineEdit, QWidget

from agdesk.ui.widgets.choice_box import ChoiceBox


class EditableBox(ChoiceBox):
    """A drop-down list with a line to type in.

    Signals:
        chosen(str): another text was chosen from the list, or typed and finished.
    """

    chosen = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._chosen = ""
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        editor = QLineEdit()
        editor.setAccessibleName(name)
        self.setLineEdit(editor)
        completer = QCompleter(self.model(), self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setCompleter(completer)
        editor.editingFinished.connect(self._choose)
        self.textActivated.connect(lambda _text: self._choose())

    def set_choices(self, choices: Sequence[str], chosen: str) -> None:
        """Fills the list and shows a choice, which need not be in it."""
        self._chosen = chosen
        self.clear()
        self.addItems(choices)
        self.setCurrentText(chosen)

    def _choose(self) -> None:
        text = self.currentText().strip()
        if text and text != self._chosen:
            self._chosen = text
            self.chosen.emit(text)
