"""The tree of a conversation: places, paths, what is hidden, and the way out of what goes."""

import time

import pytest

from agdesk.core.ir.messages import user
from agdesk.core.ir.tree import ConversationTree, Place, TreeNode


def node(message_id, parent_id=None, *, text=""):
    return TreeNode(message_id, parent_id, "user", f"turn-{message_id}", "test/model", 0, user(text))


def tree_of(**parents):
    """A tree of messages and their parents, oldest first; the newest one is the end of the active path."""
    tree = ConversationTree()
    for message_id, parent_id in parents.items():
        tree.add(node(message_id, parent_id))
        tree.select(message_id)
    return tree


def ids(nodes):
    return [found.id for found in nodes]


def test_a_path_grows_at_its_end_and_an_older_end_makes_siblings():
    tree = ConversationTree()
    tree.grow(node("a"))
    tree.grow(node("b", "a"))
    tree.select("a")
    tree.grow(node("c", "a"))
    assert ids(tree.path()) == ["a", "c"]
    assert ids(tree.siblings("b")) == ["b", "c"]
    assert tree.place("c") == Place(2, 2)
    assert ids(tree.path_to("b")) == ["a", "b"]
    assert ids(tree.path_to(None)) == []


def test_below_a_message_the_path_that_was_last_active_is_found_again():
    tree = tree_of(a=None, b="a", c="a", d="b", e="b")
    assert tree.leaf_below("b") == "e"
    tree.select("d")
    tree.select("c")
    assert tree.leaf_below("b") == "d"
    assert tree.leaf_below("a") == "c"
    tree.select("e")
    assert tree.leaf_below("a") == "e"


def test_a_new_message_is_the_one_that_was_last_active():
    tree = tree_of(a=None, b="a", c="a")
    tree.select("b")
    tree.add(node("d", "a"))
    assert tree.leaf_below("a") == "d"


def test_a_deleted_message_hides_what_follows_it_and_is_no_sibling():
    tree = tree_of(a=None, b="a", c="b", d="a")
    tree.mark_deleted("b")
    assert tree.is_deleted("c")
    assert not tree.is_deleted("d")
    assert ids(tree.children("a")) == ["d"]
    assert tree.leaf_below("a") == "d"
    tree.mark_deleted("b", is_deleted=False)
    assert not tree.is_deleted("c")
    assert ids(tree.siblings("d")) == ["b", "d"]


def test_a_last_active_child_that_is_deleted_is_not_led_to():
    tree = tree_of(a=None, b="a", c="a", d="a")
    tree.select("b")
    tree.mark_deleted("b")
    assert tree.leaf_below("a") == "d"
    tree.mark_deleted("d")
    assert tree.leaf_below("a") == "c"


@pytest.mark.parametrize(
    ("gone", "leaf_id"),
    [("b", "e"), ("c", "b"), ("d", "b"), ("a", None), ("e", "c")],
    ids=["the next sibling", "else the one before", "an only child's parent", "nothing is left", "the parent"],
)
def test_the_way_out_of_a_message_that_goes(gone, leaf_id):
    tree = tree_of(a=None, b="a", c="a", d="b", e="c")
    if gone == "c":
        tree.mark_deleted("d")
    assert tree.leaf_without(gone) == leaf_id


def test_the_last_message_that_two_paths_share():
    tree = tree_of(a=None, b="a", c="b", d="a", x=None)
    tree.select("c")
    assert tree.shared("d") == "a"
    assert tree.shared("b") == "b"
    assert tree.shared("c") == "c"
    assert tree.shared("x") is None
    assert tree.shared(None) is None


def test_an_outline_names_each_message_before_what_follows_it_and_is_deeper_where_paths_part():
    tree = tree_of(a=None, b="a", c="b", d="a", e="d", f="e")
    assert [(depth, found.id) for depth, found in tree.outline()] == [
        (0, "a"),
        (1, "b"),
        (1, "c"),
        (1, "d"),
        (1, "e"),
        (1, "f"),
    ]
    tree.add(node("g", "d"))
    assert [(depth, found.id) for depth, found in tree.outline()][3:] == [(1, "d"), (2, "e"), (2, "f"), (2, "g")]
    tree.mark_deleted("d")
    assert [(depth, found.id) for depth, found in tree.outline()] == [(0, "a"), (0, "b"), (0, "c")]
    assert ConversationTree().outline() == []


def test_an_id_that_is_no_message_cannot_be_selected():
    tree = tree_of(a=None)
    tree.select("nobody")
    assert tree.leaf_id == "a"
    assert "nobody" not in tree
    with pytest.raises(KeyError):
        tree.node("nobody")


def test_a_list_shows_the_beginning_of_a_message_and_nothing_of_a_damaged_one():
    assert node("a", text="x" * 100).head == "x" * 80
    assert node("a")._replace(message=None).head == ""


def test_a_chain_of_a_hundred_thousand_messages_is_walked_without_recursion_and_without_squares():
    tree = ConversationTree()
    start_s = time.process_time()
    for number in range(100_000):
        tree.grow(node(str(number), str(number - 1) if number else None))
    tree.select("50")
    assert len(tree.path_to("99999")) == 100_000
    assert tree.leaf_below("0") == "99999"
    assert tree.shared("99999") == "50"
    assert not tree.is_deleted("99999")
    assert len(tree.outline()) == 100_000
    assert time.process_time() - start_s < 30  # squares would take hours
