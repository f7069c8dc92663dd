"""Content blocks: what a message is made of (D1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

JsonObject: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ProviderData:
    """Opaque data that must go back to the same wire format in the same place (A02, G01, R09).

    Attributes:
        origin: the wire format that sent it, e.g. ``openai_chat``; only that one may send it back.
        raw: the JSON as received.
    """

    origin: str
    raw: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class BlobRef:
    """Bytes kept beside the conversation, addressed by content."""

    sha256: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Url:
    """An address the provider resolves itself (``https:`` or ``data:``)."""

    url: str


@dataclass(frozen=True, slots=True)
class ProviderFile:
    """A file uploaded to a provider before."""

    provider: str
    id: str


Source: TypeAlias = BlobRef | Url | ProviderFile


@dataclass(frozen=True, slots=True)
class Text:
    """Plain or Markdown text; ``is_refusal`` marks a provider's refusal (C16)."""

    text: str
    is_refusal: bool = False
    citations: tuple[Mapping[str, Any], ...] = ()
    provider_data: ProviderData | None = None


@dataclass(frozen=True, slots=True)
class Thinking:
    """A model's reasoning. The text may be empty while the signature counts (R10, A04)."""

    text: str
    signature: str | None = None
    provider_data: ProviderData | None = None


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A call the model wants.

    ``raw_arguments`` is the text as received; ``input`` its JSON object, or None with the reason in ``input_error``.
    A call with an ``input_error`` never runs (C18, K12).
    """

    id: str
    name: str
    input: JsonObject | None
    raw_arguments: str
    input_error: str | None = None
    provider_data: ProviderData | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call gave back, addressed by the call's id; the name is for display."""

    tool_use_id: str
    name: str
    content: tuple[ContentBlock, ...]
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Image:
    source: Source
    media_type: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Audio:
    source: Source
    media_type: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class File:
    source: Source
    media_type: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Extension:
    """A block the IR has no type for, kept raw and sent back in its place (PROV4).

    Server-side tool calls, redacted thinking and citations lists are Extensions.
    """

    provider: str
    kind: str
    raw: Any


ContentBlock: TypeAlias = Text | Thinking | ToolUse | ToolResult | Image | Audio | File | Extension
