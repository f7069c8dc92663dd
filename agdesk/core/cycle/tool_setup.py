"""What the calls of a conversation run with, and where they had got to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from agdesk.core.cycle.approvals import Approvals
from agdesk.core.cycle.hooks import HookExecutor
from agdesk.core.ir.blocks import ToolResult
from agdesk.core.tools.registry import ToolRegistry


@dataclass(frozen=True, slots=True)
class ToolSetup:
    """What the calls of a conversation run with.

    Attributes:
        registry: the tools that are offered.
        folder: where file tools may work; None for nowhere.
        approvals: who decides; None lets nothing run.
        timeout_s: how long one call may take.
        hooks: code of others that is asked before and after each call.
        redact: replaces known keys in results (SEC1).
    """

    registry: ToolRegistry
    folder: Path | None = None
    approvals: Approvals | None = None
    timeout_s: float = 120.0
    hooks: HookExecutor | None = None
    redact: Callable[[str], str] = str


@dataclass(frozen=True, slots=True)
class RoundBefore:
    """What had come of a round when the program ended in its middle.

    Attributes:
        results: of the calls that had one, by their ids.
        asked: the calls whose question is recorded already.
        begun: the calls that ran then: what they did is not known, and they do not run again.
    """

    results: Mapping[str, ToolResult]
    asked: frozenset[str]
    begun: frozenset[str] = frozenset()
