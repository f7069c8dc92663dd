"""DATA1: ``kill -9`` at any moment of a stream loses at most one second of events and never a finished message."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from agdesk.core.ir.messages import Assistant, text_of
from agdesk.core.ir.response import EndCause
from agdesk.core.store.values import StoredConversation
from agdesk.core.trace.events import ResponseReceived, StreamEventReceived, TraceRecord, TurnFailed, TurnStarted
from tests.fakes.storing import open_store, trace_of

CHILD = Path(__file__).resolve().parents[1] / "fakes" / "store_child.py"
WORDS = 300
MOMENTS = 20
LOST_NS = 1_000_000_000


def killed_run(folder: Path, *, after_lines: int, and_s: float) -> list[dict[str, Any]]:
    """Lets the child play until it has said so much, and kills it ``and_s`` later; all that it had said."""
    child = subprocess.Popen([sys.executable, str(CHILD), str(folder), str(WORDS)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    with child.stdout:
        lines = [child.stdout.readline() for _ in range(after_lines)]
        time.sleep(and_s)
        child.kill()
        lines += child.stdout.readlines()
    child.wait()
    return [json.loads(line) for line in lines if line.endswith(b"\n")]


def read_store(folder: Path) -> tuple[StoredConversation | None, list[TraceRecord]]:
    store = open_store(folder)
    is_listed = store.conversations.get("killed") is not None
    found = (store.load("killed"), trace_of(store, "killed")) if is_listed else (None, [])
    asyncio.run(store.aclose())
    return found


def check(stored: StoredConversation | None, trace: list[TraceRecord], said: list[dict[str, Any]]) -> None:
    """Compares what is stored with what the child had said."""
    answers = {record.request_id: record.payload for record in trace if isinstance(record.payload, ResponseReceived)}
    for line in said:
        if "finished" in line:
            answer = answers[line["finished"]]
            assert answer.response.text() == line["text"]
            assert answer.end_cause is EndCause.SERVER
            assert stored is not None
            assert answer.response.message in stored.messages
    events = [record for record in trace if isinstance(record.payload, StreamEventReceived)]
    last_ns = max((record.ts_ns for record in events), default=0)
    assert max([0, *(line["ts_ns"] - last_ns for line in said if "emitted" in line)]) <= LOST_NS
    running = [line["running"] for line in said if "running" in line][-1]
    painted = [record for record in stored.records if record.turn_id == running] if stored is not None else []
    if painted:
        _check_running(painted, trace, running)


def _check_running(painted: list[TraceRecord], trace: list[TraceRecord], running: str) -> None:
    """The last turn is whole, or marked as cut with the text whose events are stored."""
    assert isinstance(painted[0].payload, TurnStarted)
    end, answers = painted[-1].payload, [r.payload for r in painted if isinstance(r.payload, ResponseReceived)]
    if not (isinstance(end, TurnFailed) and end.error.kind == "interrupted"):
        assert answers[-1].end_cause is EndCause.SERVER
        return
    deltas = [
        record.payload.event.text
        for record in trace
        if record.turn_id == running
        and isinstance(record.payload, StreamEventReceived)
        and hasattr(record.payload.event, "text")
    ]
    if deltas:
        assert answers[-1].end_cause is EndCause.CRASH
        assert isinstance(answers[-1].response.message, Assistant)
        assert text_of(answers[-1].response.message.content) == "".join(deltas)
    else:
        assert answers == []


@pytest.mark.timeout(180)
def test_a_killed_process_loses_little_and_nothing_that_was_finished(tmp_path):
    moments = random.Random(20_261_130)
    interrupted_count = finished_count = 0
    for number in range(MOMENTS):
        folder = tmp_path / str(number)
        folder.mkdir()
        said = killed_run(folder, after_lines=moments.randint(1, 120), and_s=moments.uniform(0.0, 0.02))
        stored, trace = read_store(folder)
        check(stored, trace, said)
        assert read_store(folder) == (stored, trace)
        interrupted_count += stored is not None and isinstance(stored.records[-1].payload, TurnFailed)
        finished_count += sum("finished" in line for line in said)
    assert interrupted_count  # else no moment was in the middle of an answer
    assert finished_count


UNCLOSED = """
import sys
from pathlib import Path
from tests.fakes.storing import Recorded, open_store
Recorded(open_store(Path(sys.argv[1])), "killed").turn("1")
"""


def test_a_program_that_forgets_to_close_its_store_ends_and_keeps_what_was_recorded(tmp_path):
    command = [sys.executable, "-c", UNCLOSED, str(tmp_path)]
    subprocess.run(command, cwd=CHILD.parents[2], check=True, timeout=50)

    stored, trace = read_store(tmp_path)
    assert stored is not None
    assert [message.content[0].text for message in stored.messages] == ["Hello", "Good day"]
    assert [record.seq for record in trace] == list(range(1, len(trace) + 1))
