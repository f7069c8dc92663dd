"""The imports that must not happen before the first paint, done before the first text needs them."""

from __future__ import annotations

from agdesk.ui.widgets.markdown.highlight import lex
from agdesk.ui.widgets.markdown.parser import parse

COMMON_LANGUAGES = ("python", "javascript", "json", "bash")


def warm_up() -> None:
    """Loads markdown-it, Pygments and a few lexers (some 100 ms). May be called from any thread."""
    parse("*a*\n", {})
    for language in COMMON_LANGUAGES:
        lex(language, "0\n")
