"""The members of a chunk that have a meaning here, and those that have none for anybody (C15, D5)."""

from __future__ import annotations

from agdesk.core.ir.openai_chat.thinking import DETAILS, REASONING_MEMBERS

# Beside ``choices``: passed on raw with the end of the answer, the last value of each that is not empty.
EXTRA_MEMBERS = (
    "base_resp",
    "content_filter",
    "content_filter_results",
    "copilot_usage",
    "cost",
    "debug_output",
    "generationId",
    "latency_checkpoint",
    "model_info",
    "moderation",
    "perf_metrics",
    "prompt_filter_results",
    "provider",
    "runtime",
    "stats",
    "time_info",
    "timings",
    "usage_breakdown",
    "x_groq",
)
# Beside ``choices``, cumulative in every chunk: one block each at the end of the answer (C23).
LATE_MEMBERS = ("citations", "search_results", "related_questions", "images", "web_search")

CHUNK_MEMBERS = frozenset({*EXTRA_MEMBERS, *LATE_MEMBERS})

# A chunk with none of these, of one choice that only adds text, is taken on the short way. OpenRouter's ``provider`` is
# in every chunk: those that are not taken on the short way, as the first, tell it.
SPECIAL_MEMBERS = (CHUNK_MEMBERS | {"error"}) - {"provider"}

# Beside ``delta``: passed on raw with the end of the answer, like the ones above.
EXTRA_CHOICE_MEMBERS = (
    "content_filter_result",
    "content_filter_results",
    "native_finish_reason",
    "stop_reason",
    "matched_stop",
)
SPECIAL_CHOICE_MEMBERS = frozenset({"error", "usage", "content_filter_result", "content_filter_results"})
# In ``delta``: opaque text that must go back to the server, a block of its own (Copilot).
OPAQUE_MEMBER = "reasoning_opaque"
# In ``delta``: Anthropic's thinking as it came, in pieces, with its signatures; one block at the end (LiteLLM).
THINKING_BLOCKS = "thinking_blocks"
PROVIDER_FIELDS = "provider_specific_fields"
REPEATED = frozenset({THINKING_BLOCKS, "reasoning_content"})  # what they say once more

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
        # known; what goes out with the end of an answer has nowhere to go in one that failed
        *EXTRA_MEMBERS,
        *(f"choices[].{member}" for member in EXTRA_CHOICE_MEMBERS),
        "choices[].usage",
        "id",
        "object",
        "created",
        "model",
        "system_fingerprint",
        "service_tier",
        "obfuscation",  # random padding
        "p",  # the same at Mistral
        "prompt_token_ids",
        "prompt_progress",  # llama.cpp, before the answer
        "request_id",
        *(f"{side}_sensitive{what}" for side in ("input", "output") for what in ("", "_type", "_int")),  # MiniMax
        "usage",  # what the end tells anew goes out with it
        "choices[].content_filter_offsets",
        "choices[].index",
        "choices[].finish_reason",
        "choices[].logprobs",
        "choices[].seed",
        "choices[].text",  # Together repeats the delta
        "choices[].message.content",  # Perplexity repeats the delta and, at the end, the whole answer (C11)
        "choices[].message.reasoning_steps",
        "choices[].token_ids",
        "choices[].delta.role",
        "choices[].delta.name",  # MiniMax: of the model
        "choices[].delta.channel",  # Groq: which says no more than the member that the text is in
        "choices[].delta.padding",
        "choices[].delta.prefix",  # Mistral: that the text was begun by the user
        "choices[].delta.content[].closed",  # Mistral: of a thought
        "choices[].delta.logprobs",
        *(f"choices[].{of}.{PROVIDER_FIELDS}.{member}" for of in ("delta", "message") for member in REPEATED),
        "choices[].delta.token_id",
        "choices[].delta.token_ids",
        "choices[].delta.tool_calls[].index",
        "choices[].delta.tool_calls[].type",
        "choices[].message.role",
        "choices[].message.prefix",
        "choices[].message.padding",
    }
)
