"""The panel below the header: the system prompt, and a row for each parameter."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from agdesk.core.errors import ConfigurationError
from agdesk.core.ir.parameters import RequestParameters
from agdesk.core.providers.parameter_values import set_names, value_of, with_value
from agdesk.core.providers.parameters import Parameter
from agdesk.ui.chat.parameters.prompt_row import PromptRow
from agdesk.ui.chat.parameters.row import ParameterRow
from agdesk.ui.core_words import words_of
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.card import EscapableCard
from agdesk.ui.widgets.icon_button import IconButton
from agdesk.ui.widgets.notice import Notice
from agdesk.ui.widgets.text import sentences
from agdesk.ui.widgets.wrapped_label import WrappedLabel

_TWO_COLUMNS = 620
_LEAST_HEIGHT = 120
_MOST_SHARE = 0.55  # of the height of the conversation


class ParameterPanel(EscapableCard):
    """Shows what a conversation sets and tells what the user changes. Escape closes it.

    Signals:
        parameters_chosen(object): the ``RequestParameters`` that the user wants from now on.
        prompt_chosen(object): the system prompt, None for none.
        forget_requested(object): the ``Parameter`` whose refusal shall be forgotten.
        presets_requested(): the presets are wanted.
        close_requested(): the panel shall go.
        state_changed(): a text became a value, or is none any more.
    """

    parameters_chosen = Signal(object)
    prompt_chosen = Signal(object)
    forget_requested = Signal(object)
    presets_requested = Signal()
    close_requested = Signal()
    state_changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._owner = parent
        self._values = RequestParameters()
        self._columns = 0
        self.rows: dict[str, ParameterRow] = {}
        self.setAccessibleName(self.tr("Parameters"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.explanation = WrappedLabel(self, color="muted", font="caption")
        self.explanation.setText(self.tr("Kept with this conversation. Only what is set here is sent."))
        self.presets_button = PushButton(self.tr("Presets…"), self)
        self.presets_button.setAccessibleName(self.tr("Presets of parameters and system prompt"))
        self.reset_button = PushButton(self.tr("Reset all"), self)
        self.reset_button.setAccessibleName(self.tr("Reset all parameters and the system prompt"))
        self.close_button = IconButton("close", self.tr("Close the parameters"), self)
        self.problem = Notice()
        self.prompt = PromptRow(self)
        self._body = QWidget()
        self._short, self._wide = QGridLayout(), QGridLayout()
        self._scroll = QScrollArea(self)
        self._build()
        self.prompt.prompt_chosen.connect(self.prompt_chosen)
        self.presets_button.clicked.connect(lambda _checked=False: self.presets_requested.emit())
        self.reset_button.clicked.connect(lambda _checked=False: self._reset_all())
        self.close_button.clicked.connect(lambda _checked=False: self.close_requested.emit())
        self.escaped.connect(self.close_requested)
        parent.installEventFilter(self)

    def show_parameters(self, parameters: Sequence[Parameter]) -> None:
        """How the parameters stand for the model in use; a row whose text is no value keeps it."""
        is_new = False
        for parameter in parameters:
            if parameter.name not in self.rows:
                self.rows[parameter.name] = self._make_row(parameter)
                is_new = True
            self.rows[parameter.name].apply(parameter, value_of(self._values, parameter.name))
        if is_new:
            self._place_rows()
        self._show_reset()

    def show_values(self, values: RequestParameters, system_prompt: str | None) -> None:
        """What is in force."""
        self._values = values
        for name, row in self.rows.items():
            row.apply(row.parameter, value_of(values, name))
        self.prompt.show_prompt(system_prompt)
        self._show_reset()

    def rejected(self) -> tuple[str, ...]:
        """A line for each parameter whose text is no value, and which is not set to it therefore."""
        return tuple(f"{row.title.text()}: {row.error}" for row in self.rows.values() if row.error)

    def focus_first(self) -> None:
        """Puts the keyboard into the panel."""
        self.prompt.editor.setFocus()

    def focus_parameter(self, name: str) -> None:
        """Puts the keyboard on a parameter, or into the panel if that one cannot be set."""
        row = self.rows.get(name)
        if row is not None:
            self._scroll.ensureWidgetVisible(row)
        if row is not None and row.control.isEnabled():
            row.control.setFocus()
        else:
            self.focus_first()

    @override
    def sizeHint(self) -> QSize:
        metrics = current_theme().metrics
        head = self._head.sizeHint().height() + metrics.space_24
        wanted = self._rest.totalHeightForWidth(max(1, self._scroll.viewport().width()))
        return QSize(super().sizeHint().width(), min(head + wanted, int(self._owner.height() * _MOST_SHARE)))

    @override
    def hasHeightForWidth(self) -> bool:
        return False  # the height of the text in it is not that of the panel

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, min(self.sizeHint().height(), current_theme().metrics.px(_LEAST_HEIGHT)))

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._owner and event.type() == QEvent.Type.Resize:
            self.updateGeometry()  # it may take another part of it
        return super().eventFilter(watched, event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._fitting_columns() != self._columns:
            self._place_rows()

    def _build(self) -> None:
        metrics = current_theme().metrics
        self._head = QHBoxLayout()
        self._head.setSpacing(metrics.space_8)
        self._head.addWidget(self.explanation, 1)
        self._head.addWidget(self.presets_button)
        self._head.addWidget(self.reset_button)
        self._head.addWidget(self.close_button)
        for grid in (self._short, self._wide):
            grid.setHorizontalSpacing(metrics.space_32)
            grid.setVerticalSpacing(0)
        body = self._rest = QVBoxLayout(self._body)
        body.setContentsMargins(0, 0, metrics.space_12, 0)
        body.setSpacing(0)
        body.addWidget(self.problem)
        body.addWidget(self.prompt)
        body.addLayout(self._short)
        body.addLayout(self._wide)
        body.addStretch(1)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self._body)
        self._scroll.viewport().setAutoFillBackground(False)
        self._scroll.verticalScrollBar().rangeChanged.connect(lambda _low, _high: self._keep_in_sight())
        self._body.setAutoFillBackground(False)
        column = QVBoxLayout()
        column.setContentsMargins(0, metrics.space_4, 0, metrics.space_8)
        column.setSpacing(metrics.space_4)
        column.addLayout(self._head)
        column.addWidget(self._scroll, 1)
        self.column.addLayout(column)

    def _make_row(self, parameter: Parameter) -> ParameterRow:
        row = ParameterRow(parameter, self._body)
        row.value_chosen.connect(lambda value: self._choose(row, value))
        row.control.edited.connect(self._show_reset)
        row.forget_requested.connect(lambda: self.forget_requested.emit(row.parameter))
        return row

    def _keep_in_sight(self) -> None:
        """What is told below a control that is being used may lie out of sight at first."""
        for row in self.rows.values():
            if row.error and row.control.editor.hasFocus():
                self._scroll.ensureWidgetVisible(row)

    def _place_rows(self) -> None:
        """Puts the rows beside each other if there is room; those that need a line of their own come last."""
        columns = self._columns = self._fitting_columns()
        for grid, is_wide in ((self._short, False), (self._wide, True)):
            rows = [row for row in self.rows.values() if row.control.is_wide is is_wide]
            for index, row in enumerate(rows):
                grid.addWidget(row, index // columns, index % columns)
            for column in range(2):
                grid.setColumnStretch(column, 1 if column < columns else 0)
        self.updateGeometry()

    def _fitting_columns(self) -> int:
        return 2 if self.width() >= current_theme().metrics.px(_TWO_COLUMNS) else 1

    def _choose(self, row: ParameterRow, value: object) -> None:
        try:
            values = with_value(self._values, row.parameter.name, value)
        except ConfigurationError as error:
            row.reject(sentences(*words_of(error)))
        else:
            self.parameters_chosen.emit(values)
        self._show_reset()

    def _reset_all(self) -> None:
        for row in self.rows.values():
            row.reset()
        self.prompt.reset()
        self.focus_first()  # the button goes

    def _show_reset(self) -> None:
        has_errors = any(row.error for row in self.rows.values())
        is_set = bool(set_names(self._values)) or self.prompt.is_set
        self.reset_button.setEnabled(is_set or has_errors)
        self.state_changed.emit()
