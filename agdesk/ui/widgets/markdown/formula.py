"""A formula as outlines: what ziamath makes of LaTeX, without Qt, so that a thread can do it.

ziamath (some 200 ms) is imported by the first formula. It takes 5 to 50 ms for each.
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

EM = 100  # outlines are in hundredths of the type size
LONGEST_CHARS = 2000  # beyond that, a formula stays source
DEEPEST = 40  # braces within braces
HEAVIEST = 3000  # elements, each counted double for every row around it: ziamath lays them out that often
_TAG = re.compile(r"\\tag\*?\{([^{}]*)\}")
_NUMBERING = re.compile(r"\\(?:nonumber|notag)(?![A-Za-z])|\\label\{[^{}]*\}")
# latex2mathml sets a script beside the closing bracket of a matrix wrongly, unless the matrix is a group
_RAISED_MATRIX = re.compile(r"(\\begin\{([A-Za-z]*matrix)\}(?:(?!\\begin).)*?\\end\{\2\})(?=\s*[\^_])", re.DOTALL)
_PATH_TOKEN = re.compile(r"[A-Za-z]|-?\d+(?:\.\d+)?(?:e-?\d+)?")
_COUNTS = {"M": 2, "L": 2, "Q": 4, "C": 6, "Z": 0}


@dataclass(frozen=True, slots=True)
class Outline:
    """A path, y downwards from the base line.

    Args:
        steps: M(ove), L(ine), Q(uadratic) and C(ubic curve), Z (close), each one letter.
        points: the coordinates of all steps, x and y in turn.
        stroke: width of the line along it; 0: the path is filled.
    """

    steps: str
    points: array[float]
    stroke: float = 0.0


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula, in units of ``EM`` to the type size.

    Args:
        outlines: what to draw.
        left: where the ink begins.
        width: of the ink.
        ascent: above the base line.
        depth: below it.
    """

    outlines: tuple[Outline, ...]
    left: float
    width: float
    ascent: float
    depth: float


def typeset(source: str, *, is_display: bool) -> Formula | None:
    """Lays out LaTeX mathematics.

    Args:
        source: without the marks around it.
        is_display: as a formula of its own, with large operators and limits above and below.

    Returns:
        None if it cannot be laid out without losing a part of it.
    """
    if len(source) > LONGEST_CHARS or _depth(source) > DEEPEST:
        return None
    source = _NUMBERING.sub("", source)
    source = _TAG.sub(r"\\qquad \\text{(\1)}", source)
    source = _RAISED_MATRIX.sub(r"{\1}", source)
    try:
        return _typeset(source, is_display=is_display)
    # neither library says what it raises; these are what their parsers and layout stumble over
    except (ArithmeticError, AssertionError, AttributeError, LookupError, NameError, RuntimeError, TypeError):
        return None
    except (StopIteration, SyntaxError, ValueError):
        return None


def _depth(source: str) -> int:
    depth = deepest = 0
    for character in source:
        depth += (character == "{") - (character == "}")
        deepest = max(deepest, depth)
    return deepest + source.count(r"\left") + source.count(r"\begin")


def _typeset(source: str, *, is_display: bool) -> Formula | None:
    from xml.etree.ElementTree import fromstring

    from latex2mathml import exceptions
    from ziamath.config import config
    from ziamath.tex import tex2mml
    from ziamath.zmath import Latex

    config.svg2 = False  # else glyphs are references to symbols instead of outlines
    errors = tuple(
        found for found in vars(exceptions).values() if isinstance(found, type) and issubclass(found, Exception)
    )
    try:
        if _weight(fromstring(tex2mml(source, inline=not is_display))) > HEAVIEST:
            return None
        laid_out = Latex(source, size=EM, inline=not is_display)
    except errors:
        return None
    text = "".join(laid_out.mathml.itertext())
    if "\\" in text:  # a command that it does not know is printed by its name
        return None
    if any(ord(character) > 127 and not laid_out.font.glyphindex(character) for character in text):
        return None
    return _read(laid_out.svgxml())


def _weight(element: Element) -> int:
    inner = sum(_weight(child) for child in element)
    return 1 + (2 * inner if element.tag.rpartition("}")[2] in ("mrow", "mstyle") else inner)


def _read(drawing: Element) -> Formula | None:
    left, top, width, height = (float(number) for number in drawing.attrib["viewBox"].split())
    if not 0 < width < 100 * EM * 10 or not 0 < height < 100 * EM * 10:
        return None
    outlines = tuple(_outline(element) for element in drawing.iter() if element.tag not in ("svg", "g"))
    return Formula(outlines, left, width, ascent=-top, depth=top + height) if outlines else None


def _outline(element: Element) -> Outline:
    """The outline of a path or a rectangle. Raises ValueError for anything else."""
    is_stroked = element.get("fill") == "none" or (element.get("fill") is None and element.get("stroke") is not None)
    stroke = float(element.get("stroke-width", "1")) if is_stroked else 0.0
    if element.tag == "rect":
        x, y, width, height = (float(element.attrib[name]) for name in ("x", "y", "width", "height"))
        corners = array("f", (x, y, x + width, y, x + width, y + height, x, y + height))
        return Outline("MLLLZ", corners, stroke)
    if element.tag != "path" or element.get("transform"):
        raise ValueError(element.tag)
    steps: list[str] = []
    points = array("f")
    wanted = 0
    for token in _PATH_TOKEN.findall(element.attrib["d"]):
        if token.isalpha():
            if token not in _COUNTS or wanted:
                raise ValueError(token)
            steps.append(token)
            wanted = _COUNTS[token]
        else:
            points.append(float(token))
            wanted -= 1
    if wanted:
        raise ValueError("a path that ends within a step")
    return Outline("".join(steps), points, stroke)
