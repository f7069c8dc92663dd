"""Everything that can be set for one provider."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from agdesk.core.settings.model import Provider, Settings
from agdesk.core.workspace import ProviderEntry, Workspace
from agdesk.ui.settings.fields import PROVIDERS, describe_fields
from agdesk.ui.settings.forms import RowCard
from agdesk.ui.settings.key_panel import KeyPanel
from agdesk.ui.settings.writer import SettingsWriter
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.wrapped_label import WrappedLabel


class ProviderDetail(QScrollArea):
    """The key of a provider and the rows of what else the model has for it."""

    def __init__(self, workspace: Workspace, writer: SettingsWriter, entry: ProviderEntry) -> None:
        super().__init__()
        self.entry = entry
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        heading = WrappedLabel(font="title")
        heading.setText(entry.name)
        prefix = f"{PROVIDERS}.{entry.id}"
        self.key_panel = KeyPanel(workspace, writer, entry)
        self.card = RowCard(describe_fields(Provider, prefix=prefix, without=("key",)), writer)
        metrics = current_theme().metrics
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(metrics.space_16, metrics.space_16, metrics.space_24, metrics.space_24)
        column.setSpacing(metrics.space_12)
        column.addWidget(heading)
        column.addWidget(self.key_panel)
        column.addWidget(self.card)
        column.addStretch(1)
        self.setWidget(body)
        self.show_entry(entry)
        self.apply(workspace.settings)

    def show_entry(self, entry: ProviderEntry) -> None:
        """Shows the address of the provider where none is set."""
        for row in self.card.rows:
            if row.field.key.endswith(".base_url"):
                row.control.set_placeholder(entry.base_url)

    def apply(self, settings: Settings) -> None:
        """Shows the values in force."""
        self.card.apply(settings)
        self.key_panel.follow_settings()

    def flush(self) -> None:
        """Requests at once what waits for the end of the typing."""
        self.card.flush()
