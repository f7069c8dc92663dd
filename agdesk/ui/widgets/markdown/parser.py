"""markdown-it-py behind two functions: block structure alone, and everything.

markdown-it is imported by the first call (30 ms), not with this module: it must not load before the first paint.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from functools import cache
from typing import TYPE_CHECKING, TypedDict

from agdesk.ui.widgets.markdown.inline_data import restore, restored, shortened

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token


class Reference(TypedDict):
    """A link reference definition: ``[label]: href "title"``, with its first line and the line after its last."""

    title: str
    href: str
    map: list[int]


References = MutableMapping[str, Reference]


def parse_blocks(source: str, references: References) -> list[Token]:
    """The block structure of a text; the inline tokens have content and no children.

    Args:
        source: lines, ended by ``\\n``.
        references: definitions that are known; those of the text are added.
    """
    tokens: list[Token] = []
    parser = _parser()
    source, long = shortened(source)
    parser.block.parse(source, parser, {"references": references}, tokens)
    _restore(tokens, references, long)
    return tokens


def parse(source: str, references: References) -> list[Token]:
    """The tokens of a text, inline content included.

    Args:
        source: lines, ended by ``\\n``.
        references: definitions that are known; those of the text are added.
    """
    source, long = shortened(source)
    tokens = _parser().parse(source, {"references": references})
    _restore(tokens, references, long)
    return tokens


def _restore(tokens: list[Token], references: References, long: Mapping[str, str]) -> None:
    if long:
        restore(tokens, long)
        for reference in references.values():
            reference["href"] = restored(reference["href"], long)


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    from agdesk.ui.widgets.markdown.extensions import extend

    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    # which links may be clicked is decided in one place, links.py; markdown-it's own list would hide some from it
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    extend(parser)
    return parser
