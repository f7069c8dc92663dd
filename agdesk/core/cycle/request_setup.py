"""What a conversation sets in its requests beside its messages."""

from __future__ import annotations

from collections.abc import Callable

from agdesk.core.cycle.redaction import parameters_without_keys
from agdesk.core.emitter import Emitter
from agdesk.core.ir.parameters import RequestParameters


class RequestSetup:
    """Parameters and system prompt; known keys in what is assigned are replaced (SEC1).

    Args:
        redact: replaces known keys.

    Attributes:
        parameters_changed: the parameters or the system prompt are others; the next turn is the first with them.
    """

    def __init__(self, redact: Callable[[str], str]) -> None:
        self.parameters_changed: Emitter[None] = Emitter()
        self._redact = redact
        self._parameters = RequestParameters()
        self._system_prompt: str | None = None

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
