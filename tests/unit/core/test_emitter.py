"""The observer at the seam of the core."""

from agdesk.core.emitter import Emitter


def test_every_subscriber_gets_every_value_in_the_order_of_subscription():
    emitter: Emitter[int] = Emitter()
    calls: list[tuple[str, int]] = []
    emitter.subscribe(lambda value: calls.append(("first", value)))
    emitter.subscribe(lambda value: calls.append(("second", value)))

    emitter.emit(1)
    emitter.emit(2)

    assert calls == [("first", 1), ("second", 1), ("first", 2), ("second", 2)]


def test_an_emitter_nobody_listens_to_is_silent():
    Emitter[int]().emit(1)


def test_unsubscribing_twice_is_as_good_as_once():
    emitter: Emitter[int] = Emitter()
    seen: list[int] = []
    unsubscribe = emitter.subscribe(seen.append)
    emitter.emit(1)

    unsubscribe()
    unsubscribe()
    emitter.emit(2)

    assert seen == [1]


def test_one_call_subscribed_twice_has_two_subscriptions():
    emitter: Emitter[int] = Emitter()
    seen: list[int] = []

    def listener(value: int) -> None:
        seen.append(value)

    first = emitter.subscribe(listener)
    emitter.subscribe(listener)

    first()
    first()
    emitter.emit(1)

    assert seen == [1]


def test_a_subscriber_that_fails_is_logged_and_disturbs_nobody(caplog):
    emitter: Emitter[int] = Emitter()
    seen: list[int] = []

    def broken(_: int) -> None:
        raise ValueError("broken on purpose")

    emitter.subscribe(broken)
    emitter.subscribe(seen.append)

    emitter.emit(7)

    assert seen == [7]
    (record,) = caplog.records
    assert record.getMessage() == "a subscriber of int failed"
    assert record.exc_info and str(record.exc_info[1]) == "broken on purpose"


def test_subscribing_during_an_emission_takes_effect_with_the_next():
    emitter: Emitter[int] = Emitter()
    seen: list[int] = []

    def subscribe_once(value: int) -> None:
        if value == 1:
            emitter.subscribe(seen.append)

    emitter.subscribe(subscribe_once)

    emitter.emit(1)
    assert seen == []
    emitter.emit(2)
    assert seen == [2]


def test_unsubscribing_during_an_emission_takes_effect_with_the_next():
    emitter: Emitter[int] = Emitter()
    seen: list[int] = []
    emitter.subscribe(lambda _: unsubscribe())
    unsubscribe = emitter.subscribe(seen.append)

    emitter.emit(1)
    emitter.emit(2)

    assert seen == [1]
