"""The button in the header: how many tools are on."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from agdesk.ui.widgets.elided_button import ElidedButton


class ToolsButton(ElidedButton):
    """A word and a number. It warns of a folder that is needed and not there."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.show_state(0, folder="", is_folder_missing=False)

    def show_state(self, count: int, *, folder: str, is_folder_missing: bool) -> None:
        """How many tools are on, and where they work.

        Args:
            folder: as it is shown; empty for none.
            is_folder_missing: whether a tool that is on needs one, and there is none or it is gone.
        """
        name = self.tr("Tools")
        if not count:
            state = self.tr("off")
        elif not folder:
            state = (self.tr("{count} on, no folder") if is_folder_missing else self.tr("{count} on")).format(
                count=count
            )
        else:
            words = (
                self.tr("{count} on, folder {folder} is gone")
                if is_folder_missing
                else self.tr("{count} on, folder {folder}")
            )
            state = words.format(count=count, folder=folder)
        self.show_words(
            self.tr("{name} ({count})").format(name=name, count=count) if count else name,
            name=self.tr("{name}: {state}").format(name=name, state=state),
            tip=self.tr("Which tools this conversation offers: {state}").format(state=state),
            is_warning=is_folder_missing,
        )
