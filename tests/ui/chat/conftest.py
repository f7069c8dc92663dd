"""The windows of these tests are opened as those of the main window's."""

from tests.ui.main_window.conftest import open_window

__all__ = ["open_window"]
