"""What "referenced" means: words that a later message of the model shares with a result."""

import pytest

from agdesk.core.compact.keywords import says_something, words_among
from agdesk.core.compact.references import ReferenceIndex
from agdesk.core.ir.blocks import Text, Thinking, ToolUse
from agdesk.core.ir.messages import Assistant, user


def says(text):
    return Assistant((Text(text),))


def calls(**arguments):
    return Assistant((ToolUse("c", "look_up", arguments, ""),))


def reference(result, *later):
    """Of a result that stands in the second message."""
    messages = [says("anchor bridge canal"), user("result"), *later]
    return ReferenceIndex(messages).last_reference(result, position=1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The anchor and the Bridge", {"anchor", "bridge"}),
        ("sea seas SEAS", {"seas"}),
        ("which would these about", set()),
        ("harbour_master harbour-master 42harbour", {"harbour", "master"}),
        (r"first\nanchor", {"anchor"}),
        ("1234 56789", set()),
        ("", set()),
        ("café CAFÉ naïve", {"café", "naïve"}),
        ("港口的灯塔", {"港口", "口的", "的灯", "灯塔"}),
        ("港 口", set()),
        ("我们可以", {"们可"}),
        ("灯塔lighthouse", {"灯塔", "lighthouse"}),
        ("ひらがな", {"ひら", "らが", "がな"}),
        ("한국어", {"한국", "국어"}),
    ],
)
def test_words_have_four_letters_and_chinese_two_signs(text, expected):
    assert set(filter(says_something, words_among(text))) == expected


def test_three_distinct_words_are_a_reference_and_two_are_none():
    assert reference("anchor bridge canal depot", says("anchor bridge anchor bridge")) is None
    assert reference("anchor bridge canal depot", says("The canal, the bridge; the anchor!")) == (
        2,
        ("anchor", "bridge", "canal"),
    )


def test_words_of_several_messages_do_not_sum_up():
    assert reference("anchor bridge canal", says("anchor bridge"), says("canal")) is None


def test_the_last_message_that_refers_counts():
    later = says("anchor bridge canal"), says("nothing"), says("canal depot bridge"), says("anchor")
    assert reference("anchor bridge canal depot", *later) == (4, ("bridge", "canal", "depot"))


def test_what_was_said_before_the_result_is_no_reference():
    assert reference("anchor bridge canal") is None
    assert reference("anchor bridge canal", user("anchor bridge canal")) is None, "only the model refers"


def test_the_input_of_a_call_refers_by_its_values_and_not_by_its_parameters():
    assert reference("anchor bridge canal", calls(query={"all": ["anchor", "bridge"]}, path="canal")) is not None
    assert reference("anchor bridge canal", calls(anchor=1, bridge=2, canal=3)) is None


def test_thinking_does_not_refer():
    assert reference("anchor bridge canal", Assistant((Thinking("anchor bridge canal"),))) is None


def test_chinese_refers_by_pairs_of_signs():
    assert reference("港口的灯塔很高", says("灯塔很高")) == (2, ("塔很", "很高", "灯塔"))
    assert reference("港口的灯塔很高", says("灯塔")) is None


def test_at_most_twelve_words_are_listed():
    words = " ".join(f"word{letter * 2}" for letter in "abcdefghijklmnopqrst")
    _, listed = reference(words, says(words))
    assert len(listed) == 12
    assert listed[0] == "wordaa"


def test_references_are_found_over_thousands_of_messages():
    messages = [answered for _ in range(1500) for answered in (user("q"), says("nothing"))]
    messages[1001] = messages[2501] = says("anchor bridge canal")
    index = ReferenceIndex(messages)
    for position, found in [(0, 2501), (1000, 2501), (2500, 2501), (2501, None), (2999, None)]:
        assert (index.last_reference("anchor bridge canal", position=position) or (None,))[0] == found
    messages[2501] = says("nothing")
    index = ReferenceIndex(messages)
    for position, found in [(0, 1001), (1000, 1001), (1001, None), (2600, None)]:
        assert (index.last_reference("anchor bridge canal", position=position) or (None,))[0] == found
