"""Everything that can be done, found by typing: the command palette, and the page on which keys are chosen.

``entries`` says what there is and what of it fits what was typed; ``palette`` and ``shortcut_page`` show the actions of
the registry. May import ``actions``, ``widgets`` and ``theme``, nothing of the core. Other things than actions come in
as a source: a call that gives ``Entry`` values for what was typed.
"""

from agdesk.ui.palette.entries import Entry
from agdesk.ui.palette.palette import CommandPalette
from agdesk.ui.palette.shortcut_page import ShortcutPage

__all__ = ["CommandPalette", "Entry", "ShortcutPage"]
