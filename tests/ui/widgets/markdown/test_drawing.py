"""How each construct is drawn."""

import pytest
from PySide6.QtGui import QColor, QFont, QTextFormat

from agdesk.ui.theme import apply_theme
from agdesk.ui.widgets.markdown import SafeDocument
from agdesk.ui.widgets.markdown.renderer import (
    BIG_PAUSE_S,
    BIG_WEIGHT,
    COLORED_CHARS,
    SLICE_LINES,
    TextRenderer,
)
from agdesk.ui.widgets.markdown.segments import TextSegment
from tests.ui.widgets.drawing import Drawing, blocks_of, draw


def only_run(text: str, word: str):
    (run,) = [run for block in draw(text).lines for run in block.runs if run.text == word]
    return run


def test_emphasis_is_drawn_in_the_characters(qapp):
    assert only_run("a **b** c", "b").weight == QFont.Weight.Bold.value
    assert only_run("a *b* c", "b").is_italic
    assert only_run("a ~~b~~ c", "b").is_struck
    assert only_run("a `b` c", "b").is_fixed
    assert only_run("a ***b*** c", "b").weight == QFont.Weight.Bold.value


def test_headings_have_their_level_and_get_smaller(qapp):
    drawing = draw("# one\n\n## two\n\n### three\n")
    assert [block.heading for block in drawing.lines] == [1, 2, 3]
    (document,) = drawing.documents.values()
    sizes = []
    block = document.begin()
    while block.isValid():
        sizes.append(block.begin().fragment().charFormat().intProperty(QTextFormat.Property.FontPixelSize))
        block = block.next()
    assert sizes == [22, 18, 15]


def test_lists_have_markers_and_steps_of_indentation(qapp):
    lines = draw("9. a\n10. b\n\n    - c\n100. d\n").lines
    numbers = [line.marker for line in lines if line.text != "c"]
    assert numbers == ["9.", "10.", "11."], "counted from the first one, as CommonMark has it"
    assert lines[2].indent == lines[1].indent + 1
    assert lines[2].marker


def test_long_numbers_get_more_room(qapp):
    lines = draw("".join(f"{number}. x\n" for number in range(98, 103))).lines
    assert [line.indent for line in lines] == [1, 1, 2, 2, 2]


def test_quotes_have_a_bar_for_each_level(qapp):
    lines = draw("> a\n>\n> > b\n\n- x\n\n  > c\n").lines
    assert [line.bars for line in lines] == [0b1, 0b11, 0, 0b10]


def test_a_rule_is_an_empty_block_with_a_line(qapp):
    blocks = [block for _, blocks in draw("a\n\n---\n\nb\n").blocks for block in blocks]
    assert [block.is_rule for block in blocks] == [False, True, False]


def test_code_among_text_has_the_background_of_code(qapp):
    theme = apply_theme(qapp, "light")
    line = draw("- x\n\n  ```\n  code\n  ```\n").lines[1]
    assert line.text == "code"
    assert line.background == QColor(theme.tokens.code).name()


def test_the_lines_of_code_among_text_stand_together(qapp):
    lines = draw("- x\n\n  ```\n  one\n  two\n  three\n  ```\n- y\n").lines
    assert [line.top for line in lines[1:4]] == [8, 0, 0]


def test_a_table_has_its_cells_and_alignments(qapp):
    drawing = draw("| a | b | c |\n|:--|:-:|--:|\n| 1 | **2** | 3 |\n")
    cells = [block for block in drawing.lines if block.table]
    assert [cell.text for cell in cells] == ["a", "b", "c", "1", "2", "3"]
    assert {cell.table for cell in cells} == {(2, 3)}


def test_an_image_is_printed_in_the_words_of_its_description(qapp):
    assert draw("![a *map*](https://e.example/x.png)").lines[0].text == "[image: a map] (https://e.example/x.png)"


def test_code_is_coloured_by_its_language_only(qapp):
    theme = apply_theme(qapp, "light")
    keyword = QColor(theme.syntax.keyword).name()

    def colors(text):
        return {run.color for block in draw(text).lines for run in block.runs}

    assert keyword in colors("```python\nimport os\n```")
    assert keyword not in colors("```\nimport os\n```")
    assert keyword not in colors("```no-such-language\nimport os\n```")


def test_a_string_over_many_lines_is_coloured_as_one(qapp):
    theme = apply_theme(qapp, "light")
    lines = ['x = """', *(f"import line {number}" for number in range(2 * SLICE_LINES)), '"""', "import os"]
    drawing = draw("```python\n" + "\n".join(lines) + "\n```", pieces=[9])
    inside = [block for block in drawing.lines if block.text.startswith("import line")]
    assert {run.color for block in inside for run in block.runs} == {QColor(theme.syntax.string).name()}


def test_a_comment_over_many_lines_is_coloured_as_one(qapp):
    theme = apply_theme(qapp, "light")
    text = "```c\n/* one\n" + "int x = 1;\n" * SLICE_LINES + "*/\nint y;\n```"
    for drawing in (draw(text), draw(text, pieces=[7])):
        inside = [block for block in drawing.lines if block.text == "int x = 1;"]
        assert {run.color for block in inside for run in block.runs} == {QColor(theme.syntax.comment).name()}


def test_very_long_code_is_plain_at_the_end(qapp):
    theme = apply_theme(qapp, "light")
    line = "import os\n"
    drawing = draw("```python\n" + line * (COLORED_CHARS // len(line) + 600) + "```")
    plain, colored = drawing.lines[-1], drawing.lines[0]
    assert {run.color for run in colored.runs} >= {QColor(theme.syntax.keyword).name()}
    assert len({run.color for run in plain.runs}) == 1
    assert QColor(theme.syntax.keyword).name() not in {run.color for run in plain.runs}


def test_a_language_that_lies_about_itself_does_no_harm(qapp):
    for language in ("../../etc", "a b", "{.python}", "x" * 500, "<b>", "pycon", "html+jinja", "diff"):
        assert draw(f"```{language}\nimport os\n```").lines[0].text == "import os"


def test_a_big_open_paragraph_is_drawn_roughly_and_then_properly(qapp):
    drawing = Drawing()
    text = "*word* " * (BIG_WEIGHT // 7 + 10)
    drawing.splitter.feed(text)
    (open_segment,) = drawing.splitter.segments
    assert isinstance(open_segment, TextSegment)
    document = SafeDocument(drawing.formats.font, indent=20)
    renderer = TextRenderer(document, open_segment, references={}, formats=drawing.formats)
    assert renderer.update(0.0) is False
    drawing.splitter.feed("*more*")
    assert renderer.update(0.1) is True, "it is drawn again later"
    assert blocks_of(document)[0].text.endswith("*more*")
    assert renderer.update(0.1 + BIG_PAUSE_S) is False
    assert blocks_of(document)[0].text.endswith(" more")


def test_a_tail_that_becomes_something_else_leaves_no_trace(qapp):
    drawing = Drawing()
    for piece in (
        "text\n\n",
        "Title",
        "\n",
        "==",
        "=\n\n",
        "| a |",
        "\n|--",
        "-|\n",
        "| 1 |",
        "\n\n",
        "- x",
        "\n",
        "> y",
    ):
        drawing.feed(piece)
    drawing.finish()
    whole = draw("text\n\nTitle\n===\n\n| a |\n|---|\n| 1 |\n\n- x\n> y")
    assert drawing.blocks == whole.blocks


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_colours_come_from_the_theme(qapp, mode):
    theme = apply_theme(qapp, mode)
    assert only_run("[a](https://e.example)", "a").color == QColor(theme.tokens.accent).name()
    apply_theme(qapp, "light")
