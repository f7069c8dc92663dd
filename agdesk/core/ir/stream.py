"""The eleven events of a stream (SEED2). Legal orders: docs/ARCHITECTURE.md.

Every delta has an ``index``; None means the block that was opened last. Blocks of a stream may overlap.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeAlias, TypeVar

from agdesk.core.errors import ErrorRecord
from agdesk.core.ir.blocks import ProviderData
from agdesk.core.ir.response import PartialUsage, StopReason

T = TypeVar("T")


def _filled_through_slots(cls: type[T]) -> type[T]:
    """The same frozen class, made in half the time: a delta is made per frame."""
    first, second = fields(cls)  # type: ignore[arg-type]
    set_text, set_index = getattr(cls, first.name).__set__, getattr(cls, second.name).__set__

    def with_text(self: T, text: str, index: int | None = None) -> None:
        set_text(self, text)
        set_index(self, index)

    def with_arguments(self: T, arguments: str, index: int | None = None) -> None:
        set_text(self, arguments)
        set_index(self, index)

    cls.__init__ = with_text if first.name == "text" else with_arguments  # type: ignore[assignment,method-assign]
    return cls


@dataclass(frozen=True, slots=True)
class TextType:
    """Opens a Text block."""


@dataclass(frozen=True, slots=True)
class ThinkingType:
    """Opens a Thinking block."""


@dataclass(frozen=True, slots=True)
class RefusalType:
    """Opens a Text block that is a refusal."""


@dataclass(frozen=True, slots=True)
class ToolUseType:
    """Opens a ToolUse block."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class ExtensionType:
    """Opens (and fills) an Extension block."""

    provider: str
    kind: str
    raw: Any


ContentBlockType: TypeAlias = TextType | ThinkingType | RefusalType | ToolUseType | ExtensionType


@dataclass(frozen=True, slots=True)
class MessageStart:
    id: str
    model: str


@dataclass(frozen=True, slots=True)
class ContentBlockStart:
    index: int
    block_type: ContentBlockType


@dataclass(frozen=True, slots=True)
class ContentBlockEnd:
    """Closes a block; carries its signature, opaque data and citations, known only now (docs/adr/0002)."""

    index: int
    signature: str | None = None
    provider_data: ProviderData | None = None
    citations: tuple[Mapping[str, Any], ...] = ()


@_filled_through_slots
@dataclass(frozen=True, slots=True)
class TextDelta:
    text: str
    index: int | None = None


@_filled_through_slots
@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    text: str
    index: int | None = None


@_filled_through_slots
@dataclass(frozen=True, slots=True)
class RefusalDelta:
    text: str
    index: int | None = None


@_filled_through_slots
@dataclass(frozen=True, slots=True)
class ToolCallArgumentsDelta:
    arguments: str
    index: int | None = None


@dataclass(frozen=True, slots=True)
class ToolCallEnd:
    """The arguments of a call are whole and may be parsed once the answer has ended."""

    index: int


@dataclass(frozen=True, slots=True)
class CostUpdate:
    """Usage so far: every known field overwrites, none is added up (C05)."""

    usage: PartialUsage


@dataclass(frozen=True, slots=True)
class MessageComplete:
    stop_reason: StopReason
    thinking_signature: str | None = None
    raw_stop_reason: str | None = None
    extra: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class StreamError:
    """The last event of a stream that failed after its first event; the documents' ``Error``."""

    error: ErrorRecord

    @property
    def message(self) -> str:
        return self.error.message


StreamEvent: TypeAlias = (
    MessageStart
    | ContentBlockStart
    | ContentBlockEnd
    | TextDelta
    | ThinkingDelta
    | RefusalDelta
    | ToolCallArgumentsDelta
    | ToolCallEnd
    | CostUpdate
    | MessageComplete
    | StreamError
)
