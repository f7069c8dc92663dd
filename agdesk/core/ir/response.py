"""What a provider gave back: the message, why it ended, and what it used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from agdesk.core.errors import ErrorRecord
from agdesk.core.ir.messages import Assistant, text_of


class StopReason(StrEnum):
    """Why the wire says the answer ended (D9). ``INCOMPLETE``: it ended without saying so."""

    END_TURN = "end_turn"
    TOOL_USE = "tool_use"
    MAX_TOKENS = "max_tokens"
    STOP_SEQUENCE = "stop_sequence"
    REFUSAL = "refusal"
    CONTENT_FILTER = "content_filter"
    PAUSE_TURN = "pause_turn"
    CONTEXT_OVERFLOW = "context_overflow"
    INCOMPLETE = "incomplete"
    ERROR = "error"
    OTHER = "other"


class EndCause(StrEnum):
    """Who ended the answer, beside the wire's stop reason (D9)."""

    SERVER = "server"
    USER = "user"
    EOF = "eof"
    TIMEOUT = "timeout"
    ERROR = "error"
    CRASH = "crash"
    EDITED = "edited"  # nobody: the user wrote it


@dataclass(frozen=True, slots=True)
class PromptTokensDetails:
    """Subsets of the prompt tokens (D12)."""

    cached_tokens: int | None = None
    cache_write_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class CompletionTokensDetails:
    """Subsets of the completion tokens (D12)."""

    reasoning_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one answer; None means unknown, never 0 (U08).

    Also serves as ``PartialUsage``: what one update carried, merged field by field with ``merged``.

    Attributes:
        prompt_tokens: everything sent, cached and cache-write tokens included.
        completion_tokens: everything received, reasoning included.
        total_tokens: the provider's own sum if it sent one, else filled in by ``with_total``.
        cost_usd: what the provider itself says the request cost (U04).
    """

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    total_tokens: int | None = None
    prompt_tokens_details: PromptTokensDetails | None = None
    completion_tokens_details: CompletionTokensDetails | None = None
    cost_usd: float | None = None

    def merged(self, update: Usage) -> Usage:
        """This usage overwritten by every field that ``update`` knows, nested fields singly."""
        prompt, completion = self.prompt_tokens_details, self.completion_tokens_details
        if (new_prompt := update.prompt_tokens_details) is not None:
            old = prompt or PromptTokensDetails()
            prompt = PromptTokensDetails(
                _newer(old.cached_tokens, new_prompt.cached_tokens),
                _newer(old.cache_write_tokens, new_prompt.cache_write_tokens),
            )
        if (new_completion := update.completion_tokens_details) is not None:
            old_reasoning = completion.reasoning_tokens if completion else None
            completion = CompletionTokensDetails(_newer(old_reasoning, new_completion.reasoning_tokens))
        return Usage(
            _newer(self.prompt_tokens, update.prompt_tokens),
            _newer(self.completion_tokens, update.completion_tokens),
            _newer(self.total_tokens, update.total_tokens),
            prompt,
            completion,
            self.cost_usd if update.cost_usd is None else update.cost_usd,
        )

    def with_total(self) -> Usage:
        """The total filled in as prompt + completion if both are known and none was sent (U07)."""
        if self.total_tokens is not None or self.prompt_tokens is None or self.completion_tokens is None:
            return self
        total = self.prompt_tokens + self.completion_tokens
        return self.merged(Usage(total_tokens=total))


PartialUsage = Usage


@dataclass(frozen=True, slots=True)
class MessageResponse:
    """A finished answer, complete or not.

    Attributes:
        raw_stop_reason: the provider's own word.
        error: the error that ended the stream; what arrived before it stays in ``message``.
        extra: fields of the response that have no place in the IR, kept raw.
    """

    id: str
    model: str
    message: Assistant
    usage: Usage
    stop_reason: StopReason
    raw_stop_reason: str | None = None
    error: ErrorRecord | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def text(self) -> str:
        """The visible text of the answer."""
        return text_of(self.message.content)

    @property
    def is_incomplete(self) -> bool:
        """Whether the answer was cut: no terminal marker, or an error in the middle."""
        return self.error is not None or self.stop_reason in (StopReason.INCOMPLETE, StopReason.ERROR)

    @property
    def is_unfinished(self) -> bool:
        """Whether the model had more to say: nothing but a limit, a failure or the user ended the answer (CHAT5)."""
        return self.stop_reason in (StopReason.INCOMPLETE, StopReason.ERROR, StopReason.MAX_TOKENS)


def _newer(old: int | None, new: int | None) -> int | None:
    return old if new is None else new
