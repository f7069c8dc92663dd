"""One control for each kind of parameter; empty, or at "Not sent", it stands for None."""

from __future__ import annotations

import json
from typing import Any, assert_never

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget
from typing_extensions import override

from agdesk.core.providers.parameters import Parameter, ParameterKind
from agdesk.ui.chat.parameters.words import not_sent, range_of, title_of
from agdesk.ui.widgets.choice_box import ChoiceBox
from agdesk.ui.widgets.json_editor import JsonEditor
from agdesk.ui.widgets.optional_number_box import OptionalNumberBox
from agdesk.ui.widgets.text_area import TextArea

_LIST_LINES = 3


class ParameterControl(QWidget):
    """Shows the value of a parameter and lets the user change it.

    Signals:
        edited(): the user has changed it; ``show_value`` does not emit it.
        finished(): the user has left it, or pressed Enter.

    Attributes:
        editor: the widget that takes the focus.
        is_wide: it needs a line of its own.
        has_beginnings: what is typed is another value at each character, and wanted only when it is whole.
    """

    edited = Signal()
    finished = Signal()
    is_wide = False
    has_beginnings = False

    def __init__(self, editor: QWidget) -> None:
        super().__init__()
        self.editor = editor
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(editor)
        self.setFocusProxy(editor)

    def fit(self, parameter: Parameter) -> None:
        """Offers what the model in use takes."""

    def value(self) -> Any:
        """What the control shows, as JSON; None for not sent.

        Raises:
            ValueError: what was typed is no value; the text says why.
        """
        raise NotImplementedError

    def show_value(self, value: Any) -> None:
        """Shows a value that did not come from the user."""
        raise NotImplementedError

    def warning(self, value: Any, parameter: Parameter) -> str:
        """Why a value, which was set for another model, does not suit this one; empty if it does."""
        return ""


class NumberControl(ParameterControl):
    """A number that is typed or stepped."""

    has_beginnings = True

    def __init__(self, parameter: Parameter) -> None:
        self._box = OptionalNumberBox(title_of(parameter.name), is_whole=parameter.kind is ParameterKind.INTEGER)
        super().__init__(self._box)
        self._parameter = parameter
        self._box.set_placeholder(not_sent())
        self._box.edited.connect(self.edited)
        self._box.editingFinished.connect(self.finished)

    @override
    def fit(self, parameter: Parameter) -> None:
        self._parameter = parameter
        self._box.set_range(parameter.low, parameter.high, parameter.step)

    @override
    def value(self) -> Any:
        try:
            value = self._box.value()
        except ValueError as error:
            is_whole = self._parameter.kind is ParameterKind.INTEGER
            text = self.tr("This has to be a whole number") if is_whole else self.tr("This has to be a number")
            raise ValueError(text) from error
        if self._is_outside(value, self._parameter):
            raise ValueError(self.tr("This model takes {range}").format(range=range_of(self._parameter)))
        return value

    @override
    def show_value(self, value: Any) -> None:
        self._box.show_value(value)

    @override
    def warning(self, value: Any, parameter: Parameter) -> str:
        if self._is_outside(value, parameter):
            return self.tr("This model takes {range}").format(range=range_of(parameter))
        return ""

    def _is_outside(self, value: Any, parameter: Parameter) -> bool:
        if value is None:
            return False
        is_low = parameter.low is not None and value < parameter.low
        return is_low or (parameter.high is not None and value > parameter.high)


class ChoiceControl(ParameterControl):
    """On or off, or one of a few words."""

    def __init__(self, parameter: Parameter) -> None:
        self._box = ChoiceBox(title_of(parameter.name))
        super().__init__(self._box)
        self._box.activated.connect(lambda _index: self.edited.emit())

    @override
    def fit(self, parameter: Parameter) -> None:
        chosen = self.value()
        self._box.clear()
        self._box.addItem(not_sent(), None)
        if parameter.kind is ParameterKind.SWITCH:
            self._box.addItem(self.tr("On"), True)
            self._box.addItem(self.tr("Off"), False)
        for choice in parameter.choices:
            self._box.addItem(choice, choice)
        self.show_value(chosen)

    @override
    def value(self) -> Any:
        return self._box.currentData()

    @override
    def show_value(self, value: Any) -> None:
        index = self._index_of(value)
        if index < 0:
            self._box.addItem(str(value), value)
            index = self._box.count() - 1
        self._box.setCurrentIndex(index)

    @override
    def warning(self, value: Any, parameter: Parameter) -> str:
        if isinstance(value, str) and value not in parameter.choices:
            words = ", ".join(parameter.choices)
            return self.tr("This model is known to take: {words}").format(words=words)
        return ""

    def _index_of(self, value: Any) -> int:
        data = [self._box.itemData(index) for index in range(self._box.count())]  # findData(None) finds nothing
        return data.index(value) if value in data else -1


class ListControl(ParameterControl):
    """Texts, one on a line, in which a line end is written as in JSON."""

    is_wide = True

    def __init__(self, parameter: Parameter) -> None:
        self._text = TextArea(title_of(parameter.name), lines=_LIST_LINES, font="code")
        super().__init__(self._text)
        self._text.setPlaceholderText(not_sent())
        self._text.textChanged.connect(self.edited)

    @override
    def value(self) -> Any:
        return [_unescaped(line) for line in self._text.toPlainText().split("\n") if line] or None

    @override
    def show_value(self, value: Any) -> None:
        self._text.show_text("\n".join(map(_escaped, value or ())))


class JsonControl(ParameterControl):
    """JSON that is typed."""

    is_wide = True

    def __init__(self, parameter: Parameter) -> None:
        self._editor = JsonEditor(title_of(parameter.name))
        super().__init__(self._editor)
        self._editor.setPlaceholderText(not_sent())
        self._editor.textChanged.connect(self.edited)

    @override
    def value(self) -> Any:
        return self._editor.document_or_none()

    @override
    def show_value(self, value: Any) -> None:
        self._editor.show_document(value)


def make_control(parameter: Parameter) -> ParameterControl:
    """The control of a parameter."""
    match parameter.kind:
        case ParameterKind.NUMBER | ParameterKind.INTEGER:
            return NumberControl(parameter)
        case ParameterKind.SWITCH | ParameterKind.CHOICE:
            return ChoiceControl(parameter)
        case ParameterKind.LIST:
            return ListControl(parameter)
        case ParameterKind.JSON:
            return JsonControl(parameter)
    assert_never(parameter.kind)


def _escaped(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1].replace('\\"', '"')


def _unescaped(line: str) -> str:
    """The text that a line stands for; one that is not written as in JSON is itself."""
    quoted = '"' + "".join('\\"' if character == '"' else character for character in line) + '"'
    try:
        return str(json.loads(quoted))
    except ValueError:
        return line
