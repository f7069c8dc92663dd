"""The messages of a request, as JSON, made what an endpoint's dialect demands of them (K20, R03)."""

from __future__ import annotations

from typing import Any

from agdesk.core.ir.ledger import Ledger
from agdesk.core.providers.dialect import Dialect

GAP = "(no answer)"
"""What the model is made to have said where it must have spoken."""

_JOINT = "\n\n"
_PLAIN_MEMBERS = {"role", "content"}


def fitted_messages(messages: list[dict[str, Any]], *, dialect: Dialect, ledger: Ledger) -> list[dict[str, Any]]:
    """The messages; every change that the model could notice is noted."""
    has_calls = any("tool_calls" in message for message in messages)
    fitted: list[dict[str, Any]] = []
    names: dict[str, str] = {}
    for message in messages:
        role = message["role"]
        if role == "assistant":
            _fit_answer(message, dialect, ledger, has_calls=has_calls)
            names |= {call["id"]: _name(call) for call in message.get("tool_calls", ())}
        elif role == "tool" and dialect.sends_result_name:
            message["name"] = names[message["tool_call_id"]]  # every result stands behind its call
        earlier = fitted[-1] if fitted else {}
        if dialect.needs_answer_after_results and earlier.get("role") == "tool" and role not in ("tool", "assistant"):
            ledger.note(f"the answer {GAP!r} was put after results: this provider wants the model to speak next")
            fitted.append({"role": "assistant", "content": GAP})
        if dialect.alternates_roles and role == earlier.get("role") and not (message | earlier).keys() - _PLAIN_MEMBERS:
            ledger.note("messages of one side were joined: this provider wants both to speak by turns")
            earlier["content"] = _joined(earlier["content"], message["content"])
        else:
            fitted.append(message)
    return fitted


def _fit_answer(message: dict[str, Any], dialect: Dialect, ledger: Ledger, *, has_calls: bool) -> None:
    if message.get("content") is None and not dialect.takes_null_content:
        message["content"] = ""
    member = dialect.reasoning_member
    if member != "reasoning_content" and "reasoning_content" in message:
        message[member] = message.pop("reasoning_content")
    if dialect.needs_reasoning and has_calls and member not in message:
        ledger.note("empty thinking was added to answers without any: this provider wants some in each")
        message[member] = ""


def _name(call: dict[str, Any]) -> str:
    return str((call.get("function") or call["custom"])["name"])


def _joined(first: Any, second: Any) -> Any:
    """Two contents as one: texts with a blank line between, else the parts of both."""
    if isinstance(first, str) and isinstance(second, str):
        return first + _JOINT + second
    return [*_parts(first), *_parts(second)]


def _parts(content: Any) -> list[Any]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content
