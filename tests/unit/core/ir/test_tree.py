"""The tree of messages: places, paths and what is left when a branch goes (CHAT4)."""

import pytest

from agdesk.core.ir.tree import ConversationTree, Place, TreeNode


def node(name, parent=None, role="user"):
    return TreeNode(name, parent, role, f"turn-{name}", "test/model", 0, f"text of {name}")


@pytest.fixture
def tree():
    """q1 → a1 and a2; a2 → q2 → a3, which is the active path."""
    made = ConversationTree()
    for one in (node("q1"), node("a1", "q1", "assistant")):
        made.grow(one)
    made.select("q1")
    for one in (node("a2", "q1", "assistant"), node("q2", "a2"), node("a3", "q2", "assistant")):
        made.grow(one)
    return made


def path(tree):
    return [one.id for one in tree.path()]


def test_another_answer_is_a_sibling_and_the_path_goes_through_the_new_one(tree):
    assert path(tree) == ["q1", "a2", "q2", "a3"]
    assert (tree.place("a1"), tree.place("a2")) == (Place(1, 2), Place(2, 2))


def test_a_branch_is_shown_to_where_it_was_last_active(tree):
    tree.select(tree.leaf_below("a1"))
    assert path(tree) == ["q1", "a1"]
    tree.select(tree.leaf_below("a2"))
    assert path(tree) == ["q1", "a2", "q2", "a3"]


def test_an_unknown_end_changes_nothing(tree):
    tree.select("elsewhere")
    assert path(tree) == ["q1", "a2", "q2", "a3"]
    tree.select(None)
    assert path(tree) == []


@pytest.mark.parametrize(("gone", "left"), [("a2", "a1"), ("a3", "q2"), ("q1", None)])
def test_the_nearest_path_is_left_when_a_message_goes(tree, gone, left):
    assert tree.leaf_without(gone) == left
    tree.mark_deleted(gone)
    assert gone not in [one.id for _, one in tree.outline()]


def test_the_outline_steps_in_only_where_the_conversation_branched(tree):
    assert [(depth, one.id) for depth, one in tree.outline()] == [
        (0, "q1"),
        (1, "a1"),
        (1, "a2"),
        (1, "q2"),
        (1, "a3"),
    ]
    tree.mark_deleted("a1")
    assert [depth for depth, _ in tree.outline()] == [0, 0, 0, 0]


def test_a_chain_of_a_hundred_thousand_is_walked(tree):
    for number in range(100_000):
        tree.grow(node(f"n{number}", tree.leaf_id))
    assert len(tree.path()) == len(tree.outline()) - 1 == 100_004
