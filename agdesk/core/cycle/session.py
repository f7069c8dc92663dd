"""``AgentSession``: the conversation a tab is bound to."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import TYPE_CHECKING

from agdesk.core.cycle.services import SessionServices as SessionServices
from agdesk.core.cycle.turn import TurnRunner
from agdesk.core.cycle.turn_plan import TurnOutcome as TurnOutcome
from agdesk.core.cycle.turn_plan import TurnPlan
from agdesk.core.cycle.turn_plan import UnfinishedTurn as UnfinishedTurn
from agdesk.core.emitter import Emitter
from agdesk.core.errors import ConfigurationError, ErrorRecord
from agdesk.core.ir.blocks import ContentBlock
from agdesk.core.ir.continuing import Beginning, beginning_of
from agdesk.core.ir.messages import Assistant, M, Tool, User, text_of, with_text
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

    def submit(self, content: str | tuple[ContentBlock, ...]) -> asyncio.Task[TurnOutcome]:
        """Starts a turn with what the user says and returns its task.

        Raises:
            ConfigurationError: a turn is running already.
            StoreError: the conversation could not be kept now.
        """
        return self._start(TurnPlan(User(self._said(content))))

    def regenerate(self, message_id: str | None = None) -> asyncio.Task[TurnOutcome]:
        """Starts a turn that asks for another answer; the one there is stays as its sibling (CHAT4).

        What was called before that answer is not called again: its results are sent.

        Args:
            message_id: the answer, or what it answers; None: the end of the active path.

        Raises:
            ConfigurationError: a turn is running already, or there is nothing to answer.
            StoreError: the conversation could not be kept now.
        """
        tree = self.branches.tree
        question = message_id or tree.leaf_id
        while question is not None and (node := self.branches.existing(question)).role == "assistant":
            question = node.parent_id
        if question is None:
            raise ConfigurationError("There is no message to be answered", "Send one first.")
        return self._start(TurnPlan(at=BranchSelected(question)))

    @property
    def can_go_on(self) -> bool:
        """Whether the conversation ends with a cut answer, and the chosen model is known to go on with one (CHAT5)."""
        return self._beginning() is not None

    def go_on(self) -> asyncio.Task[TurnOutcome]:
        """Starts a turn that goes on with the cut answer at the end; what was there stays as a sibling of the whole.

        Raises:
            ConfigurationError: a turn is running already, or not ``can_go_on``.
            StoreError: the conversation could not be kept now.
        """
        if (beginning := self._beginning()) is None:
            raise ConfigurationError("This answer cannot be continued", "Ask for it again instead.")
        return self._start(TurnPlan(beginning=beginning))

    def _beginning(self) -> Beginning | None:
        tree = self.branches.tree
        if tree.leaf_id is None or not self._services.goes_on(self.model_ref, self.parameters):
            return None
        return beginning_of(tree.node(tree.leaf_id))

    def edit(self, message_id: str, content: str | tuple[ContentBlock, ...]) -> asyncio.Task[TurnOutcome]:
        """Puts another version beside a message: what the user says is asked, an answer is taken as it is (CHAT4).

        Args:
            content: in place of everything that it holds; a text is put in place of its text only.

        Raises:
            ConfigurationError: a turn is running already, or the message is deleted or cannot be read.
            StoreError: the conversation could not be kept now.
        """
        node = self.branches.existing(message_id)
        said = node.message
        if said is None or isinstance(said, Tool):
            raise ConfigurationError("This message is damaged and cannot be edited", "Send a new one instead.")
        at, blocks = BranchSelected(node.parent_id), self._said(content)
        if isinstance(said, Assistant):
            return self._start(TurnPlan(None, at, _edited(said, blocks, is_text=isinstance(content, str))))
        return self._start(TurnPlan(_edited(said, blocks, is_text=isinstance(content, str)), at))

    async def select(self, message_id: str) -> None:
        """Makes a message part of the active path, with what was last active below it.

        Raises:
            ConfigurationError: a turn is running, or the message is deleted.
            StoreError: what paints the path cannot be read, or the change could not be kept now; nothing has changed.
        """
        await self._move(lambda: self.branches.select(message_id))

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
        beginning = self._beginning()
        if not self._history or (isinstance(self._history[-1], Assistant) and beginning is None):
            raise ConfigurationError("The last message has its answer already", "Send a new message instead.")
        refused = ParameterRepaired(str(error.details["removable"]), error, is_automatic=False)
        return self._start(TurnPlan(refused=(refused, model_ref), beginning=beginning))

    def resume(self, unfinished: UnfinishedTurn) -> asyncio.Task[TurnOutcome]:
        """Goes on with a turn whose calls wait for the user since the program ended; nobody is asked before that.

        Raises:
            ConfigurationError: a turn is running already.
            StoreError: the conversation could not be kept now.
        """
        return self._start(TurnPlan(unfinished=unfinished, turn_id=unfinished.turn_id))

    def resume_when_whole(self, unfinished: UnfinishedTurn) -> None:
        """The same, as soon as all of a stored conversation is here."""
        if self.is_whole:
            self.resume(unfinished)
        else:
            self._unfinished = unfinished

    def cancel(self) -> None:
        """Stops the running turn, if any, and the wait before a retry; what has arrived is kept. The queue pauses."""
        self.queue.pause("stopped")
        if self._task is not None:
            self._task.cancel()

    def retry_now(self) -> None:
        """Ends the wait before a retry, if there is one."""
        if self._cycle is not None:
            self._cycle.pause.end()

    def next_request(
        self, model: str, draft: str | tuple[ContentBlock, ...] = "", *, after: str | None = None
    ) -> MessageRequest:
        """What a model would be asked if the draft were sent to it now; without one, the conversation as it stands.

        Args:
            after: as if the conversation ended with this message; None: as it does.

        The tools are in it that are known by then: ``learn_tools`` comes first.
        """
        from agdesk.core.cycle.requests import CycleConfig, build_request

        history = self._history if after is None else self.branches.messages_to(after)
        sent = (User(self._said(draft)),) if (draft.strip() if isinstance(draft, str) else draft) else ()
        config = CycleConfig(model, self.parameters)
        return build_request(
            (*history, *sent), config=config, system_prompt=self.system_prompt, tools=self.tool_definitions
        )

    async def aclose(self) -> None:
        """Stops the running turn and waits for its end; nothing more of the queue is sent.

        Calls that wait for the user wait again when the conversation is opened next (TOOL11).
        """
        self.queue.close()
        if self._cycle is not None:
            self._cycle.suspend()
        if self._task is not None and not self._task.done():
            await cancel_and_wait(self._task)


def _edited(said: M, blocks: tuple[ContentBlock, ...], *, is_text: bool) -> M:
    """Another version of a message, with blocks in place of its own; a text is put in place of its text only."""
    return with_text(said, text_of(blocks)) if is_text else dataclasses.replace(said, content=blocks)
