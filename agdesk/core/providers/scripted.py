"""A provider that plays scripts instead of asking a model: for tests of what stands above it, and for demos."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from agdesk.core.errors import ConfigurationError, LlmError
from agdesk.core.ir import stream as ev
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.ir.request import MessageRequest
from agdesk.core.ir.response import MessageResponse, PartialUsage, StopReason
from agdesk.core.providers.base import ProviderCapabilities, ProviderFeatures
from agdesk.core.trace.recorder import RequestTrace


@dataclass(frozen=True, slots=True)
class Pause:
    """Nothing arrives for a while."""

    seconds: float


Step: TypeAlias = ev.StreamEvent | Pause | LlmError
"""An ``LlmError`` is raised if no event came before it, else it becomes the stream's last event, a ``StreamError``."""

_STREAMING = ProviderFeatures(streaming=True)


class ScriptedProvider:
    """An ``LlmProvider`` whose n-th request is answered by the n-th script.

    Attributes:
        requests: what was asked so far.
        open_count: streams that were started and are neither at their end nor closed.
    """

    def __init__(
        self,
        scripts: Iterable[Sequence[Step]],
        *,
        name: str = "scripted",
        features: ProviderFeatures = _STREAMING,
    ) -> None:
        self.requests: list[MessageRequest] = []
        self.open_count = 0
        self._scripts = iter(tuple(scripts))
        self._capabilities = ProviderCapabilities(name, None, features)

    async def chat(self, request: MessageRequest) -> MessageResponse:
        """The whole answer of the next script.

        Raises:
            LlmError: the script has one, wherever it stands.
        """
        partial = PartialMessageResponse()
        for step in self._next_script(request):
            match step:
                case Pause(seconds=seconds):
                    await asyncio.sleep(seconds)
                case LlmError():
                    raise step
                case _:
                    partial.apply(step)
        return partial.finalize()

    async def chat_stream(
        self, request: MessageRequest, *, trace: RequestTrace | None = None
    ) -> AsyncGenerator[ev.StreamEvent, None]:
        """The events of the next script, one at a time; there are no frames, so ``trace`` gets none."""
        script = self._next_script(request)
        if trace is not None:
            trace.rendered()
        has_begun = False
        self.open_count += 1
        try:
            for step in script:
                match step:
                    case Pause(seconds=seconds):
                        await asyncio.sleep(seconds)
                    case LlmError() if not has_begun:
                        raise step
                    case LlmError():
                        yield ev.StreamError(step.to_record())
                        return
                    case _:
                        has_begun = True
                        yield step
        finally:
            self.open_count -= 1

    def capabilities(self, model: str | None = None) -> ProviderCapabilities:
        """The same for every model."""
        return self._capabilities

    def _next_script(self, request: MessageRequest) -> Sequence[Step]:
        self.requests.append(request)
        script = next(self._scripts, None)
        if script is None:
            raise ConfigurationError(f"There is no script for request {len(self.requests)}")
        return script


def text_answer(
    *deltas: str,
    delay_s: float = 0.0,
    stop_reason: StopReason = StopReason.END_TURN,
    usage: PartialUsage | None = None,
) -> tuple[Step, ...]:
    """The script of a plain answer, one event per delta, each after ``delay_s``."""
    steps: list[Step] = [ev.MessageStart("scripted-1", "scripted"), ev.ContentBlockStart(0, ev.TextType())]
    for delta in deltas:
        if delay_s:
            steps.append(Pause(delay_s))
        steps.append(ev.TextDelta(delta, 0))
    steps.append(ev.ContentBlockEnd(0))
    if usage is not None:
        steps.append(ev.CostUpdate(usage))
    return (*steps, ev.MessageComplete(stop_reason))
