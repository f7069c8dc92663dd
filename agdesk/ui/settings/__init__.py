"""The settings dialog: pages made from the metadata of ``core.settings.model``, the providers and their keys.

``fields`` reads the metadata, ``controls`` and ``row`` draw one setting, ``forms`` the pages of plain settings,
``provider_*`` and ``key_*`` the providers, ``dialog`` puts them together. Loads pydantic: imported when the dialog is
first opened, never before the first paint. May import the core's workspace, settings and providers, ``ui.widgets`` and
``ui.theme``. To add a setting: one field in the model; its row needs nothing here.
"""

from agdesk.ui.settings.dialog import SettingsDialog

__all__ = ["SettingsDialog"]
