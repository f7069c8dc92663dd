"""How one endpoint deviates from its wire format, as data: the ``[dialect]`` table of its row (PROV1).

What a field says of a server, a comment in the row gives the reason for. Where a request wants what a server refuses,
the wire format leaves it out or says it otherwise, and notes that in the ledger.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ReasoningReplay(StrEnum):
    """Which earlier thinking is sent back (R03, R04)."""

    NEVER = "never"
    TOOL_TURNS = "tool_turns"
    ALWAYS = "always"


class ThinkingStyle(StrEnum):
    """In which words a request says how much the model may think (R11).

    ``reasoning_effort``, ``thinking_type``, ``reasoning_enabled`` and ``template_kwargs`` send the effort as
    ``reasoning_effort``; the last three switch thinking with ``thinking.type``, ``reasoning.enabled`` and
    ``chat_template_kwargs.enable_thinking``. ``reasoning_object`` has all in ``reasoning``, ``enable_thinking`` is a
    member of the body. ``none``: nothing can be said.
    """

    NONE = "none"
    REASONING_EFFORT = "reasoning_effort"
    REASONING_OBJECT = "reasoning_object"
    REASONING_ENABLED = "reasoning_enabled"
    THINKING_TYPE = "thinking_type"
    ENABLE_THINKING = "enable_thinking"
    TEMPLATE_KWARGS = "template_kwargs"


class ForcedChoice(StrEnum):
    """What a request may say about the choice of tools, beside leaving it to the model."""

    NONE = "none"
    REQUIRED = "required"
    NAMED = "named"


class MediaKind(StrEnum):
    """What a message may hold beside text."""

    IMAGE = "image"
    AUDIO = "audio"
    FILE = "file"


class AnswerFormat(StrEnum):
    """How an answer may be asked to be JSON."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"


class Prefill(StrEnum):
    """How a request says that its last message is the beginning of the answer (A07).

    ``last_message``: by ending with it. ``prefix`` and ``partial``: by a member of that name in the message.
    ``final_message``: by ``continue_final_message``. ``none``: nobody knows that it could be said.
    """

    NONE = "none"
    LAST_MESSAGE = "last_message"
    PREFIX = "prefix"
    PARTIAL = "partial"
    FINAL_MESSAGE = "final_message"


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one endpoint deviates from its wire format. Every field is data; the defaults are what most servers want.

    Attributes:
        max_tokens_field: the name the server wants for the output limit.
        seed_field: the name the server wants for the seed.
        refused_parameters: members of a request that are left out.
        system_role: ``system`` or ``developer``.
        default_system: system text sent when the conversation has none.
        cache_ttl: how long the provider is asked to keep the prompt's beginning, as in ``5m``; empty: not asked.
        sends_usage_option: whether ``stream_options.include_usage`` is understood and needed (U05).
        is_reasoning_extra: usage reports reasoning beside, not inside, the completion tokens (C26).
        parses_think_tags: whether ``<think>`` in the text is split off (R05).
        thinking_style: how a request speaks about thinking.
        off_effort: in the style ``reasoning_effort``, the effort that means no thinking; empty: there is none.
        thinking_budget_field: the name the server wants for the limit of thinking tokens; empty: it has none.
        reasoning_replay: which thinking of the history goes back.
        reasoning_member: the name under which it goes back.
        needs_reasoning: answers must have that member as soon as one has calls, be it empty (R03).
        tool_choices: what may be said about the choice of tools.
        required_word: what says that some tool must be called.
        forces_tools_while_thinking: a call can be forced while the model thinks (R12).
        call_id_length: ids of calls have exactly so many letters and digits; None: as the format has it (K17).
        sends_result_name: results carry the name of their tool.
        needs_answer_after_results: only the model may speak after results (K20).
        takes_null_content: an answer of calls alone may have no content; else it is an empty text.
        alternates_roles: one system text, at the front, then user and model by turns.
        media: what messages may hold beside text.
        answer_formats: how JSON may be asked for.
        formats_answers_with_tools: JSON may be asked for in a request that offers tools.
        prefill: how an answer that was cut can be gone on with (CHAT5).
        prefill_path: what stands before the path of a request that goes on with an answer.
        echoes_prefill: the answer repeats its beginning before it goes on.
        calls_once: the model calls again and again; once it has results it is asked for an answer only.
    """

    max_tokens_field: str = "max_tokens"
    seed_field: str = "seed"
    refused_parameters: tuple[str, ...] = ()
    system_role: str = "system"
    default_system: str = ""
    cache_ttl: str = ""
    sends_usage_option: bool = True
    is_reasoning_extra: bool = False
    parses_think_tags: bool = False
    thinking_style: ThinkingStyle = ThinkingStyle.REASONING_EFFORT
    off_effort: str = ""
    thinking_budget_field: str = ""
    reasoning_replay: ReasoningReplay = ReasoningReplay.NEVER
    reasoning_member: str = "reasoning_content"
    needs_reasoning: bool = False
    tool_choices: tuple[ForcedChoice, ...] = tuple(ForcedChoice)
    required_word: str = "required"
    forces_tools_while_thinking: bool = True
    call_id_length: int | None = None
    sends_result_name: bool = False
    needs_answer_after_results: bool = False
    takes_null_content: bool = True
    alternates_roles: bool = False
    media: tuple[MediaKind, ...] = tuple(MediaKind)
    answer_formats: tuple[AnswerFormat, ...] = tuple(AnswerFormat)
    formats_answers_with_tools: bool = True
    prefill: Prefill = Prefill.NONE
    prefill_path: str = ""
    echoes_prefill: bool = False
    calls_once: bool = False
