"""The lines of a ledger, under the messages they are about."""

from agdesk.core.ir.blocks import Text, ToolResult, ToolUse
from agdesk.core.ir.ledger import LedgerLine
from agdesk.core.ir.messages import Assistant, Tool, system, user
from agdesk.ui.chat.ledger.changes import changes_by_message

MESSAGES = (
    system("Be brief."),
    user("What is it?\nAnd " + "why " * 40),
    Assistant((ToolUse("c", "look", {}, "{}"),)),
    Tool((ToolResult("c", "look", (Text("a cat"),)),)),
    Assistant((Text("词元是模型"),)),
)


def test_each_message_has_its_changes_under_a_heading_that_tells_it():
    lines = [LedgerLine((number,), f"change {number}") for number in (5, 1, 2, 3, 4)]
    groups = changes_by_message([*lines, LedgerLine((), "tools were left out")], MESSAGES)
    assert groups[0] == ("The whole conversation", ("tools were left out",))
    assert groups[2:] and [heading for heading, _ in groups] == [
        "The whole conversation",
        "Message 1, system text: “Be brief.”",
        "Message 2, you: “What is it? And why why why why why why why why…”",
        "Message 3, answer",
        "Message 4, results of tools",
        "Message 5, answer: “词元是模型”",
    ]


def test_messages_with_the_same_changes_share_a_heading():
    lines = (LedgerLine((2, 4, 5), "thinking was left out"), LedgerLine((4,), "an image was left out"))
    assert changes_by_message(lines, ()) == (
        ("Messages 2, 5", ("thinking was left out",)),
        ("Message 4", ("thinking was left out", "an image was left out")),
    )


def test_a_thousand_messages_are_no_thousand_numbers():
    ((heading, _),) = changes_by_message([LedgerLine(tuple(range(2, 2002, 2)), "thinking was left out")], ())
    assert heading == "Messages 2, 4, 6, 8, 10, 12, 14, 16 and 992 more"


def test_nothing_has_no_groups():
    assert changes_by_message((), MESSAGES) == ()
