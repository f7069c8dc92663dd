"""Every colour, size, font and icon of the window: tokens, the palettes built from them, and the theme in force.

Imports Qt and nothing of agdesk. A colour is added as a field of ``tokens.Tokens`` (one value for each theme, checked
by the contrast test), an icon as a line of ``icons.ICONS``.
"""

from agdesk.ui.theme.metrics import Metrics
from agdesk.ui.theme.theme import FontRole, Theme, ThemeMode, apply_theme, current_theme
from agdesk.ui.theme.tokens import SyntaxColors, Tokens

__all__ = ["FontRole", "Metrics", "SyntaxColors", "Theme", "ThemeMode", "Tokens", "apply_theme", "current_theme"]
