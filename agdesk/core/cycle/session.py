"""``AgentSession``: the conversation a tab is bound to."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from agdesk.core.cycle.services import SessionServices as SessionServices
from agdesk.core.cycle.turn import TurnOutcome as TurnOutcome
from agdesk.core.cycle.turn import TurnPlan, TurnRunner
from agdesk.core.emitter import Emitter
from agdesk.core.errors import ConfigurationError, ErrorRecord
from agdesk.core.ir.messages import Assistant, User, user, with_text
from agdesk.core.tasks import cancel_and_wait
from agdesk.core.trace.events import BranchSelected, ParameterRepaired, TraceRecord

if TYPE_CHECKING:
    from agdesk.core.ir.request import MessageRequest


class AgentSession(TurnRunner):
    """One conversation: what can be done with it. Its history, its trace and what it cost are the base's."""

    @property
    def records(self) -> Emitter[TraceRecord]:
        """Every record of this conversation, in order."""
        return self.recorder.records

    @property
    def has_history(self) -> bool:
        """Whether anything was said that the next request repeats."""
        return bool(self._history)

    def submit(self, text: str) -> asyncio.Task[TurnOutcome]:
        """Starts a turn with the user's text and returns its task.

        Raises:
            ConfigurationError: a turn is running already.
            StoreError: the conversation could not be kept now.
        """
        return self._start(TurnPlan(user(self._services.redact(text))))

    def regenerate(self, message_id: str | None = None) -> asyncio.Task[TurnOutcome]:
        """Starts a turn that asks for another answer; the one there is stays as its sibling (CHAT4).

        Args:
            message_id: the answer, or what it answers; None: the end of the active path.

        Raises:
            ConfigurationError: a turn is running already, or there is nothing to answer.
            StoreError: the conversation could not be kept now.
        """
        tree = self.branches.tree
        question = message_id or tree.leaf_id
        while question is not None and tree.node(question).role != "user":
            question = tree.node(question).parent_id
        if question is None:
            raise ConfigurationError("There is no message to be answered", "Send one first.")
        return self._start(TurnPlan(at=BranchSelected(question)))

    def edit(self, message_id: str, text: str) -> asyncio.Task[TurnOutcome]:
        """Puts another version beside a message: what the user says is asked, an answer is taken as it is (CHAT4).

        Raises:
            ConfigurationError: a turn is running already, or the message is not on the active path.
            StoreError: the conversation could not be kept now.
        """
        path = self.branches.tree.path()
        node = next((node for node in path if node.id == message_id), None)
        if node is None or len(path) != len(self._history):
            raise ConfigurationError("This message is not shown now", "Select its branch first.")
        said = self._history[path.index(node)]
        at = BranchSelected(node.parent_id)
        text = self._services.redact(text)
        if isinstance(said, Assistant):
            return self._start(TurnPlan(None, at, with_text(said, text)))
        assert isinstance(said, User)
        return self._start(TurnPlan(with_text(said, text), at))

    async def select(self, message_id: str) -> None:
        """Makes a message part of the active path, with what was last active below it.

        Raises:
            ConfigurationError: a turn is running.
            StoreError: it cannot be read; the path is the old one.
        """
        branches = self.branches
        await self._move(lambda: branches.move(branches.tree.leaf_below(message_id)))

    async def delete(self, message_id: str) -> None:
        """Hides a message with all that follows it, until the program ends. Raises as ``select`` does."""
        await self._move(lambda: self.branches.delete(message_id))

    def restore(self, message_id: str) -> None:
        """Takes a deletion back; the active path stays as it is.

        Raises:
            ConfigurationError: a turn is running.
            StoreError: it could not be kept now.
        """
        self._check_can_begin()
        self.branches.restore(message_id)

    def resend_without(self, error: ErrorRecord, *, model_ref: str) -> asyncio.Task[TurnOutcome]:
        """Starts a turn that asks again for what failed, without the parameter that was refused, which is remembered.

        Args:
            error: of the turn that failed; its details have ``removable``.
            model_ref: who refused it.

        Raises:
            ConfigurationError: a turn is running already, or the last message has its answer.
            StoreError: the conversation could not be kept now.
        """
        if not self._history or isinstance(self._history[-1], Assistant):
            raise ConfigurationError("The last message has its answer already", "Send a new message instead.")
        parameter = str(error.details["removable"])
        return self._start(TurnPlan(refused=(ParameterRepaired(parameter, error, is_automatic=False), model_ref)))

    def cancel(self) -> None:
        """Stops the running turn, if any, and the wait before a retry; what has arrived is kept."""
        if self._task is not None:
            self._task.cancel()

    def retry_now(self) -> None:
        """Ends the wait before a retry, if there is one."""
        if self._cycle is not None:
            self._cycle.pause.end()

    def next_request(self, model: str, draft: str = "") -> MessageRequest:
        """What a model would be asked if the draft were sent to it now; without one, the conversation as it stands."""
        from agdesk.core.cycle.cycle import CycleConfig, build_request

        sent = (user(self._services.redact(draft)),) if draft.strip() else ()
        config = CycleConfig(model, self.parameters)
        return build_request((*self._history, *sent), config=config, system_prompt=self.system_prompt)

    async def aclose(self) -> None:
        """Stops the running turn and waits for its end."""
        if self._task is not None and not self._task.done():
            await cancel_and_wait(self._task)
