"""``MessageResponse`` ⇄ a whole Chat Completions answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from agdesk.core.ir.blocks import Text, ToolUse
from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.messages import Assistant
from agdesk.core.ir.openai_chat.finish import finish_reason, stop_reason
from agdesk.core.ir.openai_chat.from_openai import from_openai_messages
from agdesk.core.ir.openai_chat.to_openai import to_openai_messages
from agdesk.core.ir.openai_chat.types import OpenAiResponse
from agdesk.core.ir.response import (
    CompletionTokensDetails,
    MessageResponse,
    PromptTokensDetails,
    StopReason,
    Usage,
)

_OWN_MEMBERS = frozenset({"id", "object", "model", "choices", "usage"})


def to_openai_response(response: MessageResponse) -> tuple[OpenAiResponse, tuple[str, ...]]:
    """The answer as OpenAI would send it, and what that cannot say."""
    messages, lines = to_openai_messages([response.message])
    ledger = Ledger()
    if len(messages) > 1:
        ledger.note("tool results inside the answer were left out")
    raw = response.raw_stop_reason
    is_said = raw is not None and _reason_of(response.message, raw) is response.stop_reason
    word = raw if is_said else finish_reason(response.stop_reason)
    if not is_said:
        ledger.note(f"the end {response.stop_reason.value} ({raw}) is said as {word}")
    if response.error is not None:
        ledger.note("the error that ended the answer is not said")
    document: dict[str, Any] = {
        "id": response.id,
        "object": "chat.completion",
        "model": response.model,
        "choices": [{"index": 0, "message": messages[0], "finish_reason": word}],
    }
    if response.usage != Usage():
        document["usage"] = _usage_member(response.usage, ledger)
    for member, value in response.extra.items():
        if member in _OWN_MEMBERS:
            ledger.note(f"{member!r} of the extra members was left out")
        else:
            document[member] = value
    return cast(OpenAiResponse, document), lines + ledger.lines()


def from_openai_response(document: Mapping[str, Any]) -> tuple[MessageResponse, tuple[str, ...]]:
    """The answer a document stands for, and what the IR cannot hold of it. Unknown members go to ``extra``."""
    ledger = Ledger()
    choices = document.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    if isinstance(choices, list) and len(choices) > 1:
        ledger.note("answers after the first were left out")
    messages, lines = from_openai_messages([choice.get("message")] if choice.get("message") else [])
    message = messages[0] if messages and isinstance(messages[0], Assistant) else Assistant(())
    raw = choice.get("finish_reason")
    raw = raw if isinstance(raw, str) else None
    response = MessageResponse(
        id=str(document.get("id") or ""),
        model=str(document.get("model") or ""),
        message=message,
        usage=_usage_of(document.get("usage"), ledger),
        stop_reason=_reason_of(message, raw) if choice else StopReason.INCOMPLETE,
        raw_stop_reason=raw,
        extra={key: value for key, value in document.items() if key not in _OWN_MEMBERS},
    )
    return response, lines + ledger.lines()


def _reason_of(message: Assistant, raw: str | None) -> StopReason:
    has_calls = any(isinstance(block, ToolUse) for block in message.content)
    has_refusal = any(isinstance(block, Text) and block.is_refusal for block in message.content)
    return stop_reason(raw, has_calls=has_calls, has_refusal=has_refusal)


def _usage_member(usage: Usage, ledger: Ledger) -> dict[str, Any]:
    member: dict[str, Any] = {
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "total_tokens": usage.total_tokens,
    }
    if (prompt := usage.prompt_tokens_details) is not None:
        member["prompt_tokens_details"] = {
            "cached_tokens": prompt.cached_tokens,
            "cache_write_tokens": prompt.cache_write_tokens,
        }
    if (completion := usage.completion_tokens_details) is not None:
        member["completion_tokens_details"] = {"reasoning_tokens": completion.reasoning_tokens}
    if usage.cost_usd is not None:
        ledger.note("what the answer cost is not said")
    return {key: value for key, value in member.items() if value is not None}


def _usage_of(member: Any, ledger: Ledger) -> Usage:
    usage = member if isinstance(member, dict) else {}
    prompt, completion = usage.get("prompt_tokens_details"), usage.get("completion_tokens_details")
    read = Usage(
        usage.get("prompt_tokens"),
        usage.get("completion_tokens"),
        usage.get("total_tokens"),
        PromptTokensDetails(prompt.get("cached_tokens"), prompt.get("cache_write_tokens"))
        if isinstance(prompt, dict)
        else None,
        CompletionTokensDetails(completion.get("reasoning_tokens")) if isinstance(completion, dict) else None,
    )
    if _usage_member(read, ledger) != usage:
        ledger.note("figures of the usage that the IR does not know were left out")
    return read
