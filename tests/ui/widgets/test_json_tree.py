"""JSON as a tree and lines with marks: nothing is cut, nothing passes for something else."""

import json

import pytest
from PySide6.QtWidgets import QTreeWidgetItemIterator

from agdesk.ui.theme import apply_theme, current_theme
from agdesk.ui.widgets.diff_view import DiffView
from agdesk.ui.widgets.json_tree import JsonTree
from agdesk.ui.widgets.lined_view import LinedView
from tests.ui.widgets.json_values import nested


@pytest.fixture(autouse=True)
def _light(qapp):
    apply_theme(qapp, "light")


@pytest.fixture
def tree(qtbot):
    widget = JsonTree("Arguments, as a tree")
    qtbot.addWidget(widget)
    return widget


def rows(tree):
    """All rows, everything opened."""
    found = []
    iterator = QTreeWidgetItemIterator(tree)
    while (item := iterator.value()) is not None:
        item.setExpanded(True)
        found.append(item.text(0))
        iterator += 1
    return found


def test_a_long_text_stands_whole_in_its_pieces(tree):
    text = "".join(f"{number:07} " for number in range(25_000))
    tree.show_value({"text": text})
    pieces = [row.partition(": ")[2] for row in rows(tree)]
    assert "".join(json.loads(piece) for piece in pieces if piece.startswith('"')) == text


def test_all_items_of_a_long_array_are_there(tree):
    tree.show_value(list(range(12_345)))
    assert tree.topLevelItemCount() <= 100
    found = [row for row in rows(tree) if ": " in row]
    assert found == [f"{number}: {number}" for number in range(12_345)]


def test_deep_nesting_can_be_opened_to_the_bottom(tree):
    tree.show_value(nested(60))
    assert rows(tree)[-1].endswith('"at the bottom"')


def test_names_that_look_like_others_do_not_pass_for_them(tree):
    tree.show_value({"path": 1, "p\u0430th": 2, "": 3, "a\u202eb": 4, 'x: "y"': 5})
    assert rows(tree) == ["path: 1", '"p\u0430th": 2', '"": 3', '"a\\u202eb": 4', '"x: \\"y\\"": 5']


@pytest.mark.parametrize("value", [None, 1, "text", {}, [], ""])
def test_a_value_with_nothing_in_it_is_one_row(tree, value):
    tree.show_value(value)
    assert len(rows(tree)) == 1


def test_a_line_feed_in_a_line_does_not_make_two(qtbot):
    view = LinedView("Facts", most_lines=4)
    qtbot.addWidget(view)
    view.set_lines(["/tmp/a\nfolder /etc", "b\u202e"], ["path", "folder"])
    assert view.toPlainText().split("\n") == ["/tmp/a‹U+000A›folder /etc", "b‹U+202E›"]
    assert view.accessibleDescription() == "path: /tmp/a‹U+000A›folder /etc\nfolder: b‹U+202E›"


def test_a_piece_of_a_long_line_of_a_diff_keeps_the_sign_of_its_line(qtbot):
    view = DiffView("Changes", most_lines=4)
    qtbot.addWidget(view)
    view.set_diff("@@ -1 +1 @@\n-old\n+" + "x" * 1_499 + "-fake\n same\n")
    lines = view.toPlainText().split("\n")
    assert [line[:1] for line in lines] == ["@", "-", "+", "+", " "]
    assert lines[3] == "+-fake"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_comes_and_goes_in_a_diff_has_sign_and_colour(qapp, qtbot, theme):
    apply_theme(qapp, theme)
    view = DiffView("Changes", most_lines=4)
    qtbot.addWidget(view)
    view.set_diff("-old\n+new\n same\n")
    colors = []
    for number in range(3):
        block = view.document().findBlockByNumber(number)
        colors.append([look.format.foreground().color().name().upper() for look in block.layout().formats()])
    syntax = current_theme().syntax
    assert colors == [[syntax.deleted], [syntax.inserted], []]
