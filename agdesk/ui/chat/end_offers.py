"""What is offered below the last answer when it was cut, or did not come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agdesk.core.errors import ErrorRecord
from agdesk.ui.chat.end_words import next_steps
from agdesk.ui.widgets.transcript import TranscriptContent


@dataclass(frozen=True, slots=True)
class Offer:
    """Something can be done about an answer: to go on with it (CHAT5), or to ask again.

    Attributes:
        key: of the message.
        model_ref: who was asked.
        error: the failure, if it was one; what was refused in it can be left out (E07).
    """

    key: str
    model_ref: str
    error: ErrorRecord | None


class EndOffers:
    """Of one conversation: only what stands at its end is offered.

    Args:
        transcript: where the buttons are.
        can_go_on: whether the answer at the end can be gone on with now.
    """

    def __init__(self, transcript: TranscriptContent, *, can_go_on: Callable[[], bool]) -> None:
        self._transcript = transcript
        self._can_go_on = can_go_on
        self._offers: dict[str, Offer] = {}
        self._end_key = ""

    def at(self, key: str) -> Offer | None:
        """What the buttons below a message are about; None if they stand no more."""
        return self._offers.get(key) if key == self._end_key else None

    def add(self, offer: Offer) -> None:
        """The answer at the end was cut, or did not come; it is offered with the next ``show``."""
        self._offers[offer.key] = offer
        self._end_key = offer.key

    def show(self) -> None:
        """Offers what can be done about the last answer, as it stands now."""
        if (offer := self.at(self._end_key)) is not None:
            self._transcript.set_steps(offer.key, next_steps(offer.error, can_go_on=self._can_go_on()))

    def withdraw(self) -> None:
        """What was cut or failed is not the last word any more: nothing can be done about it."""
        if self._end_key in self._offers:
            self._transcript.set_steps(self._end_key, ())
        self._end_key = ""

    def follow_on(self, earlier: EndOffers) -> None:
        """Takes over what was offered before what is here; it is not the last word."""
        earlier.withdraw()
        self._offers = {**earlier._offers, **self._offers}

    def end_at(self, key: str | None) -> None:
        """The conversation ends with another message now; what followed it is gone."""
        self._offers = {k: offer for k, offer in self._offers.items() if self._transcript.has_message(k)}
        self._end_key = key or ""
