"""``LlmCycle``: runs the turns of a conversation (SEED3)."""

from __future__ import annotations

from agdesk.core.cycle.answering import Answering
from agdesk.core.cycle.hooks import HookContext, HookPoint
from agdesk.core.cycle.tool_round import ToolRound
from agdesk.core.cycle.tool_setup import RoundBefore
from agdesk.core.errors import AgdeskError, ErrorRecord, TurnLimitExceeded
from agdesk.core.ir.blocks import ToolUse
from agdesk.core.ir.continuing import Beginning
from agdesk.core.ir.messages import Assistant, User
from agdesk.core.ir.response import MessageResponse, StopReason, Usage


class LlmCycle(Answering):
    """One conversation with one provider: its turns, each as many requests as its calls take.

    Attributes:
        is_ended_by_user: the turn ended because the user said so in an approval.
    """

    is_ended_by_user = False
    _round: ToolRound | None = None

    async def run_turn(self, message: User | None, *, beginning: Beginning | None = None) -> MessageResponse:
        """Adds ``message`` to the history, asks the provider and adds the answer, whole or cut.

        With None the history is sent as it stands; with a ``beginning``, the last answer of the history is gone on
        with, and what comes takes its place with it (CHAT5). What fails before anything of an answer was seen is tried
        again (``retry.Recovery``).

        Returns the response; one that failed after its first event carries ``error``.

        Raises:
            LlmError: nothing of an answer arrived. The user's message stays in the history.
            asyncio.CancelledError: the turn was cancelled; what had arrived is recorded and kept in the history.
        """
        if message is not None:
            self.messages.append(message)
        self._beginning = beginning
        self._turn_index = 0
        return await self._until_answered()

    async def run_calls(self, before: RoundBefore) -> MessageResponse:
        """Goes on with a turn whose last answer has calls that wait for the user since the program ended (TOOL11).

        Raises as ``run_turn`` does.
        """
        answer = self.messages[-1]
        assert isinstance(answer, Assistant)
        self._beginning = None
        self._turn_index = 1
        if not await self._run_calls(answer, before=before):
            return MessageResponse("", self.config.model, answer, Usage(), StopReason.TOOL_USE)
        return await self._until_answered()

    @property
    def is_suspended(self) -> bool:
        """Whether calls wait for the user, and go on waiting when the turn is cancelled."""
        return self._round is not None and self._round.is_suspended

    def suspend(self) -> None:
        """Lets calls that wait for the user wait on after the turn is cancelled: the program ends, not the turn."""
        if self._round is not None and self._round.is_waiting:
            self._round.is_suspended = True

    async def _until_answered(self) -> MessageResponse:
        """Asks, runs what the answer calls, and asks again with the results, until an answer has no calls (SEED3)."""
        error: ErrorRecord | None = None
        self.is_ended_by_user, self._round = False, None
        try:
            while True:
                response = await self._next_answer()
                error = response.error
                self._beginning = None
                calls = [block for block in response.message.content if isinstance(block, ToolUse)]
                if self.tools is None or not calls or response.stop_reason is not StopReason.TOOL_USE:
                    return response
                if not await self._run_calls(response.message):
                    self.is_ended_by_user = True
                    return response
        except AgdeskError as failure:
            error = failure.to_record()
            raise
        finally:
            if not self.is_suspended:
                await self._ask_hooks(HookPoint.ON_TURN_END, error, error=error)

    async def _next_answer(self) -> MessageResponse:
        if self._turn_index >= self.config.max_tool_turns:
            raise TurnLimitExceeded(
                f"The model has used its {self.config.max_tool_turns} requests for this turn",
                "Send a message to let it go on.",
            )
        return await self._answer()

    async def _run_calls(self, answer: Assistant, *, before: RoundBefore | None = None) -> bool:
        """Runs what an answer calls, and adds the results to the history; False if the user ends the turn with it."""
        assert self.tools is not None
        running = self._round = ToolRound(self.tools, self._recorder, gate=self._gate)
        try:
            await running.run(answer, context=HookContext(turn_index=self._turn_index - 1), before=before)
        finally:
            if running.message is not None:
                self.messages.append(running.message)
        self._round = None
        return not running.is_stopped
