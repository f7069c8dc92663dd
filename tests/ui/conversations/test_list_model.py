"""The rows: their order, and that a change moves rows instead of resetting all of them."""

import random
from datetime import timedelta

import pytest
from PySide6.QtCore import QObject, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from agdesk.ui.conversations.list_model import ConversationListModel
from agdesk.ui.conversations.rows import Heading
from tests.ui.conversations.stored import NOON, StoredConversations, conversation

DAY = timedelta(days=1)


class Clock:
    def __init__(self):
        self.now = NOON

    def __call__(self):
        return self.now


@pytest.fixture
def open_model(qapp):
    owners = []

    def open_it(*rows):
        owner, clock = QObject(), Clock()
        store = StoredConversations(*rows)
        model = make_model(store, owner, clock)
        QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning, owner)
        store.changed.subscribe(model.update)
        owners.append(owner)
        return model, store, clock

    return open_it


def make_model(store, owner, clock):
    return ConversationListModel(store, owner, now=clock)


def count_resets(model):
    resets = []
    model.modelReset.connect(lambda: resets.append(1))
    return resets


def shown(model):
    """The rows as they read: headings in capitals."""
    return [row.section.name.upper() if isinstance(row, Heading) else row.conversation.id for row in model.rows]


FOUR = (
    conversation("a", "Paris trip", ago=timedelta(minutes=5)),
    conversation("b", "Regex", ago=timedelta(hours=1)),
    conversation("c", "Café", ago=DAY),
    conversation("g", "巴黎行程", ago=3 * DAY, group="Work"),
)


def test_sections_and_rows_are_in_their_order(open_model):
    model, _, _ = open_model(*FOUR, conversation("p", ago=9 * DAY, is_pinned=True))
    assert shown(model) == ["PINNED", "p", "WORK", "g", "TODAY", "a", "b", "YESTERDAY", "c"]
    assert model.groups() == ("Work",)
    assert model.total == model.hits == 5


def test_a_conversation_that_changes_moves_to_the_top_without_a_reset(open_model):
    model, store, _ = open_model(*FOUR)
    resets = count_resets(model)
    held = QPersistentModelIndex(model.index_of("c"))
    store.touch("c")
    assert shown(model) == ["WORK", "g", "TODAY", "c", "a", "b"]
    assert held.isValid() and held.row() == 3, "selection and current row go with it"
    assert resets == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda store: store.set_pinned("c", True), ["PINNED", "c", "WORK", "g", "TODAY", "a", "b"]),
        (lambda store: store.set_group("g", ""), ["TODAY", "a", "b", "YESTERDAY", "c", "PREVIOUS 7 DAYS", "g"]),
        (lambda store: store.set_group("a", "Work"), ["WORK", "a", "g", "TODAY", "b", "YESTERDAY", "c"]),
        (lambda store: store.rename("a", "Other"), ["WORK", "g", "TODAY", "a", "b", "YESTERDAY", "c"]),
        (lambda store: store.delete("c"), ["WORK", "g", "TODAY", "a", "b"]),
        (lambda store: store.put(conversation("n")), ["WORK", "g", "TODAY", "n", "a", "b", "YESTERDAY", "c"]),
        (lambda store: store.changed.emit("unknown"), ["WORK", "g", "TODAY", "a", "b", "YESTERDAY", "c"]),
    ],
)
def test_every_change_touches_its_own_rows_only(open_model, change, expected):
    model, store, _ = open_model(*FOUR)
    resets = count_resets(model)
    change(store)
    assert shown(model) == expected
    assert resets == []


def test_what_is_deleted_comes_back_to_its_place(open_model):
    model, store, _ = open_model(*FOUR)
    before = shown(model)
    store.delete("c")
    store.restore("c")
    assert shown(model) == before


def test_any_order_of_changes_gives_what_a_new_model_shows(open_model):
    chance = random.Random(7)
    rows = [conversation(f"c{number}", ago=chance.random() * 60 * DAY) for number in range(30)]
    model, store, clock = open_model(*rows)
    model.set_folded({"group:x", "week"})
    for step in range(400):
        name = f"c{chance.randrange(30)}"
        alive = store.get(name) is not None
        match chance.randrange(6):
            case 0 if alive:
                store.touch(name, NOON - chance.random() * 60 * DAY)
            case 1 if alive:
                store.set_pinned(name, chance.random() < 0.5)
            case 2 if alive:
                store.set_group(name, chance.choice(["", "x", "y"]))
            case 3 if alive:
                store.rename(name, chance.choice(["hit", "miss"]))
            case 4:
                store.delete(name) if alive else store.restore(name)
            case _:
                model.set_filter(chance.choice(["", "", "hit"]))
        if step % 100 == 99:
            clock.now += DAY
            model.update_day()
        other = make_model(store, QObject(model), clock)
        other.set_folded({"group:x", "week"})
        other.set_filter("hit" if model.is_filtered else "")
        assert shown(model) == shown(other)
        assert [model.count(row.section) for row in model.rows] == [other.count(row.section) for row in other.rows]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PARIS", ["TODAY", "a"]),
        ("trip par", ["TODAY", "a"]),
        ("cafe", ["YESTERDAY", "c"]),
        ("巴", ["WORK", "g"]),
        ("行程", ["WORK", "g"]),
        ("qqq", []),
        ("  ", ["WORK", "g", "TODAY", "a", "b", "YESTERDAY", "c"]),
    ],
)
def test_the_filter_finds_words_in_titles(open_model, text, expected):
    model, _, _ = open_model(*FOUR)
    model.set_filter(text)
    assert shown(model) == expected


def test_what_stops_matching_leaves_and_what_starts_to_match_comes(open_model):
    model, store, _ = open_model(*FOUR)
    model.set_filter("paris")
    store.rename("a", "London")
    assert shown(model) == [] and model.total == 4
    store.rename("b", "Paris")
    assert shown(model) == ["TODAY", "b"]


def test_a_folded_section_shows_its_heading_and_number_except_while_searching(open_model):
    model, store, _ = open_model(*FOUR)
    model.set_folded({"today", "group:Work"})
    assert shown(model) == ["WORK", "TODAY", "YESTERDAY", "c"]
    heading = model.index(1).data(Qt.ItemDataRole.AccessibleTextRole)
    assert heading == "Today, 2, folded"
    store.touch("c")
    assert shown(model) == ["WORK", "TODAY"]
    assert not model.index_of("c").isValid()
    model.set_filter("paris")
    assert shown(model) == ["TODAY", "a"]
    model.set_filter("")
    assert shown(model) == ["WORK", "TODAY"]


def test_a_new_day_sorts_everything_anew(open_model):
    model, _, clock = open_model(*FOUR)
    resets = count_resets(model)
    clock.now += DAY
    model.update_day()
    assert shown(model) == ["WORK", "g", "YESTERDAY", "a", "b", "PREVIOUS 7 DAYS", "c"]
    assert resets == []


def test_an_entry_says_all_that_is_drawn(open_model):
    model, _, _ = open_model(*FOUR, conversation("x", "<b>two\nlines</b>"))
    model.set_current("a")
    model.set_busy({"a", "gone"})
    assert model.index_of("a").data(Qt.ItemDataRole.AccessibleTextRole) == "Paris trip, 5\u202fmin, answering, in front"
    assert model.index_of("x").data() == "<b>two lines</b>"
    assert model.index_of("x").data(Qt.ItemDataRole.ToolTipRole) == "<qt>&lt;b&gt;two lines&lt;/b&gt;</qt>"


def test_marks_touch_the_rows_that_they_change(open_model):
    model, _, _ = open_model(*FOUR)
    touched = []
    model.dataChanged.connect(lambda first, _last: touched.append(model.row(first).conversation.id))
    model.set_current("a")
    model.set_current("b")
    model.set_busy({"c"})
    model.set_busy({"c", "g"})
    assert touched == ["a", "a", "b", "c", "g"]


def test_a_title_is_changed_and_a_blank_one_refused(open_model):
    model, store, _ = open_model(*FOUR)
    assert model.setData(model.index_of("a"), "  A new\ttitle ")
    assert store.get("a").title == "A new title"
    assert not model.setData(model.index_of("a"), "   ")
    assert not model.setData(model.index(0), "a heading")
    assert store.get("a").title == "A new title"


def test_only_conversations_can_be_selected_and_renamed(open_model):
    model, _, _ = open_model(*FOUR)
    wanted = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable
    assert model.flags(model.index(0)) & wanted == Qt.ItemFlag.NoItemFlags
    assert model.flags(model.index(1)) & wanted == wanted


def test_a_conversation_without_a_turn_is_not_listed_and_one_without_words_has_a_title(open_model):
    model, store, _ = open_model(*FOUR)
    store.empty["e"] = conversation("e", "")
    store.changed.emit("e")
    assert not model.index_of("e").isValid() and model.total == 4
    store.put(conversation("e", ""))
    assert model.index_of("e").data() == "Untitled"
