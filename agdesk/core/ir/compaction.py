"""What compaction decides, as values: what goes, why, what stands instead, what it frees (COMP1, SEED4).

A plan is made by ``core.compact`` and never changes; it can be kept, shown and carried out later.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple, TypeAlias


@dataclass(frozen=True, slots=True)
class Skip:
    """The block stays as it is."""


@dataclass(frozen=True, slots=True)
class Truncate:
    """The first ``keep`` characters stay, and a marker."""

    keep: int


@dataclass(frozen=True, slots=True)
class TruncateStructured:
    """The skeleton of the JSON stays, in ``keep`` characters, its marker included."""

    keep: int


@dataclass(frozen=True, slots=True)
class Replace:
    """Nothing stays but a marker: with a receipt for a result; signed thinking is left out whole."""


CompactAction: TypeAlias = Skip | Truncate | TruncateStructured | Replace


class BlockPath(NamedTuple):
    """Where a block stands: the place of its message in the history, and its place in that message; both from 0."""

    message: int
    block: int


class Source(StrEnum):
    """The four sources of importance, in the documents' order."""

    DECLARED = "declared"
    CONTENT = "content"
    FADING = "fading"
    REFERENCE = "reference"


class Finding(StrEnum):
    """What a source found."""

    FACTUAL = "factual"
    ACTION = "action"
    MIXED = "mixed"
    UNDECLARED = "undeclared"
    LIST = "list"
    STATUS = "status"
    ERROR = "error"
    OTHER_CONTENT = "other_content"
    AGE = "age"
    REFERENCED = "referenced"
    NOT_REFERENCED = "not_referenced"


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one source adds to a score.

    Attributes:
        value: a multiple of one half; the four of a block sum to its score.
        turns: of ``AGE``, how many passed since the result or its last reference.
        turn: of ``REFERENCED``, the turn of the last one, from 1.
        words: of ``REFERENCED``, words of the result that stand there, in order of the alphabet, at most 12.
    """

    source: Source
    value: float
    finding: Finding
    turns: int | None = None
    turn: int | None = None
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reference:
    """That a later message took up a result: in which turn (from 1), and with which of its words."""

    path: BlockPath
    turn: int
    words: tuple[str, ...]


class SkipReason(StrEnum):
    """Why a block stays as it is."""

    SMALL = "small"
    IMPORTANT = "important"
    ERROR = "error"
    RECENT = "recent"
    NEWEST = "newest"
    PENDING = "pending"
    PINNED = "pinned"
    CHOSEN = "chosen"
    MARKED = "marked"
    NOT_SHORTER = "not_shorter"
    THINKING_KEPT = "thinking_kept"
    SIGNED = "signed"
    OPAQUE = "opaque"


@dataclass(frozen=True, slots=True)
class Choice:
    """Another action for one block, chosen by the user."""

    path: BlockPath
    action: CompactAction


@dataclass(frozen=True, slots=True)
class CompactState:
    """What a conversation's compaction keeps from one plan to the next.

    Attributes:
        pinned: blocks that stay byte for byte.
        choices: the user's actions, one for a block.
        references: found so far; they count also where the words of a result are gone since.
    """

    pinned: tuple[BlockPath, ...] = ()
    choices: tuple[Choice, ...] = ()
    references: tuple[Reference, ...] = ()

    def with_pin(self, path: BlockPath, *, is_pinned: bool) -> CompactState:
        """The state with a block pinned or not."""
        others = tuple(pin for pin in self.pinned if pin != path)
        return replace(self, pinned=(*others, path) if is_pinned else others)

    def with_action(self, path: BlockPath, action: CompactAction | None) -> CompactState:
        """The state with an action for a block; None: what the rules say again."""
        others = tuple(choice for choice in self.choices if choice.path != path)
        return replace(self, choices=others if action is None else (*others, Choice(path, action)))


@dataclass(frozen=True, slots=True)
class CompactItem:
    """One block that compaction looks at, a tool result or a thought, and what becomes of it.

    Attributes:
        path: where it stands.
        tool: the tool's name; empty for a thought.
        tool_use_id: of the call; empty for a thought.
        is_thinking: whether it is a thought; these have no score.
        size: characters of its text.
        score: the sum of ``contributions``; None for a thought.
        contributions: of the four sources, in their order; none for a thought.
        decided: what the table, or the user, says.
        action: what is carried out; not what was decided if that cannot be or would not shorten the text.
        stage: 1, or 2 if the request would not have fitted without.
        is_chosen: whether the user decided.
        replacement: the exact text that stands instead; None: none does; empty: the block is left out.
        skip_reason: why nothing is done; None if something is.
        estimate_before_tokens, estimate_after_tokens: the documents' estimate of the whole block.
    """

    path: BlockPath
    tool: str
    tool_use_id: str
    is_thinking: bool
    size: int
    score: float | None
    contributions: tuple[Contribution, ...]
    decided: CompactAction
    action: CompactAction
    stage: int
    is_chosen: bool
    replacement: str | None
    skip_reason: SkipReason | None
    estimate_before_tokens: int
    estimate_after_tokens: int

    @property
    def freed_tokens(self) -> int:
        """By the estimate."""
        return self.estimate_before_tokens - self.estimate_after_tokens


@dataclass(frozen=True, slots=True)
class CompactReport:
    """What a plan does to a request: messages, system and tools (COMP2).

    Attributes:
        estimate_before_tokens, estimate_after_tokens: the documents' estimate.
        tokens_before, tokens_after: by the ratio (COMP8); the number that is compared with the limit.
        ratio: what makes an estimate into tokens.
        limit_tokens: what fits; None while the window is unknown.
        changed_count: blocks that something is done to.
    """

    estimate_before_tokens: int
    estimate_after_tokens: int
    tokens_before: int
    tokens_after: int
    ratio: float
    limit_tokens: int | None
    changed_count: int

    @property
    def freed_tokens(self) -> int:
        """Estimate before minus estimate after (docs/adr/0015)."""
        return self.estimate_before_tokens - self.estimate_after_tokens

    @property
    def is_over(self) -> bool:
        """Whether the request is too large as it is; False while the window is unknown."""
        return self.limit_tokens is not None and self.tokens_before > self.limit_tokens

    @property
    def still_over(self) -> bool:
        """Whether it stays too large."""
        return self.limit_tokens is not None and self.tokens_after > self.limit_tokens


@dataclass(frozen=True, slots=True)
class CompactPlan:
    """What is done to a history; ``apply_plan`` carries it out.

    Attributes:
        items: every tool result and thought, in the order of the history.
        report: the sums.
        state: what the next plan begins with.
    """

    items: tuple[CompactItem, ...]
    report: CompactReport
    state: CompactState

    @property
    def changes(self) -> tuple[CompactItem, ...]:
        """The items that something is done to."""
        return tuple(item for item in self.items if item.replacement is not None)
