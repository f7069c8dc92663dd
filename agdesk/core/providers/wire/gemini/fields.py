"""The name of the format, and the members of a chunk that have a meaning here or none for anybody (D5)."""

from __future__ import annotations

WIRE = "gemini"

# Beside ``content``: passed on raw with the end of the answer.
EXTRA_CANDIDATE_MEMBERS = (
    "finishMessage",
    "safetyRatings",
    "citationMetadata",
    "groundingMetadata",
    "groundingAttributions",
    "urlContextMetadata",
)
# Beside ``candidates``: likewise.
EXTRA_MEMBERS = ("promptFeedback", "modelStatus")

# A chunk with no other members, of one candidate that only adds text, is taken on the short way.
PLAIN_MEMBERS = frozenset({"candidates", "usageMetadata", "modelVersion", "responseId", "createTime"})

# A path covers what is beneath it.
_NOISE = frozenset(
    {
        # known; what goes out with the end of an answer has nowhere to go in one that failed
        *EXTRA_MEMBERS,
        *(f"candidates[].{member}" for member in EXTRA_CANDIDATE_MEMBERS),
        "createTime",
        "modelVersion",
        "responseId",
        "usageMetadata",  # what the end tells anew goes out with it
        "traceId",
        "candidates[].avgLogprobs",
        "candidates[].content.role",
        "candidates[].index",
        "candidates[].logprobsResult",
        "candidates[].tokenCount",
    }
)
# Google's Code Assist wraps every chunk.
WRAPPER = "response"
NOISE = _NOISE | {f"{WRAPPER}.{path}" for path in _NOISE}
