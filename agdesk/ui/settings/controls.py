"""One control for each kind of setting."""

from __future__ import annotations

from pathlib import Path
from typing import assert_never, cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QPlainTextEdit, QPushButton, QWidget
from typing_extensions import override

from agdesk.core.errors import ConfigurationError
from agdesk.core.providers.headers import read_headers, write_headers
from agdesk.ui.settings.fields import FieldKind, SettingField
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.check_box import CheckBox
from agdesk.ui.widgets.choice_box import ChoiceBox
from agdesk.ui.widgets.number_box import NumberBox

_HEADER_LINES = 3
_SHORT_LETTERS = 20  # a choice that is longer has no room beside its title
_GGUF_KEY = "builtin_model.path"


class FieldControl(QWidget):
    """Shows the value of a setting and lets the user change it.

    Signals:
        edited(): the user has changed it; ``show_value`` does not emit it.

    Attributes:
        editor: the widget that takes the focus.
        is_typed: the value is on its way while the user types: wait for the end of it.
        is_wide: it needs a line of its own.
    """

    edited = Signal()
    is_typed = False
    is_wide = False

    def __init__(self, editor: QWidget) -> None:
        super().__init__()
        self.editor = editor
        self.line = QHBoxLayout(self)
        self.line.setContentsMargins(0, 0, 0, 0)
        self.line.setSpacing(current_theme().metrics.space_8)
        self.line.addWidget(editor)
        self.setFocusProxy(editor)

    def value(self) -> object:
        """What the control shows, as the model takes it."""
        raise NotImplementedError

    def show_value(self, value: object) -> None:
        """Shows a value that did not come from the user."""
        raise NotImplementedError

    def set_placeholder(self, text: str) -> None:
        """What an empty value stands for; only a text can be empty."""

    def words_for(self, value: object) -> str:
        """A value in words."""
        return str(value) or self.tr("empty")


class ChoiceControl(FieldControl):
    """One of a few."""

    def __init__(self, field: SettingField) -> None:
        self._box = ChoiceBox(field.title)
        super().__init__(self._box)
        for value, words in field.choices:
            self._box.addItem(words, value)
        self.is_wide = any(len(words) > _SHORT_LETTERS for _, words in field.choices)
        self._box.activated.connect(lambda _index: self.edited.emit())

    @override
    def value(self) -> object:
        return self._box.currentData()

    @override
    def show_value(self, value: object) -> None:
        self._box.setCurrentIndex(self._box.findData(value))

    @override
    def words_for(self, value: object) -> str:
        return self._box.itemText(self._box.findData(value))


class FlagControl(FieldControl):
    """On or off."""

    def __init__(self, field: SettingField) -> None:
        self._box = CheckBox(field.title)
        super().__init__(self._box)
        self._box.clicked.connect(lambda _checked: self.edited.emit())

    @override
    def value(self) -> object:
        return self._box.isChecked()

    @override
    def show_value(self, value: object) -> None:
        self._box.setChecked(bool(value))

    @override
    def words_for(self, value: object) -> str:
        return self.tr("on") if value else self.tr("off")


class NumberControl(FieldControl):
    """A whole number within its limits, or a factor, which is shown in per cent."""

    is_typed = True

    def __init__(self, field: SettingField) -> None:
        self._box = NumberBox(field.title)
        super().__init__(self._box)
        self._is_factor = field.kind is FieldKind.FACTOR
        scale = 100 if self._is_factor else 1
        if self._is_factor:
            self._box.setSuffix(self.tr("\u202f%"))
            self._box.setSingleStep(10)
        least = -(2**31) if field.minimum is None else round(field.minimum * scale)
        most = 2**31 - 1 if field.maximum is None else round(field.maximum * scale)
        self._box.setRange(least, most)
        self._box.valueChanged.connect(lambda _value: self.edited.emit())

    @override
    def value(self) -> object:
        return self._box.value() / 100 if self._is_factor else self._box.value()

    @override
    def show_value(self, value: object) -> None:
        shown = round(cast(float, value) * 100) if self._is_factor else cast(int, value)
        self._box.blockSignals(True)
        self._box.setValue(shown)
        self._box.blockSignals(False)

    @override
    def words_for(self, value: object) -> str:
        shown = round(cast(float, value) * 100) if self._is_factor else cast(int, value)
        return f"{self._box.textFromValue(shown)}{self._box.suffix()}"


class TextControl(FieldControl):
    """A line of text."""

    is_typed = True
    is_wide = True

    def __init__(self, field: SettingField) -> None:
        self._text = QLineEdit()
        super().__init__(self._text)
        self._text.setAccessibleName(field.title)
        self._text.textEdited.connect(lambda _text: self.edited.emit())

    @override
    def value(self) -> object:
        return self._text.text().strip()

    @override
    def show_value(self, value: object) -> None:
        if self.value() != value:
            self._text.setText(str(value))
            self._text.setCursorPosition(0)

    @override
    def set_placeholder(self, text: str) -> None:
        self._text.setPlaceholderText(text)


class FileControl(TextControl):
    """The path of a file, typed or chosen in a dialog."""

    def __init__(self, field: SettingField) -> None:
        super().__init__(field)
        self._title = field.title
        all_files = self.tr("All files (*)")
        self._filters = [self.tr("GGUF models (*.gguf)"), all_files] if field.key == _GGUF_KEY else [all_files]
        self.browse = QPushButton(self.tr("Browse…"))
        self.browse.setAccessibleName(self.tr("Browse for: %1").replace("%1", field.title))
        self.browse.clicked.connect(self._open_dialog)
        self.line.addWidget(self.browse)

    def _open_dialog(self) -> None:
        dialog = QFileDialog(self, self._title, _folder_of(self._text.text()))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(self._filters)
        dialog.fileSelected.connect(self._take)
        dialog.open()

    def _take(self, path: str) -> None:
        self._text.setText(path)
        self.edited.emit()


class HeadersControl(FieldControl):
    """Headers, one on a line. What is no header is the text itself, for the check to say so."""

    is_typed = True
    is_wide = True

    def __init__(self, field: SettingField) -> None:
        self._text = QPlainTextEdit()
        super().__init__(self._text)
        self._text.setAccessibleName(field.title)
        self._text.setTabChangesFocus(True)
        self._text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        line_height = self._text.fontMetrics().lineSpacing()
        self._text.setFixedHeight(line_height * (_HEADER_LINES + 1) + 2 * current_theme().metrics.space_8)
        self._text.textChanged.connect(self.edited.emit)

    @override
    def value(self) -> object:
        text = self._text.toPlainText()
        try:
            return read_headers(text)
        except ConfigurationError:
            return text

    @override
    def show_value(self, value: object) -> None:
        if self.value() != value:
            self._text.blockSignals(True)
            self._text.setPlainText(write_headers(cast(dict[str, str], value)))
            self._text.blockSignals(False)

    @override
    def words_for(self, value: object) -> str:
        return write_headers(cast(dict[str, str], value)) or self.tr("empty")


def make_control(field: SettingField) -> FieldControl:
    """The control of a setting."""
    match field.kind:
        case FieldKind.CHOICE:
            return ChoiceControl(field)
        case FieldKind.FLAG:
            return FlagControl(field)
        case FieldKind.NUMBER | FieldKind.FACTOR:
            return NumberControl(field)
        case FieldKind.TEXT:
            return TextControl(field)
        case FieldKind.FILE:
            return FileControl(field)
        case FieldKind.HEADERS:
            return HeadersControl(field)
    assert_never(field.kind)


def _folder_of(path: str) -> str:
    """The folder of a path that was typed, empty (the place last used) where there is none."""
    folder = Path(path.strip()).expanduser().parent if path.strip() else Path()
    return str(folder) if path.strip() and folder.is_dir() else ""
