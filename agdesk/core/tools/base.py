"""What a tool is: its definition, its identity, what it would do, and doing it."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from agdesk.core.ir.blocks import ContentBlock, JsonObject, Text
from agdesk.core.ir.effect import Effect
from agdesk.core.ir.request import ToolDefinition

BUILTIN_SERVER = "builtin"


class InputProblem(NamedTuple):
    """Something wrong with the arguments of a call.

    Attributes:
        path: where, as ``$.argv[0]``; ``$`` for the whole.
        message: what, in words that a model and a user can act on.
    """

    path: str
    message: str


def _unheard(_text: str) -> None:
    pass


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What surrounds one call.

    Attributes:
        folder: the conversation's folder, absolute; None if it has none.
        progress: called on the loop with output as it comes, in pieces of text; a flood is cut before it gets here.
        approved: the effect as the approval showed it. None if a rule decided and nobody saw it. A tool refuses what
            it would not do unseen, and what has become something else since.
    """

    folder: Path | None = None
    progress: Callable[[str], None] = _unheard
    approved: Effect | None = None


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """What a run gave.

    Attributes:
        content: for the model.
        is_error: the tool says of itself that it failed: the model may try otherwise.
        effect: what was done in the world, in one line for the ledger of side effects (TOOL10); empty if nothing was.
    """

    content: tuple[ContentBlock, ...]
    is_error: bool = False
    effect: str = ""


def text_output(text: str, *, is_error: bool = False, effect: str = "") -> ToolOutput:
    """An output of one text."""
    return ToolOutput((Text(text),), is_error, effect)


class Tool(ABC):
    """Something that a model can call. Stateless between calls: several may run at once.

    Attributes:
        server: whose it is; ``builtin`` for those of agdesk.
        transport: how the server is reached: ``builtin``, ``stdio`` or ``http``.
        endpoint: the resolved command or the address of the server; empty for ``builtin``.
        definition: what the model is told, and the meaning of the result.
        identity: of server and schema; a rule that allows is bound to it (TOOL7). See ``identity_of``.
        needs_folder: whether no call of it can do anything without the conversation's folder.
    """

    server: str
    transport: str
    endpoint: str
    definition: ToolDefinition
    identity: str
    needs_folder: bool = False

    @abstractmethod
    def validate(self, input: JsonObject) -> tuple[InputProblem, ...]:
        """What is wrong with the arguments; empty if nothing is. Pure."""

    @abstractmethod
    async def effect(self, input: JsonObject, context: ToolContext) -> Effect | None:
        """What a run would do, without doing it; None: nothing beyond its answer.

        Args:
            input: arguments without a problem.
            context: the same that the run will get, but for ``approved``.

        May read files and look up names, never on the loop. Does not raise for what is not as the call expects: that is
        ``Unforeseen``.
        """

    @abstractmethod
    async def run(self, input: JsonObject, context: ToolContext) -> ToolOutput:
        """Does it. The input has no problem, and the call was approved.

        Being cancelled stops what it does, within two seconds.

        Raises:
            ToolFailed: it could not; the message is for the model.
        """


def identity_of(server_key: str, definition: ToolDefinition) -> str:
    """``<server>.<tool>``: a hash of what the server is and one of what the model is told of the tool.

    Args:
        server_key: the command and its arguments, or the origin.
        definition: name, description, schema and meaning count.
    """
    told = [definition.name, definition.description, definition.input_schema, definition.result_semantic]
    return f"{_digest(server_key)}.{_digest(json.dumps(told, sort_keys=True))}"


def server_part(identity: str) -> str:
    """What a rule for several tools of one server is bound to."""
    return identity.partition(".")[0]


def property_names(schema: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The names that an input may have; None if it may have others."""
    properties = schema.get("properties")
    is_closed = schema.get("additionalProperties") is False and "patternProperties" not in schema
    if not is_closed or not isinstance(properties, Mapping):
        return None
    return tuple(properties)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
