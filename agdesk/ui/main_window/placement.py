"""Where a window may come back: always where the user can see and reach it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from agdesk.core.settings.window_state import Rect
from agdesk.ui.theme import current_theme


def fitted(rect: Rect, screens: Sequence[Rect]) -> Rect:
    """``rect`` where it is fully visible, on one screen or on several side by side; else moved, and made smaller if it
    must be, into the screen that shows most of it, or into the first one.

    Args:
        rect: where the window was.
        screens: the usable areas, which do not overlap; the main screen first. Without any, ``rect`` stays.
    """
    overlaps = [_overlap(rect, screen) for screen in screens]
    if not screens or sum(overlaps) >= rect.width * rect.height:
        return rect
    screen = screens[overlaps.index(max(overlaps))]
    width, height = min(rect.width, screen.width), min(rect.height, screen.height)
    return Rect(
        max(screen.x, min(rect.x, screen.x + screen.width - width)),
        max(screen.y, min(rect.y, screen.y + screen.height - height)),
        width,
        height,
    )


def place(window: QWidget, rect: Rect) -> None:
    """Puts a window where it was, as far as that is visible now."""
    there = fitted(rect, _screens())
    window.setGeometry(there.x, there.y, there.width, there.height)


def place_of(window: QWidget) -> Rect:
    """Where a window is, or will be when it is no longer maximised or minimised."""
    is_normal = not (window.isMaximized() or window.isFullScreen() or window.isMinimized())
    rect = window.geometry() if is_normal else window.normalGeometry()
    if not rect.isValid():  # there is none yet
        rect = window.geometry()
    return Rect(rect.x(), rect.y(), rect.width(), rect.height())


def _screens() -> list[Rect]:
    """The usable areas below the height of a title bar: a window's own geometry is without it."""
    title_bar = current_theme().metrics.hit_area  # asking the style costs 8 ms of the start
    main = QGuiApplication.primaryScreen()
    screens = sorted(QGuiApplication.screens(), key=lambda screen: screen is not main)
    areas: list[QRect] = [screen.availableGeometry().adjusted(0, title_bar, 0, 0) for screen in screens]
    return [Rect(area.x(), area.y(), area.width(), area.height()) for area in areas if area.isValid()]


def _overlap(rect: Rect, screen: Rect) -> int:
    width = min(rect.x + rect.width, screen.x + screen.width) - max(rect.x, screen.x)
    height = min(rect.y + rect.height, screen.y + screen.height) - max(rect.y, screen.y)
    return max(0, width) * max(0, height)
