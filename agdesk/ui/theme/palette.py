"""From tokens to what Qt draws with: a palette, and a small stylesheet for what a palette cannot say."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPalette

from agdesk.ui.theme.metrics import Metrics
from agdesk.ui.theme.tokens import Tokens

_Role = QPalette.ColorRole


def build_palette(tokens: Tokens) -> QPalette:
    """A complete palette: no role is left to what the platform or the style would choose."""
    colors = {
        _Role.Window: tokens.window,
        _Role.WindowText: tokens.text,
        _Role.Base: tokens.surface,
        _Role.AlternateBase: tokens.window,
        _Role.Text: tokens.text,
        _Role.PlaceholderText: tokens.muted,
        _Role.Button: tokens.raised,
        _Role.ButtonText: tokens.text,
        _Role.BrightText: tokens.danger,
        _Role.ToolTipBase: tokens.raised,
        _Role.ToolTipText: tokens.text,
        _Role.Link: tokens.accent,
        _Role.LinkVisited: tokens.mixed,
        _Role.Highlight: tokens.accent,
        _Role.HighlightedText: tokens.on_accent,
        _Role.Accent: tokens.accent,
        _Role.Light: tokens.raised,
        _Role.Midlight: tokens.border,
        _Role.Mid: tokens.border,
        _Role.Dark: tokens.control_edge,
        _Role.Shadow: tokens.border,
    }
    palette = QPalette()
    for role, color in colors.items():
        palette.setColor(role, QColor(color))
    for role in (_Role.WindowText, _Role.Text, _Role.ButtonText, _Role.ToolTipText, _Role.PlaceholderText, _Role.Link):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(tokens.control_edge))
    palette.setColor(QPalette.ColorGroup.Disabled, _Role.Highlight, QColor(tokens.border))
    palette.setColor(QPalette.ColorGroup.Disabled, _Role.HighlightedText, QColor(tokens.text))
    return palette


def build_stylesheet(tokens: Tokens, metrics: Metrics) -> str:
    """Rules for buttons, single lines of text, choices, tabs, menus, tool tips, scroll bars, and their focus rings.

    A push button with the property ``primary`` is the one main action of its surface; a tool button with the property
    ``quiet`` shows in another way that it is checked. A border of one pixel and a padding of n stand beside the focus
    ring of two and n - 1, so that nothing moves when the focus comes.
    """
    ring, radius, pad = metrics.focus_ring, metrics.radius, metrics.space_12
    height = metrics.hit_area - 2
    return f"""
QToolTip {{ background: {tokens.raised}; color: {tokens.text}; border: 1px solid {tokens.control_edge};
    padding: {metrics.space_4}px; }}
QPushButton {{ background: {tokens.raised}; color: {tokens.text}; border: 1px solid {tokens.control_edge};
    border-radius: {radius}px; padding: 0 {pad}px; min-height: {height}px; }}
QPushButton:hover {{ background: {tokens.user_block}; }}
QPushButton:pressed {{ background: {tokens.window}; }}
QPushButton:disabled {{ color: {tokens.control_edge}; border-color: {tokens.border}; background: {tokens.window}; }}
QPushButton:focus {{ border: {ring}px solid {tokens.accent}; padding: 0 {pad - ring + 1}px;
    min-height: {metrics.hit_area - 2 * ring}px; }}
QPushButton[primary="true"] {{ background: {tokens.accent}; color: {tokens.on_accent}; border-color: {tokens.accent}; }}
QPushButton[primary="true"]:focus {{ border-color: {tokens.text}; }}
QPushButton[primary="true"]:disabled {{ background: {tokens.window}; color: {tokens.control_edge};
    border-color: {tokens.border}; }}
QToolButton {{ background: transparent; color: {tokens.text}; border: 1px solid transparent; border-radius: {radius}px;
    padding: {metrics.space_4}px; }}
QToolButton:hover {{ background: {tokens.user_block}; }}
QToolButton:pressed, QToolButton:checked {{ border-color: {tokens.control_edge}; }}
QToolButton[quiet="true"]:checked:!focus {{ border-color: transparent; }}
QToolButton:disabled {{ color: {tokens.control_edge}; }}
QToolButton:focus {{ border: {ring}px solid {tokens.accent}; padding: {metrics.space_4 - ring + 1}px; }}
QLineEdit {{ background: {tokens.surface}; color: {tokens.text};
    placeholder-text-color: {tokens.muted}; border: 1px solid {tokens.control_edge};
    border-radius: {radius}px; padding: 0 {metrics.space_8}px; min-height: {height}px; }}
QLineEdit:focus {{ border: {ring}px solid {tokens.accent}; padding: 0 {metrics.space_8 - ring + 1}px;
    min-height: {metrics.hit_area - 2 * ring}px; }}
QComboBox {{ background: {tokens.surface}; color: {tokens.text}; border: 1px solid {tokens.control_edge};
    border-radius: {radius}px; padding: 0 {metrics.space_8}px; min-height: {height}px; }}
QComboBox:focus {{ border: {ring}px solid {tokens.accent}; padding: 0 {metrics.space_8 - ring + 1}px;
    min-height: {metrics.hit_area - 2 * ring}px; }}
QComboBox:disabled {{ color: {tokens.muted}; background: {tokens.window}; border-color: {tokens.border}; }}
QComboBox QLineEdit, QComboBox QLineEdit:focus {{ border: none; background: transparent; min-height: 0; padding: 0; }}
QComboBox::drop-down {{ border: none; width: {metrics.space_24}px; }}
QComboBox::down-arrow {{ image: none; }}
QTabWidget::pane {{ border: none; border-top: 1px solid {tokens.border}; }}
QTabBar {{ qproperty-drawBase: 0; }}
QTabBar::tab {{ background: transparent; color: {tokens.muted}; border: none; padding: {metrics.space_8}px {pad}px;
    border-bottom: {ring}px solid transparent; }}
QTabBar::tab:selected {{ color: {tokens.text}; border-bottom-color: {tokens.accent}; }}
QTabBar::tab:hover {{ color: {tokens.text}; background: {tokens.user_block}; }}
QTabBar::tab:focus {{ border-bottom-color: {tokens.text}; }}
QMenu {{ background: {tokens.raised}; color: {tokens.text}; border: 1px solid {tokens.control_edge};
    padding: {metrics.space_4}px 0; }}
QMenu::item {{ padding: {metrics.space_4}px {metrics.space_24}px; }}
QMenu::item:selected {{ background: {tokens.user_block}; }}
QMenu::separator {{ height: 1px; background: {tokens.border}; margin: {metrics.space_4}px 0; }}
QToolButton::menu-indicator {{ image: none; }}
QScrollBar {{ background: transparent; border: none; margin: 0; }}
QScrollBar:vertical {{ width: {metrics.space_12}px; }}
QScrollBar:horizontal {{ height: {metrics.space_12}px; }}
QScrollBar::handle {{ background: {tokens.control_edge}; border-radius: {metrics.px(3)}px; margin: {metrics.px(3)}px; }}
QScrollBar::handle:vertical {{ min-height: {metrics.space_32}px; }}
QScrollBar::handle:horizontal {{ min-width: {metrics.space_32}px; }}
QScrollBar::handle:hover {{ background: {tokens.muted}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
"""
