"""CHAT5: what is sent of a cut answer, and what it becomes."""

import pytest

from agdesk.core.ir.blocks import ProviderData, Text, Thinking, ToolUse
from agdesk.core.ir.continuing import beginning_of, gone_on
from agdesk.core.ir.messages import Assistant, Origin, user
from agdesk.core.ir.response import EndCause
from agdesk.core.ir.tree import TreeNode

OWN, OTHER = Origin("a", "m", "w"), Origin("b", "m", "w")


def cut(*blocks, is_unfinished=True, message=None):
    said = message or Assistant(blocks, OWN)
    return TreeNode("x", None, "assistant", "t", "a/m", 1, said, EndCause.USER, is_unfinished)


def test_a_cut_text_is_sent_without_white_space_at_its_end():
    found = beginning_of(cut(Text("one"), Text("two \n"), Text(" ")))
    assert found.message == Assistant((Text("one"), Text("two")), OWN)
    assert (found.message_id, found.is_stripped) == ("x", True)
    assert not beginning_of(cut(Text("two"))).is_stripped


@pytest.mark.parametrize(
    "node",
    [
        cut(Text("whole"), is_unfinished=False),
        cut(Text(" \n")),
        cut(),
        cut(Thinking("hm"), Text("so")),
        cut(Text("I call"), ToolUse("1", "f", None, "{", "cut")),
        cut(Text("No.", is_refusal=True)),
        cut(message=user("question")),
    ],
    ids=["finished", "blank", "empty", "after thinking", "a call", "a refusal", "of the user"],
)
def test_what_no_format_could_go_on_with_has_no_beginning(node):
    assert beginning_of(node) is None


def test_what_came_goes_on_with_the_last_text():
    begun = Assistant((Text("one"), Text("tw", citations=({"n": 1},))), OWN)
    more = Assistant((Text("o", citations=({"n": 2},)), Text("three")), OWN)
    whole = gone_on(begun, more)
    assert whole.content == (Text("one"), Text("two", citations=({"n": 1}, {"n": 2})), Text("three"))


def test_thinking_that_came_first_stands_before_the_text_that_goes_on():
    whole = gone_on(Assistant((Text("tw"),), OWN), Assistant((Thinking("hm"), Text("o")), OWN))
    assert whole.content == (Thinking("hm"), Text("two"))


def test_what_came_without_text_follows():
    call = ToolUse("1", "f", {}, "{}")
    assert gone_on(Assistant((Text("so"),), OWN), Assistant((call,), OWN)).content == (Text("so"), call)


@pytest.mark.parametrize("more", [(), (Text(""),), (Thinking(""),)])
def test_nothing_that_can_be_seen_is_no_answer(more):
    assert gone_on(Assistant((Text("so"),), OWN), Assistant(more, OWN)).content == ()


def test_the_opaque_data_of_one_provider_does_not_go_into_the_answer_of_another():
    data = ProviderData("w", {"s": 1})
    begun = Assistant((Text("one", provider_data=data), Text("tw")), OWN)
    assert gone_on(begun, Assistant((Text("o"),), OWN)).content[0].provider_data == data
    whole = gone_on(begun, Assistant((Text("o"),), OTHER))
    assert (whole.content, whole.origin) == ((Text("one"), Text("two")), OTHER)
