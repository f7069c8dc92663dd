"""The settings dialog over a workspace of its own."""

import pytest

from agdesk.ui.settings import SettingsDialog
from agdesk.ui.theme import apply_theme
from tests.ui.settings.workspaces import FakeWorkspace


@pytest.fixture
def workspace(tmp_path):
    return FakeWorkspace(tmp_path)


@pytest.fixture
def open_dialog(qapp, qtbot, workspace):
    """Opens the dialog; it is closed and deleted after the test."""
    apply_theme(qapp, "light")
    qapp.setQuitOnLastWindowClosed(False)  # a test closes the dialog and goes on

    def open_it(**options):
        dialog = SettingsDialog(workspace, **options)
        qtbot.addWidget(dialog)
        dialog.show()
        return dialog

    yield open_it
    qapp.setQuitOnLastWindowClosed(True)


@pytest.fixture
def row_of():
    """The row of a key in a dialog."""

    def find(dialog, key):
        rows = [row for form in dialog.forms.forms for row in form.card.rows]
        if (detail := dialog.providers.detail()) is not None:
            rows += detail.card.rows
        return next(row for row in rows if row.field.key == key)

    return find
