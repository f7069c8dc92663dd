"""How an error reads on standard error: what failed, then the next step."""

from __future__ import annotations

import sys

from agdesk.core.errors import ErrorRecord


def report(error: ErrorRecord) -> None:
    """Prints an error and its hint."""
    print(f"agdesk: {error.message}", file=sys.stderr)
    if error.hint:
        print(f"        {error.hint}", file=sys.stderr)
