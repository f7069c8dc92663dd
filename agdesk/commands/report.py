"""How texts of foreign origin and errors read in a terminal."""

from __future__ import annotations

import sys

from agdesk.core.errors import ErrorRecord
from agdesk.core.trace.events import ParameterRepaired, RetryScheduled

# A terminal obeys control characters: made visible, they are only text. Line ends and tabs stay.
_VISIBLE = {code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\n\t"}


def visible(text: str) -> str:
    """``text`` with every control character written out."""
    return text.translate(_VISIBLE)


def show(text: str, *, end: str = "") -> None:
    """Prints a model's text at once: as it is into a file or pipe, made visible on a terminal."""
    print(visible(text) if sys.stdout.isatty() else text, end=end, flush=True)


def report(error: ErrorRecord) -> None:
    """Prints an error and its hint on standard error."""
    print(visible(f"agdesk: {error.message}"), file=sys.stderr)
    if error.hint:
        print(visible(f"        {error.hint}"), file=sys.stderr)


def next_attempt(record: RetryScheduled | ParameterRepaired) -> str:
    """What follows a failure that does not end the turn."""
    if isinstance(record, ParameterRepaired):
        message = record.error.message.rstrip(".")
        return f"{message}. It is asked again without this, and so from now on: {record.parameter}."
    message = record.reason.message.rstrip(".")
    return f"{message}. Next try in {record.wait_s:.1f} s ({record.attempt} of {record.limit})."
