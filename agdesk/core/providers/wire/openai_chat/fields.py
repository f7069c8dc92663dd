"""The members of a chunk that have a meaning here, and those that have none for anybody (C15, D5)."""

from __future__ import annotations

from agdesk.core.ir.openai_chat.thinking import DETAILS, REASONING_MEMBERS

# Beside ``choices``: passed on raw with the end of the answer, the last value of each that is not empty.
EXTRA_MEMBERS = (
    "cost",
    "copilot_usage",
    "generationId",
    "latency_checkpoint",
    "moderation",
    "prompt_filter_results",
    "provider",
    "timings",
    "x_groq",
)
# Beside ``choices``, cumulative in every chunk: one block each at the end of the answer (C23).
LATE_MEMBERS = ("citations", "search_results", "related_questions", "images")

CHUNK_MEMBERS = frozenset({*EXTRA_MEMBERS, *LATE_MEMBERS})

# A chunk with none of these, of one choice that only adds text, is taken on the short way. OpenRouter's ``provider`` is
# in every chunk: those that are not taken on the short way, as the first, tell it.
SPECIAL_MEMBERS = (CHUNK_MEMBERS | {"error"}) - {"provider"}

# Beside ``delta``: passed on raw with the end of the answer, like the ones above.
EXTRA_CHOICE_MEMBERS = ("content_filter_results", "native_finish_reason", "stop_reason", "matched_stop")
SPECIAL_CHOICE_MEMBERS = frozenset({"error", "usage", "content_filter_results"})

# In ``delta``: read by the decoder itself, or without meaning. Any other one that carries structure becomes a block.
DELTA_MEMBERS = frozenset(
    {
        *REASONING_MEMBERS,
        DETAILS,
        "role",
        "content",
        "refusal",
        "tool_calls",
        "function_call",
        "audio",
        "logprobs",
        "token_ids",
    }
)

# A path covers what is beneath it.
NOISE = frozenset(
    {
        "id",
        "object",
        "created",
        "model",
        "system_fingerprint",
        "service_tier",
        "obfuscation",  # random padding
        "p",  # the same at Mistral
        "prompt_token_ids",
        "choices[].index",
        "choices[].finish_reason",
        "choices[].logprobs",
        "choices[].seed",
        "choices[].text",  # Together repeats the delta
        "choices[].message",  # Perplexity repeats the delta and, at the end, the whole answer (C11)
        "choices[].token_ids",
        "choices[].delta.role",
        "choices[].delta.logprobs",
        "choices[].delta.token_id",
        "choices[].delta.token_ids",
        "choices[].delta.tool_calls[].index",
        "choices[].delta.tool_calls[].type",
        "choices[].message.role",
    }
)
