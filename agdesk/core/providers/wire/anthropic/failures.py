"""The failures that the decoder finds itself."""

from __future__ import annotations

import json
from typing import Any

from agdesk.core.errors import LlmError, ProtocolError

EXPECTED = "an event of Anthropic Messages in JSON"


def another_message(first: str, second: dict[str, Any]) -> LlmError:
    """A second message in the middle of the first, whose indexes begin again: nobody can tell them apart (A14)."""
    return ProtocolError(
        f"A second message ({second.get('id')}) began before the first ({first}) had ended",
        "Send again; a proxy between here and the provider mixes two answers into one.",
        frame=json.dumps(second, ensure_ascii=False)[:2048],
        expected="one message in a stream",
    )
