"""The failures that the decoder finds itself."""

from __future__ import annotations

from agdesk.core.errors import ErrorCategory, LlmError, ProtocolError, ProviderRejection

EXPECTED = "a chat.completion.chunk object in JSON"


def no_choices() -> LlmError:
    """An answer without an answer (C02)."""
    return ProviderRejection(
        "The provider answered without choices and without an error",
        "Send again; if it stays, choose another model.",
        category=ErrorCategory.SERVER,
        status=200,
        is_retryable=True,
    )


def wrong_format() -> LlmError:
    """A body in another format than this one (P17)."""
    return ProtocolError(
        "The server answered in the format of OpenAI Responses, not of Chat Completions",
        "Check the base URL of this provider: it must not end in /responses.",
        expected=EXPECTED,
    )
