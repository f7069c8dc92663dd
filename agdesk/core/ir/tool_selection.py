"""Which tools a conversation offers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ToolSelection:
    """What is switched on for a conversation.

    Attributes:
        names: of the tools, sorted.
        folder: where file tools may work and commands begin; absolute, empty for none.
    """

    names: tuple[str, ...] = ()
    folder: str = ""
