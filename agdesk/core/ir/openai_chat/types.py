"""The JSON of OpenAI's Chat Completions as types, with the members other servers add for reasoning."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, TypedDict

WIRE = "openai_chat"
"""The name under which opaque data and Extensions of this format are kept."""

CONTENT_PART = "content_part"
"""The kind of an ``Extension`` that is one part of a message's content; other kinds are members of the message."""

UNKNOWN_FILE_TYPE = "application/octet-stream"
UNKNOWN_IMAGE_TYPE = "image/*"
AUDIO_TYPES = {"wav": "audio/wav", "mp3": "audio/mpeg"}
THINKING_PART = "thinking_part"
NOT_SENT_BACK = frozenset({"citations", "search_results", "related_questions", THINKING_PART})
"""Extensions that came beside the message or inside its thinking: no request takes them."""


class OpenAiFunction(TypedDict):
    name: str
    arguments: str


class OpenAiCustom(TypedDict):
    name: str
    input: str


class OpenAiToolCall(TypedDict, total=False):
    """``type`` is ``function`` or ``custom``; ``extra_content`` is Google's place for signatures."""

    id: str
    type: str
    function: OpenAiFunction
    custom: OpenAiCustom
    extra_content: dict[str, Any]


ContentPart: TypeAlias = dict[str, Any]
Role: TypeAlias = Literal["system", "developer", "user", "assistant", "tool", "function"]


class OpenAiMessage(TypedDict, total=False):
    """One message of any role. ``reasoning_*`` is what servers other than OpenAI's take and give."""

    role: str
    content: str | list[ContentPart] | None
    name: str
    refusal: str | None
    tool_calls: list[OpenAiToolCall]
    function_call: OpenAiFunction
    tool_call_id: str
    reasoning_content: str
    reasoning: str
    reasoning_details: list[dict[str, Any]]


class OpenAiRequest(TypedDict, total=False):
    """The body of a request, without what belongs to its transport (``stream``)."""

    model: str
    messages: list[OpenAiMessage]
    tools: list[dict[str, Any]]
    tool_choice: str | dict[str, Any]
    parallel_tool_calls: bool
    max_tokens: int
    max_completion_tokens: int
    temperature: float
    top_p: float
    stop: str | list[str]
    seed: int
    reasoning_effort: str
    response_format: dict[str, Any]


class OpenAiChoice(TypedDict):
    index: int
    message: OpenAiMessage
    finish_reason: str | None


class OpenAiResponse(TypedDict, total=False):
    """A whole answer, not streamed."""

    id: str
    object: str
    model: str
    choices: list[OpenAiChoice]
    usage: dict[str, Any] | None
