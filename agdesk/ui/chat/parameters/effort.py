"""How much the model in use thinks, in the header of its conversation."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from agdesk.core.ir.parameters import RequestParameters
from agdesk.core.providers.parameter_values import value_of, with_value
from agdesk.core.providers.parameters import Parameter
from agdesk.ui.widgets.choice_box import ChoiceBox

_EFFORT, _SWITCH = "thinking.effort", "thinking.is_enabled"


class EffortBox(ChoiceBox):
    """One choice made of two parameters: whether the model thinks, and how much. Hidden where neither can be set.

    Signals:
        parameters_chosen(object): the ``RequestParameters`` that the user wants from now on.
    """

    parameters_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        name = self.tr("Reasoning effort")
        self.setAccessibleName(name)
        self.setToolTip(self.tr("How much the model thinks before it answers"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard where one writes
        self._values = RequestParameters()
        self.activated.connect(lambda _index: self._choose())
        self.hide()

    def show_state(self, parameters: Sequence[Parameter], values: RequestParameters, *, can_think: bool) -> None:
        """What can be chosen for the model in use, and what is in force."""
        self._values = values
        known = {parameter.name: parameter for parameter in parameters if not parameter.is_refused}
        self.clear()
        self._add(self.tr("not sent"), (None, None))
        if _SWITCH in known:
            self._add(self.tr("off"), (False, None))
            self._add(self.tr("on"), (True, None))
        for word in known[_EFFORT].choices if _EFFORT in known else ():
            self._add(word, (None, word))
        is_enabled, effort = value_of(values, _SWITCH), value_of(values, _EFFORT)
        # an effort says that it thinks
        state = (None, effort) if effort is not None and is_enabled is not False else (is_enabled, effort)
        if self._index_of(state) < 0:
            self._add(str(effort or self.tr("set")), state)
        self.setCurrentIndex(self._index_of(state))
        self.setVisible(can_think and (_SWITCH in known or _EFFORT in known))

    def _add(self, word: str, state: tuple[bool | None, str | None]) -> None:
        self.addItem(self.tr("Thinking: {state}").format(state=word), state)

    def _index_of(self, state: tuple[bool | None, str | None]) -> int:
        states = [self.itemData(index) for index in range(self.count())]
        return next((index for index, other in enumerate(states) if tuple(other) == state), -1)

    def _choose(self) -> None:
        is_enabled, effort = self.currentData()
        values = with_value(self._values, _SWITCH, is_enabled)
        self.parameters_chosen.emit(with_value(values, _EFFORT, effort))
