"""Frames of a Responses answer → stream events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic_core import from_json
from typing_extensions import override

from agdesk.core.ir.response import StopReason, Usage
from agdesk.core.ir.stream import CostUpdate, StreamEvent
from agdesk.core.providers.base import Frame
from agdesk.core.providers.error_fields import is_error_document
from agdesk.core.providers.errors import error_from_event
from agdesk.core.providers.json_decoder import JsonDecoder
from agdesk.core.providers.lenient import object_of, text_in
from agdesk.core.providers.non_answers import RESPONSES, foreign_format
from agdesk.core.providers.template import TextTemplate
from agdesk.core.providers.wire.openai_responses.ending import (
    COMPLETED,
    FAILED,
    INCOMPLETE,
    LIFE_EVENTS,
    STATUSES,
    TERMINAL_EVENTS,
    cut_reason,
)
from agdesk.core.providers.wire.openai_responses.events import EventReader, Run
from agdesk.core.providers.wire.openai_responses.failures import (
    EXPECTED,
    failed,
    no_output,
)
from agdesk.core.providers.wire.openai_responses.fields import (
    EVENT_MEMBERS,
    RESPONSE_MEMBERS,
    WIRE,
    structures,
)
from agdesk.core.providers.wire.openai_responses.output import Output
from agdesk.core.providers.wire.openai_responses.usage import usage_of
from agdesk.core.trace.wire import FrameKind

_DATA = FrameKind.DATA
_TERMINAL_MEMBERS = EVENT_MEMBERS | {"response"}
_NO_EVENTS: tuple[StreamEvent, ...] = ()


class OpenAiResponsesDecoder(JsonDecoder):
    """The decoder of one response.

    Args:
        model: as asked for; stands in until the server names one.
        seed: of made-up ids (D11).
    """

    def __init__(self, *, model: str, seed: str) -> None:
        super().__init__(WIRE, model=model, seed=seed, expected=EXPECTED)
        self._output = Output(self._writer, seed=seed)
        self._events = EventReader(self._output)
        self._template = TextTemplate()
        self._template_run: Run | None = None  # what the frame that it was learned from belongs to
        self._usage = Usage()
        self._extra: dict[str, Any] = {}
        self._needs_done = False  # only a call whose final JSON came may run

    @property
    @override
    def is_complete(self) -> bool:
        return self._is_whole

    @override
    def decode(self, frame: Frame) -> Sequence[StreamEvent]:
        if frame.kind is not _DATA or frame.event_name == "error" or self.is_terminal:
            return self._decode_special(frame)
        run = self._events.run if self._mender is None else None
        if run is not None and run is self._template_run and (text := self._template.text_in(frame.data)):
            run.string.pieces.append(text)
            return (run.event(text, run.string.block),)
        try:
            document = from_json(frame.data)
        except ValueError:
            return self._decode_payload(frame)
        if self.wrap_document is not None:
            document = self.wrap_document(document)
        elif run is not None:
            # nearly every frame adds to the string that the one before it added to
            kind, key, index_member, index, item_id, string, event = run
            try:
                text = document["delta"]
                if (
                    text.__class__ is str
                    and text
                    and document["type"] == kind
                    and document.get("output_index") == key
                    and document.get(index_member) == index
                    and (key is not None or document.get("item_id") == item_id)
                    and "error" not in document
                ):
                    string.pieces.append(text)
                    self._template.learn(frame.data, member="delta", text=text)
                    self._template_run = run
                    return (event(text, string.block),)
            except (KeyError, TypeError):
                pass
        self._take_document(document, frame.event_name)
        return self._flush()

    @override
    def decode_document(self, document: Any) -> Sequence[StreamEvent]:
        if self.is_terminal:
            return _NO_EVENTS
        document = self._wrapped(document)
        is_object = isinstance(document, dict) and not is_error_document(document)
        if is_object and not text_in(document.get("type")).startswith("response."):
            inner = object_of(document.get("response")) or document
            if failure := foreign_format(inner, own=RESPONSES, expected=EXPECTED):
                self._fail(failure)
            else:
                self._take_whole(inner)
        else:
            self._take_document(document)
        if self._announced is None and not self.is_terminal:
            self._fail(no_output())
        return self._flush()

    # --- one document ---

    @override
    def _take_object(self, document: dict[str, Any], event_name: str) -> None:
        self._events.run = None
        kind = text_in(document.get("type")) or event_name  # (P04)
        # an error stands beside what an event says, too, and comes first (T23), but a server-side call may fail, too
        if kind == "error" or (document.get("error") and self._output.other(document) is None):
            self._fail(error_from_event(document))
        elif kind in TERMINAL_EVENTS:
            response = object_of(document.get("response"))
            status = text_in(response.get("status"))
            self._extra.update(structures(document, _TERMINAL_MEMBERS))
            self._take_response(response, status if status in STATUSES else TERMINAL_EVENTS[kind])
        elif kind in LIFE_EVENTS:
            self._take_identity(object_of(document.get("response")))
        elif not self._events.take(document, kind):
            self._take_unknown(document, kind)

    def _take_unknown(self, document: dict[str, Any], kind: str) -> None:
        if (item := self._output.other(document)) is not None:
            item.take_event(kind, document)
        elif document.get("object") == "response":
            self._take_whole(document)  # as one event (T26)
        elif failure := foreign_format(document, own=RESPONSES, expected=EXPECTED):
            self._fail(failure)
        elif not kind and is_error_document(document):
            self._fail(error_from_event(document))

    # --- the response as a whole ---

    def _take_identity(self, response: dict[str, Any]) -> None:
        """The first id counts, and the last model (C21)."""
        self._model = text_in(response.get("model")) or self._model
        self._id = self._id or text_in(response.get("id"))
        if self._announced is None:
            self._announce()
        if isinstance(raw := response.get("usage"), dict) and raw:
            usage = self._usage.merged(usage_of(raw))
            self._extra["usage"] = raw
            if usage != self._usage:
                self._usage = usage
                self._writer.events.append(CostUpdate(usage))

    def _take_whole(self, response: dict[str, Any]) -> None:
        """Takes a response that was not streamed; only an answer in the background may be without its end."""
        self._take_response(response, text_in(response.get("status")) or COMPLETED)

    def _take_response(self, response: dict[str, Any], status: str) -> None:
        """Takes the final response."""
        output = response.get("output")
        if status == COMPLETED and not isinstance(output, list) and self._output.is_empty:
            self._fail(no_output())
            return
        self._take_identity(response)
        if status == FAILED:
            self._fail(failed(response.get("error")))
            return
        self._output.take_whole(output)
        self._extra.update(structures(response, RESPONSE_MEMBERS))
        word = text_in(object_of(response.get("incomplete_details")).get("reason")) if status == INCOMPLETE else ""
        self._settle(cut_reason(status, word), word or status)

    # --- the end ---

    @override
    def _take_marker(self) -> None:
        # the marker of another format says that this is all; calls that were not done do not run (T13)
        self._needs_done = True
        self._settle(None if self._writer.has_blocks else StopReason.INCOMPLETE, None)

    @override
    def _end(self) -> None:
        self._settle(StopReason.INCOMPLETE, None)

    def _settle(self, cut: StopReason | None, word: str | None) -> None:
        """Ends the answer; ``cut`` None: as it should end."""
        self._close(is_cut=cut is not None)
        reason = cut or StopReason.END_TURN
        if cut is None and self._output.has_refusal:
            reason = StopReason.REFUSAL
        elif cut is None and self._output.has_calls:
            reason = StopReason.TOOL_USE
        self._complete(reason, word, extra=self._extra)
        self._is_whole = cut is not StopReason.INCOMPLETE

    @override
    def _close_content(self, *, is_cut: bool) -> None:
        self._output.close(may_run=not is_cut, needs_done=self._needs_done)
