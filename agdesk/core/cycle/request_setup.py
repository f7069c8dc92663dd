"""What a conversation sets in its requests beside its messages: parameters, system prompt, tools."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from agdesk.core.cycle.redaction import parameters_without_keys
from agdesk.core.emitter import Emitter
from agdesk.core.ir.parameters import RequestParameters
from agdesk.core.ir.tool_selection import ToolSelection

if TYPE_CHECKING:
    from agdesk.core.ir.request import ToolDefinition


class RequestSetup:
    """Parameters, system prompt and tools; known keys in what is assigned are replaced (SEC1).

    Args:
        redact: replaces known keys.
        all_tools: tells every tool that can be selected.

    Attributes:
        parameters_changed: the parameters, the system prompt or the tools are others; the next turn is the first with
            them.
    """

    def __init__(
        self, redact: Callable[[str], str], all_tools: Callable[[], Awaitable[tuple[ToolDefinition, ...]]]
    ) -> None:
        self.parameters_changed: Emitter[None] = Emitter()
        self._redact = redact
        self._parameters = RequestParameters()
        self._system_prompt: str | None = None
        self._tools = ToolSelection()
        self._all_tools = all_tools
        self._known_tools: tuple[ToolDefinition, ...] | None = None

    @property
    def parameters(self) -> RequestParameters:
        """What the next turn's requests set."""
        return self._parameters

    @parameters.setter
    def parameters(self, parameters: RequestParameters) -> None:
        parameters = parameters_without_keys(parameters, self._redact)
        if parameters != self._parameters:
            self._parameters = parameters
            self.parameters_changed.emit(None)

    @property
    def system_prompt(self) -> str | None:
        """The system text of the next turns, None for none."""
        return self._system_prompt

    @system_prompt.setter
    def system_prompt(self, text: str | None) -> None:
        text = None if text is None else self._redact(text)
        if text != self._system_prompt:
            self._system_prompt = text
            self.parameters_changed.emit(None)

    @property
    def tools(self) -> ToolSelection:
        """What the next turns offer to the model."""
        return self._tools

    @tools.setter
    def tools(self, tools: ToolSelection) -> None:
        if tools != self._tools:
            self._tools = tools
            self.parameters_changed.emit(None)

    @property
    def must_learn_tools(self) -> bool:
        """Whether tools are selected and ``learn_tools`` has not told yet what they are."""
        return bool(self._tools.names) and self._known_tools is None

    async def learn_tools(self) -> None:
        """Learns what the selected tools are, so that a request can be shown or measured before it is made."""
        if self.must_learn_tools:
            self._known_tools = await self._all_tools()

    @property
    def tool_definitions(self) -> tuple[ToolDefinition, ...]:
        """What the next request offers of the selection; nothing while ``must_learn_tools``."""
        return tuple(tool for tool in self._known_tools or () if tool.name in self._tools.names)
