"""A conversation from a file: agdesk's own messages, its answers, or OpenAI's chat JSON."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agdesk.commands.json_lines import Numbered, line_of_message, read_documents
from agdesk.core.errors import CompactError, ProtocolError
from agdesk.core.ir.codec import from_json
from agdesk.core.ir.ledger import Ledger, read_line
from agdesk.core.ir.messages import Assistant, Message
from agdesk.core.ir.openai_chat import from_openai_messages
from agdesk.core.ir.request import MessageRequest, ResultSemantic, ToolDefinition

_OWN_TYPES = ("system", "user", "assistant", "tool")
_OWN_BLOCKS = ("thinking", "tool_use", "extension")
_FORMS = "Known are agdesk's own messages, the output of agdesk ask --json, and OpenAI's chat JSON (docs/cli.md)."


@dataclass(frozen=True, slots=True)
class Conversation:
    """What a file holds.

    Attributes:
        max_tokens: of the request, if the file is one that sets it.
        ledger: what could not be read of it, in words.
    """

    messages: tuple[Message, ...]
    tools: tuple[ToolDefinition, ...]
    max_tokens: int | None
    ledger: tuple[str, ...]


def read_conversation(path: Path) -> Conversation:
    """Reads a file.

    Raises:
        CompactError: it cannot be read; the message names the file and, where there is one, the line.
    """
    return _Reader(path).read()


class _Reader:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._text, self._documents = read_documents(path)

    def read(self) -> Conversation:
        first = self._documents[0].document
        if len(self._documents) == 1 and isinstance(first, list):
            return self._conversation(Numbered(0, message) for message in first)
        if len(self._documents) == 1 and isinstance(first, dict) and "messages" in first:
            return self._request(first)
        return self._conversation(self._documents)

    def _request(self, document: dict[str, Any]) -> Conversation:
        if document.get("type") == "message_request":
            try:
                request = from_json(MessageRequest, document)
            except ProtocolError as error:
                raise self._wrong(self._line_of(error), error.message) from error
            return Conversation(request.messages, request.tools, request.max_tokens, ())
        messages = document["messages"]
        if not isinstance(messages, list):
            raise self._wrong(None, "messages is not a list")
        most = document.get("max_completion_tokens", document.get("max_tokens"))
        if most is not None and (not isinstance(most, int) or isinstance(most, bool) or most < 0):
            raise self._wrong(None, "the most tokens of the answer are no whole number of 0 or more")
        return self._conversation(
            (Numbered(0, message) for message in messages), tools=self._tools(document.get("tools")), max_tokens=most
        )

    def _conversation(
        self,
        numbered: Iterable[Numbered],
        *,
        tools: tuple[ToolDefinition, ...] = (),
        max_tokens: int | None = None,
    ) -> Conversation:
        ledger = Ledger()
        messages: list[Message] = []
        indexed = [(at, line, self._message(at, line, document)) for at, (line, document) in enumerate(numbered)]
        for is_own, group in itertools.groupby(indexed, key=lambda one: _is_own(one[2])):
            run = list(group)
            if is_own:
                messages += [self._own(at, line, document) for at, line, document in run]
                continue
            converted, lines = from_openai_messages([document for _, _, document in run])
            messages += converted
            for note in map(read_line, lines):
                for place in note.messages:
                    ledger.note(note.what, run[0][0] + place - 1)
        if not messages:
            raise self._wrong(None, "there is no message in it")
        return Conversation(tuple(messages), tools, max_tokens, ledger.lines())

    def _message(self, at: int, line: int, document: Any) -> dict[str, Any]:
        """A message that at least looks like one; of an answer of ``agdesk ask --json`` its message."""
        if isinstance(document, dict) and isinstance(document.get("message"), dict):
            document = document["message"]
        if not isinstance(document, dict):
            raise self._wrong(line or self._line(at), f"message {at + 1} is not an object")
        if document.get("type") in _OWN_TYPES and "role" not in document:
            return document
        problem = _problem_of(document)
        if problem:
            raise self._wrong(line or self._line(at), f"message {at + 1} {problem}")
        return document

    def _own(self, at: int, line: int, document: dict[str, Any]) -> Message:
        try:
            if "role" not in document:
                message: Message = from_json(Message, document)
                return message
            blocks = [_whole(block) for block in document["content"]]
            answer: Assistant = from_json(Assistant, {"type": "assistant", "content": blocks})
            return answer
        except ProtocolError as error:
            raise self._wrong(line or self._line(at), f"message {at + 1}: {error.message}") from error

    def _tools(self, members: Any) -> tuple[ToolDefinition, ...]:
        """The functions that are offered; ``result_semantic`` beside the name says what their results mean."""
        if members is None:
            return ()
        if not isinstance(members, list):
            raise self._wrong(None, "tools is not a list")
        tools = []
        for number, member in enumerate(members, start=1):
            match member:
                case {"function": {"name": str(name)} as function}:
                    described, schema = function.get("description") or "", function.get("parameters") or {}
                case _:
                    raise self._wrong(None, f"tool {number} is no function with a name")
            semantic = function.get("result_semantic", "mixed")
            known = [one.value for one in ResultSemantic]
            if not isinstance(described, str) or not isinstance(schema, dict) or semantic not in known:
                raise self._wrong(
                    None,
                    f"tool {number}: description has to be a text, parameters an object, and result_semantic one of "
                    f"{', '.join(known)}",
                )
            tools.append(ToolDefinition(name, described, schema, ResultSemantic(semantic)))
        return tuple(tools)

    def _line_of(self, error: ProtocolError) -> int | None:
        """Where a message of a request of agdesk's own is wrong."""
        found = re.match(r"\$\.messages\[(\d+)]", error.message)
        return self._line(int(found[1])) if found else None

    def _line(self, at: int) -> int | None:
        return line_of_message(self._text, at)

    def _wrong(self, line: int | None, what: str) -> CompactError:
        place = f"{self._path}, line {line}" if line else str(self._path)
        return CompactError(f"{place}: {what}", _FORMS)


def _is_own(document: dict[str, Any]) -> bool:
    """Whether a message is written as agdesk writes it: as a value, or as an answer with blocks that OpenAI has not."""
    if "role" not in document:
        return True
    content = document.get("content")
    blocks = content if document["role"] == "assistant" and isinstance(content, list) else []
    return any(isinstance(block, dict) and block.get("type") in _OWN_BLOCKS for block in blocks)


def _problem_of(document: dict[str, Any]) -> str:
    """What is wrong with a message that has a role."""
    if not isinstance(document.get("role"), str):
        return "has no role"
    if not isinstance(document.get("content"), str | list | None):
        return "has a content that is neither text nor a list"
    calls = document.get("tool_calls")
    if calls is not None and not (isinstance(calls, list) and all(isinstance(call, dict) for call in calls)):
        return "has tool_calls that are no list of objects"
    return ""


def _whole(block: Any) -> Any:
    """A block of an answer as the codec reads it: the printed form leaves out the kind of an extension."""
    if isinstance(block, dict) and block.get("type") == "extension":
        return {"kind": "", **block}
    if isinstance(block, dict) and block.get("type") == "tool_use" and "raw_arguments" not in block:
        return {"raw_arguments": json.dumps(block.get("input")), **block}
    return block
