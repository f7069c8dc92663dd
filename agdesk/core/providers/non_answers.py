"""Documents that hold no answer of the expected format: another format's, or nobody's (C02, P17, G19)."""

from __future__ import annotations

from typing import Any

from agdesk.core.errors import ErrorCategory, ProtocolError, ProviderRejection
from agdesk.core.providers.lenient import text_in

CHAT = "OpenAI Chat Completions"
RESPONSES = "OpenAI Responses"
ANTHROPIC = "Anthropic Messages"
GEMINI = "Google Gemini"
OLLAMA = "Ollama"
_INTERACTIONS = "Google's Interactions API"

_EVENT_TYPES = (
    ("response.", RESPONSES),
    ("message_", ANTHROPIC),
    ("content_block_", ANTHROPIC),
    ("interaction.", _INTERACTIONS),
)
_OBJECTS = (("chat.completion", CHAT), ("text_completion", CHAT), ("response", RESPONSES))


def format_of(document: dict[str, Any], event_name: str = "") -> str:
    """The name of the format that a document says it is in; empty if that cannot be told."""
    if isinstance(document.get("choices"), list):
        return CHAT
    if isinstance(document.get("candidates"), list):
        return GEMINI
    kind = text_in(document.get("type")) or text_in(document.get("event_type"))
    if kind == "message" and isinstance(document.get("content"), list):
        return ANTHROPIC
    for word, table in ((kind or event_name, _EVENT_TYPES), (text_in(document.get("object")), _OBJECTS)):
        for start, name in table:
            if word.startswith(start):
                return name
    is_line = isinstance(document.get("message"), dict) and isinstance(document.get("done"), bool)
    return OLLAMA if is_line else ""


def foreign_format(document: dict[str, Any], event_name: str = "", *, own: str, expected: str) -> ProtocolError | None:
    """The failure of a document in another format than ``own``; None if it is not known as such.

    Args:
        event_name: of its frame; counts for a document without a type (P04).
        own: the name of the format that was expected.
        expected: what a frame of it should hold, in words.
    """
    name = format_of(document, event_name)
    if not name or name == own:
        return None
    return ProtocolError(
        f"The server answered in the format of {name}, not of {own}",
        "Check the base URL of this provider, or choose the provider that speaks this format.",
        expected=expected,
    )


def holds(document: Any, member: str) -> bool:
    """Whether an object, or one in an array, has something in ``member``."""
    if isinstance(document, list):
        return any(holds(item, member) for item in document)
    return isinstance(document, dict) and bool(document.get(member))


def no_answer(member: str) -> ProviderRejection:
    """An answer without the member that holds the answer, and without an error (C02)."""
    return ProviderRejection(
        f"The provider answered without {member} and without an error",
        "Send again; if it stays, choose another model.",
        category=ErrorCategory.SERVER,
        status=200,
        is_retryable=True,
    )
