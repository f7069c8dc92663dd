"""R11: how much a model may think, in the words of each dialect; what it has no word for is in the ledger."""

from __future__ import annotations

import pytest

from agdesk.core.ir.request import ThinkingOptions
from agdesk.core.providers.dialect import ThinkingStyle
from tests.wire.openai_chat.histories import rendered
from tests.wire.openai_chat.streams import endpoint

OFF = ThinkingOptions(is_enabled=False)
ON = ThinkingOptions(is_enabled=True)
HARD = ThinkingOptions(effort="high")
LIMITED = ThinkingOptions(budget_tokens=2048)


def said(options: ThinkingOptions | None, style: str, **dialect):
    """What is in the body beside model and messages, and the ledger."""
    row = endpoint(thinking_style=ThinkingStyle(style), **dialect)
    body, ledger = rendered(at=row, thinking=options)
    return {key: value for key, value in body.items() if key not in ("model", "messages")}, ledger


@pytest.mark.parametrize("style", list(ThinkingStyle))
def test_R11_nothing_is_said_where_nothing_was_set(style):
    assert said(None, style, off_effort="none", thinking_budget_field="budget") == ({}, ())


@pytest.mark.parametrize(
    ("style", "options", "members"),
    [
        ("reasoning_effort", HARD, {"reasoning_effort": "high"}),
        ("reasoning_object", HARD, {"reasoning": {"effort": "high"}}),
        ("reasoning_object", LIMITED, {"reasoning": {"max_tokens": 2048}}),
        ("reasoning_object", ON, {"reasoning": {"enabled": True}}),
        ("reasoning_object", OFF, {"reasoning": {"enabled": False}}),
        ("reasoning_enabled", ON, {"reasoning": {"enabled": True}}),
        ("reasoning_enabled", OFF, {"reasoning": {"enabled": False}}),
        ("reasoning_enabled", HARD, {"reasoning_effort": "high"}),
        ("thinking_type", ON, {"thinking": {"type": "enabled"}}),
        ("thinking_type", OFF, {"thinking": {"type": "disabled"}}),
        ("thinking_type", HARD, {"reasoning_effort": "high"}),
        ("enable_thinking", ON, {"enable_thinking": True}),
        ("enable_thinking", OFF, {"enable_thinking": False}),
        ("template_kwargs", ON, {"chat_template_kwargs": {"enable_thinking": True}}),
        ("template_kwargs", OFF, {"chat_template_kwargs": {"enable_thinking": False}}),
        ("template_kwargs", HARD, {"chat_template_kwargs": {"reasoning_effort": "high"}, "reasoning_effort": "high"}),
    ],
)
def test_R11_every_style_has_its_own_words(style, options, members):
    assert said(options, style) == (members, ())


def test_R11_on_and_an_effort_are_said_together():
    both = ThinkingOptions(is_enabled=True, effort="max")
    assert said(both, "thinking_type") == ({"thinking": {"type": "enabled"}, "reasoning_effort": "max"}, ())
    assert said(both, "reasoning_effort") == ({"reasoning_effort": "max"}, ())
    assert said(both, "reasoning_object") == ({"reasoning": {"effort": "max"}}, ())
    kwargs = {"enable_thinking": True, "reasoning_effort": "max"}
    assert said(both, "template_kwargs") == ({"chat_template_kwargs": kwargs, "reasoning_effort": "max"}, ())


def test_R11_an_effort_can_mean_off():
    assert said(OFF, "reasoning_effort", off_effort="none") == ({"reasoning_effort": "none"}, ())
    members, ledger = said(OFF, "reasoning_effort")
    assert members == {}
    assert ledger == ("of the thinking options that it is off was left out: this provider has no word for it",)


@pytest.mark.parametrize("style", ["thinking_type", "enable_thinking", "template_kwargs"])
def test_R11_the_limit_of_tokens_has_the_server_s_name(style):
    assert said(LIMITED, style, thinking_budget_field="thinking_budget") == ({"thinking_budget": 2048}, ())
    members, ledger = said(LIMITED, style)
    assert members == {}
    assert "the limit of tokens was left out" in ledger[0]


@pytest.mark.parametrize(
    ("style", "options", "members", "unsaid"),
    [
        ("none", ThinkingOptions(True, "high", 9), {}, "that it is on and the effort and the limit of tokens"),
        ("none", OFF, {}, "that it is off"),
        ("reasoning_effort", ON, {}, "that it is on"),
        ("enable_thinking", HARD, {}, "the effort"),
        ("reasoning_object", ThinkingOptions(True, "low", 9), {"reasoning": {"effort": "low"}}, "the limit of tokens"),
        ("thinking_type", ThinkingOptions(False, "low", 9), {"thinking": {"type": "disabled"}}, "the effort and the"),
    ],
)
def test_R11_what_cannot_be_said_is_in_the_ledger(style, options, members, unsaid):
    body, ledger = said(options, style)
    assert body == members
    assert len(ledger) == 1
    assert f"of the thinking options {unsaid}" in ledger[0]
