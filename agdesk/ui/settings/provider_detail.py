"""Everything that can be set for one provider."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from agdesk.core.providers.accounts import RemovedAccount
from agdesk.core.providers.registry import CUSTOM
from agdesk.core.settings.model import Provider, Settings
from agdesk.core.workspace import ProviderEntry, Workspace
from agdesk.ui.models.refresh_bar import RefreshBar
from agdesk.ui.settings.account_card import AccountCard
from agdesk.ui.settings.fields import PROVIDERS, describe_fields
from agdesk.ui.settings.forms import RowCard
from agdesk.ui.settings.key_panel import KeyPanel
from agdesk.ui.settings.writer import SettingsWriter
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.card import Card
from agdesk.ui.widgets.notice import Notice
from agdesk.ui.widgets.wrapped_label import WrappedLabel


class ProviderDetail(QScrollArea):
    """The key of a provider, the rows of what else the model has for it, and its accounts.

    Attributes:
        first_name: the provider's name when the parts were made; they do not follow it.

    Args:
        taken_ids: the ids of providers that there are already.
        on_removed: is told of the account that was removed.
    """

    def __init__(
        self,
        workspace: Workspace,
        writer: SettingsWriter,
        entry: ProviderEntry,
        *,
        taken_ids: Callable[[], frozenset[str]],
        on_removed: Callable[[RemovedAccount], None],
    ) -> None:
        super().__init__()
        self.entry = entry
        self.first_name = entry.name
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._heading = WrappedLabel(font="title")
        self.problem = Notice()
        prefix = f"{PROVIDERS}.{entry.id}"
        self.key_panel = KeyPanel(workspace, writer, entry)
        without = ("preset", "key", *(() if entry.preset_id else ("name",)), *(() if is_custom(entry) else ("wire",)))
        self.card = RowCard(describe_fields(Provider, prefix=prefix, without=without), writer)
        self.models = RefreshBar(workspace, is_for_one=True)
        self.models.set_providers({entry.id: entry.name})
        refresh = QShortcut(QKeySequence(Qt.Key.Key_F5), self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
        refresh.activated.connect(self.models.refresh)
        self.accounts = AccountCard(workspace, entry, taken_ids=taken_ids, on_removed=on_removed)
        metrics = current_theme().metrics
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(metrics.space_16, metrics.space_16, metrics.space_24, metrics.space_24)
        column.setSpacing(metrics.space_12)
        for part in (self._heading, self.problem, self.key_panel, self.card, self._make_models(), self.accounts):
            column.addWidget(part)
        column.addStretch(1)
        self.setWidget(body)
        self.show_entry(entry)
        self.apply(workspace.settings)

    def show_entry(self, entry: ProviderEntry) -> None:
        """Shows the provider's name, what is wrong with it, and its address where none is set."""
        self.entry = entry
        self._heading.setText(entry.name)
        self.models.set_provider("" if entry.problem else entry.id)
        if entry.problem:
            self.problem.show_text(entry.problem)
        else:
            self.problem.clear()
        hint = entry.base_url_hint and self.tr("For example %1").replace("%1", entry.base_url_hint)
        for row in self.card.rows:
            if row.field.key.endswith(".base_url"):
                row.control.set_placeholder(entry.base_url or hint)

    def apply(self, settings: Settings) -> None:
        """Shows the values in force."""
        self.card.apply(settings)
        self.key_panel.follow_settings()

    def flush(self) -> None:
        """Requests at once what waits for the end of the typing."""
        self.card.flush()

    def _make_models(self) -> Card:
        """Asks for the models: the quickest way to see whether key and address are right."""
        metrics = current_theme().metrics
        heading = WrappedLabel(self)
        heading.setText(self.tr("Models"))
        hint = WrappedLabel(self, color="muted", font="caption")
        hint.setText(self.tr("Asks the server for its models; this shows whether the address and the key are right."))
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, metrics.space_8, 0, metrics.space_8)
        column.setSpacing(metrics.space_8)
        for part in (heading, hint, self.models):
            column.addWidget(part)
        card = Card()
        card.column.addWidget(content)
        return card


def is_custom(entry: ProviderEntry) -> bool:
    """Whether it is a server of the user's own, whose wire format is chosen."""
    return CUSTOM in (entry.id, entry.preset_id)
