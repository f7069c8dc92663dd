"""The failures that the decoder finds itself."""

from __future__ import annotations

import json
from typing import Any

from agdesk.core.errors import ErrorCategory, LlmError, ProviderRejection
from agdesk.core.providers.error_fields import clean
from agdesk.core.providers.errors import MAX_BODY_BYTES

EXPECTED = "a GenerateContentResponse object in JSON"


def stopped(word: str, words: str, *, said: dict[str, Any]) -> LlmError:
    """An answer that the model could not go on with: a call it spoilt, or a reason that is not told (G09).

    Args:
        word: the finish reason.
        words: what Google says about it; empty if nothing.
        said: what else came beside the answer; it goes into the details of the error.
    """
    detail = f": {clean(words)}" if words.strip() else ""
    return ProviderRejection(
        f"The model ended the answer with an error ({word}){detail}",
        "Send again; if it stays, say it in other words or choose another model.",
        category=ErrorCategory.SERVER,
        status=200,
        code=word,
        provider_message=clean(words),
        body=_text(said),
        is_retryable=True,
    )


def blocked(reason: str, words: str, *, said: dict[str, Any]) -> LlmError:
    """A prompt that was refused before the model saw it (G10)."""
    detail = f": {clean(words)}" if words.strip() else ""
    return ProviderRejection(
        f"Google blocked the prompt, a refusal without an answer ({reason}){detail}",
        "Change the message or the attachment that the filter objects to.",
        category=ErrorCategory.CONTENT_FILTER,
        status=200,
        code=reason,
        provider_message=clean(words),
        body=_text(said),
    )


def _text(said: dict[str, Any]) -> str:
    return json.dumps(said, ensure_ascii=False)[:MAX_BODY_BYTES]
