"""The parameters of a request beside its messages: limit, thinking, sampling, tools, format (A16, R11, R12, R13)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never

from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.request import (
    Auto,
    MessageRequest,
    None_,
    Required,
    ResponseFormat,
    ResultSemantic,
    SpecificTool,
    ThinkingOptions,
    ToolChoice,
)
from agdesk.core.providers.base import Endpoint
from agdesk.core.providers.lenient import object_of
from agdesk.core.providers.wire.anthropic.answers import THOUGHTS

DEFAULT_MAX_TOKENS = 4096
MAX_TEMPERATURE = 1.0
_MIN_BUDGET_TOKENS = 1024
_MIN_TOP_P_WITH_THINKING = 0.95
_EFFORTS = {"none": "low", "minimal": "low"}  # words of other providers


def add_options(body: dict[str, Any], request: MessageRequest, *, endpoint: Endpoint, ledger: Ledger) -> None:
    """Adds what the request sets to ``body``, which holds the defaults of the row already."""
    body["max_tokens"] = _max_tokens(request, endpoint, ledger)
    if request.thinking is not None:
        _add_thinking(body, request.thinking, is_adaptive=_is_adaptive(request.model, endpoint), ledger=ledger)
    _add_sampling(body, request, ledger)
    _add_tools(body, request, ledger)
    if request.response_format is not None:
        _add_format(body, request.response_format, ledger)
    if request.seed is not None:
        ledger.note("the seed was left out: this format has none")


def _max_tokens(request: MessageRequest, endpoint: Endpoint, ledger: Ledger) -> Any:
    if request.max_tokens is not None:
        return request.max_tokens
    if (limit := endpoint.defaults.get("max_tokens")) is not None:
        return limit
    known = next((info.max_output_tokens for info in endpoint.models if info.id == request.model), None)
    if known is not None:
        return known
    ledger.note(f"the answer is limited to {DEFAULT_MAX_TOKENS} tokens: this format demands a limit")
    return DEFAULT_MAX_TOKENS


def _is_adaptive(model_id: str, endpoint: Endpoint) -> bool:
    """Whether a model is known to think, as much as it finds right, when it is only told to."""
    known = next((info for info in endpoint.models if info.id == model_id), None)
    return known is not None and known.features.thinking is True and "thinking.is_enabled" not in known.lacks


def _add_thinking(body: dict[str, Any], thinking: ThinkingOptions, *, is_adaptive: bool, ledger: Ledger) -> None:
    """An effort alone leaves most models without a thought; it is chosen to have them think (R11)."""
    budget = thinking.budget_tokens
    if thinking.is_enabled is False or budget == 0:
        body["thinking"] = {"type": "disabled"}
        if budget:
            ledger.note("the thinking budget was left out: thinking is off")
    elif budget is not None:
        _add_budget(body, budget, ledger)
    elif thinking.is_enabled or (thinking.effort is not None and is_adaptive):
        body["thinking"] = {"type": "adaptive"}
    if (effort := thinking.effort) is not None:
        sent = _EFFORTS.get(effort, effort)
        if sent != effort:
            ledger.note(f"the effort {effort!r} is sent as {sent!r}")
        body["output_config"] = {**object_of(body.get("output_config")), "effort": sent}


def _add_budget(body: dict[str, Any], budget: int, ledger: Ledger) -> None:
    """A budget is at least 1024 and less than what the whole answer may have (R11)."""
    limit = body["max_tokens"]
    if _goes_on_without_thinking(body["messages"]):
        ledger.note("thinking was left out: the answer that goes on after these results began without any")
        return
    if limit <= _MIN_BUDGET_TOKENS:
        ledger.note(f"thinking was left out: it takes more than {_MIN_BUDGET_TOKENS} tokens of output")
        return
    fitting = min(max(budget, _MIN_BUDGET_TOKENS), limit - 1)
    if fitting != budget:
        ledger.note(
            f"the thinking budget was changed from {budget} to {fitting} tokens: it is at least {_MIN_BUDGET_TOKENS} "
            "and less than the whole answer may have"
        )
    body["thinking"] = {"type": "enabled", "budget_tokens": fitting}


def _goes_on_without_thinking(messages: Sequence[dict[str, Any]]) -> bool:
    """Whether the last answer awaits its results and does not begin with a thought: with a budget that is refused.

    Another model began it, or this one with its thinking off; the next turn can think again.
    """
    match messages:
        case [*_, {"role": "assistant", "content": [first, *_]}, {"content": [{"type": "tool_result"}, *_]}]:
            return first.get("type") not in THOUGHTS
        case _:
            return False


def _is_thinking(body: dict[str, Any]) -> bool:
    return object_of(body.get("thinking")).get("type") in ("enabled", "adaptive")


def _add_sampling(body: dict[str, Any], request: MessageRequest, ledger: Ledger) -> None:
    if request.temperature is not None:
        body["temperature"] = request.temperature
        if request.temperature > MAX_TEMPERATURE:
            body["temperature"] = MAX_TEMPERATURE
            ledger.note(f"the temperature {request.temperature} is sent as 1: this format goes no higher")
    if request.top_p is not None:
        body["top_p"] = request.top_p
    if _is_thinking(body):
        # a temperature of 1 is what thinking has anyway, and some models refuse even that (R13)
        if body.pop("temperature", 1) != 1:
            ledger.note("the temperature was left out: thinking does not allow it")
        if body.get("top_p", 1) < _MIN_TOP_P_WITH_THINKING:
            ledger.note("top_p was left out: thinking does not allow it")
            del body["top_p"]
        if body.pop("top_k", None) is not None:
            ledger.note("top_k was left out: thinking does not allow it")
    stops = [stop for stop in request.stop if stop.strip()]
    if len(stops) < len(request.stop):
        ledger.note("a stop sequence of white space alone was left out")
    if stops:
        body["stop_sequences"] = stops


def _add_tools(body: dict[str, Any], request: MessageRequest, ledger: Ledger) -> None:
    if not request.tools:
        if request.parallel_tool_calls is not None or request.tool_choice != Auto():
            ledger.note("how tools are chosen was left out: there are none")
        return
    if any(tool.result_semantic is not ResultSemantic.MIXED for tool in request.tools):
        ledger.note("what the results of tools mean is not said")
    body["tools"] = [
        {
            "name": tool.name,
            **({"description": tool.description} if tool.description else {}),
            "input_schema": {"type": "object", **tool.input_schema},
        }
        for tool in request.tools
    ]
    choice = request.tool_choice
    if isinstance(choice, Required | SpecificTool) and _is_thinking(body):
        ledger.note("the model is not made to call a tool: thinking does not allow it")
        choice = Auto()
    member = _choice_member(choice)
    if request.parallel_tool_calls is not None and not isinstance(choice, None_):
        member["disable_parallel_tool_use"] = not request.parallel_tool_calls
    if member != {"type": "auto"}:
        body["tool_choice"] = member


def _choice_member(choice: ToolChoice) -> dict[str, Any]:
    match choice:
        case Auto():
            return {"type": "auto"}
        case None_():
            return {"type": "none"}
        case Required():
            return {"type": "any"}
        case SpecificTool(name=name):
            return {"type": "tool", "name": name}
    assert_never(choice)


def _add_format(body: dict[str, Any], wanted: ResponseFormat, ledger: Ledger) -> None:
    if wanted.schema is None:
        ledger.note("the format of the answer was left out: this provider wants a schema for it")
        return
    if wanted.is_strict is False:
        ledger.note("the schema of the answer is enforced: this format knows no other way")
    chosen = {"type": "json_schema", "schema": wanted.schema}
    body["output_config"] = {**object_of(body.get("output_config")), "format": chosen}
