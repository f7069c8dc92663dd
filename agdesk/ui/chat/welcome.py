"""What an empty conversation shows: how to begin, and examples to begin with."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

from agdesk.ui.widgets.empty_state import EmptyState

translate = QCoreApplication.translate


def make_welcome(send: Callable[[str], None]) -> EmptyState:
    """The page; ``send`` is given the text of an example that is chosen."""
    examples = (
        translate("Welcome", "Say hello in French."),
        translate("Welcome", "Explain what a token is in two sentences."),
        translate("Welcome", "Write a haiku about a window."),
    )
    page = EmptyState(
        translate("Welcome", "Start a conversation"),
        translate(
            "Welcome",
            "The built-in model answers on this machine, without a key. Keys of other providers are added in "
            "Settings (Ctrl+,).",
        ),
        choices=examples,
        are_examples=True,
    )
    page.chosen.connect(lambda index: send(examples[index]))
    return page
