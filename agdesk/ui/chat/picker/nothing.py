"""What the picker shows when no model fits, and what can be done about it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.wrapped_label import WrappedLabel


class NothingFound(QWidget):
    """A sentence and up to three buttons.

    Signals:
        use_chosen(): the user wants what was typed all the same.
        clear_chosen(): the filters are to go.
        unknown_chosen(): models of which it is not known whether they fit are to be shown.
    """

    use_chosen = Signal()
    clear_chosen = Signal()
    unknown_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = WrappedLabel(self)
        self._hint = WrappedLabel(self, color="muted")
        self.use_button = PushButton(self)
        self.use_button.setProperty("primary", True)
        self.unknown_button = PushButton(self)
        self.clear_button = PushButton(self.tr("Clear filters"), self)
        self.clear_button.setAccessibleName(self.clear_button.text())
        column = QVBoxLayout(self)
        column.setSpacing(current_theme().metrics.space_8)
        column.addStretch(2)
        for label in (self._title, self._hint):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(label)
        for button, signal in (
            (self.use_button, self.use_chosen),
            (self.unknown_button, self.unknown_chosen),
            (self.clear_button, self.clear_chosen),
        ):
            button.clicked.connect(lambda _checked=False, signal=signal: signal.emit())
            column.addWidget(button, alignment=Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)

    @property
    def sentence(self) -> str:
        """What is said."""
        return f"{self._title.text()} {self._hint.text()}".strip()

    def show_for(
        self, query: str, ref: str, *, is_filtered: bool, unknown_count: int, missing_provider: str = ""
    ) -> None:
        """Says that nothing fits ``query``.

        Args:
            ref: the reference that was typed; empty if it was none.
            is_filtered: whether filters keep something out.
            unknown_count: of how many models nobody knows whether they pass the filters.
            missing_provider: the one in ``ref``, if there is none of this name.
        """
        typed = query.strip()
        title = (
            self.tr("No known model fits “{typed}”.") if typed else self.tr("No model is known to pass the filters.")
        )
        self._title.setText(title.format(typed=typed))
        hint = "" if ref else self.tr("A model that is not in the list is written as provider/model.")
        if missing_provider:
            hint = self.tr("There is no provider “{id}”.").format(id=missing_provider)
        self._hint.setText(hint)
        self._hint.setVisible(bool(hint))
        use = self.tr("Use “{model}” anyway").format(model=ref)
        self.use_button.setText(use.replace("&", "&&"))
        self.use_button.setAccessibleName(use)
        self.use_button.setVisible(bool(ref))
        count = f"{unknown_count:,}".replace(",", "\u2009")
        unknown = self.tr("Show {count} of which nobody knows").format(count=count)
        self.unknown_button.setText(unknown)
        self.unknown_button.setAccessibleName(unknown)
        self.unknown_button.setVisible(unknown_count > 0)
        self.clear_button.setVisible(is_filtered)
