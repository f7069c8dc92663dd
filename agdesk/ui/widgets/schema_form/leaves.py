"""Fields of one value: text, number, yes or no, a choice, and JSON for all that a form cannot show."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QLineEdit, QWidget
from typing_extensions import override

from agdesk.ui.widgets.choice_box import ChoiceBox
from agdesk.ui.widgets.hidden_characters import revealed
from agdesk.ui.widgets.json_editor import JsonEditor
from agdesk.ui.widgets.json_text import JsonProblem, json_text, read_json, same_json
from agdesk.ui.widgets.paged_editor import PagedEditor
from agdesk.ui.widgets.schema_form.fields import Field, Kind
from agdesk.ui.widgets.schema_form.part import Part, PartProblem
from agdesk.ui.widgets.text_area import TextArea

_MOST_LINES = 8


class TextPart(Part):
    """A text of any length and any number of lines."""

    def __init__(self, name: str, value: str, path: str, parent: QWidget) -> None:
        super().__init__(path, parent)
        self._editor = PagedEditor(TextArea(name, self, lines=1, font="code"), self, most_lines=_MOST_LINES)
        self._editor.show_text(value)
        self._editor.edited.connect(self.edited)
        self.control = self._editor.editor
        self.put(self._editor)

    @override
    def value(self) -> str:
        return self._editor.text()


class NumberPart(Part):
    """A number as JSON writes it, of any size."""

    def __init__(self, name: str, value: int | float, path: str, parent: QWidget) -> None:
        super().__init__(path, parent)
        self._line = QLineEdit(json_text(value), self)
        self._line.setAccessibleName(name)
        self._line.textEdited.connect(lambda _text: self.edited.emit())
        self.control = self._line
        self.put(self._line)

    @override
    def value(self) -> int | float:
        try:
            number = read_json(self._line.text())
        except JsonProblem:
            number = None
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise PartProblem(self.path, self.tr("This is no number"))
        return number


class ChoicePart(Part):
    """One of some values."""

    def __init__(self, name: str, value: Any, path: str, parent: QWidget, *, choices: tuple[Any, ...]) -> None:
        super().__init__(path, parent)
        self._choices = choices
        self._box = ChoiceBox(name, self)
        for choice in choices:
            self._box.addItem(revealed(choice) if isinstance(choice, str) else json_text(choice, is_pretty=False))
        self._box.setCurrentIndex(next(at for at, choice in enumerate(choices) if same_json(choice, value)))
        self._box.activated.connect(lambda _at: self.edited.emit())
        self.control = self._box
        self.put(self._box)

    @override
    def value(self) -> Any:
        return self._choices[self._box.currentIndex()]


class JsonPart(Part):
    """Any value, as JSON. What was given and not touched comes back as it is."""

    def __init__(self, name: str, value: Any, path: str, parent: QWidget, *, most_lines: int = _MOST_LINES) -> None:
        super().__init__(path, parent)
        self._given = value
        self._text = json_text(value)
        self._json = JsonEditor(self.tr("{name}, as JSON").format(name=name), self)
        self._editor = PagedEditor(self._json, self, most_lines=most_lines)
        self._editor.show_text(self._text)
        self._editor.edited.connect(self.edited)
        self.control = self._json
        self.put(self._editor)

    @override
    def value(self) -> Any:
        text = self._editor.text()
        self._json.set_problem_place(None)
        if text == self._text:
            return self._given
        try:
            return read_json(text)
        except JsonProblem as problem:
            if problem.place is not None:
                self._json.set_problem_place(self._editor.show_place(problem.place))
            raise PartProblem(self.path, str(problem)) from problem


def make_leaf(field: Field, name: str, value: Any, path: str, parent: QWidget) -> Part:
    """The field of one value; JSON if it cannot hold that.

    Args:
        name: what is read out for it.
    """
    if not field.can_hold(value):
        return JsonPart(name, value, path, parent)
    match field.kind:
        case Kind.TEXT:
            return TextPart(name, value, path, parent)
        case Kind.NUMBER:
            return NumberPart(name, value, path, parent)
        case Kind.SWITCH:
            return ChoicePart(name, value, path, parent, choices=(True, False))
        case Kind.CHOICE:
            return ChoicePart(name, value, path, parent, choices=field.choices)
        case _:
            return JsonPart(name, value, path, parent)
