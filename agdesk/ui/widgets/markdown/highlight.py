"""Pygments behind one function: code in, runs of text with the kind of colour they get."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygments.lexer import Lexer
    from pygments.token import _TokenType

# names of token types, most special first where one is part of another, and fields of theme.SyntaxColors
_KINDS = (
    ("Comment.Preproc", "builtin"),
    ("Comment", "comment"),
    ("Keyword.Type", "type"),
    ("Keyword.Constant", "builtin"),
    ("Keyword", "keyword"),
    ("Operator.Word", "keyword"),
    ("Name.Function", "function"),
    ("Name.Class", "type"),
    ("Name.Exception", "type"),
    ("Name.Builtin", "builtin"),
    ("Name.Constant", "builtin"),
    ("Name.Decorator", "builtin"),
    ("Name.Tag", "tag"),
    ("Name.Attribute", "function"),
    ("Literal.String", "string"),
    ("Literal.Number", "number"),
    ("Generic.Inserted", "inserted"),
    ("Generic.Deleted", "deleted"),
    ("Generic.Heading", "keyword"),
    ("Generic.Subheading", "keyword"),
    ("Generic.Prompt", "builtin"),
)
_OPEN_ENDED = ("Literal.String", "Comment.Multiline")


def lex(language: str, code: str) -> tuple[list[tuple[str, str]], bool]:
    """Colours a piece of code.

    Args:
        language: as written after the fence; an unknown one leaves the code plain. It is never guessed.
        code: complete lines.

    Returns:
        Runs of (field of ``SyntaxColors`` or "", text), and whether the code ends inside a string or comment.
    """
    lexer = _lexer(language) if language else None
    if lexer is None:
        return [("", code)], False
    runs: list[tuple[str, str]] = []
    kind, is_open = "", False
    for token, text in lexer.get_tokens(code):
        kind, is_open = _kind(token)
        if runs and (runs[-1][0] == kind or text.isspace()):
            runs[-1] = (runs[-1][0], runs[-1][1] + text)
        else:
            runs.append((kind, text))
    if "".join(text for _, text in runs) != code:  # a lexer that changes what it reads
        return [("", code)], False
    return runs, is_open


@cache
def _lexer(language: str) -> Lexer | None:
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        # the code must come back character by character
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


@cache
def _kind(token: _TokenType) -> tuple[str, bool]:
    name = str(token).removeprefix("Token.")
    kind = next((kind for prefix, kind in _KINDS if name.startswith(prefix)), "")
    return kind, name.startswith(_OPEN_ENDED)
