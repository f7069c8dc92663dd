"""The columns of the tree: their titles and the figures in them."""

from __future__ import annotations

from enum import IntEnum

from PySide6.QtCore import QCoreApplication

from agdesk.ui.inspector.figures import duration
from agdesk.ui.inspector.labels import RowLabel
from agdesk.ui.inspector.records import RecordIndex

translate = QCoreApplication.translate


class Column(IntEnum):
    """``STEP`` is the time since the record before."""

    NAME = 0
    TIME = 1
    STEP = 2
    SEQ = 3


def title(column: int) -> str:
    """What stands in the header."""
    return (
        translate("InspectorColumns", "Record"),
        translate("InspectorColumns", "Time"),
        translate("InspectorColumns", "Step"),
        translate("InspectorColumns", "Seq"),
    )[column]


def explanation(column: int) -> str:
    """What a column means."""
    return (
        translate("InspectorColumns", "What happened"),
        translate("InspectorColumns", "Since the turn began"),
        translate("InspectorColumns", "Since the record before"),
        translate("InspectorColumns", "Number of the record in this conversation"),
    )[column]


def figure(records: RecordIndex, number: int, column: int) -> str:
    """The figure of a record in a column."""
    match column:
        case Column.TIME:
            return duration(records.since_turn_ns(number))
        case Column.STEP:
            return "+" + duration(records.times_ns[number] - records.times_ns[number - 1]) if number else ""
        case _:
            return str(records.seqs[number])


def spoken(records: RecordIndex, number: int, label: RowLabel) -> str:
    """A whole row as it is read out."""
    time = translate("InspectorColumns", "{time} after the turn began").format(
        time=duration(records.since_turn_ns(number))
    )
    seq = translate("InspectorColumns", "record {seq}").format(seq=records.seqs[number])
    return ", ".join(part for part in (label.name, label.problem, label.text, time, seq) if part)
