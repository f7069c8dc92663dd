"""Finds the item that an event is about, and puts the items together (P01, P02, P03, P15)."""

from __future__ import annotations

from typing import Any

from agdesk.core.providers.block_writer import BlockWriter
from agdesk.core.providers.lenient import objects_of, text_in
from agdesk.core.providers.wire.openai_responses.call import CallItem
from agdesk.core.providers.wire.openai_responses.fields import CUSTOM, FUNCTION, MESSAGE, REASONING
from agdesk.core.providers.wire.openai_responses.item import Item, Key, SpokenItem, key_of
from agdesk.core.providers.wire.openai_responses.message import MessageItem
from agdesk.core.providers.wire.openai_responses.other_item import OtherItem
from agdesk.core.providers.wire.openai_responses.thought import ReasoningItem


class Output:
    """The items of one answer, in the order in which they were first seen.

    Inside an item an event goes by its ``output_index``, for ids may rotate; without one by the item's id, without a
    known id to the item of its kind that was opened last. What fits nowhere opens an item.
    """

    def __init__(self, writer: BlockWriter, *, seed: str) -> None:
        self._writer = writer
        self._seed = seed
        self._items: list[Item] = []
        self._by_index: dict[Key, Item] = {}
        self._by_id: dict[str, Item] = {}
        self._call_ids: set[str] = set()

    @property
    def is_empty(self) -> bool:
        return not self._items

    @property
    def has_calls(self) -> bool:
        """Whether a call may run, known once ``close`` was called."""
        return any(isinstance(item, CallItem) and item.is_whole for item in self._items)

    @property
    def has_refusal(self) -> bool:
        return any(isinstance(item, MessageItem) and item.has_refusal for item in self._items)

    def spoken(self, event: dict[str, Any], kind: str, *, is_delta: bool = False) -> SpokenItem:
        """The item of this type that the event is about.

        It may be done already: then the event says nothing new, unless it is a delta of a text, which opens an item.
        """
        found = self._find(event, kind, takes_done=not is_delta or kind in (FUNCTION, CUSTOM))
        if found is None:
            found = self._open(kind, key_of(event.get("output_index")), text_in(event.get("item_id")))
        assert isinstance(found, SpokenItem)  # by its kind
        return found

    def other(self, event: dict[str, Any]) -> OtherItem | None:
        """The item without strings that the event is about, if it is about one."""
        found = self._by_index.get(key_of(event.get("output_index"))) or self._by_id.get(text_in(event.get("item_id")))
        return found if isinstance(found, OtherItem) else None

    def announce(self, event: dict[str, Any], item: dict[str, Any]) -> None:
        """Takes ``output_item.added``: a new item, or one of which something was seen before."""
        kind, key, item_id = kind_of(item), key_of(event.get("output_index")), text_in(item.get("id"))
        found = self._by_id.get(item_id) if key is None else self._by_index.get(key)
        is_open = found is not None and found.kind == kind and not found.is_done
        if found is None or not is_open or (found.is_announced and not found.is_same(item)):
            found = self._open(kind, key, item_id)
        if item_id:
            self._by_id[item_id] = found
        found.announce(item)

    def finish(self, event: dict[str, Any], item: dict[str, Any]) -> None:
        """Takes ``output_item.done``; an item that is done already says nothing new."""
        kind, key, item_id = kind_of(item), key_of(event.get("output_index")), text_in(item.get("id"))
        call_id = text_in(item.get("call_id"))
        at_index = self._by_index.get(key)
        if at_index is not None and at_index.is_done and not at_index.is_same(item):
            at_index = None  # the index of an earlier item, used again
        with_id = next((known for known in self._items if call_id and known.call_id == call_id), None)
        last = self._last(kind) if key is None else None
        if last is not None and last.is_done:
            last = None
        candidates = (at_index, with_id, self._by_id.get(item_id), last)
        fitting = (known for known in candidates if known is not None and known.kind == kind and known.fits(call_id))
        found = next(fitting, None) or self._open(kind, key, item_id)
        if not found.is_done:
            found.finish(item)

    def take_whole(self, output: Any) -> None:
        """Takes the ``output`` of the whole answer: what is not done, or was never seen, is taken from it (P01).

        An entry is an item's by its id; else by its place; else the next of its kind that nothing else is said of.
        """
        entries = objects_of(output)
        owners: dict[int, Item] = {}
        waiting = list(self._items)

        def claim(place: int, owner: Item | None) -> None:
            if place not in owners and owner in waiting and owner is not None and owner.kind == kind_of(entries[place]):
                owners[place] = owner
                waiting.remove(owner)

        for place, entry in enumerate(entries):
            claim(place, self._by_id.get(text_in(entry.get("id"))))
        for place, entry in enumerate(entries):
            at_place = self._by_index.get(place)
            claim(place, at_place if at_place is not None and at_place.fits(text_in(entry.get("call_id"))) else None)
        for place, entry in enumerate(entries):
            claim(place, next((item for item in waiting if item.kind == kind_of(entry)), None))
            owner = owners.get(place) or self._open(kind_of(entry), None, text_in(entry.get("id")))
            if not owner.is_done:
                owner.finish(entry)

    def close(self, *, may_run: bool, needs_done: bool = False) -> None:
        """Closes every item. ``needs_done``: a call may run only if its final JSON came."""
        for item in self._items:
            item.close(may_run=may_run and (item.is_done or not needs_done))

    def _find(self, event: dict[str, Any], kind: str, *, takes_done: bool) -> Item | None:
        key = key_of(event.get("output_index"))
        last = self._last(kind) if key is None else None
        for found in (self._by_index.get(key), self._by_id.get(text_in(event.get("item_id"))), last):
            if found is not None and found.kind == kind and (takes_done or not found.is_done):
                return found
        return None

    def _last(self, kind: str) -> Item | None:
        """The last item of this type, an open one if there is one."""
        alike = [item for item in self._items if item.kind == kind]
        return next((item for item in reversed(alike) if not item.is_done), alike[-1] if alike else None)

    def _open(self, kind: str, key: Key, item_id: str) -> Item:
        item: Item
        if kind == MESSAGE:
            item = MessageItem(self._writer)
        elif kind == REASONING:
            item = ReasoningItem(self._writer)
        elif kind in (FUNCTION, CUSTOM):
            item = CallItem(kind, self._writer, seed=self._seed, taken_ids=self._call_ids)
        else:
            item = OtherItem(kind, self._writer)
        self._items.append(item)
        if key is not None:
            self._by_index[key] = item
        if item_id:
            self._by_id[item_id] = item
        return item


def kind_of(item: dict[str, Any]) -> str:
    """The type of an item; of one that says none, what its members tell."""
    if kind := text_in(item.get("type")):
        return kind
    if "call_id" in item or "arguments" in item:
        return FUNCTION
    return MESSAGE if "content" in item or "role" in item else "item"
