"""Contrast of colours after WCAG 2.1, and the step that makes a colour contrast more.

Colours are ``#RRGGBB`` texts; nothing here needs Qt.
"""

from __future__ import annotations

import colorsys
from collections.abc import Iterable

TEXT_RATIO = 4.5  # WCAG 1.4.3, text
SHAPE_RATIO = 3.0  # WCAG 1.4.11, icons and edges of controls
ENHANCED_RATIO = 7.0  # WCAG 1.4.6, what the high-contrast palettes hold


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21 (WCAG 2.1, "contrast ratio")."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(color: str) -> float:
    """The relative luminance of a colour, 0 (black) to 1 (white)."""
    red, green, blue = (_linear(channel) for channel in _channels(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def strengthen(color: str, backgrounds: Iterable[str], *, ratio: float) -> str:
    """The colour moved away from its backgrounds, hue kept, until it has ``ratio`` on each of them.

    Returns black or white if no colour of that hue is enough.
    """
    backs = tuple(backgrounds)
    is_on_dark = sum(luminance(back) for back in backs) < 0.5 * len(backs)
    hue, lightness, saturation = colorsys.rgb_to_hls(*_channels(color))
    step = 0.02 if is_on_dark else -0.02
    while min(contrast(color, back) for back in backs) < ratio:
        lightness += step
        if not 0.0 < lightness < 1.0:
            return "#FFFFFF" if is_on_dark else "#000000"
        color = _to_text(colorsys.hls_to_rgb(hue, lightness, saturation))
    return color


def _channels(color: str) -> tuple[float, float, float]:
    return int(color[1:3], 16) / 255, int(color[3:5], 16) / 255, int(color[5:7], 16) / 255


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def _to_text(channels: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(channel * 255):02X}" for channel in channels)
