"""CHAT2, CHAT3: a text that arrives in pieces ends up drawn exactly as if it had arrived at once."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agdesk.ui.widgets.markdown import MarkdownSplitter, TextSegment
from agdesk.ui.widgets.markdown.builder import DocumentBuilder
from agdesk.ui.widgets.markdown.document import SafeDocument
from agdesk.ui.widgets.markdown.parser import parse_blocks
from agdesk.ui.widgets.markdown.segments import Chunk
from agdesk.ui.widgets.markdown.splitter import OPEN_WEIGHT
from agdesk.ui.widgets.markdown.walker import draw_chunk
from agdesk.ui.widgets.text import safe_text
from tests.ui.widgets.drawing import Drawing, blocks_of, draw

CONSTRUCTS = {
    "formulas in lines": "a $x^2$ b \\(y_1\\) and $5 or $6, $$z$$ in *the $x^2$ middle*\n\nnext $x$\n",
    "formulas": "text\n$$\nx^2\n$$\nmore\n\n\\[ y_1\\]\n\n\\begin{align}\na&=b\\\\\nc&=d\n\\end{align}\nend\n",
    "open formula": "text\n$$\na *b* c\n\nafter *it*\n\n\\[ x",
    "formulas in a list": "- a\n  $$\n  x\n  $$\n- b\n\n  \\[\n  y_1\n  \\]\n\n  c\n",
    "formulas in a table": "| $x$ | b |\n|--|:-:|\n| 1 | $x^2$ |\n",
    "footnotes": "a[^1] b[^note] c[^none]\n\n[^1]: one *x*\n[^note]: two\nlazy\n\n    more\n\nend[^1]\n",
    "tasks": "- [ ] a\n- [x] b\n  - [X] c\n- [ ]\n- [y] d\n\n1. [ ] e\n",
    "paragraphs": "one\ntwo\n\nthree\n",
    "hash tag after a paragraph": "para\n#tag\n\n#no heading\n# heading\npara\n",
    "setext": "Title\n===\n\nx\n\nSub\n---\n\n- a\n---\n",
    "tight list": "- a\n- b\n- c\n",
    "loose list": "- a\n\n- b\n\n- c\n\npara\n",
    "nested list": "1. one\n   - two\n     - three\n   - four\n2. five\n\n   more of five\n3. six\n",
    "lazy numbers": "1. a\n1. b\n1. c\n\ntext\n\n7. x\n8. y\n",
    "two lists": "- a\n- b\n* c\n* d\n1) e\n2) f\n1. g\n",
    "list then paragraph": "* a\n* b\ncontinued\n\n\nnew para\n",
    "empty items": "-\n- a\n-\n\n1.\n2. b\n",
    "list that starts with a list": "- - a\n  - b\n- 1. c\n",
    "indented items": " - a\n  - b\n   - c\n    - d\n",
    "quote": "> a\n> b\nlazy\n\n> c\n\nend\n",
    "quote with list and code": "> a\n> - b\n> - c\n>\n> ```py\n> x\n> ```\n\n> d\n\ne\n",
    "list in quote in list": "- a\n  > b\n  > - c\n- d\n",
    "fence": "before\n```python\ndef f():\n    return 1\n```\nafter\n",
    "fence with docstring": '```python\ndef f():\n    """one\n\n    two"""\n    return "x"\n'
    + "x = 1\n" * 40
    + "```\n",
    "fence in list": "- item\n\n  ```py\n  x = 1\n  ```\n- next\n",
    "fence in ordered list": "1. a\n   ```sh\n   ls\n   ```\n2. b\n",
    "tildes": "~~~\n```\nnot\n```\n~~~\nafter\n",
    "longer fence": "````md\n```\ninner\n```\n````\n",
    "indented fence": "   ```js\n   a\n     b\n   ```\nx\n",
    "unclosed fence": "text\n\n```c\nint x;\nint y;",
    "empty fence": "```\n```\nx\n```text\n```\n",
    "fence without language": "```\nplain\n\n\nlines\n```\n",
    "inline backticks": "`code` and ``co`de`` and ```three``` here\n",
    "indented code": "    code\n\n    more\n\npara\n",
    "hard breaks": "a  \nb\\\nc\n\n---\n\n***\n",
    "html": "<script>x</script>\n\n<b>hi</b> ok\n\n<!-- c\n\n-->\n",
    "emphasis": "*a **b** c* __d__ ~~e~~ `f` ***g***\n",
    "links": "[a](https://e.example/x) <https://e.example> [b][r] ![i](https://e.example/i.png)\n\n[r]: https://e.example/r\n",
    "late definition": "see [foo][1] here\n\nmore\n\n[1]: http://x.example\n\nagain [foo][1]\n",
    "definitions only": "[a]: http://a.example\n[b]: http://b.example 'x\ny'\n\nz [a] [b]\n",
    "table": "| a | b |\n|--|:-:|\n| 1 | 2 |\n| 3 | 4 |\n\nend\n",
    "table after text": "text\na | b\n--|--\n1 | 2\nfoo\n> q\n",
    "table without rows": "| x |\n|---|\n\n| x |\n|---|\n| 1 |\n# h\n",
    "table in list": "- a\n\n  | x | y |\n  |---|---|\n  | 1 | 2 |\n- b\n\n| x |\n|---|\n| z |\n",
    "table then list": "| x |\n|---|\n| 1 |\n- a\n- b\n",
    "wide and narrow rows": "| a | b |\n|---|---|\n| 1 |\n| 1 | 2 | 3 |\n",
    "chinese": "你好，世界。**粗体**文字\n\n- 一\n- 二\n\n| 名 | 值 |\n|---|---|\n| 甲 | 乙 |\n",
    "right to left": "مرحبا **بالعالم**\n\n- א\n- ב\n\n> اقتباس\n",
    "long word": "x" * 300 + "\n\n- " + "y" * 300 + "\n",
    "carriage returns": "a\r\n\r\n- b\r\n- c\r\n\r\n```\r\nx\r\n```\r\nd\re\r",
    "nothing": "",
    "blank lines": "\n\n\n \n\t\n",
    "odd characters": "a\0b \ud800 c\u2028d\u2029e \ufdd0\ufffc\n",
    "tabs": "-\ta\n\n\tb\n1.\tc\n\n\tcode\n",
    "no line end": "# title\n\nlast line",
    "rule variants": "a\n\n* * *\n\n_____\n- - -\n",
    "entities": "&amp; &lt;b&gt; &#x202e; \\* \\# \\`\n",
}


@pytest.mark.parametrize("pieces", [[1], [2], [3], [1, 7], [5, 1, 20], [64]], ids=str)
def test_pieces_of_any_size_draw_the_same_as_the_whole(qapp, pieces):
    for name, text in CONSTRUCTS.items():
        assert draw(text, pieces=pieces).blocks == draw(text).blocks, name


def reading(blocks):
    return [(block.text, block.heading, block.indent, block.marker, block.table) for block in blocks if block.text]


def read_uncut(text):
    """markdown-it's own reading of the whole text, drawn as one chunk."""
    formats = draw("").formats
    document = SafeDocument(formats.font, indent=formats.indent)
    clean = safe_text(text).replace("\r\n", "\n").replace("\r", "\n")
    draw_chunk(DocumentBuilder(document, formats), Chunk(clean), {}, is_final=True)
    return reading(blocks_of(document))


def test_the_cut_text_reads_like_the_uncut_one(qapp):
    for name, text in CONSTRUCTS.items():
        assert reading(draw(text).lines) == read_uncut(text), name


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    names=st.lists(st.sampled_from(sorted(CONSTRUCTS)), min_size=1, max_size=6),
    joint=st.sampled_from(["", "\n", "\n\n"]),
    pieces=st.lists(st.integers(1, 40), min_size=1, max_size=8),
)
def test_any_mixture_in_any_pieces_draws_the_same_as_the_whole(qapp, names, joint, pieces):
    text = joint.join(CONSTRUCTS[name] for name in names)
    assert draw(text, pieces=pieces).blocks == draw(text).blocks


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.text(st.sampled_from("ab1 \n\n\n-*>#`~|:[]().\t\r\\!<&") | st.sampled_from("é中א"), max_size=120),
    pieces=st.lists(st.integers(1, 12), min_size=1, max_size=6),
)
def test_any_characters_in_any_pieces_draw_the_same_as_the_whole(qapp, text, pieces):
    assert draw(text, pieces=pieces).blocks == draw(text).blocks
    assert reading(draw(text).lines) == read_uncut(text)


LONG = {
    "one paragraph in lines": ("word " * 12 + "\n") * 400,
    "one paragraph in one line": "word " * 5000,
    "one word": "x" * 20_000,
    "a list": "".join(f"{number}. item **{number}**\n" for number in range(1, 700)),
    "a nested list": "- top\n" + "  - nested item here\n" * 900,
    "an ordered list in an item": "1. top\n" + "".join(f"   {n}. nested\n" for n in range(1, 900)),
    "a fence": "```python\n" + "".join(f'def f{n}(x):\n    """d\n    {n}"""\n\n' for n in range(500)) + "```\nafter",
    "a fence in an item": "1. step\n\n   ```py\n" + "   x = 1\n" * 1500 + "   ```\n2. next\n",
    "a line of code": "```js\n" + "a=1;" * 6000 + "\n```\nafter\n",
    "a table": "| a | b |\n|---|--:|\n" + "| 1 | 2 |\n" * 500 + "end\n",
    "a quote": "> line of the quote\n" * 900,
    "definitions": "[a]: http://x.example\n" * 900 + "x [a]",
    "blank lines": "\n" * 20_000 + "x",
}


@pytest.mark.parametrize("name", LONG)
def test_long_blocks_are_cut_at_the_same_places_however_they_arrive(qapp, name):
    text = LONG[name]
    whole = draw(text)
    assert draw(text, pieces=[700, 50, 3000]).blocks == whole.blocks
    assert all(segment.size < 12_000 for segment in whole.splitter.segments)


@pytest.mark.parametrize("name", LONG)
def test_long_blocks_lose_nothing(qapp, name):
    text = LONG[name]
    shown = "".join(block.text for block in draw(text).lines)
    for word in ("word", "item", "nested", "def", "x = 1", "a=1;", "line of the quote"):
        assert shown.count(word) == text.count(word), word


def test_numbers_go_on_across_segments(qapp):
    drawing = draw(LONG["a list"])
    assert len(drawing.splitter.segments) > 2
    assert [block.marker for block in drawing.lines] == [f"{number}." for number in range(1, 700)]


def test_nested_items_stay_nested_across_segments(qapp):
    drawing = draw(LONG["a nested list"])
    assert len(drawing.splitter.segments) > 1
    assert {block.indent for block in drawing.lines[1:]} == {2}


def test_a_table_repeats_its_head_in_the_next_segment(qapp):
    drawing = draw(LONG["a table"])
    tables = [blocks for kind, blocks in drawing.blocks if any(block.table for block in blocks)]
    assert len(tables) > 1
    for blocks in tables:
        assert [block.text for block in blocks if block.table][:2] == ["a", "b"]


def test_a_closed_segment_draws_the_same_after_it_was_compacted(qapp):
    for text in (*CONSTRUCTS.values(), *LONG.values()):
        drawing = draw(text)
        before = drawing.blocks
        for segment in drawing.splitter.segments:
            if isinstance(segment, TextSegment):
                segment.compact()
        again = Drawing()
        again.splitter = drawing.splitter
        again.update()
        assert again.blocks == before


def test_a_segment_that_is_compacted_while_it_is_drawn_in_part_comes_out_whole(qapp):
    drawing = Drawing()
    drawing.feed("first\n\nsecond\n\nthird")
    segment = drawing.splitter.segments[0]
    assert isinstance(segment, TextSegment)
    drawing.splitter.feed("\n\nfourth\n\nfifth")
    drawing.splitter.finish()
    segment.compact()
    drawing.update()
    assert [block.text for block in drawing.lines] == ["first", "second", "third", "fourth", "fifth"]


def test_one_addition_costs_the_same_at_the_end_of_a_long_text(qapp, monkeypatch):
    """Counted, not timed: how many characters are parsed again for one piece."""
    sizes: list[int] = []

    def counting(source, references):
        sizes.append(len(source))
        return parse_blocks(source, references)

    monkeypatch.setattr("agdesk.ui.widgets.markdown.splitter.parse_blocks", counting)
    chance = random.Random(1)
    splitter = MarkdownSplitter()
    for _ in range(3000):
        splitter.feed("word " * chance.randint(1, 20) + chance.choice(["\n", "\n\n", "\n- "]))
    assert max(sizes) <= OPEN_WEIGHT
    early, late = sizes[: len(sizes) // 4], sizes[-len(sizes) // 4 :]
    assert sum(late) / len(late) < 1.5 * sum(early) / len(early)
