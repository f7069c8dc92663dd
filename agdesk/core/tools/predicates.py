"""Conditions on one argument. An argument is text of a model: what it may be taken for decides, not what it looks like.

A condition holds, does not, or only may hold: a path with ``..`` in it lies somewhere, but nobody knows where until the
links on the way have been followed. A rule that allows needs certainty; one that denies or asks takes a suspicion.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import IntEnum
from typing import Any, assert_never

from agdesk.core.ir.approval import Predicate, PredicateOp
from agdesk.core.ir.blocks import JsonObject
from agdesk.core.tools.address import parse_address, parse_host, possible_hosts
from agdesk.core.tools.folder_text import BrokenFolder, FolderText
from agdesk.core.tools.json_path import parse_path, value_at
from agdesk.core.tools.patterns import parse_glob

_PARENT = re.compile(r"(?:^|[/\\])\.\.(?:[/\\]|$)")


class Match(IntEnum):
    """Whether a condition holds."""

    NO = 0
    MAYBE = 1
    YES = 2


class BrokenPredicate(ValueError):
    """A predicate that cannot be understood; says why."""


Test = Callable[[JsonObject, str], Match]
"""Takes the input of a call and the folder where its relative paths begin (empty if unknown)."""


def compile_predicate(predicate: Predicate) -> Test:
    """The predicate, ready to be applied.

    ============  =====================================================================================================
    equals        the same JSON; null is also nothing at all
    starts_with   a text, or the first items of an array
    glob          a whole text; see ``patterns``
    under_folder  a path in that folder, or the folder itself; see ``FolderText``
    host_is       an address of that host, ``.example.org`` for all below it, on the scheme's own port unless
                  ``host:port`` says which; see ``address``
    ============  =====================================================================================================

    Raises:
        BrokenPredicate: it cannot be understood.
    """
    try:
        steps, compare = parse_path(predicate.path), _comparison(PredicateOp(predicate.op), predicate.value)
    except (ValueError, BrokenFolder) as error:  # BrokenPattern and an unknown op are ValueErrors
        raise BrokenPredicate(f"{predicate.path} {predicate.op}: {error}") from error
    return lambda input, folder: compare(value_at(input, steps), folder)


def _comparison(op: PredicateOp, wanted: Any) -> Callable[[Any, str], Match]:
    match op:
        case PredicateOp.EQUALS:
            return lambda found, _: _same(found, wanted)
        case PredicateOp.STARTS_WITH:
            return _starts_with(wanted)
        case PredicateOp.GLOB:
            pattern = parse_glob(_text(wanted))
            return lambda found, _: _unless_parent(found) if _fits(pattern, found) else Match.NO
        case PredicateOp.UNDER_FOLDER:
            return _under_folder(_text(wanted))
        case PredicateOp.HOST_IS:
            return _host_is(_text(wanted))
        case _:
            assert_never(op)


def _text(wanted: Any) -> str:
    if not isinstance(wanted, str) or not wanted:
        raise BrokenPredicate("the value is no text")
    return wanted


def _same(found: Any, wanted: Any) -> Match:
    """Whether two values are the same JSON; 1, 1.0 and true only may be, for a server may take one for the other."""
    if type(found) is not type(wanted):
        return Match.MAYBE if found == wanted else Match.NO
    if isinstance(wanted, dict):
        if found.keys() != wanted.keys():
            return Match.NO
        return min((_same(found[key], value) for key, value in wanted.items()), default=Match.YES)
    if isinstance(wanted, list):
        if len(found) != len(wanted):
            return Match.NO
        return min(map(_same, found, wanted), default=Match.YES)
    return Match.YES if found == wanted else Match.NO


def _starts_with(wanted: Any) -> Callable[[Any, str], Match]:
    if not isinstance(wanted, str | list) or not wanted:
        raise BrokenPredicate("the value is neither a text nor an array, or empty")
    if isinstance(wanted, str):
        return lambda found, _: (
            _unless_parent(found) if isinstance(found, str) and found.startswith(wanted) else Match.NO
        )
    return lambda found, _: _same(found[: len(wanted)], wanted) if isinstance(found, list) else Match.NO


def _fits(pattern: re.Pattern[str], found: Any) -> bool:
    return isinstance(found, str) and pattern.fullmatch(found) is not None


def _unless_parent(found: str) -> Match:
    return Match.MAYBE if _PARENT.search(found) else Match.YES


def _under_folder(wanted: str) -> Callable[[Any, str], Match]:
    folder = FolderText(wanted)

    def compare(found: Any, base: str) -> Match:
        if not isinstance(found, str):
            return Match.NO
        if folder.surely_holds(found, base=base):
            return Match.YES
        return Match.MAYBE if folder.may_hold(found, base=base) else Match.NO

    return compare


def _host_is(wanted: str) -> Callable[[Any, str], Match]:
    is_below = wanted.startswith(".")
    address = parse_host(wanted.removeprefix("."))
    if address is None:
        raise BrokenPredicate("the value is no host; one that is not ASCII is written in its xn-- form")

    def is_meant(host: str) -> bool:
        return host.endswith(f".{address.host}") if is_below else host == address.host

    def compare(found: Any, _folder: str) -> Match:
        if not isinstance(found, str):
            return Match.NO
        read = parse_address(found) or parse_host(found)
        if read is not None and is_meant(read.host):
            is_port = read.has_usual_port if address.port is None else read.port == address.port
            return Match.YES if is_port else Match.MAYBE
        return Match.MAYBE if any(map(is_meant, possible_hosts(found))) else Match.NO

    return compare
