"""How code blocks look."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CodeLook:
    """What the user has chosen for all code blocks.

    Args:
        is_wrapped: long lines go on in the next one; else the block scrolls sideways.
        has_numbers: lines are numbered.
    """

    is_wrapped: bool = True
    has_numbers: bool = False
