"""The theme of a running application: what is in force now, and the signal when it changes."""

from __future__ import annotations

from typing import Literal, cast

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QIcon, QPixmap
from PySide6.QtWidgets import QApplication

from agdesk.ui.theme.icons import draw_icon
from agdesk.ui.theme.metrics import Metrics
from agdesk.ui.theme.palette import build_palette, build_stylesheet
from agdesk.ui.theme.tokens import (
    DARK,
    LIGHT,
    SYNTAX_DARK,
    SYNTAX_LIGHT,
    SyntaxColors,
    Tokens,
    high_contrast,
    high_contrast_syntax,
)

ThemeMode = Literal["light", "dark", "system"]
FontRole = Literal["caption", "body", "transcript", "title", "empty_state", "code"]
_PROPERTY = "agdesk_theme"  # of the application; to look through its children would load a type for each of them


class Theme(QObject):
    """Colours, sizes, fonts and icons in force; the application has one (``current_theme``).

    In mode ``system`` it follows the platform's colour scheme, where the platform reports one; the platform's wish for
    more contrast is followed in every mode. The style has to be Fusion, which the application is made with: those
    of a platform vary too much.

    Signals:
        theme_changed(): colours or sizes are new; documents that hold colours must be drawn again.
    """

    theme_changed = Signal()

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        app.setProperty(_PROPERTY, self)
        self._app = app
        self._pixmaps: dict[tuple[str, str, int, float], QPixmap] = {}
        self.mode: ThemeMode = "system"
        self.tokens: Tokens = LIGHT
        self.syntax: SyntaxColors = SYNTAX_LIGHT
        self.metrics = Metrics()
        # PySide drops the accessibility hints when the wrapper that they came from goes: keep both
        self._hints = app.styleHints()
        self._accessibility = self._hints.accessibility()
        self._hints.colorSchemeChanged.connect(self._follow_platform)
        self._accessibility.contrastPreferenceChanged.connect(self._follow_platform)

    @property
    def scale(self) -> float:
        """The user's size factor."""
        return self.metrics.scale

    @property
    def is_dark(self) -> bool:
        """Whether the colours in force are the dark ones."""
        if self.mode == "system":
            return self._hints.colorScheme() == Qt.ColorScheme.Dark
        return self.mode == "dark"

    @property
    def is_high_contrast(self) -> bool:
        """Whether the platform asks for more contrast."""
        return self._accessibility.contrastPreference() == Qt.ContrastPreference.HighContrast

    def apply(self, mode: ThemeMode, *, scale: float) -> None:
        """Puts a theme into force, on every window at once."""
        self.mode = mode
        self.metrics = Metrics(scale)
        self.tokens, self.syntax = colors(is_dark=self.is_dark, is_high_contrast=self.is_high_contrast)
        self._pixmaps.clear()
        self._app.setPalette(build_palette(self.tokens))
        self._app.setFont(self.font("body"))
        self._app.setStyleSheet(build_stylesheet(self.tokens, self.metrics))
        self.theme_changed.emit()

    def font(self, role: FontRole) -> QFont:
        """The system's font for a role, in the role's size; ``code`` has the system's fixed font."""
        system = QFontDatabase.SystemFont
        font = QFontDatabase.systemFont(system.FixedFont if role == "code" else system.GeneralFont)
        font.setPixelSize(getattr(self.metrics, role))
        return font

    def icon(self, name: str, *, color: str = "text") -> QIcon:
        """An icon in a token's colour, sharp on every screen that is connected. It keeps its colour: ask again on
        ``theme_changed``, or use ``widgets.IconButton``, which does.

        Args:
            name: a key of ``icons.ICONS``.
            color: a field of ``Tokens``.
        """
        icon = QIcon()
        size = self.metrics.icon
        for ratio in {1.0} | {screen.devicePixelRatio() for screen in QGuiApplication.screens()}:
            icon.addPixmap(self.pixmap(name, color=color, size=size, ratio=ratio))
            grey = self.pixmap(name, color="control_edge", size=size, ratio=ratio)
            icon.addPixmap(grey, QIcon.Mode.Disabled)
        return icon

    def pixmap(self, name: str, *, color: str, size: int, ratio: float) -> QPixmap:
        """An icon as a pixmap, drawn once for each size and device pixel ratio."""
        key = (name, color, size, ratio)
        if key not in self._pixmaps:
            self._pixmaps[key] = draw_icon(name, color=self.color(color), size=size, ratio=ratio)
        return self._pixmaps[key]

    def color(self, token: str) -> QColor:
        """The colour of a field of ``Tokens``."""
        return QColor(getattr(self.tokens, token))

    def _follow_platform(self) -> None:
        if (self.tokens, self.syntax) != colors(is_dark=self.is_dark, is_high_contrast=self.is_high_contrast):
            self.apply(self.mode, scale=self.scale)


def colors(*, is_dark: bool, is_high_contrast: bool) -> tuple[Tokens, SyntaxColors]:
    """The two colour tables of a theme."""
    tokens, syntax = (DARK, SYNTAX_DARK) if is_dark else (LIGHT, SYNTAX_LIGHT)
    if is_high_contrast:
        tokens = high_contrast(tokens)
        syntax = high_contrast_syntax(syntax, background=tokens.code)
    return tokens, syntax


def current_theme() -> Theme:
    """The theme of the running application; light at normal size until ``apply_theme`` was called."""
    app = cast(QApplication, QApplication.instance())
    theme = app.property(_PROPERTY)
    return theme if isinstance(theme, Theme) else Theme(app)


def apply_theme(app: QApplication, mode: ThemeMode, *, scale: float = 1.0) -> Theme:
    """Puts a theme into force.

    Args:
        app: the application.
        mode: ``system`` follows the platform's colour scheme from now on.
        scale: the user's factor for every size.

    Returns:
        The application's theme, always the same object.
    """
    theme = current_theme()
    theme.apply(mode, scale=scale)
    return theme
