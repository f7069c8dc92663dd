"""Any history → rounds that every wire format can render: each call answered right after its message (K20, A05).

What the formats have in common stands here; what each alone demands, in its own folder. Every change is noted (PROV7).
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agdesk.core.ir.arguments import parse_arguments
from agdesk.core.ir.blocks import ContentBlock, JsonObject, Text, ToolResult, ToolUse
from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.messages import Assistant, Message, System, Tool, User
from agdesk.core.providers.base import Endpoint

CANCELLED = "[cancelled]"
INVALID_ARGUMENTS = "INVALID_JSON"
LEFT_OUT = "[left out]"
"""What a user said of which nothing can be sent: without it the answer before would be gone on with (A07)."""

_MAX_NAME_CHARACTERS = 64
_JOINT = "\n\n"


@dataclass(frozen=True, slots=True)
class Round:
    """One message and, if it is the model's, what its calls gave back.

    Attributes:
        position: its place in the history, from 0.
        message: of the system, with one text; of the user, without results and blank texts; or of the model, as it is.
        results: one for each ``ToolUse`` of the message, in their order.
    """

    position: int
    message: System | User | Assistant
    results: tuple[ToolResult, ...] = ()


def rounds(messages: Sequence[Message], *, endpoint: Endpoint, ledger: Ledger) -> list[Round]:
    """The history in rounds; the row's own system text leads if there is no other.

    A call is answered by what answered it before the next message of the model, else by ``CANCELLED``; results of no
    call and empty messages are left out.
    """
    found: list[Round] = []
    has_answer = False
    for position, message in enumerate(messages):
        if isinstance(message, Assistant):
            has_answer = True
            results = _answers(message, messages[position + 1 :], ledger=ledger, position=position)
            found.append(Round(position, message, results))
            continue
        if not has_answer:
            _note_orphans(results_in(message), ledger, position)
        found.extend(_other(message, ledger, position))
    default = endpoint.dialect.default_system
    if default and not any(isinstance(item.message, System) for item in found):
        ledger.note("a system text was added, as the provider's row says")
        found.insert(0, Round(0, System((Text(default),))))
    return found


def without_system(found: Iterable[Round], ledger: Ledger) -> tuple[str, list[Round]]:
    """The text of every system message, joined in order, and the other rounds (SEED7, A20)."""
    texts: list[str] = []
    others: list[Round] = []
    for item in found:
        if not isinstance(item.message, System):
            others.append(item)
            continue
        if others:
            ledger.note("a system message in the middle was moved to the front", item.position)
        texts.extend(block.text for block in item.message.content if isinstance(block, Text))
    return joined(texts), others


def results_in(message: Message) -> tuple[ToolResult, ...]:
    """The tool results of a message, whichever kind it is."""
    if isinstance(message, Tool):
        return message.results
    return tuple(block for block in message.content if isinstance(block, ToolResult))


def tool_turns(messages: Sequence[Message]) -> set[int]:
    """The positions of the model's messages in turns with calls; a turn begins with a message of the user (R03)."""
    turns: list[list[int]] = [[]]
    with_calls: set[int] = set()
    for position, message in enumerate(messages):
        if isinstance(message, User) and any(not isinstance(block, ToolResult) for block in message.content):
            turns.append([])
        elif isinstance(message, Assistant):
            turns[-1].append(position)
            if any(isinstance(block, ToolUse) for block in message.content):
                with_calls.add(len(turns) - 1)
    return {position for turn in with_calls for position in turns[turn]}


def is_of(message: Assistant, *, wire: str, endpoint: Endpoint) -> bool:
    """Whether the message came from this endpoint in this format: only then may its opaque data go back (D1)."""
    origin = message.origin
    return origin is not None and (origin.wire, origin.provider) == (wire, endpoint.id)


def sendable_arguments(call: ToolUse, ledger: Ledger, position: int) -> JsonObject:
    """The arguments as an object; those that are none in an object that says so (K12).

    Those of a call that was cut, or must not run for another reason, may well be one: then they go back unchanged.
    """
    said = call.input if call.input is not None else parse_arguments(call.raw_arguments)[0]
    if said is not None:
        return said
    ledger.note(f"arguments that are no JSON object are sent as {INVALID_ARGUMENTS}", position)
    return {INVALID_ARGUMENTS: call.raw_arguments}


def sendable_name(
    call: ToolUse, ledger: Ledger, position: int, *, also: str = "", begins_with_letter: bool = False
) -> str:
    """The name as it is taken: models make up others, and one such call would have all that follows refused (K15).

    Args:
        call: of any model.
        ledger: where a change is noted.
        position: the message's place.
        also: characters that the endpoint takes beside letters, digits, ``_`` and ``-``.
        begins_with_letter: whether the first must be a letter or ``_``.
    """
    name = re.sub(f"[^A-Za-z0-9_{re.escape(also)}-]", "_", call.name) or "unnamed"
    if begins_with_letter and not re.match("[A-Za-z_]", name):
        name = f"_{name}"
    name = name[:_MAX_NAME_CHARACTERS]
    if name != call.name:
        ledger.note("the name of a call was changed to one that this provider takes", position)
    return name


def note_placeholder(ledger: Ledger, position: int) -> None:
    """Notes that ``LEFT_OUT`` stands for a message."""
    ledger.note(f"{LEFT_OUT!r} stands for a message of which nothing could be sent", position)


def arguments_text(call: ToolUse, arguments: JsonObject) -> str:
    """The text received if it says just this object, byte for byte: prompt caches depend on it; else the JSON."""
    try:
        is_said = json.loads(call.raw_arguments) == arguments
    except (ValueError, RecursionError):
        is_said = False
    return call.raw_arguments if is_said else json.dumps(arguments, ensure_ascii=False)


def joined(texts: Sequence[str]) -> str:
    """The texts that are not blank, with a blank line between them."""
    return _JOINT.join(text for text in texts if text.strip())


def is_blank(block: ContentBlock) -> bool:
    """Whether a block is a text that no provider takes (A06)."""
    return isinstance(block, Text) and not block.text.strip()


def _answers(
    answer: Assistant, messages: Sequence[Message], *, ledger: Ledger, position: int
) -> tuple[ToolResult, ...]:
    """A result for every call, found in the messages that follow, up to the next answer."""
    waiting: dict[str, list[ToolResult]] = {}
    following = itertools.takewhile(lambda message: not isinstance(message, Assistant), messages)
    for message in (answer, *following):
        for result in results_in(message):
            waiting.setdefault(result.tool_use_id, []).append(result)
    found: list[ToolResult] = []
    for call in answer.content:
        if not isinstance(call, ToolUse):
            continue
        if results := waiting.get(call.id):
            found.append(dataclasses.replace(results.pop(0), name=call.name))
        else:
            ledger.note(f"a call without a result got the result {CANCELLED}", position)
            found.append(ToolResult(call.id, call.name, (Text(CANCELLED),)))
    for results in waiting.values():
        _note_orphans(results, ledger, position)
    return tuple(found)


def _other(message: Message, ledger: Ledger, position: int) -> list[Round]:
    match message:
        case System(content):
            text = joined([block.text for block in content if isinstance(block, Text)])
            if any(not isinstance(block, Text) for block in content):
                ledger.note("what is not text in a system message was left out", position)
            return [Round(position, System((Text(text),)))] if text else []
        case User(content):
            kept = tuple(block for block in content if not isinstance(block, ToolResult) and not is_blank(block))
            if not kept and not results_in(message):
                ledger.note("an empty message was left out", position)
            return [Round(position, User(kept))] if kept else []
        case _:
            return []  # results stand with their calls


def _note_orphans(results: Sequence[ToolResult], ledger: Ledger, position: int) -> None:
    if results:
        ledger.note("results of calls that are not there were left out", position)
