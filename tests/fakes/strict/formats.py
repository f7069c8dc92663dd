"""The checkers by the name of their wire format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from tests.fakes.strict import anthropic, gemini, ollama, openai_chat, openai_responses
from tests.fakes.strict.refusing import NOTHING, Issued


class Check(Protocol):
    def __call__(self, body: Any, *, headers: Mapping[str, str] | None = None, issued: Issued = NOTHING) -> None:
        """Raises ``Refused`` if the API would not take this body."""


CHECKS: dict[str, Check] = {
    "openai_chat": openai_chat.check,
    "openai_responses": openai_responses.check,
    "anthropic": anthropic.check,
    "gemini": gemini.check,
    "ollama": ollama.check,
}
