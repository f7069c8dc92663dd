"""What most conversations consist of, read without the codec, which takes five times as long.

Each function gives a value only for JSON of exactly the shape that is written for it today, and None for any other: the
codec reads that.
"""

from __future__ import annotations

from typing import Any

from agdesk.core.ir.blocks import Text
from agdesk.core.ir.codec import to_json
from agdesk.core.ir.messages import Assistant, Origin, User
from agdesk.core.ir.response import EndCause, MessageResponse, StopReason, Usage
from agdesk.core.trace.events import ResponseReceived, TurnStarted

_PLAIN_TEXT = to_json(Text(""))
_STOP_REASONS: dict[object, StopReason] = {reason.value: reason for reason in StopReason}
_END_CAUSES: dict[object, EndCause] = {cause.value: cause for cause in EndCause}
_STARTED = {"type", "model_ref", "message"}
_STARTED_MORE = ("at", "continues")
_TIMES = ("first_token_s", "streaming_s", "thinking_s")
_ESTIMATE = "sent_estimate_tokens"
_CONTINUES = "continues"
_RECEIVED = {"type", "response", "end_cause", *_TIMES, _ESTIMATE}
_RECEIVED_BEFORE = _RECEIVED - {_ESTIMATE}  # by an older agdesk
_RESPONSE = {"type", "id", "model", "message", "usage", "stop_reason", "raw_stop_reason", "error", "extra"}
_USAGE = to_json(Usage()).keys()
_COUNTS = ("prompt_tokens", "completion_tokens", "total_tokens")
_TEXT_OR_NONE = (str, type(None))
_SECONDS_OR_NONE = (float, type(None))
_COUNT_OR_NONE = (int, type(None))


def plain_turn_start(document: Any) -> TurnStarted | None:
    """A ``TurnStarted`` with a message of texts, at the end of the active path."""
    if document.keys() != _STARTED:
        if any(document.get(name) is not None for name in _STARTED_MORE):
            return None
        if document.keys() - _STARTED_MORE != _STARTED:
            return None
    if type(document["model_ref"]) is not str:
        return None
    message = document["message"]
    texts = _texts(message["content"])
    if texts is None or message.keys() != {"type", "content"} or message["type"] != "user":
        return None
    return TurnStarted(User(texts), document["model_ref"])


def plain_answer(document: Any) -> ResponseReceived | None:
    """A ``ResponseReceived`` with a message of texts that came without an error."""
    if (keys := document.keys()) not in (_RECEIVED, _RECEIVED_BEFORE) and keys != {*_RECEIVED, _CONTINUES}:
        return None
    if (response := document["response"]).keys() != _RESPONSE or document.get(_CONTINUES) is not None:
        return None
    estimate = document.get(_ESTIMATE)
    message, reason, cause = _assistant(response["message"]), response["stop_reason"], document["end_cause"]
    usage = _usage(response["usage"])
    first_token_s, streaming_s, thinking_s = (document[name] for name in _TIMES)
    if (
        message is None
        or usage is None
        or type(reason) is not str
        or type(cause) is not str
        or reason not in _STOP_REASONS
        or cause not in _END_CAUSES
        or type(response["id"]) is not str
        or type(response["model"]) is not str
        or type(response["raw_stop_reason"]) not in _TEXT_OR_NONE
        or response["error"] is not None
        or response["extra"] != {}
        or type(estimate) not in _COUNT_OR_NONE
        or any(type(time_s) not in _SECONDS_OR_NONE for time_s in (first_token_s, streaming_s, *thinking_s))
    ):
        return None
    answer = MessageResponse(
        response["id"], response["model"], message, usage, _STOP_REASONS[reason], response["raw_stop_reason"]
    )
    return ResponseReceived(answer, _END_CAUSES[cause], first_token_s, streaming_s, tuple(thinking_s), estimate)


def _assistant(document: Any) -> Assistant | None:
    texts = _texts(document["content"])
    if texts is None or document.keys() != {"type", "content", "origin"} or document["type"] != "assistant":
        return None
    found = document["origin"]
    if found is None:
        return Assistant(texts)
    values = tuple(found.values())
    if tuple(found) != ("type", "provider", "model", "wire") or any(type(value) is not str for value in values):
        return None
    return Assistant(texts, Origin(*values[1:]))


def _texts(content: Any) -> tuple[Text, ...] | None:
    texts = []
    for block in content:
        text = block.get("text")
        if type(text) is not str or block != {**_PLAIN_TEXT, "text": text}:
            return None
        texts.append(Text(text))
    return tuple(texts)


def _usage(document: Any) -> Usage | None:
    counts = [document[name] for name in _COUNTS]
    if document.keys() != _USAGE or any(count is not None and type(count) is not int for count in counts):
        return None
    if any(document[name] is not None for name in _USAGE - {"type", *_COUNTS}):
        return None
    return Usage(*counts)
