"""A typed, synchronous observer: the only way values leave the core."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
log = logging.getLogger(__name__)


class Emitter(Generic[T]):
    """Calls every subscriber in the order of subscription, on the caller's thread, at once.

    A subscriber that raises is logged and does not disturb the others or the emitter. Subscribing or unsubscribing
    during an emission takes effect with the next one.
    """

    def __init__(self) -> None:
        self._subscribers: dict[object, Callable[[T], None]] = {}  # by a token of each subscription
        # their values, replaced and never changed: an emission keeps those it started with
        self._calls: tuple[Callable[[T], None], ...] = ()

    def subscribe(self, subscriber: Callable[[T], None]) -> Callable[[], None]:
        """Adds a subscriber and returns the call that removes this subscription (idempotent)."""
        token = object()
        self._subscribers[token] = subscriber
        self._calls = tuple(self._subscribers.values())

        def unsubscribe() -> None:
            self._subscribers.pop(token, None)
            self._calls = tuple(self._subscribers.values())

        return unsubscribe

    def emit(self, value: T) -> None:
        """Hands ``value`` to every subscriber."""
        for subscriber in self._calls:
            try:
                subscriber(value)
            except Exception:  # one broken observer must not stop the stream it observes
                log.exception("a subscriber of %s failed", type(value).__name__)
