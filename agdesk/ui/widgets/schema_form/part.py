"""What all fields of a form have in common."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.wrapped_label import WrappedLabel


class PartProblem(ValueError):
    """What stands in a field is no value.

    Attributes:
        path: of the field.
    """

    def __init__(self, path: str, message: str) -> None:
        super().__init__(message)
        self.path = path


class Told(NamedTuple):
    """Something wrong with a value.

    Attributes:
        path: where, as ``$.argv[0]``; ``$`` for the whole.
        message: what, in words.
    """

    path: str
    message: str


class Part(QWidget):
    """A value of the form, with what is wrong with it below.

    Args:
        path: of the value.

    Signals:
        edited(): the user has changed it.

    Attributes:
        control: what has the focus when one goes to this field; None if there is nothing to go to.
    """

    edited = Signal()

    def __init__(self, path: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.path = path
        self.control: QWidget | None = None
        self.problem = WrappedLabel(self, color="danger")
        self.problem.hide()
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(current_theme().metrics.space_4)
        self.column.addWidget(self.problem)

    def put(self, widget: QWidget) -> None:
        """Adds a widget above what is wrong."""
        self.column.insertWidget(self.column.count() - 1, widget)
        widget.show()  # at once, so that it can have the focus

    def value(self) -> Any:
        """What the field holds.

        Raises:
            PartProblem: it is no value.
        """
        raise NotImplementedError

    def parts(self) -> Iterable[Part]:
        """The fields within this one."""
        return ()

    def show_problems(self, problems: Iterable[Told]) -> Part | None:
        """Says what is wrong, each where it belongs or, if there is no such field, at the next one around it.

        Returns:
            The first field with a problem; None if nothing is wrong.
        """
        own: list[str] = []
        inner: dict[Part, list[Told]] = {part: [] for part in self.parts()}
        for told in problems:
            owner = next((part for part in inner if is_within(told.path, part.path)), None)
            if owner is None:
                own.append(told.message)
            else:
                inner[owner].append(told)
        self._say("\n".join(own))
        found = [part.show_problems(told) for part, told in inner.items()]
        return self if own else next((part for part in found if part is not None), None)

    def _say(self, text: str) -> None:
        self.problem.setText(text)
        self.problem.setVisible(bool(text))
        if self.control is not None:
            self.control.setAccessibleDescription(text)


def is_within(path: str, outer: str) -> bool:
    """Whether a path is another one, or of something in there."""
    return path == outer or (path.startswith(outer) and path[len(outer)] in ".[")
