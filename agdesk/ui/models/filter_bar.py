"""The conditions on models, as buttons that stay pressed."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QSize, Signal
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from agdesk.ui.models.filters import WINDOWS, ModelFilter
from agdesk.ui.models.values import ABILITIES, ICONS, field_name, tokens
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.choice_box import ChoiceBox
from agdesk.ui.widgets.flow_layout import FlowLayout


class Chip(PushButton):
    """A condition that is on or off; on, it has a check mark too."""

    def __init__(self, text: str, tip: str, *, icon: str) -> None:
        super().__init__(text)
        self._icon = icon
        self.setCheckable(True)
        self.setAccessibleName(text)
        self.setToolTip(tip)
        self.setAutoDefault(False)
        self.toggled.connect(lambda _checked: self._restyle())
        current_theme().theme_changed.connect(self._restyle)
        self._restyle()

    @override
    def sizeHint(self) -> QSize:
        return super().sizeHint().expandedTo(QSize(0, current_theme().metrics.hit_area))

    def _restyle(self) -> None:
        theme = current_theme()
        tokens, metrics = theme.tokens, theme.metrics
        is_on = self.isChecked()
        self.setIcon(theme.icon("check" if is_on else self._icon, color="accent" if is_on else "muted"))
        self.setIconSize(QSize(metrics.px(14), metrics.px(14)))
        ground = tokens.user_block if is_on else "transparent"
        edge = tokens.accent if is_on else tokens.control_edge
        side, ring = metrics.space_8, metrics.focus_ring
        self.setStyleSheet(
            f"QPushButton {{ background: {ground}; border: 1px solid {edge}; padding: 0 {side}px;"
            f" border-radius: {metrics.hit_area // 2}px; }}"
            f"QPushButton:focus {{ border: {ring}px solid {tokens.accent}; padding: 0 {side - ring + 1}px; }}"
        )


class FilterBar(QWidget):
    """All conditions; they combine.

    Signals:
        changed(): another ``filter`` is in force.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Filters"))
        translate = QCoreApplication.translate
        tip = self.tr("Only models that are known to have it: {ability}")
        self.chips = {
            ability: Chip(field_name(ability), tip.format(ability=field_name(ability)), icon=icon)
            for ability, icon in ICONS.items()
        }
        self.windows = ChoiceBox(self.tr("Least window"))
        self.windows.addItem(self.tr("Any window"))
        for least in WINDOWS:
            self.windows.addItem(translate("FilterBar", "Window ≥ {size}").format(size=tokens(least)), least)
        self.usable = Chip(self.tr("has key"), self.tr("Only models that can be used now"), icon="key")
        self.local = Chip(self.tr("local"), self.tr("Only models on this machine or in its network"), icon="local")
        also_unknown = self.tr("Shows models of which nobody knows whether they fit, too, after the others")
        self.unknown = Chip(self.tr("also unknown"), also_unknown, icon="plus")
        self.clear_button = PushButton(self.tr("Clear filters"))
        self.clear_button.setAccessibleName(self.clear_button.text())
        self.clear_button.setAutoDefault(False)
        self.clear_button.clicked.connect(lambda _checked=False: self.clear())
        flow = FlowLayout(self, spacing=current_theme().metrics.space_4)
        parts = [self.chips[ability] for ability in ABILITIES]
        for part in (*parts, self.windows, self.usable, self.local, self.unknown, self.clear_button):
            flow.addWidget(part)
        for chip in (*parts, self.usable, self.local, self.unknown):
            chip.toggled.connect(lambda _checked: self._tell())
        self.windows.currentIndexChanged.connect(lambda _index: self._tell())
        self._is_quiet = False
        self._show_clear()

    @property
    def filter(self) -> ModelFilter:
        """What is asked for."""
        return ModelFilter(
            abilities=frozenset(ability for ability, chip in self.chips.items() if chip.isChecked()),
            min_context_window=self.windows.currentData(),
            is_usable=self.usable.isChecked(),
            is_local=self.local.isChecked(),
            includes_unknown=self.unknown.isChecked(),
        )

    def clear(self) -> None:
        """No condition any more."""
        had_focus = self.clear_button.hasFocus()
        self._is_quiet = True
        for chip in (*self.chips.values(), self.usable, self.local, self.unknown):
            chip.setChecked(False)
        self.windows.setCurrentIndex(0)
        self._is_quiet = False
        if had_focus:
            next(iter(self.chips.values())).setFocus()
        self._tell()

    def _tell(self) -> None:
        if not self._is_quiet:
            self._show_clear()
            self.changed.emit()

    def _show_clear(self) -> None:
        asked = self.filter
        self.unknown.setVisible(bool(asked.abilities or asked.min_context_window))
        self.clear_button.setVisible(asked.is_narrow)
