"""The part of the header about what a conversation sets: reasoning effort, the button, and the panel below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from agdesk.core.cycle import AgentSession
from agdesk.core.errors import ConfigurationError, SettingsError
from agdesk.core.ir.parameters import RequestParameters
from agdesk.core.tasks import spawn
from agdesk.core.workspace import Workspace
from agdesk.ui.chat.parameters.button import ParametersButton
from agdesk.ui.chat.parameters.presets import PresetControl
from agdesk.ui.core_words import words_of
from agdesk.ui.theme import current_theme

if TYPE_CHECKING:
    from agdesk.core.providers.parameters import Parameter
    from agdesk.ui.chat.parameters.effort import EffortBox
    from agdesk.ui.chat.parameters.panel import ParameterPanel

_EFFORT = "thinking.effort"


class ParameterBar(QWidget):
    """The two controls, and the panel while it is open. What is chosen is the session's at once.

    Before anything is known of models there is nothing but the button; what was to be open opens then (PERF5).

    Args:
        session: the conversation.
        place: where the panel is put.
        owner: the widget that ``place`` arranges.

    Signals:
        closed(): the panel is gone; the keyboard belongs where one writes.

    Attributes:
        panel: None until it is first opened.
        effort: None until something is known of models.
        presets: what is kept under names.
    """

    closed = Signal()

    def __init__(self, workspace: Workspace, session: AgentSession, *, place: QVBoxLayout, owner: QWidget) -> None:
        super().__init__()
        self._workspace = workspace
        self._session = session
        self._place = place
        self._owner = owner
        self.panel: ParameterPanel | None = None
        self.effort: EffortBox | None = None
        self.presets = PresetControl(workspace, session, owner=self)
        self.presets.applied.connect(self._show_applied)
        self.button = ParametersButton(self)
        self.button.toggled.connect(lambda _is_open: self._show_panel())
        self._line = QHBoxLayout(self)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.setSpacing(current_theme().metrics.space_8)
        self._line.addWidget(self.button)
        self._subscriptions = (
            workspace.models_changed.subscribe(lambda _: self.refresh()),
            session.parameters_changed.subscribe(lambda _: self._show_values()),
        )
        self.refresh()

    @property
    def is_open(self) -> bool:
        """Whether the panel is open, or will be."""
        return self.button.isChecked()

    def set_open(self, is_open: bool) -> None:
        """Folds the panel out or in."""
        self.button.setChecked(is_open)

    def toggle(self) -> None:
        """Folds the panel out, with the keyboard in it, or in."""
        self.set_open(not self.is_open)
        if self.panel is not None and self.is_open:
            self.panel.focus_first()

    def choose_effort(self) -> None:
        """Offers how much the model thinks; where that is no question, the panel says why."""
        if self.effort is not None and self.effort.isVisible():
            self.effort.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.effort.showPopup()
            return
        self.set_open(True)
        if self.panel is not None:
            self.panel.focus_parameter(_EFFORT)

    def show_presets(self) -> None:
        """Offers what is kept under names."""
        self.set_open(True)
        self.presets.show_menu(self.button if self.panel is None else self.panel.presets_button)

    def refresh(self) -> None:
        """Follows the model in use and what is known of it now."""
        if not self._workspace.model_rows():  # the first look at a provider's row loads libraries
            self._show_values()
            return
        if self.effort is None:
            self.effort = self._make_effort()
        self._show_panel()
        self._show_values()

    def stop_listening(self) -> None:
        """The conversation is closed."""
        for unsubscribe in self._subscriptions:
            unsubscribe()

    def _show_panel(self) -> None:
        if not self._workspace.model_rows():
            return
        if self.is_open and self.panel is None:
            self.panel = self._make_panel()
        if self.panel is None:
            return
        had_focus = self.panel.isAncestorOf(self.window().focusWidget() or self)
        if self.is_open:
            parameters, problem = self._parameters()
            if problem is not None:
                self.panel.problem.show_text(*words_of(problem))
            else:
                self.panel.problem.clear()
            self.panel.show_parameters(parameters)
        self.panel.setVisible(self.is_open)
        if had_focus and not self.is_open:
            self.closed.emit()

    def _show_values(self) -> None:
        values, system_prompt = self._session.parameters, self._session.system_prompt
        if self.panel is not None:
            self.panel.show_values(values, system_prompt)
        if self.effort is not None:
            can_think = bool(self._workspace.model_info(self._session.model_ref).features.thinking)
            self.effort.show_state(self._parameters()[0], values, can_think=can_think)
        self._show_count()

    def _show_count(self) -> None:
        values = self._session.parameters
        count = _count(values) + (self._session.system_prompt is not None)
        idle = self.panel.rejected() if self.panel is not None else ()
        if values != RequestParameters() and self._workspace.model_rows():
            idle += _not_sent(values, self._parameters()[0])
        self.button.show_count(count, idle)

    def _parameters(self) -> tuple[tuple[Parameter, ...], ConfigurationError | None]:
        """Those of the model in use; all, and why, where it cannot be asked."""
        from agdesk.core.providers.parameters import parameters_of_any

        try:
            return self._workspace.parameters(self._session.model_ref), None
        except ConfigurationError as error:
            return parameters_of_any(), error

    def _make_effort(self) -> EffortBox:
        from agdesk.ui.chat.parameters.effort import EffortBox

        effort = EffortBox(self)
        effort.parameters_chosen.connect(self._take)
        self._line.insertWidget(0, effort)
        return effort

    def _make_panel(self) -> ParameterPanel:
        from agdesk.ui.chat.parameters.panel import ParameterPanel

        panel = ParameterPanel(self._owner)
        panel.parameters_chosen.connect(self._take)
        panel.prompt_chosen.connect(self._take_prompt)
        panel.forget_requested.connect(self._forget)
        panel.state_changed.connect(self._show_count)
        panel.presets_requested.connect(self.show_presets)
        panel.close_requested.connect(lambda: self.set_open(False))
        panel.show_values(self._session.parameters, self._session.system_prompt)
        self._place.addWidget(panel)
        return panel

    def _show_applied(self) -> None:
        if self.panel is not None:
            self.panel.prompt.show_prompt(self._session.system_prompt, is_new=True)

    def _take(self, parameters: object) -> None:
        self._session.parameters = parameters  # type: ignore[assignment]

    def _take_prompt(self, text: str | None) -> None:
        self._session.system_prompt = text

    def _forget(self, parameter: Parameter) -> None:
        model_ref = self._session.model_ref
        spawn(self._save_forgotten(model_ref, parameter), name=f"forget what {model_ref} refused")

    async def _save_forgotten(self, model_ref: str, parameter: Parameter) -> None:
        try:
            await self._workspace.forget_refused(model_ref, parameter.remembered)
        except SettingsError as error:
            if self.panel is not None:
                self.panel.problem.show_text(*words_of(error))


def _count(values: RequestParameters) -> int:
    if values == RequestParameters():  # as at most starts: nothing needs to be loaded
        return 0
    from agdesk.core.providers.parameter_values import set_names

    return len(set_names(values))


def _not_sent(values: RequestParameters, parameters: Sequence[Parameter]) -> tuple[str, ...]:
    """A line for each parameter that is set and that the model is not sent."""
    from agdesk.core.providers.parameter_values import set_names
    from agdesk.ui.chat.parameters.words import title_of

    names = set_names(values)
    idle = (parameter for parameter in parameters if parameter.is_refused and parameter.name in names)
    return tuple(f"{title_of(parameter.name)}: {parameter.reason}" for parameter in idle)
