"""CHAT2: every construct of CommonMark and what is added to it is drawn, and drawn the same however it arrives."""

import pytest

from tests.ui.widgets.drawing import draw
from tests.ui.widgets.markdown.examples import EXAMPLES
from tests.ui.widgets.markdown.test_streaming import read_uncut, reading


def test_there_are_examples_of_everything():
    assert sum(map(len, EXAMPLES.values())) >= 200
    assert len(set(sum(EXAMPLES.values(), ()))) == sum(map(len, EXAMPLES.values()))


@pytest.mark.parametrize("section", EXAMPLES)
def test_the_examples_of_a_section_are_drawn_the_same_in_pieces_as_at_once(qapp, section):
    for text in EXAMPLES[section]:
        whole = draw(text).blocks
        for pieces in ([1], [2, 5], [7, 1, 3]):
            assert draw(text, pieces=pieces).blocks == whole, text


@pytest.mark.parametrize("section", [section for section in EXAMPLES if section != "formulas"])
def test_the_examples_of_a_section_read_as_the_parser_reads_them_whole(qapp, section):
    for text in EXAMPLES[section]:
        if "$" not in text:  # a formula that is not laid out yet reads as its source
            assert reading(draw(text).lines) == read_uncut(text), text


@pytest.mark.parametrize("section", EXAMPLES)
def test_the_examples_of_a_section_are_drawn_one_after_the_other(qapp, section):
    text = "\n\n".join(EXAMPLES[section])
    assert draw(text, pieces=[1, 30, 4]).blocks == draw(text).blocks
