"""What a model answers, before any wire format says it: the cases that every format is held to, and who writes them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from agdesk.core.errors import ErrorCategory


@dataclass(frozen=True)
class Say:
    """Text, in the pieces it arrives in."""

    pieces: tuple[str, ...]


@dataclass(frozen=True)
class Think:
    """Reasoning, in the pieces it arrives in."""

    pieces: tuple[str, ...]


@dataclass(frozen=True)
class Refuse:
    """A refusal, in the pieces it arrives in."""

    pieces: tuple[str, ...]


@dataclass(frozen=True)
class Call:
    """A call of a tool; ``cut_at``: the answer ends after so many characters of its arguments."""

    id: str
    name: str
    arguments: Mapping[str, Any]
    cut_at: int | None = None

    @property
    def pieces(self) -> tuple[str, str]:
        """The text of the arguments in two."""
        text = json.dumps(self.arguments)[: self.cut_at]
        return text[: len(text) // 2], text[len(text) // 2 :]


Part = Say | Think | Refuse | Call


@dataclass(frozen=True)
class Counts:
    """Tokens; the cached are some of the prompt's, the thinking some of the completion's (D12)."""

    prompt: int = 20
    completion: int = 9
    cached: int = 5
    thinking: int = 4


@dataclass(frozen=True)
class Answer:
    """One answer; ``is_cut``: the limit of tokens ended it."""

    parts: tuple[Part, ...]
    counts: Counts = field(default_factory=Counts)
    is_cut: bool = False

    @property
    def calls(self) -> tuple[Call, ...]:
        return tuple(part for part in self.parts if isinstance(part, Call))

    @property
    def is_refusal(self) -> bool:
        return any(isinstance(part, Refuse) for part in self.parts)


TEXT = Answer((Say(("Hel", "lo ✓", " wörld")),))
TOOL = Answer((Call("call_1", "look_up", {"city": "Paris", "days": 3}),))
PARALLEL = Answer(
    (
        Say(("I look both up.",)),
        Call("call_1", "look_up", {"city": "Paris"}),
        Call("call_2", "look_up", {"city": "Rome"}),
        Call("call_3", "now", {}),
    )
)
THINKING_AND_TEXT = Answer((Think(("Easy: ", "two.")), Say(("2",))))
THINKING_AND_TOOL = Answer((Think(("I need ", "the weather.")), Call("call_1", "look_up", {"city": "Paris"})))
REFUSAL = Answer((Refuse(("I can", "not help.")),))
EMPTY = Answer(())
CUT_TEXT = Answer((Say(("Once upon", " a ti")),), is_cut=True)
CUT_CALL = Answer((Say(("I write it.",)), Call("call_1", "write", {"path": "/"}, cut_at=8)), is_cut=True)
# half of a pair in each delta, and one that stays alone (T27)
SURROGATES = Answer((Say(("a\ud83d", "\ude00b", "c\ud83d")),))

ANSWERS = {
    "text": TEXT,
    "tool": TOOL,
    "parallel tools": PARALLEL,
    "thinking and text": THINKING_AND_TEXT,
    "thinking and tool": THINKING_AND_TOOL,
    "refusal": REFUSAL,
    "empty": EMPTY,
    "cut text": CUT_TEXT,
    "cut call": CUT_CALL,
    "surrogates": SURROGATES,
}


@dataclass(frozen=True)
class Stream:
    """The bytes of an answer.

    Attributes:
        frames: what a server flushes at once: a server-sent event with its blank line, or a line.
        stop_at: the place of the frame that says why the answer ended; before it has arrived, the answer is cut.
    """

    frames: tuple[bytes, ...]
    stop_at: int

    @property
    def body(self) -> bytes:
        return b"".join(self.frames)


@dataclass(frozen=True)
class Rejection:
    """An error instead of an answer, and what it means."""

    status: int
    body: bytes
    category: ErrorCategory


class Writer(Protocol):
    """Writes one wire format as its servers do.

    Attributes:
        wire: the name of the format.
        base_path: what follows the host in the base URL.
        content_type: of its streams.
        refuses: whether the format can say that the model refuses.
        tells_details: whether its usage tells cached and thinking tokens.
        has_marker: whether a frame says that nothing more comes; else only the end of the body does.
    """

    wire: str
    base_path: str
    content_type: str
    refuses: bool
    tells_details: bool
    has_marker: bool

    def stream(self, answer: Answer) -> Stream:
        """The stream of an answer of ``model-1-real`` with the id ``answer-1``, as far as the format has ids."""

    def document(self, answer: Answer) -> bytes:
        """The same answer, not streamed."""

    def overloaded(self) -> bytes:
        """The frames with which a stream fails because the server is overloaded."""

    def rejections(self) -> tuple[Rejection, ...]:
        """Bodies of errors, each as this provider spells it."""

    def overflow(self) -> Rejection:
        """What is said of a prompt that is too long (E03)."""


def packed(document: Any) -> bytes:
    """JSON as servers send it: UTF-8, escapes only for what UTF-8 cannot say."""
    try:
        return json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return json.dumps(document).encode()


def data(document: Any) -> bytes:
    """A server-sent event without a name."""
    return b"data: " + packed(document) + b"\n\n"


def event(document: Any) -> bytes:
    """A server-sent event named after the ``type`` of its document."""
    return b"event: " + document["type"].encode() + b"\n" + data(document)


def joined(answer: Answer, kind: type[Say | Think | Refuse]) -> str:
    """Everything of one kind in an answer."""
    return "".join(piece for part in answer.parts if isinstance(part, kind) for piece in part.pieces)
