"""Which parameters can be set for a model, in which range, and why others cannot (PROV5, CHAT8).

Three have a say: what the wire format and the endpoint's dialect have a word for, and what the model takes, as its
provider's list, the catalogue and earlier refusals tell. Where nobody says anything, a parameter can be set.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from agdesk.core.ir.request import MessageRequest, RequestParameters, ThinkingOptions
from agdesk.core.providers.base import Endpoint, ModelInfo, WireFormat
from agdesk.core.providers.dialect import Prefill
from agdesk.core.providers.parameter_names import NAMES, THINKING


class ParameterKind(Enum):
    """Which control shows a parameter."""

    NUMBER = auto()
    INTEGER = auto()
    SWITCH = auto()
    CHOICE = auto()
    LIST = auto()
    JSON = auto()


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a request to one model.

    Attributes:
        name: the field of ``MessageRequest``; those of ``ThinkingOptions`` begin with ``thinking.``.
        low, high, step: of a number; None has no limit.
        choices: the words of a choice.
        is_refused: it cannot be set; ``reason`` says why, as the end of a sentence.
        remembered: if nothing but an earlier refusal stands against it, what of the body was refused (E07).
    """

    name: str
    kind: ParameterKind
    low: float | None = None
    high: float | None = None
    step: float | None = None
    choices: tuple[str, ...] = ()
    is_refused: bool = False
    reason: str = ""
    remembered: tuple[str, ...] = ()


KINDS = {
    "max_tokens": ParameterKind.INTEGER,
    "temperature": ParameterKind.NUMBER,
    "top_p": ParameterKind.NUMBER,
    "stop": ParameterKind.LIST,
    "seed": ParameterKind.INTEGER,
    "thinking.is_enabled": ParameterKind.SWITCH,
    "thinking.effort": ParameterKind.CHOICE,
    "thinking.budget_tokens": ParameterKind.INTEGER,
    "response_format": ParameterKind.JSON,
    "parallel_tool_calls": ParameterKind.SWITCH,
    "extra": ParameterKind.JSON,
}
_EFFORTS = ("low", "medium", "high")  # what every provider with efforts knows

# The words of lists that mean a parameter; OpenRouter's are those of OpenAI's format and its own "reasoning".
_LISTED = {
    "max_tokens": ("max_tokens", "max_completion_tokens", "max_output_tokens"),
    "response_format": ("response_format", "structured_outputs"),
    **dict.fromkeys(THINKING, ("reasoning", "reasoning_effort", "thinking")),
}
# The last words of the members that refusals name. A limit of the answer always has another name.
_REFUSED = {
    "temperature": ("temperature",),
    "top_p": ("top_p", "topP"),
    "stop": ("stop", "stop_sequences", "stopSequences"),
    "seed": ("seed", "random_seed"),
    "thinking.is_enabled": ("thinking", "reasoning", "enable_thinking", "think", "thinkingConfig"),
    "thinking.effort": ("reasoning_effort", "effort", "thinkingLevel", "thinking", "reasoning", "thinkingConfig"),
    "thinking.budget_tokens": ("budget_tokens", "thinking_budget", "thinkingBudget", "thinking", "thinkingConfig"),
    "response_format": ("response_format", "format", "responseJsonSchema", "responseMimeType"),
    "parallel_tool_calls": ("parallel_tool_calls",),
}


def parameters_of(model: ModelInfo, *, endpoint: Endpoint, wire: WireFormat) -> tuple[Parameter, ...]:
    """Every parameter, in the order of the panel, as it stands for this model behind this endpoint."""
    said = wire.parameters(endpoint.dialect)
    found = []
    for name in NAMES:
        reason = "" if name in said else "this provider has no word for it"
        reason = reason or model_reason(name, model)
        remembered = () if reason else _remembered(name, model)
        reason = "it was refused once" if remembered else reason
        low, high, step = _range(name, model, wire.max_temperature)
        choices = (model.efforts or _EFFORTS) if name == "thinking.effort" else ()
        found.append(Parameter(name, KINDS[name], low, high, step, choices, bool(reason), reason, remembered))
    return tuple(found)


def parameters_of_any() -> tuple[Parameter, ...]:
    """Every parameter where it is not known which model will be asked: all can be set."""
    found = []
    for name in NAMES:
        low, high, step = _range(name, ModelInfo("", ""), None)
        found.append(Parameter(name, KINDS[name], low, high, step, _EFFORTS if name == "thinking.effort" else ()))
    return tuple(found)


def model_reason(name: str, model: ModelInfo) -> str:
    """Why a model does not take a parameter, as the end of a sentence; empty if it does, or nobody knows."""
    if name in THINKING and model.features.thinking is False:
        return "this model does not think"
    if name == "parallel_tool_calls" and model.features.tool_use is False:
        return "this model has no tools"
    if name in model.lacks:
        return "this model refuses it"
    words = _LISTED.get(name, (name,))
    if model.parameters is not None and name != "extra" and not set(words) & set(model.parameters):
        return "the provider's list does not have it among this model's parameters"
    return ""


def fitted(request: MessageRequest, model: ModelInfo) -> tuple[MessageRequest, tuple[str, ...]]:
    """The request without what its model does not take, and a line of the ledger for each parameter left out (R13)."""
    lines = []
    dropped: dict[str, Any] = {}
    for name in ("max_tokens", "temperature", "top_p", "stop", "seed", "response_format", "parallel_tool_calls"):
        if getattr(request, name) not in (None, ()) and (reason := model_reason(name, model)):
            dropped[name] = () if name == "stop" else None
            lines.append(f"{name!r} was left out: {reason}")
    request = dataclasses.replace(request, **dropped)
    if request.thinking is not None:
        thinking, thinking_lines = _fitted_thinking(request.thinking, model)
        request = dataclasses.replace(request, thinking=thinking)
        lines += thinking_lines
    return request, tuple(lines)


def goes_on(model: ModelInfo, endpoint: Endpoint, parameters: RequestParameters) -> bool:
    """Whether a model is known to go on with the beginning of an answer (A07); while it thinks none is."""
    thinking = parameters.thinking
    thinks = thinking is not None and thinking.is_enabled is not False and thinking != ThinkingOptions()
    return endpoint.dialect.prefill is not Prefill.NONE and model.takes_prefill is not False and not thinks


def _fitted_thinking(thinking: ThinkingOptions, model: ModelInfo) -> tuple[ThinkingOptions | None, list[str]]:
    if model.features.thinking is False:
        return None, [] if thinking.is_enabled is False else ["thinking was left out: this model does not think"]
    lines = []
    for name in THINKING:
        field = name.partition(".")[2]
        if getattr(thinking, field) is not None and (reason := model_reason(name, model)):
            thinking = dataclasses.replace(thinking, **{field: None})
            lines.append(f"{name!r} was left out: {reason}")
    return None if thinking == ThinkingOptions() else thinking, lines


def _remembered(name: str, model: ModelInfo) -> tuple[str, ...]:
    words = _REFUSED.get(name, ())
    return tuple(member for member in model.refused if member.rpartition(".")[2] in words)


def _range(
    name: str, model: ModelInfo, max_temperature: float | None
) -> tuple[float | None, float | None, float | None]:
    match name:
        case "temperature":
            return 0.0, max_temperature, 0.1
        case "top_p":
            return 0.0, 1.0, 0.05
        case "max_tokens" | "thinking.budget_tokens":
            return 1, model.max_output_tokens, 1
        case "seed":
            return None, None, 1
    return None, None, None
