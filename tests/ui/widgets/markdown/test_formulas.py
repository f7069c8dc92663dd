"""CHAT2: formulas, footnotes and tasks: how they lie, what is kept of what cannot be drawn, and how they read."""

import random

import pytest
from PySide6.QtGui import QImage, QPainter, QTextFormat

from agdesk.ui.widgets.markdown.formula import EM, LONGEST_CHARS, typeset
from agdesk.ui.widgets.markdown.formula_sheet import FORMULA_TYPE, OBJECT
from agdesk.ui.widgets.markdown.parser import parse
from agdesk.ui.widgets.markdown.reading import read, read_all
from tests.ui.widgets.drawing import Drawing, blocks_of, draw


def laid_out(source: str, *, is_display: bool = True):
    formula = typeset(source, is_display=is_display)
    assert formula is not None, source
    return formula


def text_of(markdown: str) -> str:
    return "\n".join(read_all(document) for document in draw(markdown).documents.values())


def formulas_in(markdown: str) -> list[str]:
    """Sources of the formulas that are drawn."""
    drawing = draw(markdown)
    found = []
    for document in drawing.documents.values():
        for block in blocks_of(document):
            found += [OBJECT] * block.text.count(OBJECT)
    return found


def test_a_fraction_is_higher_than_its_parts_and_stands_on_both_sides_of_the_line():
    part, whole = laid_out("x"), laid_out(r"\frac{x}{x}")
    assert whole.ascent > part.ascent
    assert whole.depth > part.depth + EM / 4
    assert laid_out(r"\frac{x+y+z}{x}").width == pytest.approx(laid_out(r"\frac{x}{x+y+z}").width)


def test_scripts_go_up_and_down_and_are_smaller():
    plain, above, below = laid_out("x"), laid_out("x^2"), laid_out("x_2")
    assert above.ascent > plain.ascent
    assert below.depth > plain.depth
    assert above.width < plain.width + laid_out("2").width


def test_limits_stand_above_and_below_in_a_formula_of_its_own_and_beside_within_a_line():
    display, inline = (laid_out(r"\sum_{i=1}^n", is_display=is_display) for is_display in (True, False))
    assert display.ascent + display.depth > inline.ascent + inline.depth
    assert laid_out(r"\int_0^1").ascent > laid_out(r"\int").ascent - 1


def test_rows_of_a_matrix_lie_below_each_other_within_brackets_that_grow():
    one, two = laid_out(r"\begin{pmatrix}a\end{pmatrix}"), laid_out(r"\begin{pmatrix}a\\b\end{pmatrix}")
    assert two.ascent + two.depth > 1.5 * (one.ascent + one.depth)
    assert laid_out(r"\left(\frac{a}{b}\right)").ascent >= laid_out(r"\frac{a}{b}").ascent


def test_a_root_covers_what_is_under_it():
    assert laid_out(r"\sqrt{x}").width > laid_out("x").width
    assert laid_out(r"\sqrt{\frac{a}{b}}").ascent > laid_out(r"\frac{a}{b}").ascent


@pytest.mark.parametrize(
    "source",
    [
        r"\alpha\beta\Gamma\Omega\infty\partial\nabla",
        r"a\cdot b\times c\le d\neq e\in\mathbb{R}\cup\emptyset",
        r"\hat{x}+\vec{v}+\bar{y}+\dot{z}+\tilde{a}",
        r"f(x)=\begin{cases}1&x>0\\0&\text{otherwise}\end{cases}",
        r"\begin{aligned}a&=b\\&=c\end{aligned}",
        r"\begin{align*}a&=b\\c&=d\end{align*}",
        r"\begin{array}{c|c}a&b\\\hline c&d\end{array}",
        r"\begin{pmatrix}a&b\\c&d\end{pmatrix}^{-1}=\frac{1}{ad-bc}\begin{bmatrix}d&-b\\-c&a\end{bmatrix}^T",
        r"\lim_{x\to0}\frac{\sin x}{x}=1\tag{3}",
        r"\boxed{E=mc^2}\quad\overline{ab}\quad\underbrace{a+b}_{n}",
        r"\binom{n}{k}\operatorname{softmax}(x)_i\mathcal{L}\mathbf{x}",
    ],
)
def test_what_answers_are_full_of_can_be_laid_out(source):
    formula = laid_out(source)
    ys = [y for outline in formula.outlines for y in outline.points[1::2]]
    assert -formula.ascent <= min(ys) <= max(ys) <= formula.depth
    assert all(len(outline.points) % 2 == 0 for outline in formula.outlines)


@pytest.mark.parametrize(
    "source",
    [
        "",
        r"\frac{a",
        r"\unknown{x}",
        r"\text{中}",
        r"a < b & c",
        r"\big",
        r"\begin{pmatrix}a",
        "x" * (LONGEST_CHARS + 1),
        "{" * 39 + "x" + "}" * 39,
        "x^{" * 12 + "x" + "}" * 12,
        r"\left(" * 200,
    ],
    ids=lambda source: source[:16],
)
def test_what_cannot_be_laid_out_stays_source(qapp, source):
    assert typeset(source, is_display=True) is None
    if source and "\n" not in source:
        assert source in text_of(f"before\n\n$$\n{source}\n$$\n\nafter")


def test_random_latex_never_raises():
    parts = r"\frac \sqrt { } [ ] ^ _ x 1 \sum \left( \right) \left \begin{cases} \end{cases} & \\ \text{a} \hat < | '"
    parts += r" \over \binom \genfrac % # \big \not \hline \stackrel \middle| \char ]]> &amp; é \color{red} \hspace{"
    chance = random.Random(7)
    for _ in range(300):
        source = "".join(chance.choice(parts.split()) for _ in range(chance.randint(1, 9)))
        typeset(source, is_display=True)


@pytest.mark.parametrize("written", ["$x^2$", r"\(x^2\)", "$$x^2$$", r"\[x^2\]"])
def test_a_formula_in_a_line_is_one_character_and_reads_as_its_source(qapp, written):
    drawing = draw(f"a {written} b")
    (document,) = drawing.documents.values()
    assert document.toPlainText() == f"a {OBJECT} b"
    assert read_all(document) == f"a {written} b"
    assert read(document, 0, 1) == "a"
    assert read(document, 2, 3) == written


def test_equal_formulas_side_by_side_read_as_two(qapp):
    (document,) = draw("$x$$y$ $z$$z$ \\(q\\)\\(q\\)").documents.values()
    assert read_all(document).endswith(r"\(q\)\(q\)")


@pytest.mark.parametrize("written", ["$$\nx^2\n$$", "$$ x^2 $$", "\\[\nx^2\n\\]", "\\begin{align}\nx&=y\n\\end{align}"])
def test_a_block_formula_is_centred_and_reads_as_its_source(qapp, written):
    (document,) = draw(f"a\n{written}\nb").documents.values()
    assert document.toPlainText() == f"a\n{OBJECT}\nb"
    assert read_all(document) == f"a\n{written}\nb"


@pytest.mark.parametrize(
    "written", ["costs $5 and $10", "US$5/US$10", "$ 5$", "5$ or 6$", "\\$x$", "`$x$`", "a \\$ b $", "[^a-z]+ [^1]"]
)
def test_what_is_no_formula_and_no_footnote_stays_text(qapp, written):
    assert formulas_in(written) == []


def test_an_open_block_formula_is_shown_as_source_and_changes_nothing_before_it(qapp):
    drawing = Drawing()
    drawing.feed("one $x$\n\ntwo\n\n$$\na *b*")
    drawing.await_formulas()
    (document,) = drawing.documents.values()
    before = blocks_of(document)[:2]
    assert document.toPlainText().endswith("$$\na *b*")
    drawing.feed(" c\n$$\n")
    drawing.await_formulas()
    assert blocks_of(document)[:2] == before
    assert document.toPlainText().endswith(f"two\n{OBJECT}")


def test_a_formula_too_wide_for_the_text_is_made_smaller(qapp):
    (document,) = draw(r"$$a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q+r+s+t+u+v+w+x+y+z$$").documents.values()
    document.setTextWidth(150)
    assert document.size().width() <= 151
    assert document.idealWidth() <= 151


def test_a_formula_is_painted_in_the_colour_of_its_text(qapp):
    (document,) = draw(r"$\blacksquare$").documents.values()
    image = QImage(60, 40, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFF)
    painter = QPainter(image)
    document.drawContents(painter)
    painter.end()
    colors = {image.pixelColor(x, y).lightness() for x in range(60) for y in range(40)}
    assert min(colors) < 80
    block = document.begin().begin().fragment().charFormat()
    assert block.objectType() == FORMULA_TYPE
    assert not block.hasProperty(QTextFormat.Property.ImageName)


def test_a_link_never_holds_a_formula(qapp):
    (line,) = draw("[$x$](https://e.example)").lines
    assert line.text == "$x$"


def test_a_task_has_a_box_in_place_of_its_bullet(qapp):
    lines = draw("- [ ] open\n- [x] done\n- [y] none\n").lines
    assert [line.text for line in lines] == ["☐\u2002open", "☑\u2002done", "[y] none"]
    assert [bool(line.marker) for line in lines] == [False, False, True]


def test_a_footnote_is_explained_where_it_stands_and_its_uses_are_raised(qapp):
    lines = draw("See[^a] and[^b].\n\n[^a]: It is *so*.\n\n    More.\n\nEnd.").lines
    assert [line.text for line in lines] == ["Seea and[^b].", "a It is so.", "More.", "End."]
    assert lines[1].indent == lines[2].indent == lines[3].indent + 1


def test_a_footnote_that_comes_later_is_found_when_the_text_ends(qapp):
    text = "See[^a].\n\nmore\n\n[^a]: note\n"
    assert draw(text, pieces=[1]).lines[0].text == "Seea."


HOSTILE = ("$", "$$", r"\(", r"\[", r"\)", r"\]", r"\begin{align}", "[^1]", "[^1]: ", "- [ ] ", "\n", "\n\n", "> ", "|",
           "![x](file:///etc/passwd)", r"\href{file:///etc/passwd}{x}", r"\includegraphics{https://e.example/x.png}",
           "<img src='https://e.example/x.png'>", "{", "}", "x", "    ", "```", "\u202e", "\ufffc", "\0",
           "|-|\n")  # fmt: skip


@pytest.mark.parametrize("seed", range(8))
def test_made_up_texts_are_drawn_without_an_exception_and_load_nothing(qapp, seed, monkeypatch):
    from agdesk.ui.widgets.markdown import SafeDocument

    asked = []

    def load(self, kind, name):
        asked.append(name)
        return QImage()

    monkeypatch.setattr(SafeDocument, "loadResource", load)
    chance = random.Random(seed)
    for _ in range(30):
        text = "".join(chance.choice(HOSTILE) for _ in range(chance.randint(1, 14)))
        for document in draw(text).documents.values():
            document.size()
            assert "<img" not in document.toHtml()
        assert parse(text + "\n", {}) is not None
    assert asked == []
