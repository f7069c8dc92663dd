"""The value of the current cell of the matrix in words, with its source, and the place where the user corrects it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget
from typing_extensions import override

from agdesk.core.providers.catalogue import ModelRow
from agdesk.ui.models.matrix import FIGURES, is_correctable
from agdesk.ui.models.values import described, field_name, value_of
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.choice_box import ChoiceBox
from agdesk.ui.widgets.labels import ElidedLabel

_EDITOR_WIDTH = 150
# the focus comes back from these
_GOES_ON = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.MenuBarFocusReason, Qt.FocusReason.ActiveWindowFocusReason)


class ValueBar(QWidget):
    """One value of one model.

    Signals:
        corrected(str, str, object): reference, field, and what the user says it is; None: what others say counts again.
        refused(str): what was typed is no such value; the words say what is.
        left(): the keyboard belongs to the table again.
    """

    corrected = Signal(str, str, object)
    refused = Signal(str)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row: ModelRow | None = None
        self._field = ""
        self._is_told = False
        self._build()
        self.show_value(None, "")

    def show_value(self, row: ModelRow | None, field: str) -> None:
        """Shows another value; without a field, what the model is called."""
        self._row, self._field = row, field
        self.setEnabled(row is not None)
        can_edit = row is not None and bool(field) and is_correctable(field)
        is_switch = can_edit and field not in FIGURES
        self.choice.setVisible(is_switch)
        self.number.setVisible(can_edit and not is_switch)
        self.revert_button.setVisible(can_edit)
        if row is None:
            self.words.setText("")
            return
        self.words.setText(f"{row.ref} — {described(row.model, field)}" if field else f"{row.ref} — {_names(row)}")
        self.revert_button.setEnabled(bool(field) and row.model.source.get(field) == "user")
        if can_edit:
            self._fill(row, field)

    def edit(self) -> None:
        """Puts the keyboard where the value is changed."""
        for editor in (self.choice, self.number):
            if editor.isVisible():
                editor.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def revert(self) -> None:
        """Takes the user's correction back, if there is one."""
        if self._row is not None and self._row.model.source.get(self._field) == "user":
            self._tell(None)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                self.show_value(self._row, self._field)
                self.left.emit()
                return True
        if isinstance(event, QFocusEvent) and event.reason() not in _GOES_ON:
            if event.lostFocus() and not self._is_told:
                self._keep(watched)
            elif event.gotFocus():
                self._is_told = False
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and watched is self.choice:
            return self._browse(event)
        return super().eventFilter(watched, event)

    def _keep(self, editor: QObject) -> None:
        """Leaving an editor takes what it shows, as Enter would, if that is a value."""
        if self._row is None or not self._field:
            return
        if editor is self.number and self._field in FIGURES:
            self._take_number()
        elif editor is self.choice and self._field not in FIGURES:
            self._take_choice()

    def _browse(self, event: QKeyEvent) -> bool:
        """The arrows go through the choices, and Enter takes one; by itself Qt takes each one that is passed."""
        at = self.choice.currentIndex()
        match event.key():
            case Qt.Key.Key_Up if event.modifiers() == Qt.KeyboardModifier.NoModifier:
                self.choice.setCurrentIndex(max(0, at - 1))
            case Qt.Key.Key_Down if event.modifiers() == Qt.KeyboardModifier.NoModifier:
                self.choice.setCurrentIndex(min(self.choice.count() - 1, at + 1))
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._choose()
            case _:
                return False
        return True

    def _build(self) -> None:
        self.words = ElidedLabel()
        self.choice = ChoiceBox("")
        self.choice.activated.connect(lambda _index: self._choose())
        self.number = QLineEdit()
        self.number.returnPressed.connect(self._finish)
        for editor in (self.choice, self.number):
            editor.setFixedWidth(current_theme().metrics.px(_EDITOR_WIDTH))
            editor.installEventFilter(self)
        self.revert_button = PushButton(self.tr("Revert"))
        self.revert_button.setAccessibleName(self.tr("Revert to what others say"))
        self.revert_button.setToolTip(self.tr("Takes your correction back (Delete)"))
        self.revert_button.setAutoDefault(False)
        self.revert_button.clicked.connect(lambda _checked=False: self._revert_and_leave())
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(current_theme().metrics.space_8)
        layout.addWidget(self.words, 1)
        for part in (self.choice, self.number, self.revert_button):
            layout.addWidget(part)

    def _fill(self, row: ModelRow, field: str) -> None:
        value, is_own = value_of(row.model, field), row.model.source.get(field) == "user"
        name = self.tr("Correct {field}").format(field=field_name(field))
        self.choice.setAccessibleName(name)
        self.number.setAccessibleName(name)
        if field in FIGURES:
            self.number.setText("" if value is None else f"{value:g}" if isinstance(value, float) else str(value))
            self.number.setPlaceholderText(self.tr("unknown"))
            self.number.setToolTip(self._wanted(field))
            return
        self.choice.clear()
        self.choice.addItem(self.tr("As others say"), None)
        self.choice.addItem(self.tr("Yes"), True)
        self.choice.addItem(self.tr("No"), False)
        self.choice.setCurrentIndex(self.choice.findData(value) if is_own else 0)

    def _choose(self) -> None:
        self._take_choice()
        self.left.emit()

    def _take_choice(self) -> None:
        assert self._row is not None
        value, model = self.choice.currentData(), self._row.model
        if value is None:
            self.revert()
        elif value != value_of(model, self._field) or model.source.get(self._field) != "user":
            self._tell(value)

    def _revert_and_leave(self) -> None:
        self.left.emit()  # the button is disabled by it, and would hand the keyboard to one that asks a server
        self.revert()

    def _finish(self) -> None:
        if self._take_number():
            self.left.emit()

    def _take_number(self) -> bool:
        """Whether what was typed is a number, or nothing."""
        assert self._row is not None
        text = "".join(self.number.text().split()).replace(",", "").removeprefix("$")
        value = _parsed(text, is_price=self._field.endswith("_per_million"))
        if not text:
            self.revert()
        elif value is None:
            self.refused.emit(self._wanted(self._field))
            return False
        elif value != value_of(self._row.model, self._field):
            self._tell(value)
        return True

    def _tell(self, value: Any) -> None:
        assert self._row is not None
        self._is_told = True  # what the row says comes later
        self.corrected.emit(self._row.ref, self._field, value)

    def _wanted(self, field: str) -> str:
        if field.endswith("_per_million"):
            return self.tr("US dollars per million tokens, as in 0.25; empty for what others say.")
        return self.tr("Tokens, as in 200000 or 200k; empty for what others say.")


_FACTORS = {"k": 1_000, "m": 1_000_000}


def _names(row: ModelRow) -> str:
    return f"{row.provider_name or row.provider_id}, {row.model.display_name}"


def _parsed(text: str, *, is_price: bool) -> float | int | None:
    """What was typed as a price, or as a number of tokens; None if it is neither."""
    if is_price:
        try:
            value = float(text)
        except ValueError:
            return None
        return value if 0 <= value <= 1e9 else None
    factor = _FACTORS.get(text[-1:].lower(), 1)
    digits = text[:-1] if factor > 1 else text
    return int(digits) * factor if digits.isascii() and digits.isdecimal() and 0 < int(digits) < 10**12 else None
