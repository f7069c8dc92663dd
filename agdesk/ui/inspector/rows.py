"""What stands in the row of a record: one small function for each class, in one table.

A class without a function is shown as its JSON, an ``Unknown`` too: nothing is left out because it is new.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QCoreApplication

from agdesk.core.errors import ErrorRecord
from agdesk.core.ir import stream as ev
from agdesk.core.ir.codec import to_json
from agdesk.core.ir.messages import text_of
from agdesk.core.trace import events, wire
from agdesk.ui.core_words import said
from agdesk.ui.inspector.figures import SEPARATOR, amount, count, size

translate = QCoreApplication.translate

TEXT_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class RowText:
    """The words of a row.

    Attributes:
        text: one line, any text of foreign origin in it.
        problem: the word that says what is wrong, shown beside an icon; empty if nothing is.
    """

    text: str = ""
    problem: str = ""


def row_text(payload: Any) -> RowText:
    """The words for a payload, or for the stream event in it."""
    shown = payload.event if isinstance(payload, events.StreamEventReceived) else payload
    render = RENDERERS.get(type(shown))
    found = render(shown) if render is not None else json_line(to_json(shown))
    row = found if isinstance(found, RowText) else RowText(found)
    return RowText(" ".join(row.text[:TEXT_CHARACTERS].split()), row.problem)


def json_line(document: Any) -> str:
    """JSON in one line, without the tag that is the row's name already."""
    if isinstance(document, dict):
        document = {key: value for key, value in document.items() if key != "type"}
    return json.dumps(document, ensure_ascii=False, default=str) if document else ""


def _turn_started(record: events.TurnStarted) -> str:
    said = text_of(record.message.content)
    if record.continues is not None:
        said = translate("InspectorRows", "goes on with an answer")
    return record.model_ref + SEPARATOR + said


def _request_prepared(record: events.RequestPrepared) -> str:
    parts = [
        translate("InspectorRows", "attempt {number}").format(number=record.attempt),
        amount(record.message_count, translate("InspectorRows", "message"), translate("InspectorRows", "messages")),
        translate("InspectorRows", "~{count} tokens").format(count=count(record.estimate_tokens)),
    ]
    if record.ledger:
        one, many = translate("InspectorRows", "change"), translate("InspectorRows", "changes")
        parts += [amount(len(record.ledger), one, many), *record.ledger]
    return SEPARATOR.join(parts)


def _request_sent(record: wire.RequestSent) -> str:
    return f"{record.method} {record.url}"


def _response_started(record: wire.ResponseStarted) -> RowText:
    problem = translate("InspectorRows", "Refused") if record.status >= 400 else ""
    return RowText(f"{record.status}{SEPARATOR}{record.http_version}", problem)


def _frame_received(record: wire.FrameReceived) -> RowText:
    parts = [translate("InspectorRows", "bytes {start}–{end}").format(start=record.start, end=record.end)]
    if record.event_name:
        parts.append(record.event_name)
    if record.kind is not wire.FrameKind.DATA:
        parts.append(record.kind.value)
    problem = translate("InspectorRows", "Malformed") if record.kind is wire.FrameKind.MALFORMED else ""
    return RowText(SEPARATOR.join(parts), problem)


def _response_closed(record: wire.ResponseClosed) -> RowText:
    text = record.reason.value + SEPARATOR + size(record.byte_count)
    return _failed(record.error, before=text + SEPARATOR) if record.error is not None else RowText(text)


def _response_received(record: events.ResponseReceived) -> RowText:
    response = record.response
    parts = [response.stop_reason.value]
    if record.end_cause.value != "server":
        parts.append(translate("InspectorRows", "ended by {cause}").format(cause=record.end_cause.value))
    if response.usage.completion_tokens is not None:
        parts.append(
            amount(
                response.usage.completion_tokens,
                translate("InspectorRows", "token out"),
                translate("InspectorRows", "tokens out"),
            )
        )
    parts.append(response.text())
    problem = translate("InspectorRows", "Cut") if response.is_incomplete else ""
    return RowText(SEPARATOR.join(part for part in parts if part), problem)


def _event_ignored(record: events.EventIgnored) -> RowText:
    return RowText(record.reason, translate("InspectorRows", "Ignored"))


def _retry_scheduled(record: events.RetryScheduled) -> RowText:
    parts = [
        translate("InspectorRows", "in {time} s").format(time=f"{record.wait_s:.1f}"),
        translate("InspectorRows", "{number} of {limit}").format(number=record.attempt, limit=record.limit),
    ]
    return _failed(record.reason, before=SEPARATOR.join(parts) + SEPARATOR)


def _parameter_repaired(record: events.ParameterRepaired) -> RowText:
    who = translate("InspectorRows", "by itself") if record.is_automatic else translate("InspectorRows", "by the user")
    return RowText(
        SEPARATOR.join((record.parameter, who, said(record.error.message))), translate("InspectorRows", "Refused")
    )


def _turn_failed(record: events.TurnFailed) -> RowText:
    return _failed(record.error)


def _stream_error(event: ev.StreamError) -> RowText:
    return _failed(event.error)


def _failed(error: ErrorRecord, *, before: str = "") -> RowText:
    return RowText(before + said(error.message), translate("InspectorRows", "Error"))


def _nothing(_: Any) -> str:
    return ""


def _message_start(event: ev.MessageStart) -> str:
    return event.model


def _branch_selected(payload: events.BranchSelected) -> str:
    return payload.leaf_id or ""


def _branch_changed(payload: events.BranchDeleted | events.BranchRestored) -> str:
    return payload.message_id


def _block_start(event: ev.ContentBlockStart) -> str:
    match event.block_type:
        case ev.ToolUseType(name=name):
            kind = f"tool_use {name}"
        case ev.ExtensionType(kind=name):
            kind = f"extension {name}"
        case block_type:
            kind = to_json(block_type)["type"].removesuffix("_type")
    return f"[{event.index}] {kind}"


def _block_end(event: ev.ContentBlockEnd | ev.ToolCallEnd) -> str:
    return f"[{event.index}]"


def _delta(event: ev.TextDelta | ev.ThinkingDelta | ev.RefusalDelta) -> str:
    return event.text


def _arguments(event: ev.ToolCallArgumentsDelta) -> str:
    return event.arguments


def _cost_update(event: ev.CostUpdate) -> str:
    usage = event.usage
    known = {"in": usage.prompt_tokens, "out": usage.completion_tokens, "total": usage.total_tokens}
    return SEPARATOR.join(f"{count(value)} {name}" for name, value in known.items() if value is not None)


def _message_complete(event: ev.MessageComplete) -> str:
    return event.stop_reason.value


RENDERERS: Mapping[type, Callable[[Any], str | RowText]] = MappingProxyType(
    {
        events.TurnStarted: _turn_started,
        events.RequestPrepared: _request_prepared,
        events.EventIgnored: _event_ignored,
        events.ResponseReceived: _response_received,
        events.RetryScheduled: _retry_scheduled,
        events.ParameterRepaired: _parameter_repaired,
        events.TurnCompleted: _nothing,
        events.TurnFailed: _turn_failed,
        events.TurnCancelled: _nothing,
        events.BranchSelected: _branch_selected,
        events.BranchDeleted: _branch_changed,
        events.BranchRestored: _branch_changed,
        wire.RequestSent: _request_sent,
        wire.ResponseStarted: _response_started,
        wire.FrameReceived: _frame_received,
        wire.ResponseClosed: _response_closed,
        ev.MessageStart: _message_start,
        ev.ContentBlockStart: _block_start,
        ev.ContentBlockEnd: _block_end,
        ev.ToolCallEnd: _block_end,
        ev.TextDelta: _delta,
        ev.ThinkingDelta: _delta,
        ev.RefusalDelta: _delta,
        ev.ToolCallArgumentsDelta: _arguments,
        ev.CostUpdate: _cost_update,
        ev.MessageComplete: _message_complete,
        ev.StreamError: _stream_error,
    }
)
