"""What a request sets beside model, messages and tools. Loaded before the first paint, unlike ``request`` (PERF5)."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class ThinkingOptions:
    """How much a model may think: on or off, an effort word, or a budget; None leaves the provider's default."""

    is_enabled: bool | None = None
    effort: str | None = None
    budget_tokens: int | None = None

    @property
    def is_wanted(self) -> bool:
        """Whether the model is told to think."""
        return bool(self.is_enabled) or bool(self.budget_tokens) or self.effort not in (None, "none")


@dataclass(frozen=True, slots=True)
class ResponseFormat:
    """Structured output: a JSON Schema, or any JSON object when the schema is None."""

    schema: Mapping[str, Any] | None = None
    name: str = "answer"
    is_strict: bool | None = None


@dataclass(frozen=True, slots=True)
class RequestParameters:
    """What a request sets beside model, messages and tools. As it is made it sets nothing (PROV5).

    ``extra`` is merged into the top level of the wire body last; it is how a user sends a parameter agdesk has no
    name for.
    """

    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    stop: tuple[str, ...] = ()
    thinking: ThinkingOptions | None = None
    response_format: ResponseFormat | None = None
    parallel_tool_calls: bool | None = None
    seed: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def fields(self) -> dict[str, Any]:
        """Its values by their names, which are those of ``MessageRequest``."""
        return {item.name: getattr(self, item.name) for item in dataclasses.fields(self)}
