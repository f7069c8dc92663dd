"""What the context is made of, and where its number comes from."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from agdesk.core.cycle.gauge import Level, Parts, Reading
from agdesk.ui.chat.gauge.sheet import FigureSheet
from agdesk.ui.chat.gauge.stacked_bar import StackedBar, Swatch
from agdesk.ui.chat.gauge.words import (
    count,
    estimated_text,
    level_sentence,
    part_names,
    percent,
    reported_text,
    whole_text,
    window_text,
)
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.labels import PlainLabel
from agdesk.ui.widgets.wrapped_label import WrappedLabel


class ContextSheet(FigureSheet):
    """A bar of the parts, their names and figures, and the two halves of the number with their sources."""

    def __init__(self, anchor: QWidget) -> None:
        super().__init__(self.tr("Context"), anchor)
        self.whole = WrappedLabel(self.panel)
        self.warning = WrappedLabel(self.panel, color="warning")
        self.danger = WrappedLabel(self.panel, color="danger")
        self.bar = StackedBar(self.panel)
        self.figures = tuple(self._figure() for _ in Parts._fields)
        self.shares = tuple(self._figure(color="muted") for _ in Parts._fields)
        self.sum = self._figure()
        self.sources = tuple(WrappedLabel(self.panel, color="muted", font="caption") for _ in range(3))
        for part in (self.whole, self.bar, self.warning, self.danger):
            self.column.addWidget(part)
        self.column.addLayout(self._make_table())
        for source in self.sources:
            self.column.addWidget(source)

    def show_reading(self, reading: Reading, window_source: str) -> None:
        """Other figures.

        Args:
            window_source: who knows the window, in words.
        """
        self.whole.setText(whole_text(reading))
        is_danger = reading.level is Level.DANGER
        for label, is_meant in ((self.warning, not is_danger), (self.danger, is_danger)):
            label.setText(level_sentence(reading))
            label.setVisible(is_meant and bool(label.text()))
        self.bar.show_parts(reading.parts, reading.window_tokens or reading.total_tokens)
        total = max(1, reading.total_tokens)
        for part, figure, share in zip(reading.parts, self.figures, self.shares, strict=True):
            figure.setText(count(part))
            share.setText(percent(part / total))
        self.sum.setText(count(reading.total_tokens))
        texts = reported_text(reading), estimated_text(reading), window_text(reading, window_source)
        for label, text in zip(self.sources, texts, strict=True):
            label.setText(text)
        names = zip(part_names(), reading.parts, strict=True)
        self.bar.setAccessibleName(", ".join(f"{name}: {count(part)}" for name, part in names))
        if not self.isHidden():
            self.arrange()

    def _make_table(self) -> QGridLayout:
        table = QGridLayout()
        table.setHorizontalSpacing(current_theme().metrics.space_12)
        table.setVerticalSpacing(current_theme().metrics.space_4)
        table.setColumnStretch(1, 1)
        for row, name in enumerate(part_names()):
            label = PlainLabel(self.panel)
            label.setText(name)
            table.addWidget(Swatch(row, self.panel), row, 0)
            table.addWidget(label, row, 1)
            table.addWidget(self.figures[row], row, 2)
            table.addWidget(self.shares[row], row, 3)
        label = PlainLabel(self.panel)
        label.setText(self.tr("Total"))
        table.addWidget(label, len(self.figures), 1)
        table.addWidget(self.sum, len(self.figures), 2)
        return table

    def _figure(self, *, color: str = "text") -> PlainLabel:
        label = PlainLabel(self.panel, color=color)
        label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return label
