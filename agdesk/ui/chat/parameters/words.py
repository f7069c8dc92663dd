"""What parameters are called."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from agdesk.core.providers.parameters import Parameter


def title_of(name: str) -> str:
    """The title of a parameter; one that has none is called what it is called in requests."""
    translate = QCoreApplication.translate
    return {
        "max_tokens": translate("Parameters", "Longest answer"),
        "temperature": translate("Parameters", "Temperature"),
        "top_p": translate("Parameters", "Top P"),
        "stop": translate("Parameters", "Stop sequences"),
        "seed": translate("Parameters", "Seed"),
        "thinking.is_enabled": translate("Parameters", "Thinking"),
        "thinking.effort": translate("Parameters", "Reasoning effort"),
        "thinking.budget_tokens": translate("Parameters", "Thinking budget"),
        "response_format": translate("Parameters", "Answer as JSON"),
        "parallel_tool_calls": translate("Parameters", "Parallel tool calls"),
        "extra": translate("Parameters", "Other members"),
    }.get(name, name)


def description_of(name: str) -> str:
    """What a parameter does, in a line."""
    translate = QCoreApplication.translate
    return {
        "max_tokens": translate("Parameters", "In tokens, thinking included."),
        "temperature": translate("Parameters", "Higher is more varied."),
        "top_p": translate("Parameters", "Only the likeliest words, up to this share."),
        "stop": translate("Parameters", "The answer ends before any of these. One on a line; \\n is a line end."),
        "seed": translate("Parameters", "The same seed makes answers more alike."),
        "thinking.is_enabled": translate("Parameters", "Whether it thinks before it answers."),
        "thinking.effort": translate("Parameters", "How much it thinks before it answers."),
        "thinking.budget_tokens": translate("Parameters", "The most tokens it may think."),
        "response_format": translate("Parameters", "A JSON Schema; {} is any JSON object."),
        "parallel_tool_calls": translate("Parameters", "Whether it may call several tools at once."),
        "extra": translate("Parameters", "A JSON object; its members go into the request last."),
    }.get(name, "")


def range_of(parameter: Parameter) -> str:
    """Between which numbers it has to be; empty if nobody says."""
    translate = QCoreApplication.translate
    low, high = parameter.low, parameter.high
    if low is not None and high is not None:
        words = translate("Parameters", "{low} to {high}")
    elif high is not None:
        words = translate("Parameters", "at most {high}")
    elif low is not None:
        words = translate("Parameters", "at least {low}")
    else:
        return ""
    return words.format(low=_number(low), high=_number(high))


def not_sent() -> str:
    """What a parameter is that is not set."""
    return QCoreApplication.translate("Parameters", "Not sent")


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.12g}".replace(",", "\u202f")
