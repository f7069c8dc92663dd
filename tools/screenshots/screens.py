"""The screens that scenes are drawn on: a window's size, the screen's scale, and the user's size of text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Screen:
    """What a window stands on.

    Attributes:
        name: ends the picture's name.
        width: of the window, in pixels that do not depend on the scale; so is ``height``.
        scale: device pixels for each of these. Qt reads it once, so that every scale needs a process of its own.
        text: the factor of the user's own size setting.
    """

    name: str
    width: int
    height: int
    scale: float = 1.0
    text: float = 1.0


USUAL = (Screen("900", 900, 640), Screen("1440", 1440, 900))
"""What every scene is drawn on."""
OTHERS = (
    Screen("2560", 2560, 1440),
    Screen("900-text150", 900, 640, text=1.5),
    Screen("900-at150", 900, 640, scale=1.5),
    Screen("1440-at200", 1440, 900, scale=2.0),
)
"""What the scenes are drawn on too that say so: a picture takes about two seconds."""
SCREENS = USUAL + OTHERS
