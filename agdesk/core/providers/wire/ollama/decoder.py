"""Frames of a response of Ollama → stream events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic_core import from_json
from typing_extensions import override

from agdesk.core.ir.response import StopReason, Usage
from agdesk.core.ir.stream import CostUpdate, StreamEvent
from agdesk.core.providers.base import Endpoint, Frame
from agdesk.core.providers.block_writer import RunningKind
from agdesk.core.providers.error_fields import is_error_document
from agdesk.core.providers.errors import error_from_event
from agdesk.core.providers.json_decoder import JsonDecoder
from agdesk.core.providers.lenient import token_count
from agdesk.core.providers.non_answers import OLLAMA, foreign_format
from agdesk.core.providers.wire.ollama.failures import EXPECTED, no_message
from agdesk.core.providers.wire.ollama.fields import EXTRA_MEMBERS, PLAIN_MEMBERS, WIRE
from agdesk.core.providers.wire.ollama.message import MessageReader
from agdesk.core.trace.wire import FrameKind

_DATA = FrameKind.DATA
_NO_EVENTS: tuple[StreamEvent, ...] = ()
_EMPTY: tuple[Any, ...] = (None, "", [], {})
_COUNTS = ("prompt_eval_count", "eval_count")
# ``load`` and ``unload`` are no ends of an answer: the server only says what it did with the model (L08)
_REASONS = {"stop": StopReason.END_TURN, "tool_calls": StopReason.END_TURN, "length": StopReason.MAX_TOKENS}


class OllamaDecoder(JsonDecoder):
    """The decoder of one response: every line adds to the message, the one with ``done`` ends it.

    Ollama gives a response no id: one is made of the seed (D11).

    Args:
        endpoint: whose dialect applies.
        model: as asked for; stands in until the server names one.
        seed: of made-up ids.
    """

    def __init__(self, *, endpoint: Endpoint, model: str, seed: str) -> None:
        super().__init__(WIRE, model=model, seed=seed, expected=EXPECTED)
        self._message = MessageReader(self._writer, seed=seed, parses_think_tags=endpoint.dialect.parses_think_tags)
        self._usage = Usage()
        self._counts: dict[str, Any] = {}
        self._extra: dict[str, Any] = {}
        self._has_documents = False
        # the running block and the member that fills it, while nothing stands in the way of the short way
        self._fast_kind: RunningKind | None = None
        self._fast_member = ""
        self._fast_index = -1

    @property
    @override
    def is_complete(self) -> bool:
        return self._is_whole

    @override
    def decode(self, frame: Frame) -> Sequence[StreamEvent]:
        if frame.kind is not _DATA or frame.event_name or self.is_terminal:
            return self._decode_special(frame)
        try:
            document = from_json(frame.data)
        except ValueError:
            return self._decode_payload(frame)
        if self.wrap_document is not None:
            document = self.wrap_document(document)
        elif (kind := self._fast_kind) is not None:
            # nearly every line adds text to the running block and says nothing else
            try:
                message = document["message"]
                text = message[self._fast_member]
                if (
                    text.__class__ is str
                    and text
                    and ((len(message) == 2 and "role" in message) or _says_only(message, self._fast_member))
                    and document["done"] is False
                    and document["model"] == self._model
                    and PLAIN_MEMBERS.issuperset(document)
                ):
                    return (kind(text, self._fast_index),)
            except (KeyError, TypeError):
                pass
        self._take_document(document)
        return self._flush()

    @override
    def decode_document(self, document: Any) -> Sequence[StreamEvent]:
        self._take_document(self._wrapped(document))
        if self._announced is None and not self.is_terminal:
            self._fail(no_message())
        return self._flush()

    # --- one document ---

    @override
    def _take_document(self, document: Any, event_name: str = "") -> None:
        self._has_documents = True
        super()._take_document(document, event_name)

    @override
    def _take_object(self, document: dict[str, Any], event_name: str) -> None:
        message, is_done = document.get("message"), document.get("done") is True
        is_line = isinstance(message, dict) or "done" in document
        # an error may come on any line, while the status of the response stays 200 (L01)
        if document.get("error") or (not is_line and is_error_document(document)):
            self._fail(error_from_event(document))
            return
        if "done" not in document and (failure := foreign_format(document, event_name, own=OLLAMA, expected=EXPECTED)):
            self._fail(failure)
            return
        if not isinstance(message, dict) and document.get("response"):
            self._fail(no_message())  # the address for completions answers so
            return
        if not is_line:
            return
        if isinstance(model := document.get("model"), str) and model:
            self._model = model
        if self._announced is None:
            self._announce()
        if isinstance(message, dict):
            self._message.take(message)
        self._take_figures(document)
        if is_done:
            word = document.get("done_reason")
            self._is_whole = True
            self._settle(self._stop_reason(word), word if isinstance(word, str) and word else None)
            return
        self._fast_member = self._message.plain_member if self._mender is None else ""
        self._fast_kind = self._writer.kind if self._fast_member else None
        self._fast_index = self._writer.running_index

    def _take_figures(self, document: dict[str, Any]) -> None:
        for member in EXTRA_MEMBERS:
            if (value := document.get(member)) not in _EMPTY:
                self._extra[member] = value
        for member in _COUNTS:
            if (value := document.get(member)) is not None:
                self._counts[member] = value
        # a prompt that is in the cache as a whole is not counted (L07)
        prompt, completion = (token_count(self._counts.get(member)) for member in _COUNTS)
        if (usage := Usage(prompt, completion)) != self._usage:
            self._usage = usage
            self._writer.events.append(CostUpdate(usage))

    # --- the end ---

    def _stop_reason(self, word: Any) -> StopReason:
        """A missing word is a normal end, as old servers send it; calls count whatever normal word it is (C07)."""
        reason = StopReason.END_TURN
        if word not in _EMPTY:
            reason = _REASONS.get(word.lower(), StopReason.OTHER) if isinstance(word, str) else StopReason.OTHER
        return StopReason.TOOL_USE if reason is StopReason.END_TURN and self._message.has_calls else reason

    @override
    def _end(self) -> None:
        if self._has_documents and self._announced is None:
            self._fail(no_message())
        else:
            self._settle(self._stop_reason(None) if self._is_whole else StopReason.INCOMPLETE, None)

    def _settle(self, reason: StopReason, word: str | None) -> None:
        self._close(is_cut=reason not in (StopReason.END_TURN, StopReason.TOOL_USE))
        self._complete(reason, word, extra=self._extra, usage=self._counts)

    @override
    def _close_content(self, *, is_cut: bool) -> None:
        self._message.close(is_cut=is_cut)


def _says_only(message: dict[str, Any], member: str) -> bool:
    """Whether nothing but ``member`` carries anything; the role says nothing new."""
    return all(other == member or other == "role" or not message[other] for other in message)
