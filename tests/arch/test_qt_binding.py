"""PySide6 6.12.0 drops one reference of None or True per Qt call on Python 3.11 and aborts after half a minute."""

import sys

import PySide6
import pytest
from packaging.version import Version
from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

CALLS = 2000
MAX_DROP = 50


class Source(QObject):
    fired = Signal(int)


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None and True are immortal from 3.12 on")
def test_pyside_is_older_than_6_12_on_python_3_11():
    assert Version(PySide6.__version__) < Version("6.12")


def test_signals_and_timers_keep_the_references_of_none_and_true(qapp):
    source = Source()
    timer = QTimer()
    ticks = 0

    def on_tick():
        nonlocal ticks
        ticks += 1

    timer.timeout.connect(on_tick)
    before = sys.getrefcount(None), sys.getrefcount(True)
    for number in range(CALLS):
        source.fired.emit(number)
    timer.start(0)
    while ticks < CALLS:
        QCoreApplication.processEvents()
    timer.stop()
    after = sys.getrefcount(None), sys.getrefcount(True)
    assert before[0] - after[0] <= MAX_DROP
    assert before[1] - after[1] <= MAX_DROP
