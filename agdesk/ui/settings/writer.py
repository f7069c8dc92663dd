"""Puts what the user has changed in force, at once."""

from __future__ import annotations

import asyncio

from shiboken6 import isValid

from agdesk.core.errors import ConfigurationError, SettingsError
from agdesk.core.tasks import spawn
from agdesk.core.workspace import Workspace
from agdesk.ui.core_words import said
from agdesk.ui.settings.checks import check_value
from agdesk.ui.settings.row import SettingRow
from agdesk.ui.widgets.text import sentences


class SettingsWriter:
    """Saves the values that rows ask for, in the order they were asked for, and tells a row when its value was refused.

    A change that has begun ends, also when its row is gone.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._writing = asyncio.Lock()

    def bind(self, row: SettingRow) -> None:
        """Serves a row from now on."""
        key = row.field.key
        row.change_requested.connect(lambda value: spawn(self._write(row, value), name=f"change of {key}"))

    async def change(self, key: str, value: object) -> None:
        """Puts one value in force; None is the way back to the default.

        Raises:
            SettingsError: it cannot be set, or the file cannot be written; nothing has changed then.
        """
        await self._workspace.change_settings({key: value})

    async def _write(self, row: SettingRow, value: object) -> None:
        field = row.field
        try:
            async with self._writing:
                await asyncio.to_thread(check_value, field, value, redact=self._workspace.registry.secrets.redact_text)
                await self.change(field.key, None if value == field.default else value)
        except (ConfigurationError, SettingsError) as error:
            if isValid(row):
                row.reject(value, sentences(said(error.message.removeprefix(f"{field.key}: ")), said(error.hint)))
        else:
            if isValid(row):
                row.accept()
