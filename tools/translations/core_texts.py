"""What the core says of failures and in ledgers, as the window translates it (see ``ui/core_words.py``).

The core speaks English and knows nothing of this. Its texts are read from its source: an f-string becomes a pattern,
``f"{host} refused the connection"`` is ``{host} refused the connection``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

_ROOT_ERROR = "AgdeskError"
_RECORD = "ErrorRecord"
_WORDS = ("message", "hint", "problem", "reason")
_HEADLINES = "HEADLINES"
REST = "{rest}"
"""Stands at the end of a pattern for what the provider says beside a headline, and for a hint after a hint."""
_SENTENCE = re.compile(r"[A-Z][a-z']*,? [^\n]*? [^\n]*")
_LEAST_LETTERS = 7  # with fewer of its own a pattern would take what is not meant
_ELSEWHERE = ("settings/model.py", "tool_schema/request.py")  # translated as settings, and said to models


def core_patterns(core: Path) -> list[str]:
    """The patterns of every module of the core, sorted."""
    paths = [path for path in sorted(core.rglob("*.py")) if not path.as_posix().endswith(_ELSEWHERE)]
    trees = [ast.parse(path.read_text("utf-8")) for path in paths]
    errors = _error_classes(trees) | {_RECORD}
    found = {pattern for tree in trees for pattern in _patterns(tree, errors)}
    return sorted(pattern for pattern in found if _is_telling(pattern) and pattern + REST not in found)


def _error_classes(trees: list[ast.Module]) -> set[str]:
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    known = {_ROOT_ERROR}
    while more := {
        node.name for node in classes for base in node.bases if ast.unparse(base) in known and node.name not in known
    }:
        known |= more
    return known


def _patterns(tree: ast.Module, errors: set[str]) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in errors:
                for argument in node.args:
                    yield from _strings(argument)
                for keyword in node.keywords:
                    if keyword.arg in _WORDS:
                        yield from _strings(keyword.value)
            case ast.Call(func=ast.Attribute(attr="note" | "_note"), args=[what, *_]):
                yield from _strings(what)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name == _HEADLINES:
                yield from (headline + REST for headline in _strings(value))
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if name == _HEADLINES:
                yield from (headline + REST for headline in _strings(value))
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in _WORDS:
                yield from _strings(value)
            case ast.FunctionDef(name=name) if name.endswith("_reason"):
                for part in ast.walk(node):
                    if isinstance(part, ast.Return) and part.value is not None:
                        yield from _strings(part.value)
    for pattern in _sentences(tree):
        yield pattern + REST if pattern.endswith(" ") else pattern


def _sentences(tree: ast.Module) -> Iterator[str]:
    """Three words or more behind a capital, wherever errors and hints are put together; not docstrings, not the log."""
    others: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=value):
                others.add(id(value))
            case ast.JoinedStr(values=values):
                others.update(map(id, values))
            case ast.Call(func=ast.Attribute(value=ast.Name(id="log")), args=arguments):
                others.update(map(id, arguments))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in others:
            yield from filter(_SENTENCE.fullmatch, _strings(node))


def _strings(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=values):
            yield "".join(_pieces(values))
        case ast.IfExp(body=body, orelse=orelse):
            yield from _strings(body)
            yield from _strings(orelse)
        case ast.BoolOp(values=values) | ast.Dict(values=values):
            for value in values:
                yield from _strings(value)


def _pieces(values: list[ast.expr]) -> Iterator[str]:
    names: set[str] = set()
    for number, value in enumerate(values, 1):
        match value:
            case ast.Constant(value=str(text)):
                yield text
                continue
            case ast.FormattedValue(value=ast.Name(id=name) | ast.Attribute(attr=name)):
                name = name.strip("_").lower()
            case _:
                name = ""
        name = name if name and name not in names else str(number)
        names.add(name)
        yield f"{{{name}}}"


def _is_telling(pattern: str) -> bool:
    own = re.sub(r"\{\w+\}", "", pattern)
    return " " in own.strip() and len(re.findall(r"[A-Za-z]", own)) >= _LEAST_LETTERS
