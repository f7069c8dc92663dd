"""What was recorded, one line and 24 bytes a record: no object of Python stays for any of them (PERF4)."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from agdesk.core.ir import stream as ev
from agdesk.core.ir.codec import Unknown, tag_of
from agdesk.core.trace.events import EventIgnored, StreamEventReceived, TraceRecord
from agdesk.core.trace.lines import decode_record, encode_record
from agdesk.core.trace.wire import FrameReceived, ResponseClosed
from agdesk.ui.inspector.lines import PackedLines

DELTAS = (ev.TextDelta, ev.ThinkingDelta, ev.RefusalDelta, ev.ToolCallArgumentsDelta)
_DECODED_KEPT = 4096


class Role(IntEnum):
    """What a record is to the tree."""

    MILESTONE = 0
    FRAME = 1
    EVENT = 2
    DELTA = 3


class Kind(NamedTuple):
    """What records have in common that may stand in one run.

    Attributes:
        name: the tag of the payload, or of the event in it.
        block: the block that a stream event is about.
        is_framed: it follows, without anything between, the frame that it came from.
    """

    name: str
    role: Role
    block: int | None = None
    is_framed: bool = False


@dataclass(slots=True)
class Group:
    """The records of one request, or of a turn outside its requests.

    Attributes:
        milestones: for each kind of record that is no frame and no event, the first one's number.
        first_frame: number of the first frame, -1 while there is none.
        body_bytes: of the response, as far as known.
    """

    turn_id: str
    request_id: str
    milestones: dict[str, int] = field(default_factory=dict)
    first_frame: int = -1
    frame_count: int = 0
    body_bytes: int = 0


class RecordIndex:
    """Every record that was appended, by number from 0. ``seqs`` grow but may have gaps: old ones are evicted.

    Attributes:
        seqs, times_ns: of each record.
        codes: of each record, an index into ``kinds``.
        group_of: of each record, an index into ``groups``.
        turn_starts: time of the first record of a turn, by its id.
        ignored_count: events that were not legal where they stood.
    """

    def __init__(self, session_id: str) -> None:
        self.seqs = array("I")
        self.times_ns = array("q")
        self.codes = array("I")
        self.group_of = array("I")
        self.lines = PackedLines()
        self.kinds: list[Kind] = []
        self.groups: list[Group] = []
        self.turn_starts: dict[str, int] = {}
        self.ignored_count = 0
        self._codes: dict[Kind, int] = {}
        self._event_codes: dict[tuple[type, int | None, bool], int] = {}
        self._frame_code = self._code(Kind("frame_received", Role.FRAME))
        self._group_numbers: dict[tuple[str, str], int] = {}
        self._turn_groups: dict[str, list[Group]] = {}
        self._last_group = -1
        self._last_ids: tuple[str, str] | None = None
        self._unit_seq = 0  # of the frame whose events may follow now
        self._session_id = session_id
        self._decoded = lru_cache(_DECODED_KEPT)(self.read)

    def __len__(self) -> int:
        return len(self.seqs)

    def append(self, records: Sequence[TraceRecord]) -> range:
        """Adds records in the order of their seq and returns their numbers."""
        first = len(self.seqs)
        add_seq, add_time, add_code = self.seqs.append, self.times_ns.append, self.codes.append
        add_group, add_line, event_codes = self.group_of.append, self.lines.append, self._event_codes
        for record in records:
            seq, ts_ns, _, turn_id, request_id, payload = record
            if self._last_ids != (turn_id, request_id):
                self._enter(turn_id, request_id, ts_ns)
            if type(payload) is FrameReceived:
                code = self._frame_code
                self._add_frame(payload, len(self.seqs))
                self._unit_seq = seq
            elif type(payload) is StreamEventReceived:
                is_framed = self._is_framed(payload.frame_seq)
                event = payload.event
                key = (type(event), getattr(event, "index", None), is_framed)
                found = event_codes.get(key)
                code = self._event_code(key) if found is None else found
            else:
                code = self._add_milestone(record, len(self.seqs))
            add_seq(seq)
            add_time(ts_ns)
            add_code(code)
            add_group(self._last_group)
            add_line(encode_record(record))
        return range(first, len(self.seqs))

    def record(self, number: int) -> TraceRecord:
        """A record, as it was appended; the latest that were asked for are at hand."""
        return self._decoded(number)

    def read(self, number: int) -> TraceRecord:
        """A record, decoded anew: for many at once, and for other threads."""
        return decode_record(self.lines[number], self._session_id)

    def kind(self, number: int) -> Kind:
        return self.kinds[self.codes[number]]

    def group(self, number: int) -> Group:
        return self.groups[self.group_of[number]]

    def number_of(self, seq: int) -> int | None:
        """The record with that seq."""
        number = bisect_left(self.seqs, seq)
        return number if number < len(self.seqs) and self.seqs[number] == seq else None

    def since_turn_ns(self, number: int) -> int:
        """Time since the first record of the turn, or since the session's start outside a turn."""
        return self.times_ns[number] - self.turn_starts.get(self.group(number).turn_id, 0)

    @property
    def body_bytes(self) -> int:
        """Bytes of all responses, as received."""
        return sum(group.body_bytes for group in self.groups)

    @property
    def request_count(self) -> int:
        return sum(bool(group.request_id) for group in self.groups)

    def turn_milestones(self, turn_id: str) -> dict[str, int]:
        """Those of a turn outside its requests."""
        number = self._group_numbers.get((turn_id, ""))
        return self.groups[number].milestones if number is not None else {}

    def request_place(self, group: Group) -> int:
        """The how-maniest request of its turn a group is, from 1."""
        ids = [other.request_id for other in self._turn_groups[group.turn_id] if other.request_id]
        return ids.index(group.request_id) + 1

    def _enter(self, turn_id: str, request_id: str, ts_ns: int) -> None:
        ids = self._last_ids = (turn_id, request_id)
        self._unit_seq = 0
        if ids not in self._group_numbers:
            self._group_numbers[ids] = len(self.groups)
            group = Group(turn_id, request_id)
            self.groups.append(group)
            self._turn_groups.setdefault(turn_id, []).append(group)
            if turn_id:
                self.turn_starts.setdefault(turn_id, ts_ns)
        self._last_group = self._group_numbers[ids]

    def _add_frame(self, frame: FrameReceived, number: int) -> None:
        group = self.groups[self._last_group]
        if group.first_frame < 0:
            group.first_frame = number
        group.frame_count += 1
        group.body_bytes = max(group.body_bytes, frame.end)

    def _add_milestone(self, record: TraceRecord, number: int) -> int:
        payload = record.payload
        if isinstance(payload, EventIgnored):
            self.ignored_count += 1
            return self._code(Kind("event_ignored", Role.EVENT, None, self._is_framed(payload.frame_seq)))
        self._unit_seq = 0
        name = (payload.kind or "unknown") if isinstance(payload, Unknown) else tag_of(type(payload))
        group = self.groups[self._last_group]
        group.milestones.setdefault(name, number)
        if isinstance(payload, ResponseClosed):
            group.body_bytes = max(group.body_bytes, payload.byte_count)
        return self._code(Kind(name, Role.MILESTONE))

    def _is_framed(self, frame_seq: int | None) -> bool:
        if frame_seq is not None and frame_seq == self._unit_seq:
            return True
        self._unit_seq = 0
        return False

    def _event_code(self, key: tuple[type, int | None, bool]) -> int:
        cls, block, is_framed = key
        role = Role.DELTA if issubclass(cls, DELTAS) else Role.EVENT
        code = self._event_codes[key] = self._code(Kind(tag_of(cls), role, block, is_framed))
        return code

    def _code(self, kind: Kind) -> int:
        code = self._codes.setdefault(kind, len(self.kinds))
        if code == len(self.kinds):
            self.kinds.append(kind)
        return code
