"""The rows of the list: headings, and below them their conversations, the newest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from datetime import datetime
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QObject, Qt
from typing_extensions import override

from agdesk.ui.conversations.rows import (
    Entry,
    Heading,
    Row,
    entry_place,
    find_row,
    find_slot,
    place_of,
    with_headings,
)
from agdesk.ui.conversations.sections import Calendar, Section
from agdesk.ui.widgets.folding import folded
from agdesk.ui.widgets.row_model import Index, RowModel
from agdesk.ui.widgets.text import plain_tool_tip, safe_text

if TYPE_CHECKING:
    from agdesk.core.workspace import Conversation, Conversations


class ConversationListModel(RowModel[Row]):
    """What is to be seen of the conversations: those that match the filter, in sections that are not folded.

    A change of one conversation moves, adds or removes rows; only ``set_filter`` and ``set_folded`` reset the model.

    Args:
        conversations: of the store.
        now: the time that "today" is taken from.

    Attributes:
        calendar: of today.
        current_id: the conversation in front.
        busy_ids: those that answer just now.
        folded_keys: of the sections that show their heading only, unless there is a filter.
    """

    def __init__(self, conversations: Conversations, parent: QObject, *, now: Callable[[], datetime]) -> None:
        super().__init__(parent)
        self._conversations = conversations
        self._now = now
        self._words: tuple[str, ...] = ()
        self._entries: dict[str, Entry] = {}
        self._counts: Counter[str] = Counter()
        self.calendar = Calendar(now())
        self.current_id: str | None = None
        self.busy_ids: frozenset[str] = frozenset()
        self.folded_keys: frozenset[str] = frozenset()
        for conversation in conversations.all():
            self._entries[conversation.id] = self._entry(conversation)
        self._ordered = sorted(self._entries.values(), key=place_of)
        self._rebuild()

    @property
    def is_filtered(self) -> bool:
        """Whether only what was searched for is shown."""
        return bool(self._words)

    @property
    def total(self) -> int:
        """How many conversations there are, shown or not."""
        return len(self._entries)

    @property
    def hits(self) -> int:
        """How many conversations match the filter."""
        return self._counts.total()

    def groups(self) -> tuple[str, ...]:
        """The user's groups, in their order."""
        names = {entry.conversation.group for entry in self._entries.values()} - {""}
        return tuple(sorted(names, key=lambda name: (folded(name), name)))

    def count(self, section: Section) -> int:
        """How many conversations of a section match the filter."""
        return self._counts[section.key]

    def is_folded(self, section: Section) -> bool:
        """Whether only the heading of a section is shown."""
        return section.key in self.folded_keys and not self._words

    def conversation(self, conversation_id: str) -> Conversation | None:
        """A conversation of the list, shown or not."""
        entry = self._entries.get(conversation_id)
        return entry.conversation if entry is not None else None

    def index_of(self, conversation_id: str | None) -> QModelIndex:
        """Where a conversation is shown; not valid if it is not."""
        entry = self._entries.get(conversation_id or "")
        return (
            self.index(at) if entry is not None and (at := find_row(self._rows, entry)) is not None else QModelIndex()
        )

    def index_of_heading(self, section: Section) -> QModelIndex:
        """Where the heading of a section is."""
        at = find_row(self._rows, Heading(section))
        return self.index(at) if at is not None else QModelIndex()

    def time_text(self, entry: Entry) -> str:
        """When a conversation last changed."""
        return self.calendar.time_text(entry.conversation.updated_ms, self._now())

    # --- changes ---

    def set_filter(self, text: str) -> None:
        """Shows only conversations whose title has every word of a text; folded sections are opened meanwhile."""
        words = tuple(folded(text).split())
        if words != self._words:
            self._words = words
            self._rebuild()

    def set_folded(self, keys: Collection[str]) -> None:
        """Folds these sections and opens all others."""
        if self.folded_keys != (folded_keys := frozenset(keys)):
            self.folded_keys = folded_keys
            self._rebuild()

    def set_current(self, conversation_id: str | None) -> None:
        """Marks the conversation in front."""
        before, self.current_id = self.current_id, conversation_id
        self._touch_all((before, conversation_id))

    def set_busy(self, ids: Collection[str]) -> None:
        """Marks those that answer just now."""
        before, self.busy_ids = self.busy_ids, frozenset(ids)
        self._touch_all(before ^ self.busy_ids)

    def update(self, conversation_id: str) -> None:
        """Takes in that a conversation is new, changed or gone."""
        # one that is open and still empty is known to the store, too, and is not for the list
        is_stored = self._conversations.is_stored(conversation_id)
        conversation = self._conversations.get(conversation_id) if is_stored else None
        before = self._entries.pop(conversation_id, None)
        if before is not None:
            del self._ordered[find_slot(self._ordered, before)]
        after = self._entry(conversation, before=before) if conversation is not None else None
        if after is not None:
            self._entries[conversation_id] = after
            self._ordered.insert(find_slot(self._ordered, after), after)
        self._change(
            before if before is not None and self._matches(before) else None,
            after if after is not None and self._matches(after) else None,
        )

    def update_day(self) -> None:
        """Sorts everything into the sections of today, if that is another day than before."""
        if self._now().date() != self.calendar.today:
            self.calendar = Calendar(self._now())
            for conversation_id in tuple(self._entries):
                self.update(conversation_id)

    @override
    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row = self.row(index)
        if not isinstance(row, Entry) or role != Qt.ItemDataRole.EditRole:
            return False
        title = " ".join(str(value).split())
        if not title or title == row.conversation.title:
            return False
        self._conversations.rename(row.conversation.id, title)
        return True

    # --- what the view asks ---

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        match self.row(index):
            case Heading():
                return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren
            case Entry():
                return super().flags(index) | Qt.ItemFlag.ItemIsEditable
            case None:
                return Qt.ItemFlag.NoItemFlags

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        match self.row(index):
            case Heading(section=section):
                return self._heading_data(section, role)
            case Entry() as entry:
                return self._entry_data(entry, role)
            case None:
                return None

    def _heading_data(self, section: Section, role: int) -> str | None:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return safe_text(section.name)
            case Qt.ItemDataRole.AccessibleTextRole:
                state = self.tr("folded") if self.is_folded(section) else self.tr("unfolded")
                return f"{safe_text(section.name)}, {self.count(section)}, {state}"
            case _:
                return None

    def _entry_data(self, entry: Entry, role: int) -> str | None:
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole:
                return entry.title
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tool_tip(entry.title)
            case Qt.ItemDataRole.AccessibleTextRole:
                parts = [entry.title, self.time_text(entry)]
                if entry.conversation.id in self.busy_ids:
                    parts.append(self.tr("answering"))
                if entry.conversation.id == self.current_id:
                    parts.append(self.tr("in front"))
                return ", ".join(parts)
            case _:
                return None

    # --- keeping the order ---

    def _entry(self, conversation: Conversation, *, before: Entry | None = None) -> Entry:
        section = self.calendar.section(conversation)
        title = " ".join(safe_text(conversation.title).split()) or self.tr("Untitled")
        folded_title = before.folded_title if before is not None and before.title == title else folded(title)
        return Entry(entry_place(section, conversation), section, conversation, title, folded_title)

    def _matches(self, entry: Entry) -> bool:
        return all(word in entry.folded_title for word in self._words)

    def _rebuild(self) -> None:
        matching = [entry for entry in self._ordered if self._matches(entry)]
        self._counts = Counter(entry.section.key for entry in matching)
        self._reset(list(with_headings(matching, self.is_folded)))

    def _change(self, before: Entry | None, after: Entry | None) -> None:
        """Brings the rows up to date for one conversation, as it was shown and as it is shown now.

        A new heading comes first and an old one goes last, so that the row can move with its selection.
        """
        if after is not None:
            self._counts[after.section.key] += 1
            heading = Heading(after.section)
            if find_row(self._rows, heading) is None:
                self._insert(find_slot(self._rows, heading), heading)
        if before is not None:
            self._counts[before.section.key] -= 1
        self._move_entry(before, after if after is not None and not self.is_folded(after.section) else None)
        for section in {entry.section.key: entry.section for entry in (before, after) if entry is not None}.values():
            at = self.index_of_heading(section).row()
            if self._counts[section.key]:
                self._touch(at)  # it tells their number
            else:
                self._remove(at)

    def _move_entry(self, before: Entry | None, after: Entry | None) -> None:
        source = find_row(self._rows, before) if before is not None else None
        if after is None:
            if source is not None:
                self._remove(source)
        elif source is None:
            self._insert(find_slot(self._rows, after), after)
        else:
            target = find_slot(self._rows, after)
            target -= target > source
            self._move(source, target)
            self._replace(target, after)

    def _touch_all(self, ids: Collection[str | None]) -> None:
        for conversation_id in ids:
            if (index := self.index_of(conversation_id)).isValid():
                self._touch(index.row())
