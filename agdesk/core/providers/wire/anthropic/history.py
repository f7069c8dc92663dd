"""Any history → system text and messages whose roles alternate, as this format demands (A05, A06, A07, A20, K20)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.messages import Assistant, Message
from agdesk.core.providers.base import Endpoint
from agdesk.core.providers.call_ids import CallIds, IdRule
from agdesk.core.providers.lenient import text_in
from agdesk.core.providers.rounds import LEFT_OUT, Round, note_placeholder, rounds, tool_turns, without_system
from agdesk.core.providers.wire.anthropic.answers import THOUGHTS, AnswerWriter, Part, note_loose_thinking
from agdesk.core.providers.wire.anthropic.parts import PartWriter

_USER, _ASSISTANT = "user", "assistant"
_OPENING = "…"


@dataclass(slots=True)
class _Turn:
    """What one side says until the other side does; every part with its message's place in the history."""

    role: str
    parts: list[tuple[int, Part]] = field(default_factory=list)

    def types(self) -> Iterator[str]:
        return (str(part.get("type")) for _, part in self.parts)


def sendable(messages: Sequence[Message], *, endpoint: Endpoint, ledger: Ledger) -> tuple[str, list[dict[str, Any]]]:
    """The system text and the messages as they may be sent; what was changed for it is noted.

    A history that ends with the model's message stays so: it is a pause to be gone on from, or the beginning of an
    answer that is wanted (A07).
    """
    system, found = without_system(rounds(messages, endpoint=endpoint, ledger=ledger), ledger)
    turns: list[_Turn] = []
    ids = CallIds(IdRule(64))
    with_calls = tool_turns(messages)
    for item in found:
        _add(turns, item, ids=ids, endpoint=endpoint, ledger=ledger, is_tool_turn=item.position in with_calls)
    turns = _without_loose_ends(turns, ledger)
    if turns and turns[0].role == _ASSISTANT:
        ledger.note("a message of the user was added in front: this format begins with one")
        turns.insert(0, _Turn(_USER, [(0, {"type": "text", "text": _OPENING})]))
    if turns and turns[-1].role == _ASSISTANT:
        _strip_end(turns[-1], ledger)
    return system, [{"role": turn.role, "content": [part for _, part in turn.parts]} for turn in turns]


def _add(
    turns: list[_Turn], item: Round, *, ids: CallIds, endpoint: Endpoint, ledger: Ledger, is_tool_turn: bool
) -> None:
    message, position = item.message, item.position
    if isinstance(message, Assistant):
        answer = AnswerWriter(
            message, endpoint=endpoint, ids=ids, ledger=ledger, position=position, is_tool_turn=is_tool_turn
        )
        _say(turns, _ASSISTANT, answer.parts(), position)
        _say(turns, _USER, answer.results(item.results), position)
        return
    writer = PartWriter(provider=endpoint.id, ledger=ledger, position=position)
    parts = [part for block in message.content if (part := writer.part(block)) is not None]
    if not parts:
        note_placeholder(ledger, position)
        parts = [{"type": "text", "text": LEFT_OUT}]
    _say(turns, _USER, parts, position)


def _say(turns: list[_Turn], role: str, parts: Sequence[Part], position: int) -> None:
    if not parts:
        return
    if not turns or turns[-1].role != role:
        turns.append(_Turn(role))
    turns[-1].parts.extend((position, part) for part in parts)


def _without_loose_ends(turns: list[_Turn], ledger: Ledger) -> list[_Turn]:
    """The turns without calls of the provider's tools that have no result, and without results that have no call.

    A call may wait for its result only in the last answer, and only if nothing was said since: the provider goes on.
    """
    is_waiting = bool(turns) and (turns[-1].role == _ASSISTANT or "tool_result" in turns[-1].types())
    answers = [turn for turn in turns if turn.role == _ASSISTANT]
    calls = {text_in(part.get("id")) for turn in answers for _, part in turn.parts if _is_own_call(part)}
    answered = {text_in(part.get("tool_use_id")) for turn in answers for _, part in turn.parts}
    kept: list[_Turn] = []
    for turn in turns:
        may_wait = is_waiting and bool(answers) and turn is answers[-1]
        left: list[tuple[int, Part]] = []
        for position, part in turn.parts:
            if _is_own_call(part) and text_in(part.get("id")) not in answered and not may_wait:
                ledger.note("a call of a provider's own tool was left out: its result never came", position)
            elif turn.role == _ASSISTANT and "tool_use_id" in part and text_in(part["tool_use_id"]) not in calls:
                ledger.note("a result of a provider's own tool was left out: its call is not there", position)
            else:
                left.append((position, part))
        while left and left[-1][1].get("type") in THOUGHTS:
            note_loose_thinking(ledger, left.pop()[0])
        for position, part in left:
            _say(kept, turn.role, [part], position)
    return kept


def _is_own_call(part: Part) -> bool:
    """Whether a part is a call that the provider itself runs: ``server_tool_use``, ``mcp_tool_use``."""
    return str(part.get("type")).endswith("_tool_use")


def _strip_end(turn: _Turn, ledger: Ledger) -> None:
    """Takes white space off the end of an answer that is to be gone on with: it would be refused (A07)."""
    position, part = turn.parts[-1]
    if part.get("type") == "text" and part["text"] != (text := part["text"].rstrip()):
        ledger.note("white space at the end of the last answer was left out", position)
        turn.parts[-1] = (position, {**part, "text": text})
