"""The errors of a server: what it says, and what the decoder finds itself."""

from __future__ import annotations

import json
from collections.abc import Mapping

from agdesk.core.errors import LlmError, ProtocolError
from agdesk.core.providers.errors import classify_rejection
from agdesk.core.providers.lenient import object_of, text_in

EXPECTED = "a line of JSON with a message"


def rejection(status: int, *, headers: Mapping[str, str], body: bytes, now_s: float) -> LlmError:
    """The error of a response. A model of Ollama's cloud that no one signed in for names the page to do it on."""
    error = classify_rejection(status, headers=headers, body=body, now_s=now_s)
    try:
        url = text_in(object_of(json.loads(body)).get("signin_url"))
    except (ValueError, RecursionError):
        return error
    if url.startswith("https://"):
        error.hint = f"Sign in to Ollama at {url}, or give a key in Settings › Providers."
    return error


def no_message() -> LlmError:
    """An answer in which no line had a message (C02)."""
    return ProtocolError(
        "The server answered with JSON that holds no message of Ollama",
        "Check the base URL of this provider: Ollama's own ends in /api, and /v1 is another format.",
        expected=EXPECTED,
    )
