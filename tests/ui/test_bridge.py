"""Records reach the window in batches, one conversation at a time (QT threads and pacing)."""

import pytest
from PySide6.QtWidgets import QWidget

from agdesk.core.trace.events import TurnCompleted
from agdesk.core.trace.recorder import Recorder
from agdesk.ui.actions import ActionRegistry
from agdesk.ui.bridge import DrainTimer, SessionBridge


class Session:
    """As much of a session as a bridge listens to."""

    def __init__(self):
        self.recorder = Recorder("s")
        self.records = self.recorder.records


def bridged(drain):
    session, batches = Session(), []
    bridge = SessionBridge(session, drain, drain)  # type: ignore[arg-type]
    bridge.batch.connect(batches.append)
    return session, bridge, batches


def test_many_records_become_one_batch_in_order(qtbot):
    session, _, batches = bridged(DrainTimer())
    for _ in range(500):
        session.recorder.emit(TurnCompleted())
    assert batches == [], "nothing is painted while records come in"
    qtbot.waitUntil(lambda: bool(batches))
    assert [[record.seq for record in batch] for batch in batches] == [list(range(1, 501))]


def test_one_tick_flushes_one_conversation(qtbot):
    drain = DrainTimer()
    order = []
    for name in "abc":
        session, bridge, _ = bridged(drain)
        bridge.batch.connect(lambda batch, name=name: order.append(name))
        session.recorder.emit(TurnCompleted())
    drain._flush_next()
    assert order == ["a"]
    qtbot.waitUntil(lambda: order == ["a", "b", "c"])


def test_the_timer_stands_still_when_nothing_waits(qtbot):
    drain = DrainTimer()
    session, _, batches = bridged(drain)
    session.recorder.emit(TurnCompleted())
    qtbot.waitUntil(lambda: bool(batches))
    assert not drain._timer.isActive()


def test_a_closed_bridge_drops_what_it_held_and_hears_no_more(qtbot):
    drain = DrainTimer()
    session, bridge, batches = bridged(drain)
    session.recorder.emit(TurnCompleted())
    bridge.close()
    session.recorder.emit(TurnCompleted())
    qtbot.wait(40)
    assert batches == []


def test_an_action_runs_its_handler_and_an_id_or_a_key_is_taken_once(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    registry, ran = ActionRegistry(window), []
    registry.add("a.b", "Do it", lambda: ran.append(True), shortcut="Ctrl+D")
    registry["a.b"].trigger()
    assert ran == [True]
    assert registry["a.b"] in window.actions()
    with pytest.raises(ValueError, match=r"a\.b"):
        registry.add("a.b", "Again", lambda: None)
    with pytest.raises(ValueError, match="Ctrl"):
        registry.add("a.c", "Other", lambda: None, shortcut="Ctrl+D")
