"""The members of events and responses that have a meaning here, and those that have none for anybody (D5)."""

from __future__ import annotations

from typing import Any, NamedTuple

WIRE = "openai_responses"

MESSAGE = "message"
REASONING = "reasoning"
FUNCTION = "function_call"
CUSTOM = "custom_tool_call"


class Lane(NamedTuple):
    """Where the string of an event runs.

    Attributes:
        item: the type of its item.
        name: which of the item's strings, as the item's own member is called.
        index_member: of the event, which says which of several strings; empty if there is only one.
        whole_member: of the ``done`` event, which repeats the string.
    """

    item: str
    name: str
    index_member: str
    whole_member: str


TEXT_LANE = Lane(MESSAGE, "text", "content_index", "text")
REFUSAL_LANE = Lane(MESSAGE, "refusal", "content_index", "refusal")
SUMMARY_LANE = Lane(REASONING, "summary", "summary_index", "text")
REASONING_LANE = Lane(REASONING, "content", "content_index", "text")

LANES = {
    "response.output_text": TEXT_LANE,
    "response.refusal": REFUSAL_LANE,
    "response.reasoning_summary_text": SUMMARY_LANE,
    "response.reasoning_text": REASONING_LANE,
    "response.function_call_arguments": Lane(FUNCTION, "arguments", "", "arguments"),
    "response.custom_tool_call_input": Lane(CUSTOM, "input", "", "input"),
}
DELTA_LANES = {f"{name}.delta": lane for name, lane in LANES.items()}
DONE_LANES = {f"{name}.done": lane for name, lane in LANES.items()}

# Part events come under three names (P10); what a part is, its own type says.
PART_EVENTS = frozenset(
    f"response.{name}.{step}"
    for name in ("content_part", "reasoning_part", "reasoning_summary_part")
    for step in ("added", "done")
)
PART_LANES = {
    "output_text": TEXT_LANE,
    "text": TEXT_LANE,
    "refusal": REFUSAL_LANE,
    "summary_text": SUMMARY_LANE,
    "reasoning_text": REASONING_LANE,
}

# Members of every event: how it finds its place, and padding.
EVENT_MEMBERS = frozenset(
    {
        "type",
        "sequence_number",
        "event_id",
        "item_id",
        "output_index",
        "content_index",
        "summary_index",
        "annotation_index",
        "command_index",
        "obfuscation",
    }
)

# Of a response: read by the decoder, or only what was asked for, said again.
RESPONSE_MEMBERS = frozenset(
    {
        "id",
        "object",
        "model",
        "status",
        "error",
        "output",
        "output_text",
        "usage",
        "created_at",
        "completed_at",
        "conversation",
        "background",
        "billing",
        "frequency_penalty",
        "include",
        "incomplete_details",
        "instructions",
        "input",
        "max_output_tokens",
        "max_tool_calls",
        "metadata",
        "parallel_tool_calls",
        "presence_penalty",
        "previous_response_id",
        "prompt",
        "prompt_cache_key",
        "prompt_cache_options",
        "prompt_cache_retention",
        "reasoning",
        "safety_identifier",
        "service_tier",
        "store",
        "stream",
        "temperature",
        "text",
        "tool_choice",
        "tools",
        "top_k",
        "top_logprobs",
        "top_p",
        "truncation",
        "user",
    }
)

# A path covers what is beneath it. A response that was not streamed has its members at the top.
NOISE = frozenset(
    {
        *EVENT_MEMBERS,
        *(f"response.{member}" for member in RESPONSE_MEMBERS),
        *RESPONSE_MEMBERS - {"output", "text", "error", "usage"},
        "text.format",
        "text.verbosity",
        "logprobs",
        "annotation",  # the end of the part repeats it
        "rate_limits",  # an event of Codex's own, between those of the answer
        "plan_type",
        "credits",
        "part.type",
        "part.annotations",
        "part.logprobs",
        "part.status",
        "item.id",
        "item.object",
        "item.type",
        "item.status",
        "item.role",
        "item.content[].type",
        "item.content[].logprobs",
        "output[].id",
        "output[].object",
        "output[].type",
        "output[].status",
        "output[].role",
        "output[].content[].type",
        "output[].content[].logprobs",
    }
)


def structures(holder: dict[str, Any], known: frozenset[str]) -> dict[str, Any]:
    """The unknown members that carry structure; unknown words and numbers are metadata."""
    unknown = {member: dict.get(holder, member) for member in holder if member not in known}  # past ``explain``
    return {member: value for member, value in unknown.items() if isinstance(value, dict | list) and value}
