"""Lines, the index over them, and the filter: all without a window."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agdesk.core.ir import stream as ev
from agdesk.core.trace.events import StreamEventReceived
from agdesk.ui.inspector.filter import RecordFilter
from agdesk.ui.inspector.lines import BLOCK_LINES, PackedLines
from agdesk.ui.inspector.records import RecordIndex
from agdesk.ui.inspector.tree import TraceTree
from tests.ui.inspector.traces import Trace, troubled_turn, whole_turn


def index_of(records):
    index = RecordIndex("s")
    index.append(records)
    return index


@given(st.lists(st.binary(max_size=12), min_size=1, max_size=60), st.binary(min_size=1, max_size=3), st.data())
def test_packed_lines_give_back_and_find_what_was_put_in(lines, word, data):
    packed = PackedLines()
    repeated = lines * (BLOCK_LINES // len(lines) + 2)  # over the end of a block
    for line in repeated:
        packed.append(line)
    assert len(packed) == len(repeated)
    start = data.draw(st.integers(0, len(repeated)))
    stop = data.draw(st.integers(start, len(repeated)))
    word = word.lower()
    expected = [number for number in range(start, stop) if word in repeated[number].lower()]
    assert list(packed.find(word, start, stop)) == expected
    for number in (0, BLOCK_LINES - 1, BLOCK_LINES, len(repeated) - 1):
        assert packed[number] == repeated[number]


def test_every_record_comes_back_as_it_was_appended():
    records = troubled_turn().records
    index = index_of(records)
    assert [index.record(number) for number in range(len(index))] == records


def test_at_most_64_bytes_a_record_stand_beside_its_line():
    """PERF4; records that no run takes in need the most."""
    trace = Trace()
    for number in range(4000):
        trace.add(StreamEventReceived(None, ev.TextDelta("x", number % 2)))
    index = index_of(trace.records)
    tree = TraceTree(index)
    tree.extend(range(len(index)))
    columns = [index.seqs, index.times_ns, index.codes, index.group_of, index.lines._ends]
    columns += [tree.parents, tree.places, tree.firsts, tree.counts, tree.shown, tree.owners, *tree.children.values()]
    size = sum(len(column) * column.itemsize for column in columns) + len(tree.kinds)
    assert len(tree.kinds) > 4000
    assert size / len(index) <= 64


def matches(records, text):
    index = index_of(records)
    return [index.kind(number).name for number in RecordFilter(index, text).find(range(len(index)))]


def test_a_word_is_looked_for_in_kind_and_text_without_its_case():
    records = whole_turn(4).records
    assert matches(records, "request_sent") == ["request_sent"]
    assert matches(records, "WORD3") == ["text_delta"]
    assert matches(records, "  ") == matches(records, "") and len(matches(records, "")) == len(records)
    assert matches(records, "nowhere_to_be_found") == []


def test_every_word_must_be_there():
    records = whole_turn(4).records
    assert matches(records, "text_delta word2") == ["text_delta"]
    assert matches(records, "request_sent word2") == []


@pytest.mark.parametrize("word", ["巴黎", '"quoted"', "back\\slash", "tab\there"])
def test_words_are_found_as_they_are_written_whatever_json_makes_of_them(word):
    trace = Trace()
    trace.add(StreamEventReceived(None, ev.TextDelta(f"<{word}>", 0)))
    trace.add(StreamEventReceived(None, ev.TextDelta("other", 0)))
    index = index_of(trace.records)
    chosen = RecordFilter(index, word.split()[0])
    assert list(chosen.find(range(2))) == [0]


@pytest.mark.parametrize("cut", range(0, 40, 3))
def test_a_tree_that_is_built_in_parts_is_the_tree_of_all(cut):
    index = index_of(whole_turn(12).records)
    for text in ("", "text_delta", "frame_received", "delta 1"):
        chosen = RecordFilter(index, text)
        whole = chosen.build(len(index), threading.Event())
        parts = chosen.build(min(cut, len(index)), threading.Event())
        chosen.extend(parts, range(min(cut, len(index)), len(index)))
        for name in ("kinds", "parents", "places", "firsts", "counts", "shown", "owners", "rows", "children"):
            assert getattr(parts, name) == getattr(whole, name), (text, name)


def test_a_filter_that_is_given_up_stops():
    index = index_of(whole_turn(12).records)
    given_up = threading.Event()
    given_up.set()
    assert len(RecordFilter(index, "").build(len(index), given_up)) == 0
