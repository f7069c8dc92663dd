"""How much a model may think, in the words of an endpoint's dialect (R11)."""

from __future__ import annotations

from typing import Any, assert_never

from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.request import ThinkingOptions
from agdesk.core.providers.dialect import Dialect, ThinkingStyle

_ON, _OFF, _EFFORT, _BUDGET = "that it is on", "that it is off", "the effort", "the limit of tokens"


def thinks(options: ThinkingOptions | None) -> bool:
    """Whether the model may think as far as the request says: where it says nothing, many think by default."""
    return options is None or options.is_enabled is not False


def thinking_members(options: ThinkingOptions | None, *, dialect: Dialect, ledger: Ledger) -> dict[str, Any]:
    """The members of a request that say the options; those that this endpoint has no word for are noted."""
    if options is None:
        return {}
    members = {} if thinks(options) else _off(dialect)
    said = {_OFF} if members else set()
    if not members:
        members, said = _on(options, dialect)
    wanted = {
        _ON: options.is_enabled is True,
        _OFF: options.is_enabled is False,
        _EFFORT: options.effort is not None,
        _BUDGET: options.budget_tokens is not None,
    }
    if unsaid := [what for what, is_wanted in wanted.items() if is_wanted and what not in said]:
        ledger.note(f"of the thinking options {' and '.join(unsaid)} was left out: this provider has no word for it")
    return members


def _off(dialect: Dialect) -> dict[str, Any]:
    if dialect.thinking_style is ThinkingStyle.REASONING_EFFORT and dialect.off_effort:
        return {"reasoning_effort": dialect.off_effort}
    return _switch(dialect.thinking_style, is_on=False)


def _on(options: ThinkingOptions, dialect: Dialect) -> tuple[dict[str, Any], set[str]]:
    """The members for thinking that is not off, and what they say."""
    style, effort, budget = dialect.thinking_style, options.effort, options.budget_tokens
    members = _switch(style, is_on=True) if options.is_enabled else {}
    said = {_ON} if members else set()
    if effort is not None and style not in (ThinkingStyle.NONE, ThinkingStyle.ENABLE_THINKING):
        said |= {_EFFORT, _ON}
        if style is ThinkingStyle.REASONING_OBJECT:
            members["reasoning"] = {"effort": effort}
        else:
            members["reasoning_effort"] = effort
        if style is ThinkingStyle.TEMPLATE_KWARGS:  # the template reads it there, the server itself above
            members.setdefault("chat_template_kwargs", {})["reasoning_effort"] = effort
    if budget is not None and style is ThinkingStyle.REASONING_OBJECT and effort is None:  # takes only one of them
        members["reasoning"] = {"max_tokens": budget}
        said |= {_BUDGET, _ON}
    elif budget is not None and dialect.thinking_budget_field:
        members[dialect.thinking_budget_field] = budget
        said.add(_BUDGET)
    return members, said


def _switch(style: ThinkingStyle, *, is_on: bool) -> dict[str, Any]:
    match style:
        case ThinkingStyle.NONE | ThinkingStyle.REASONING_EFFORT:
            return {}
        case ThinkingStyle.REASONING_OBJECT | ThinkingStyle.REASONING_ENABLED:
            return {"reasoning": {"enabled": is_on}}
        case ThinkingStyle.THINKING_TYPE:
            return {"thinking": {"type": "enabled" if is_on else "disabled"}}
        case ThinkingStyle.ENABLE_THINKING:
            return {"enable_thinking": is_on}
        case ThinkingStyle.TEMPLATE_KWARGS:
            return {"chat_template_kwargs": {"enable_thinking": is_on}}
    assert_never(style)
