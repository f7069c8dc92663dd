"""``CompactConfig``: when a request is too large, and what compaction leaves alone."""

from __future__ import annotations

from dataclasses import dataclass

from agdesk.core.errors import CompactError

RESERVED_TOKENS = 4096
KEEP_RECENT = 6
FADING_TURNS = 3


@dataclass(frozen=True, slots=True)
class CompactConfig:
    """The documents' settings (SEED4, COMP2).

    Attributes:
        context_window: tokens of the model; None is unknown, and then nothing is compared with it.
        reserved_tokens: kept free for the answer: the request's ``max_tokens``, else 4,096.
        keep_recent: how many messages at the end stay; more where a call and its result would be parted.
        compact_thinking: whether thoughts are compacted too.
        fading_turns: K, after how many turns without a reference a result loses half a point, each time.

    Raises:
        CompactError: a number that cannot be.
    """

    context_window: int | None = None
    reserved_tokens: int = RESERVED_TOKENS
    keep_recent: int = KEEP_RECENT
    compact_thinking: bool = False
    fading_turns: int = FADING_TURNS

    def __post_init__(self) -> None:
        for name, least in (("context_window", 1), ("reserved_tokens", 0), ("keep_recent", 0), ("fading_turns", 1)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise CompactError(f"{name} of compaction is {value}", f"It is {least} or more.")

    @property
    def limit_tokens(self) -> int | None:
        """What a request may hold; None while the window is unknown."""
        return None if self.context_window is None else self.context_window - self.reserved_tokens
