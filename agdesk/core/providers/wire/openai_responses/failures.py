"""The failures that the decoder finds itself."""

from __future__ import annotations

from typing import Any

from agdesk.core.errors import LlmError, ProtocolError
from agdesk.core.providers.errors import error_from_event

EXPECTED = "an event of OpenAI Responses in JSON"


def failed(error: Any) -> LlmError:
    """The error of an answer with the status ``failed``."""
    return error_from_event(error or "The answer failed, and the provider does not say why")


def no_output() -> LlmError:
    """An answer that is said to be complete and has no ``output`` (P18)."""
    return ProtocolError(
        "The server answered without output and without an error",
        "Send again; if it stays, the server may not speak this format: look at the address of this provider.",
        expected="a response with the member output",
    )
