"""Who gives answers, by the name of the wire format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tests.fakes.given import anthropic, gemini, ollama, openai_chat, openai_responses
from tests.fakes.strict.refusing import Issued


class Stream(Protocol):
    def __call__(self, blocks: Sequence[Any], *, is_cut: bool = False) -> bytes:
        """The bytes of an answer."""


@dataclass(frozen=True)
class Giver:
    """One format.

    Attributes:
        row: the shipped row that speaks it.
        base_path: what follows the host in its base URL.
        content_type: of its streams.
        answers: from kind to what makes the blocks of an answer.
        stream, issue: as in the package's description.
    """

    row: str
    base_path: str
    content_type: str
    answers: Mapping[str, Callable[[int], list[Any]]]
    stream: Stream
    issue: Callable[[Sequence[Any], Issued], None]


_SSE = "text/event-stream"


def _giver(module: Any, row: str, base_path: str = "/v1", content_type: str = _SSE) -> Giver:
    return Giver(row, base_path, content_type, module.ANSWERS, module.stream, module.issue)


GIVERS = {
    "openai_chat": _giver(openai_chat, "openai"),
    "openai_responses": _giver(openai_responses, "openai-responses"),
    "anthropic": _giver(anthropic, "anthropic"),
    "gemini": _giver(gemini, "gemini", "/v1beta"),
    "ollama": _giver(ollama, "ollama", "/api", "application/x-ndjson"),
}
