"""What goes with the next message, above the composer: chips, and what the model cannot take of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QVBoxLayout, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.attachment_tile import AttachmentTile
from agdesk.ui.widgets.attachment_view import AttachmentView
from agdesk.ui.widgets.flow_layout import FlowLayout
from agdesk.ui.widgets.icon_button import IconButton
from agdesk.ui.widgets.labels import StatusLine
from agdesk.ui.widgets.notice import Notice
from agdesk.ui.widgets.text import visible_text
from agdesk.ui.widgets.thumbnails import ThumbnailShelf

_LINES = 2  # of chips that are seen at once


class Chip(QWidget):
    """An attachment, with the button that takes it away.

    Args:
        shelf: gives the thumbnails.
    """

    def __init__(self, view: AttachmentView, shelf: ThumbnailShelf, parent: QWidget) -> None:
        super().__init__(parent)
        self.tile = AttachmentTile(shelf, self, has_button=True)
        self.tile.show_view(view)
        self.remove_button = IconButton("close", self.tr("Remove %1").replace("%1", visible_text(view.name)), self)
        line = QGridLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.tile, 0, 0)
        line.addWidget(self.remove_button, 0, 0, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
        self.remove_button.raise_()


class AttachmentTray(QWidget):
    """Hidden while there is nothing to show.

    Signals:
        opened(int), removed(int): the attachment in that place was pressed, or its button to remove it.
        untaken_removed(): what the model cannot take is to go.
        model_wanted(): another model is to be chosen.
    """

    opened = Signal(int)
    removed = Signal(int)
    untaken_removed = Signal()
    model_wanted = Signal()

    def __init__(self, shelf: ThumbnailShelf, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chips: list[Chip] = []
        self._shelf = shelf
        self.problem = Notice(self, choices=(self.tr("Remove"), self.tr("Choose another model…")))
        self.problem.chosen.connect(self._on_choice)
        self.progress = StatusLine(self)
        self.progress.hide()
        self._area = QScrollArea(self)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidgetResizable(True)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setAccessibleName(self.tr("Attachments"))
        self._content = QWidget()
        self._flow = FlowLayout(self._content, spacing=current_theme().metrics.space_8)
        self._area.setWidget(self._content)
        self._area.viewport().setAutoFillBackground(False)
        self._content.setAutoFillBackground(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(current_theme().metrics.space_8)
        for part in (self.problem, self.progress, self._area):
            column.addWidget(part)
        current_theme().theme_changed.connect(self._fit)
        self.hide()

    def show_views(self, views: Sequence[AttachmentView]) -> None:
        """Shows these; chips of those that were there stay."""
        old = {id(chip.tile.view): chip for chip in self.chips}
        kept = [old.pop(id(view), None) for view in views]
        for chip in old.values():
            self._flow.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self.chips = [chip or self._make_chip(view) for chip, view in zip(kept, views, strict=True)]
        for chip in self.chips:  # in this order
            self._flow.removeWidget(chip)
            self._flow.addWidget(chip)
        for above, below in zip(self.chips, self.chips[1:], strict=False):
            QWidget.setTabOrder(above.remove_button, below.tile)
        self._show_or_hide()

    def show_progress(self, text: str) -> None:
        """Says what is being read; empty for nothing."""
        self.progress.setText(text)
        self.progress.setVisible(bool(text))
        self._show_or_hide()

    def show_problem(self, text: str, warnings: Mapping[int, str]) -> None:
        """Says what the model cannot take, with ``warnings`` for chips by their places; empty takes all away."""
        for place, chip in enumerate(self.chips):
            chip.tile.set_warning(warnings.get(place, ""))
        if text:
            self.problem.buttons[0].setVisible(bool(warnings))
            self.problem.show_text(text)
        else:
            self.problem.clear()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def _make_chip(self, view: AttachmentView) -> Chip:
        chip = Chip(view, self._shelf, self._content)
        chip.tile.clicked.connect(lambda: self.opened.emit(self.chips.index(chip)))
        chip.remove_button.clicked.connect(lambda: self._remove(chip))
        return chip

    def _remove(self, chip: Chip) -> None:
        """The keyboard goes on to the next one."""
        place = self.chips.index(chip)
        if chip.remove_button.hasFocus() and len(self.chips) > 1:
            others = self.chips[place + 1 :] or self.chips[:place]
            others[0 if place + 1 < len(self.chips) else -1].remove_button.setFocus()
        self.removed.emit(place)

    def _show_or_hide(self) -> None:
        self._area.setVisible(bool(self.chips))
        self.setVisible(bool(self.chips) or not self.progress.isHidden())
        self._fit()

    def _fit(self) -> None:
        """As high as its chips, up to ``_LINES`` lines of them."""
        if not self.chips:
            return
        gap = self._flow.spacing()
        most = _LINES * (self.chips[0].sizeHint().height() + gap) - gap + gap // 2
        wanted = self._flow.heightForWidth(max(1, self.width()))
        self._area.setFixedHeight(min(most, wanted))

    def _on_choice(self, index: int) -> None:
        (self.untaken_removed if index == 0 else self.model_wanted).emit()
