"""What a decoder made of each frame: which fields it read, passed on raw, never read, and which events they fed (D5).

Runs the decoder again over mappings and sequences that note what is taken out of them. Nothing of this is on the way of
a live stream.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, SupportsIndex

from typing_extensions import override

from agdesk.core.ir.stream import StreamEvent
from agdesk.core.providers.base import Endpoint, Frame, WireFormat

_NOTHING: tuple[Any, ...] = (None, "", [], {})


@dataclass(frozen=True, slots=True)
class FrameExplanation:
    """What became of one frame.

    Attributes:
        frame: the frame.
        read: leaf paths that the decoder looked at, ``[]`` standing for any index: ``choices[].delta.content``.
        raw: leaf paths inside what was passed on as it came, from this frame or in a later form from a later one.
        unread: all other leaf paths.
        ignored: those of ``unread`` that carry something and are not in the format's table of noise.
        event_indexes: the places, in the sequence of all events, of those that this frame gave rise to.
    """

    frame: Frame
    read: tuple[str, ...]
    raw: tuple[str, ...]
    unread: tuple[str, ...]
    ignored: tuple[str, ...]
    event_indexes: tuple[int, ...]

    @property
    def ignored_fields(self) -> int:
        """How many fields of this frame had no effect although they carry something."""
        return len(self.ignored)


def explain(
    frames: Iterable[Frame], *, wire: WireFormat, endpoint: Endpoint, model: str
) -> tuple[FrameExplanation, ...]:
    """Explains the frames of one response, in order. Events of the end of the stream belong to no frame."""
    decoder = wire.decoder(endpoint=endpoint, model=model, seed="explain")
    readings: list[tuple[Frame, _Reading, range]] = []
    events: list[StreamEvent] = []
    for frame in frames:
        reading = _Reading()
        decoder.wrap_document = reading.wrap
        found = decoder.decode(frame)
        readings.append((frame, reading, range(len(events), len(events) + len(found))))
        events.extend(found)
    decoder.wrap_document = None
    events.extend(decoder.finish())
    for event in events:
        _note_raw(event)
    # of a value that every frame sends anew, the last one is in the events and stands for those before it
    raw = frozenset[str]().union(*(reading.raw for _, reading, _ in readings))
    return tuple(
        _explanation(frame, reading, raw=raw, noise=wire.noise, event_indexes=tuple(indexes))
        for frame, reading, indexes in readings
    )


def _explanation(
    frame: Frame, reading: _Reading, *, raw: frozenset[str], noise: frozenset[str], event_indexes: tuple[int, ...]
) -> FrameExplanation:
    leaves = dict(reading.leaves())
    unread = [path for path in leaves if path not in reading.read and path not in raw]
    return FrameExplanation(
        frame,
        tuple(path for path in leaves if path in reading.read),
        tuple(path for path in leaves if path in raw and path not in reading.read),
        tuple(unread),
        tuple(path for path in unread if leaves[path] and not _is_noise(path, noise)),
        event_indexes,
    )


def _is_noise(path: str, noise: frozenset[str]) -> bool:
    """Whether the table has the path or one that it lies beneath; a stream may come as one array (G12)."""
    path = path.removeprefix("[].")
    if path in noise:
        return True
    return any(path.startswith(known) and path[len(known)] in ".[" for known in noise)


@dataclass(slots=True, eq=False)
class _Reading:
    """What was taken out of the documents of one frame."""

    documents: list[Any] = field(default_factory=list)
    read: set[str] = field(default_factory=set)
    raw: set[str] = field(default_factory=set)

    def wrap(self, document: Any) -> Any:
        self.documents.append(document)
        return self.wrapped(document, "")

    def wrapped(self, value: Any, path: str) -> Any:
        if isinstance(value, dict):
            return _Object({key: self.wrapped(value[key], _join(path, key)) for key in value}, self, path)
        if isinstance(value, list):
            return _Array([self.wrapped(item, f"{path}[]") for item in value], self, path)
        return value

    def taken(self, value: Any, path: str) -> Any:
        """Notes that ``value`` was looked at, if it is a leaf."""
        if not isinstance(value, _Object | _Array) or not value:
            self.read.add(path)
        return value

    def leaves(self) -> Iterator[tuple[str, bool]]:
        """Every leaf path, with whether any value there carries something."""
        carries: dict[str, bool] = {}
        for document in self.documents:
            for path, value in _leaves(document, ""):
                carries[path] = carries.get(path, False) or value not in _NOTHING
        return iter(carries.items())


class _Object(dict[str, Any]):
    """A JSON object that notes which members are taken out; asking for its keys is not reading."""

    __slots__ = ("path", "reading")

    def __init__(self, members: Mapping[str, Any], reading: _Reading, path: str) -> None:
        super().__init__(members)
        self.reading = reading
        self.path = path

    @override
    def __getitem__(self, key: str) -> Any:
        return self.reading.taken(super().__getitem__(key), _join(self.path, key))

    @override
    def get(self, key: str, default: Any = None) -> Any:
        return self.reading.taken(super().get(key), _join(self.path, key)) if key in self else default

    @override
    def items(self) -> Any:
        return [(key, self[key]) for key in self]

    @override
    def values(self) -> Any:
        return [self[key] for key in self]


class _Array(list[Any]):
    """A JSON array that notes which of its items are taken out."""

    __slots__ = ("path", "reading")

    def __init__(self, items: Iterable[Any], reading: _Reading, path: str) -> None:
        super().__init__(items)
        self.reading = reading
        self.path = path

    @override
    def __iter__(self) -> Iterator[Any]:
        return (self.reading.taken(item, f"{self.path}[]") for item in super().__iter__())

    @override
    def __getitem__(self, index: SupportsIndex | slice) -> Any:
        found = super().__getitem__(index)
        return found if isinstance(index, slice) else self.reading.taken(found, f"{self.path}[]")


def _note_raw(value: Any) -> None:
    """Finds what of the documents stands in an event as it came."""
    if isinstance(value, _Object | _Array):
        plain = dict.items(value) if isinstance(value, _Object) else enumerate(list.__iter__(value))
        value.reading.raw.update(path for path, _ in _leaves(value, value.path))
        for _, item in plain:
            _note_raw(item)
    elif isinstance(value, Mapping):
        for item in value.values():
            _note_raw(item)
    elif isinstance(value, list | tuple):
        for item in value:
            _note_raw(item)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for member in dataclasses.fields(value):
            _note_raw(getattr(value, member.name))


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """The leaf paths of a document: scalars, and containers with nothing in them."""
    if isinstance(value, dict) and len(value):
        for key, item in dict.items(value):
            yield from _leaves(item, _join(path, key))
    elif isinstance(value, list) and len(value):
        for item in list.__iter__(value):
            yield from _leaves(item, f"{path}[]")
    else:
        yield path, value


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
