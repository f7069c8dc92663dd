"""CHAT2: every construct in every container: drawn whole, however it arrives."""

import pytest

from tests.ui.widgets.drawing import draw

CONSTRUCTS = (
    "plain words",
    "*em* _em_ **strong** __strong__ ***both***",
    "~~struck~~ \\*kept\\* &amp; &copy; &#65;",
    "`code` ``co`de``",
    "[link](https://e.example 'title') <https://e.example>",
    "![image](https://e.example/i.png)",
    "hard  \nbreak\\\nhere",
    "# heading\n\n###### small #",
    "Setext\n===\n\nSub\n---",
    "- a\n- b\n  - c\n\n    d",
    "3. a\n4. b\n   1. c",
    "* [ ] open\n* [x] done",
    "> quote\n> > deeper\nlazy",
    "```py\nx = 1\n```",
    "~~~\nplain\n~~~",
    "    indented code",
    "***\n\n---\n\n___",
    "| a | b |\n|:-:|--:|\n| 1 | 2 |",
    "<div>\n<b>html</b>\n</div>",
    "in $x^2$ line \\(y\\)",
    "$$\nx^2\n$$",
    "\\[ y_1 \\]",
    "use[^n]\n\n[^n]: note",
    "[ref][r]\n\n[r]: https://e.example",
)


def lines_with(first: str, rest: str):
    def contain(text: str) -> str:
        lines = text.split("\n")
        return "\n".join([first + lines[0], *((rest + line).rstrip() if line else rest.rstrip() for line in lines[1:])])

    return contain


CONTAINERS = {
    "alone": lines_with("", ""),
    "in a quote": lines_with("> ", "> "),
    "in a list": lines_with("- ", "  "),
    "in a numbered list": lines_with("12. ", "    "),
    "in a quote in a list": lines_with("- > ", "  > "),
    "in a footnote": lines_with("[^f]: ", "    "),
    "between paragraphs": lambda text: f"before\n\n{text}\n\nafter",
}


@pytest.mark.parametrize("container", CONTAINERS)
def test_a_construct_in_a_container_is_drawn_the_same_in_pieces_as_at_once(qapp, container):
    for construct in CONSTRUCTS:
        text = CONTAINERS[container](construct) + "\n"
        whole = draw(text)
        assert draw(text, pieces=[3, 1, 5]).blocks == whole.blocks, text
        assert whole.lines or set(text) <= set("*-_> []^f:\n 12."), text
