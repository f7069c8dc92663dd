"""The words of every row of the tree, whatever it stands for."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from agdesk.core.ir import stream as ev
from agdesk.core.ir.messages import text_of
from agdesk.core.trace.events import StreamEventReceived, TraceRecord, TurnStarted
from agdesk.core.trace.wire import RequestSent, ResponseStarted
from agdesk.ui.inspector.figures import SEPARATOR, amount, count, duration
from agdesk.ui.inspector.rows import TEXT_CHARACTERS, row_text
from agdesk.ui.inspector.tree import NodeKind, TraceTree

translate = QCoreApplication.translate

_RUN_CHARACTERS = 80
_RUN_MEMBERS = 24


@dataclass(frozen=True, slots=True)
class RowLabel:
    """What a row shows.

    Attributes:
        name: what it is: the kind of the record, or a name of ours.
        text: what is in it, one line.
        problem: what is wrong, in a word; empty if nothing is.
        is_heading: whether it gathers what stands below it.
    """

    name: str
    text: str = ""
    problem: str = ""
    is_heading: bool = False


def delta_text(record: TraceRecord) -> str:
    """The text that a delta adds; empty for any other record."""
    match record.payload:
        case StreamEventReceived(event=ev.TextDelta(text=text) | ev.ThinkingDelta(text=text)):
            return text
        case StreamEventReceived(event=ev.RefusalDelta(text=text) | ev.ToolCallArgumentsDelta(arguments=text)):
            return text
        case _:
            return ""


def record_label(tree: TraceTree, position: int) -> RowLabel:
    """The label of one record."""
    number = tree.record_at(position)
    row = row_text(tree.index.record(number).payload)
    return RowLabel(tree.index.kind(number).name, row.text, row.problem)


def bucket_label(tree: TraceTree, node: int, first: int, last: int) -> RowLabel:
    """The label of the members ``first`` to ``last`` of a node, which has too many to list."""
    name = f"{count(first + 1)}–{count(last + 1)}"
    return RowLabel(name, _run_text(tree, node, first) if tree.kind(node).is_run else "")


def node_label(tree: TraceTree, node: int) -> RowLabel:
    """The label of a node."""
    kind = tree.kind(node)
    if kind is NodeKind.TURN:
        return _turn_label(tree, node)
    if kind is NodeKind.REQUEST:
        return _request_label(tree, node)
    last = tree.firsts[node] + max(tree.counts[node], 1) - 1
    if kind is NodeKind.UNIT:
        if tree.member_count(node) == 0:
            return record_label(tree, last)  # of a frame with its one event: the event
        frame = record_label(tree, tree.firsts[node])
        events = amount(
            tree.member_count(node), translate("InspectorRows", "event"), translate("InspectorRows", "events")
        )
        members = [record_label(tree, position) for position in range(tree.firsts[node] + 1, last + 1)][:8]
        problem = next((member.problem for member in members if member.problem), frame.problem)
        return RowLabel(frame.name, events + SEPARATOR + ", ".join(member.name for member in members), problem)
    delta = tree.index.kind(tree.record_at(tree.member_position(node, 0)))
    name = delta.name if tree.counts[node] == 1 else f"{delta.name} × {count(tree.counts[node])}"
    return RowLabel(name, _run_text(tree, node, 0))


def _run_text(tree: TraceTree, node: int, first: int) -> str:
    """The beginning of what the deltas of a run, from one on, say together."""
    text = ""
    for place in range(first, min(tree.counts[node], first + _RUN_MEMBERS)):
        text += delta_text(tree.index.record(tree.record_at(tree.member_position(node, place))))
        if len(text) > _RUN_CHARACTERS:
            break
    return " ".join(text[:TEXT_CHARACTERS].split())


def _turn_label(tree: TraceTree, node: int) -> RowLabel:
    name = translate("InspectorRows", "Turn {number}").format(number=count(tree.places[node] + 1))
    index = tree.index
    turn_id = index.group(tree.record_at(tree.firsts[node])).turn_id
    milestones = index.turn_milestones(turn_id)
    text = problem = ""
    if (number := milestones.get("turn_started")) is not None:
        payload = index.record(number).payload
        text = text_of(payload.message.content) if isinstance(payload, TurnStarted) else ""
    for ending in ("turn_completed", "turn_failed", "turn_cancelled"):
        if (number := milestones.get(ending)) is not None:
            problem = row_text(index.record(number).payload).problem
            text = duration(index.since_turn_ns(number)) + SEPARATOR + text
    return RowLabel(name, " ".join(text[:TEXT_CHARACTERS].split()), problem, is_heading=True)


def _request_label(tree: TraceTree, node: int) -> RowLabel:
    index = tree.index
    group = index.group(tree.record_at(tree.firsts[node]))
    parts = []
    problem = ""
    started, sent = group.milestones.get("response_started"), group.milestones.get("request_sent")
    if started is not None:
        response = index.record(started).payload
        if isinstance(response, ResponseStarted):
            parts.append(str(response.status))
            problem = row_text(response).problem
    if (closed := group.milestones.get("response_closed")) is not None:
        problem = problem or row_text(index.record(closed).payload).problem
        if sent is not None:
            parts.append(duration(index.times_ns[closed] - index.times_ns[sent]))
    if sent is not None:
        request = index.record(sent).payload
        if isinstance(request, RequestSent):
            parts.append(f"{request.method} {request.url}")
    number = index.request_place(group)
    name = translate("InspectorRows", "Request {number}").format(number=count(number))
    return RowLabel(name, SEPARATOR.join(parts), problem, is_heading=True)
