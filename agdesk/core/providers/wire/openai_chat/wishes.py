"""What a request wants of tools and of the answer's form → what an endpoint's dialect can be asked for (R12)."""

from __future__ import annotations

import dataclasses

from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.request import Auto, MessageRequest, None_, Required, ResponseFormat, SpecificTool
from agdesk.core.providers.dialect import AnswerFormat, Dialect, ForcedChoice, ThinkingStyle
from agdesk.core.providers.parameter_names import PARAMETERS, THINKING, sayable
from agdesk.core.providers.wire.openai_chat.thinking import thinks


def sayable_parameters(dialect: Dialect) -> frozenset[str]:
    """The parameters that a request to an endpoint has words for."""
    style = dialect.thinking_style
    is_switched = style not in (ThinkingStyle.NONE, ThinkingStyle.REASONING_EFFORT) or bool(dialect.off_effort)
    has_effort = style not in (ThinkingStyle.NONE, ThinkingStyle.ENABLE_THINKING)
    has_budget = style is ThinkingStyle.REASONING_OBJECT or bool(dialect.thinking_budget_field)
    words = zip(THINKING, (is_switched, has_effort, has_budget), strict=True)
    unsaid = {name for name, is_said in words if not is_said}
    if not dialect.answer_formats:
        unsaid.add("response_format")
    return sayable(PARAMETERS - unsaid, dialect)


def fitted(request: MessageRequest, *, dialect: Dialect, ledger: Ledger) -> MessageRequest:
    """The request with nothing in it about tools and form that the endpoint refuses; every change is noted."""
    request = _with_choice(request, dialect, ledger)
    return dataclasses.replace(request, response_format=_answer_format(request, dialect, ledger))


def _with_choice(request: MessageRequest, dialect: Dialect, ledger: Ledger) -> MessageRequest:
    choice = request.tool_choice
    if not request.tools or isinstance(choice, Auto):
        return request
    if isinstance(choice, None_):
        if ForcedChoice.NONE in dialect.tool_choices:
            return request
        ledger.note("the tools were left out: this provider has no word for not calling them")
        return dataclasses.replace(request, tools=(), tool_choice=Auto(), parallel_tool_calls=None)
    if thinks(request.thinking) and not dialect.forces_tools_while_thinking:
        ledger.note("which tool is called was left to the model: this provider forces no call while it thinks")
        return dataclasses.replace(request, tool_choice=Auto())
    if isinstance(choice, SpecificTool) and ForcedChoice.NAMED not in dialect.tool_choices:
        ledger.note("only the tool to be called is offered: this provider has no word for calling it")
        only = tuple(tool for tool in request.tools if tool.name == choice.name)
        request = dataclasses.replace(request, tools=only or request.tools, tool_choice=Required())
    if isinstance(request.tool_choice, Required) and ForcedChoice.REQUIRED not in dialect.tool_choices:
        ledger.note("whether a tool is called was left to the model: this provider forces no call")
        return dataclasses.replace(request, tool_choice=Auto())
    return request


def _answer_format(request: MessageRequest, dialect: Dialect, ledger: Ledger) -> ResponseFormat | None:
    wanted = request.response_format
    if wanted is None:
        return None
    if request.tools and not dialect.formats_answers_with_tools:
        ledger.note("the form of the answer was left out: this provider takes either it or tools")
        return None
    if wanted.schema is not None and AnswerFormat.JSON_SCHEMA not in dialect.answer_formats:
        ledger.note("the schema of the answer was left out: this provider can only be asked for any JSON object")
        return ResponseFormat()
    if wanted.schema is None and AnswerFormat.JSON_OBJECT not in dialect.answer_formats:
        return ResponseFormat({"type": "object"})  # says the same
    return wanted
