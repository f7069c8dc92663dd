"""What the settings add to the stylesheet of the application."""

from __future__ import annotations

from agdesk.ui.theme import Metrics, Tokens


def stylesheet(tokens: Tokens, metrics: Metrics) -> str:
    """Rules for the pane of the pages, its list, long texts, and buttons that look like a line of a list."""
    ring = metrics.focus_ring
    return f"""
#pages {{ background: {tokens.surface}; border: none; border-right: 1px solid {tokens.border}; }}
QListWidget {{ background: transparent; }}
QPlainTextEdit {{ background: {tokens.surface}; color: {tokens.text}; border: 1px solid {tokens.control_edge};
    border-radius: {metrics.radius}px; padding: {metrics.space_4}px; }}
QPlainTextEdit:focus {{ border: {ring}px solid {tokens.accent}; padding: {metrics.space_4 - ring + 1}px; }}
QPushButton[link="true"] {{ background: transparent; border-color: transparent; color: {tokens.accent};
    text-align: left; padding: 0 {metrics.space_4}px; margin: {metrics.space_4}px 0; }}
QPushButton[link="true"]:hover {{ background: {tokens.user_block}; }}
QPushButton[link="true"]:focus {{ border-color: {tokens.accent}; padding: 0 {metrics.space_4 - ring + 1}px; }}
"""
