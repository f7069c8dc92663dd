"""The members of a line that have a meaning here, and those that have none for anybody (D5)."""

from __future__ import annotations

WIRE = "ollama"

# A line with no other members may be taken on the short way.
PLAIN_MEMBERS = frozenset({"model", "created_at", "message", "done", "remote_model", "remote_host"})

# Beside ``message``: passed on raw with the end of the answer, the last value of each that is not empty. Times are ns.
EXTRA_MEMBERS = (
    "remote_model",
    "remote_host",
    "total_duration",
    "load_duration",
    "prompt_eval_duration",
    "eval_duration",
    "_debug_info",
)

# In ``message``: read, or without meaning. Any other one that carries structure becomes a block.
MESSAGE_MEMBERS = frozenset({"role", "content", "thinking", "tool_calls"})

# A path covers what is beneath it.
NOISE = frozenset(
    {
        *EXTRA_MEMBERS,  # known; what goes out with the end of an answer has nowhere to go in one that failed
        "created_at",
        "logprobs",  # sent only to who asks for them in ``extra``; nobody here reads any (C24)
        "context",  # the conversation as tokens, for an older address
        "message.role",
        "message.tool_name",
        "message.tool_calls[].type",
    }
)
