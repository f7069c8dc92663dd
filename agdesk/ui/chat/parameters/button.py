"""The button that folds the parameters out, with how many are set and how many of them are not in force."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from agdesk.ui.widgets.elided_button import ElidedButton


class ParametersButton(ElidedButton):
    """A word, numbers and an arrow; checked while the panel is open. It warns of what is set and not sent."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.show_count(0)

    def show_count(self, count: int, idle: Sequence[str] = ()) -> None:
        """How many are set, and a line for each that is not in force."""
        name = self.tr("Parameters")
        state = self.tr("{count} set").format(count=count) if count else self.tr("none set")
        words = self.tr("{name} ({count})").format(name=name, count=count) if count else name
        tip = self.tr("What this conversation sets in its requests: {state}").format(state=state)
        if idle:
            not_in_force = self.tr("{count} not in force").format(count=len(idle))
            numbers = self.tr("{count}, {idle}").format(count=count, idle=not_in_force) if count else not_in_force
            words = self.tr("{name} ({count})").format(name=name, count=numbers)
            state = f"{state}, {not_in_force}"
            tip = self.tr("{tip}. Not in force: {idle}").format(tip=tip, idle="; ".join(idle))
        self.setAccessibleDescription("; ".join(idle))
        self.show_words(words, name=f"{name}: {state}", tip=tip, is_warning=bool(idle))
