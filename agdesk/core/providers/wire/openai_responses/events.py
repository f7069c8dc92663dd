"""Events about items and what is in them."""

from __future__ import annotations

from typing import Any, NamedTuple

from agdesk.core.providers.lenient import object_of, text_in
from agdesk.core.providers.wire.openai_responses.call import CallItem
from agdesk.core.providers.wire.openai_responses.fields import (
    DELTA_LANES,
    DONE_LANES,
    MESSAGE,
    PART_EVENTS,
    PART_LANES,
    Lane,
)
from agdesk.core.providers.wire.openai_responses.item import Key, key_of
from agdesk.core.providers.wire.openai_responses.message import MessageItem
from agdesk.core.providers.wire.openai_responses.output import Output
from agdesk.core.providers.wire.openai_responses.strings import DeltaKind, RunningString


class Run(NamedTuple):
    """A delta that another one of the same string may follow, and what becomes of that.

    Attributes:
        type, output_index, item_id: of the event.
        index_member, part_index: name and value of the event's index inside the item.
        string: takes the text.
        event: what the text is given out as.
    """

    type: str
    output_index: Key
    index_member: str
    part_index: Key
    item_id: str
    string: RunningString
    event: DeltaKind


class EventReader:
    """Takes what is said of items into ``output``.

    Attributes:
        run: of the last event, if it was a delta whose like can go out as it comes; the decoder clears it.
    """

    def __init__(self, output: Output) -> None:
        self._output = output
        self.run: Run | None = None

    def take(self, document: dict[str, Any], kind: str) -> bool:
        """Takes an event of this type; False: it is not about a known kind of thing."""
        if (lane := DELTA_LANES.get(kind)) is not None:
            self._take_delta(document, kind, lane)
            return True
        return self._take_end(document, kind)

    def _take_delta(self, document: dict[str, Any], kind: str, lane: Lane) -> None:
        index = key_of(document.get(lane.index_member)) if lane.index_member else None
        item = self._output.spoken(document, lane.item, is_delta=True)
        if item.is_done:
            return
        string = item.string(lane.name, index)
        string.add(document.get("delta"))
        if string.kind is not None:
            key, item_id = key_of(document.get("output_index")), text_in(document.get("item_id"))
            self.run = Run(kind, key, lane.index_member, index, item_id, string, string.kind)

    def _take_end(self, document: dict[str, Any], kind: str) -> bool:
        """Takes what begins or ends a string, a part or an item; whether it was one of these."""
        if (lane := DONE_LANES.get(kind)) is not None:
            found = self._output.spoken(document, lane.item)
            if isinstance(found, CallItem):
                found.call_name(document.get("name"))
            if not found.is_done:
                index = key_of(document.get(lane.index_member)) if lane.index_member else None
                found.string(lane.name, index).settle(document.get(lane.whole_member))
        elif kind in PART_EVENTS:
            if kind.endswith(".done"):
                self._take_part(document, object_of(document.get("part")))
        elif kind == "response.output_text.annotation.added":
            message = self._output.spoken(document, MESSAGE)
            if isinstance(message, MessageItem):
                message.cite(key_of(document.get("content_index")), document.get("annotation"))
        elif kind in ("response.output_item.added", "response.output_item.done"):
            if isinstance(item := document.get("item"), dict):
                take = self._output.announce if kind.endswith(".added") else self._output.finish
                take(document, item)
        else:
            return False
        return True

    def _take_part(self, document: dict[str, Any], part: dict[str, Any]) -> None:
        lane = PART_LANES.get(text_in(part.get("type")))
        found = self._output.spoken(document, MESSAGE if lane is None else lane.item)
        if isinstance(found, MessageItem):
            found.take_part(key_of(document.get("content_index")), part)
        elif lane is not None and not found.is_done:
            found.string(lane.name, key_of(document.get(lane.index_member))).settle(part.get("text"))
