"""An answer as the command line prints it: ``agdesk ask --json`` and ``agdesk replay --json`` (docs/cli.md)."""

from __future__ import annotations

from typing import Any

from agdesk.core.ir.blocks import ContentBlock, Extension, Text, Thinking, ToolUse
from agdesk.core.ir.codec import to_json
from agdesk.core.ir.response import CompletionTokensDetails, MessageResponse, PromptTokensDetails, Usage
from agdesk.core.providers.errors import error_document


def answer_document(response: MessageResponse, *, ignored_fields: int = 0) -> dict[str, Any]:
    """The JSON object of one answer, complete or not.

    Args:
        ignored_fields: how many fields of the stream no event was made of, beside those that carry nothing (D5).
    """
    return {
        "message": {"role": "assistant", "content": [_block(block) for block in response.message.content]},
        "usage": _usage(response.usage),
        "stop_reason": response.stop_reason.value,
        "raw_stop_reason": response.raw_stop_reason,
        "error": error_document(response.error) if response.error is not None else None,
        "incomplete": response.is_incomplete,
        "ignored_fields": ignored_fields,
        "id": response.id,
        "model": response.model,
    }


def _block(block: ContentBlock) -> Any:
    match block:
        case Text(text=text, is_refusal=is_refusal):
            return {"type": "text", "text": text} | ({"is_refusal": True} if is_refusal else {})
        case Thinking(text=text, signature=signature):
            return {"type": "thinking", "text": text, "signature": signature}
        case ToolUse():
            return {
                "type": "tool_use",
                "id": block.id,
                "name": block.name,
                "input": block.input,
                "raw_arguments": block.raw_arguments,
                "input_error": block.input_error,
            }
        case Extension(provider=provider, raw=raw):
            return {"type": "extension", "provider": provider, "raw": raw}
        case _:
            return to_json(block)


def _usage(usage: Usage) -> dict[str, Any]:
    prompt = usage.prompt_tokens_details or PromptTokensDetails()
    completion = usage.completion_tokens_details or CompletionTokensDetails()
    return {
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "total_tokens": usage.total_tokens,
        "prompt_tokens_details": {
            "cached_tokens": prompt.cached_tokens,
            "cache_write_tokens": prompt.cache_write_tokens,
        },
        "completion_tokens_details": {"reasoning_tokens": completion.reasoning_tokens},
    }
