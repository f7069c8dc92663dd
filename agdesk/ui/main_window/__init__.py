"""The main window: tabs of conversations, detached windows, side panels, banners, and every action in its registry.

``window`` puts the rest together. ``desk`` owns what is open, ``tab_area`` and ``detached`` show it, ``page`` is one
conversation in either, ``page_loader`` fills it. ``panels`` and ``dialogs`` load the other views when they are first
shown; a new view is built there. ``actions`` lists what the user can do. May import every other package of the window
but ``application`` and ``selftest``.
"""

from agdesk.ui.main_window.window import MainWindow

__all__ = ["MainWindow"]
