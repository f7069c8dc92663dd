"""``MessageQueue``: messages that were written while an answer was still coming; each has a turn of its own (CHAT6)."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from agdesk.core.emitter import Emitter
from agdesk.core.errors import AgdeskError, ErrorRecord
from agdesk.core.ir.blocks import ContentBlock
from agdesk.core.ir.messages import User, with_text
from agdesk.core.ir.queued import QueuedMessage as QueuedMessage
from agdesk.core.trace.events import TurnCancelled, TurnCompleted, TurnFailed

PauseCause: TypeAlias = Literal["user", "stopped", "failed", "refused", "kept"]


@dataclass(frozen=True, slots=True)
class Pause:
    """Why nothing is sent.

    Attributes:
        cause: the ``user`` wants it, the answer before was ``stopped`` or ``failed``, the next message was ``refused``
            before it became a turn, or the messages were ``kept`` from before, so that nobody expects them to be sent.
        error: of what failed or was refused.
    """

    cause: PauseCause
    error: ErrorRecord | None = None


class MessageQueue:
    """The queue of one conversation. It is never paused while it is empty, unless something may be put back.

    Args:
        start: begins the turn of a message; raises what ``AgentSession.submit`` raises.
        check: raises ``StoreError`` when what is put in now could not be kept.
        is_busy: whether a turn is under way.
        said: content as it may be kept: known keys replaced.

    Attributes:
        changed: there are other messages, or it is paused or no longer.
        is_held: whether the next message has to wait for something that is being decided in the window; who ends that
            calls ``proceed``.
    """

    def __init__(
        self,
        *,
        start: Callable[[QueuedMessage], object],
        check: Callable[[], None],
        is_busy: Callable[[], bool],
        said: Callable[[str | tuple[ContentBlock, ...]], tuple[ContentBlock, ...]],
    ) -> None:
        self.changed: Emitter[None] = Emitter()
        self.is_held: Callable[[], bool] = lambda: False
        self._start = start
        self._check = check
        self._is_busy = is_busy
        self._said = said
        self._items: tuple[QueuedMessage, ...] = ()
        self._starting: QueuedMessage | None = None
        self._pause: Pause | None = None
        self._is_closed = False

    @property
    def items(self) -> tuple[QueuedMessage, ...]:
        """What waits, in the order of sending."""
        return self._items

    @property
    def unsent(self) -> tuple[QueuedMessage, ...]:
        """What would be lost if the program ended now: what waits, and before it what was sent but is not recorded."""
        return self._items if self._starting is None else (self._starting, *self._items)

    @property
    def pause_reason(self) -> Pause | None:
        """Why nothing is sent; None if the next message is sent as soon as the answer before it is complete."""
        return self._pause if self._items else None

    @property
    def is_paused(self) -> bool:
        """Whether nothing is sent until ``resume``."""
        return self.pause_reason is not None

    @property
    def is_going_on(self) -> bool:
        """Whether another message follows by itself, or one has been begun and is not recorded yet."""
        return self._can_begin or self._starting is not None

    @property
    def _can_begin(self) -> bool:
        return bool(self._items) and self._pause is None and not self.is_held() and not self._is_closed

    @property
    def must_wait(self) -> bool:
        """Whether a message that is sent now has to queue up."""
        return self._is_busy() or (bool(self._items) and self._pause is None)

    # --- what the user does ---

    def add(self, content: str | tuple[ContentBlock, ...]) -> QueuedMessage:
        """Puts a message at the end.

        Raises:
            StoreError: it could not be kept now.
        """
        self._check()
        item = QueuedMessage(f"turn-{os.urandom(6).hex()}", self._said(content))
        if not self._items:
            self._pause = None
        self._set((*self._items, item))
        self.proceed()
        return item

    def edit(self, item_id: str, text: str) -> None:
        """Gives a message another text; what is attached to it stays. One that was sent meanwhile is left alone."""
        self._set(
            tuple(
                dataclasses.replace(item, content=self._said(with_text(User(item.content), text).content))
                if item.id == item_id
                else item
                for item in self._items
            )
        )

    def remove(self, item_id: str) -> int | None:
        """Takes a message out and gives the place it had; None if it was sent meanwhile."""
        place = self._place(item_id)
        if place is not None:
            self._set((*self._items[:place], *self._items[place + 1 :]))
        return place

    def insert(self, place: int, item: QueuedMessage) -> None:
        """Puts a message back that was removed. If nothing is under way, it does not begin by itself."""
        if not self._is_busy() and not self._items:
            self._pause = self._pause or Pause("kept")
        self._set((*self._items[:place], item, *self._items[place:]))

    def move(self, item_id: str, place: int) -> None:
        """Gives a message the place that it shall have then."""
        if (now := self._place(item_id)) is not None:
            rest = [*self._items[:now], *self._items[now + 1 :]]
            rest.insert(max(0, place), self._items[now])
            self._set(tuple(rest))

    def pause(self, cause: PauseCause = "user", error: ErrorRecord | None = None) -> None:
        """Sends nothing more; the turn that is under way goes on. A reason that there is already stays."""
        if self._items and self._pause is None:
            self._pause = Pause(cause, error)
            self.changed.emit(None)

    def resume(self) -> None:
        """Goes on: with the first message at once if no turn is under way."""
        if self._pause is not None:
            self._pause = None
            self.changed.emit(None)
            self.proceed()

    def send_now(self, item_id: str) -> None:
        """Begins the turn of one message, whether it is paused or not; does nothing while one is under way."""
        place = self._place(item_id)
        if place is not None and not self._is_busy():
            self._begin(place)

    # --- what the session does ---

    def restore(self, items: tuple[QueuedMessage, ...]) -> None:
        """Takes what was kept when the conversation was closed; paused, because nobody expects it to be sent."""
        self._items, self._pause = items, Pause("kept")

    def proceed(self) -> None:
        """Begins the next turn if nothing stands against it."""
        if self._starting is not None and not self._is_busy():  # it was cancelled before it had begun
            items, self._starting = self.unsent, None
            self._pause = self._pause or Pause("stopped")
            self._set(items)
        if self._can_begin and not self._is_busy():
            self._begin(0)

    def note_start(self, turn_id: str) -> None:
        """A turn has begun and is recorded."""
        if self._starting is not None and self._starting.id == turn_id:
            self._starting = None
            self.changed.emit(None)

    def note_end(self, end: TurnCompleted | TurnFailed | TurnCancelled) -> None:
        """A turn is over; the next one begins when the session is free, if that one went well."""
        match end:
            case TurnFailed(error=error):
                self.pause("failed", error)
            case TurnCancelled():
                self.pause("stopped")
            case TurnCompleted():
                try:
                    self._check()
                except AgdeskError as error:
                    self.pause("refused", error.to_record())

    def close(self) -> None:
        """Begins nothing any more: the conversation is closed."""
        self._is_closed = True

    def _begin(self, place: int) -> None:
        item = self._items[place]
        try:
            self._start(item)
        except AgdeskError as error:
            self._pause = Pause("refused", error.to_record())
            self.changed.emit(None)
        else:
            self._starting = item
            self._set((*self._items[:place], *self._items[place + 1 :]))

    def _place(self, item_id: str) -> int | None:
        return next((place for place, item in enumerate(self._items) if item.id == item_id), None)

    def _set(self, items: tuple[QueuedMessage, ...]) -> None:
        if items != self._items:
            self._items = items
            self.changed.emit(None)
