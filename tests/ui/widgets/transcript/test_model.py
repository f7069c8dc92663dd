"""Messages, blocks and rows, without a screen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agdesk.ui.widgets.markdown.segment_list import SEGMENT_WEIGHT
from agdesk.ui.widgets.transcript.block import plain_cuts
from agdesk.ui.widgets.transcript.estimate import HeightEstimator
from agdesk.ui.widgets.transcript.message import Message
from agdesk.ui.widgets.transcript.model import TranscriptModel
from agdesk.ui.widgets.transcript.source import JOIN_PIECES, Backlog, SourceText
from agdesk.ui.widgets.transcript.values import BlockView, ErrorView, MessageView, Role


@pytest.fixture
def model() -> TranscriptModel:
    return TranscriptModel(HeightEstimator())


def add(model: TranscriptModel, key: str, *texts: str, role: Role = "assistant") -> Message:
    message = model.append(MessageView(key, role, key))
    message.replace(tuple(BlockView("text", text) for text in texts))
    model.update_height(message)
    return message


def kinds(message: Message) -> list[str]:
    return [type(row).__name__.removesuffix("Row") for row in message.rows]


def test_a_message_has_no_rows_until_it_is_shown(model):
    message = add(model, "m", "text")
    assert message.rows == []
    assert model.height == message.height > 0
    model.open(message)
    assert kinds(message) == ["Head", "Text"]


def test_a_message_that_was_never_looked_at_is_no_more_than_its_text(model):
    text = "one\n\ntwo\n" * 20
    message = add(model, "m", text, "more")
    height = message.height
    assert message._blocks is None
    assert message.source == f"{text}\n\nmore"
    assert message.rows == []
    assert [block.source.join() for block in message.blocks] == [text, "more"]
    assert message.blocks[0].source.join() is text
    assert (message.height, message.source) == (height, f"{text}\n\nmore")


def test_a_message_that_was_never_looked_at_takes_another_content(model):
    message = add(model, "m", "text")
    message.replace((BlockView("thinking", "hm"), BlockView("text", "other")))
    assert message.source == "other"
    assert [block.kind for block in message.blocks] == ["thinking", "text"]
    message.replace(())
    assert message.blocks == []
    assert message.source == ""


def test_what_is_put_before_others_has_its_place_and_its_height(model):
    later = add(model, "later", "text")
    model.open(later)
    earlier = TranscriptModel(HeightEstimator())
    first = add(earlier, "first", "a\n" * 30)
    order = model.order
    model.prepend(earlier)
    assert [message.view.key for message in model.messages] == ["first", "later"]
    assert model.top(later.rows[0]) == first.height
    assert model.message("first") is first
    assert model.order != order
    with pytest.raises(ValueError, match="first"):
        model.prepend(earlier)


def test_rows_stand_in_the_order_of_the_blocks(model):
    message = model.append(MessageView("m", "assistant", ""))
    message.open()
    message.begin_block(2, "text")
    message.append(2, "second\n\n```\nx\n```\n")
    message.begin_block(0, "thinking")
    message.append(0, "hm")
    message.begin_block(1, "text")
    message.append(1, "first")
    message.footer = "stopped"
    message.error = ErrorView("no")
    message.refresh()
    assert kinds(message) == ["Head", "Thinking", "Text", "Text", "Code", "Error", "Footer"]
    assert message.source == "first\n\nsecond\n\n```\nx\n```\n"


def test_text_that_comes_after_an_error_stands_before_it(model):
    message = model.append(MessageView("m", "assistant", ""))
    message.open()
    message.begin_block(0, "text")
    message.error = ErrorView("no")
    message.refresh()
    message.append(0, "late")
    assert kinds(message) == ["Head", "Text", "Error"]
    assert [row.index for row in message.rows] == [0, 1, 2]


def test_thinking_shows_its_text_only_when_it_is_unfolded(model):
    message = model.append(MessageView("m", "assistant", ""))
    message.open()
    message.begin_block(0, "thinking")
    message.append(0, "one\n\n```\ntwo\n```\n")
    assert kinds(message) == ["Head", "Thinking"]
    message.block(0).is_expanded = True
    message.cut(10_000)
    assert kinds(message) == ["Head", "Thinking", "Text", "Code"]
    message.append(0, "\nthree")
    assert kinds(message) == ["Head", "Thinking", "Text", "Code", "Text"]
    message.block(0).is_expanded = False
    message.cut(0)
    assert kinds(message) == ["Head", "Thinking"]


def test_the_content_that_is_there_already_is_left_alone(model):
    message = model.append(MessageView("m", "assistant", ""))
    message.open()
    message.begin_block(0, "thinking")
    message.append(0, "hm")
    message.begin_block(1, "text")
    for piece in ("one", "\n\n", "two"):
        message.append(1, piece)
    rows = list(message.rows)
    message.replace((BlockView("thinking", "hm", 2.5), BlockView("text", "one\n\ntwo")))
    assert all(one is other for one, other in zip(rows, message.rows, strict=True))
    assert message.block(0).duration_s == 2.5
    message.replace((BlockView("text", "other"),))
    assert kinds(message) == ["Head", "Text"]
    assert message.source == "other"


def test_a_very_long_message_is_cut_piece_by_piece(model):
    message = add(model, "m", "word\n\n" * 100_000)
    model.open(message)
    assert kinds(message)[-1] == "Pending"
    assert not message.is_cut
    before = len(message.rows)
    message.cut(16_384)
    assert len(message.rows) > before
    while not message.is_cut:
        message.cut(1 << 20)
    assert kinds(message)[-1] == "Text"
    assert message.block(0).is_cut


def test_text_that_comes_while_the_rest_is_cut_goes_to_its_end(model):
    message = model.append(MessageView("m", "assistant", ""))
    message.begin_block(0, "text")
    message.append(0, "word\n\n" * 50_000)
    model.open(message)
    message.append(0, "last words")
    message.end_block(0, None)
    while not message.is_cut:
        message.cut(1 << 20)
    assert message.block(0).source.join().endswith("last words")
    assert message.rows[-1].segment.source.endswith("last words")


def test_places_are_found_in_both_directions(model):
    messages = [add(model, str(number), "word " * 40 * number) for number in range(1, 8)]
    row = model.row_at(0)
    seen = []
    while row is not None:
        seen.append(row)
        following = model.after(row)
        if following is not None:
            assert model.before(following) is row
            assert model.top(following) == model.top(row) + row.height
        row = following
    assert seen == [row for message in messages for row in message.rows]
    assert model.last_row() is seen[-1]
    assert model.height == sum(row.height for row in seen)
    for row in seen:
        if row.height:
            assert model.row_at(model.top(row)) is row


def test_a_changed_height_moves_what_follows(model):
    for number in range(5):
        model.open(add(model, str(number), "text"))
    last = model.last_row()
    assert last is not None
    before = model.top(last)
    model.set_row_height(model.messages[1].rows[1], model.messages[1].rows[1].height + 100)
    assert model.top(last) == before + 100


def test_a_row_that_was_replaced_is_not_part_of_the_transcript(model):
    message = add(model, "m", "one")
    model.open(message)
    row = message.rows[1]
    assert model.holds(row)
    message.replace((BlockView("text", "two"),))
    assert not model.holds(row)
    model.drop_after(None)
    assert not model.holds(message.rows[0])
    assert model.row_at(0) is None
    assert model.last_row() is None


def test_a_key_is_taken_once(model):
    add(model, "m", "one")
    with pytest.raises(ValueError, match="'m'"):
        model.append(MessageView("m", "user", ""))
    with pytest.raises(KeyError):
        model.message("other")
    with pytest.raises(KeyError):
        model.message("m").append(7, "no such block")


def test_a_users_message_is_cut_as_plain_text(model):
    text = "\n".join(f"line {number}" for number in range(2000))
    message = add(model, "m", text, role="user")
    model.open(message)
    parts = [row.text for row in message.rows[1:]]
    assert len(parts) > 3
    assert "\n".join(parts) == text
    assert message.rows[1].is_first and message.rows[-1].is_last


@given(st.text(st.sampled_from("ab \n"), max_size=400), st.integers(1, 60))
def test_plain_parts_lose_nothing_but_the_line_ends_they_are_cut_at(text, times):
    text = text * times
    parts = [text[start:end].removesuffix("\n") for start, end in plain_cuts(text)]
    assert all(len(part) <= SEGMENT_WEIGHT for part in parts)
    assert "".join(parts).replace("\n", "") == text.replace("\n", "")
    assert text.count("\n") - "".join(parts).count("\n") <= len(parts)


@given(st.lists(st.text(max_size=5), max_size=50))
def test_a_source_is_its_pieces(pieces):
    source = SourceText()
    for piece in pieces:
        source.append(piece)
    assert source.join() == "".join(pieces)
    assert source.size == len("".join(pieces))
    assert source.lines == "".join(pieces).count("\n")


def test_a_source_joins_small_pieces():
    source = SourceText()
    for number in range(5 * JOIN_PIECES):
        source.append(str(number % 10))
    assert source.join() == "0123456789" * (JOIN_PIECES // 2)
    assert len(source._pieces) == 5


def test_a_settled_text_is_kept_once_with_the_history_that_it_is_in(model):
    text = "".join(f"piece {number} " for number in range(2 * JOIN_PIECES))
    message = model.append(MessageView("m", "assistant", ""))
    message.begin_block(0, "text")
    for number in range(2 * JOIN_PIECES):
        message.append(0, f"piece {number} ")
    message.replace((BlockView("text", text),))
    assert message.blocks[0].source.join() is text
    assert (message.blocks[0].source.size, message.blocks[0].source.lines) == (len(text), 0)


@given(st.lists(st.text(max_size=9), max_size=20), st.lists(st.integers(1, 7), min_size=200, max_size=200))
def test_a_backlog_gives_back_what_it_was_given(pieces, limits):
    backlog = Backlog("start\n")
    for piece in pieces:
        backlog.append(piece)
    taken = ""
    for limit in limits:
        portion = backlog.take(limit)
        assert len(portion) <= limit
        taken += portion
    assert taken == "start\n" + "".join(pieces)
    assert (backlog.size, backlog.lines) == (0, 0)
