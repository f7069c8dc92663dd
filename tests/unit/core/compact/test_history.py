"""Turns, pairs, and what is recent."""

import pytest

from agdesk.core.compact.history import look_through
from agdesk.core.ir.blocks import Text, ToolResult, ToolUse
from agdesk.core.ir.compaction import BlockPath
from agdesk.core.ir.messages import Assistant, Tool, User, system, user


def calls(*ids):
    return Assistant(tuple(ToolUse(call_id, "t", {}, "{}") for call_id in ids))


def gives(*ids):
    return Tool(tuple(ToolResult(call_id, "t", (Text("r"),)) for call_id in ids))


SAYS = Assistant((Text("a"),))


def test_a_turn_is_a_message_of_the_user_and_results_among_his_words_begin_none():
    messages = [system("s"), user("q"), calls("a"), User((ToolResult("a", "t", ()),)), SAYS, user("q"), SAYS]
    history = look_through(messages, keep_recent=6)
    assert history.turns == (0, 1, 1, 1, 1, 2, 2)
    assert history.newest_user == 5
    assert history.turns_with_calls == {1}


@pytest.mark.parametrize(
    ("keep_recent", "start"), [(0, 6), (1, 5), (2, 4), (3, 2), (4, 2), (5, 1), (6, 0), (7, 0), (100, 0)]
)
def test_COMP5_what_is_recent_is_widened_so_that_no_pair_is_parted(keep_recent, start):
    messages = [user("q"), SAYS, calls("a"), gives("a"), user("q"), SAYS]
    assert look_through(messages, keep_recent=keep_recent).recent_start == start


def test_COMP5_widening_goes_on_while_a_pair_is_parted():
    messages = [user("q"), calls("a", "b"), gives("a"), calls("c"), gives("b"), gives("c"), SAYS]
    assert look_through(messages, keep_recent=2).recent_start == 1


def test_a_result_belongs_to_the_last_call_of_its_id():
    messages = [user("q"), calls("a"), gives("a"), user("q"), calls("a"), gives("a"), gives("lost")]
    history = look_through(messages, keep_recent=1)
    assert set(history.calls) == {BlockPath(2, 0), BlockPath(5, 0)}
    assert history.calls[BlockPath(5, 0)] is messages[4].content[0]
    assert history.recent_start == 6
    assert look_through(messages, keep_recent=2).recent_start == 4


def test_COMP5_results_wait_with_a_call_of_their_round_that_is_open():
    messages = [user("q"), calls("a", "b"), gives("a")]
    assert look_through(messages, keep_recent=0).pending == {2}
    assert look_through([*messages, gives("b")], keep_recent=0).pending == frozenset()
    assert look_through([*messages, user("never mind")], keep_recent=0).pending == frozenset()


def test_an_empty_history_has_nothing():
    history = look_through([], keep_recent=6)
    assert (history.turns, history.newest_user, history.recent_start) == ((), -1, 0)
