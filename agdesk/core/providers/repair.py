"""What a model refused once is not sent to it again: left out of the body, or said otherwise (E07). Pure.

A refused parameter is remembered as its path in the body, ``temperature`` or ``generationConfig.topP``. Two are not
left out: the limit of tokens has two names in Chat Completions, and the system text two roles; the other one is sent.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from agdesk.core.ir.request import MessageRequest

_OTHER_NAME = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
_OTHER_ROLE = {"system": "developer", "developer": "system"}
# Without these it is another request, or none: what is wrong with them is for the user to change.
_CONTENT = frozenset(
    {"model", "messages", "input", "contents", "system", "systeminstruction", "instructions", "stream"}
    | {"tools", "toolchoice", "toolconfig"}
)
_CONTAINERS = ("options", "generationConfig", "extra_body")
_NAMES_OF_THINKING = ("think", "thinkingConfig", "enable_thinking", "reasoning_effort", "reasoning", "thinking")
_ROLE = re.compile(r"(messages|input)(?:\[\d+\]|\.\d+)?\.role$")
# What the user sets in a request, by field → every name under which a format sends it, small and without underscores.
_USERS: Mapping[str, tuple[str, ...]] = {
    "max_tokens": ("maxtokens", "maxcompletiontokens", "maxoutputtokens", "numpredict"),
    "temperature": ("temperature",),
    "top_p": ("topp",),
    "stop": ("stop", "stopsequences"),
    "seed": ("seed", "randomseed"),
    "thinking": (
        *("thinking", "think", "reasoning", "reasoningeffort", "enablethinking", "thinkingbudget", "thinkingconfig"),
        *("chattemplatekwargs", "effort", "outputconfig"),
    ),
    "response_format": ("responseformat", "text", "format", "responsemimetype", "responsejsonschema", "outputconfig"),
    "parallel_tool_calls": ("paralleltoolcalls", "disableparalleltooluse"),
}
# Objects in which anything that the user sets may stand.
_OBJECTS = frozenset({"options", "generationconfig", "extrabody"})
# Objects that have members they cannot do without.
_WHOLE = frozenset({"thinking", "responseformat", "format"})
# Chosen by the format for what the user wants, and not by the user.
_CODES = ("reasoning.summary", "thinking.display", "generationConfig.thinkingConfig.includeThoughts")


def removable(body: Mapping[str, Any], param: str, *, demanded: frozenset[str] = frozenset()) -> str | None:
    """The path in ``body`` of the parameter that an error names, if the request can do without it; else None.

    The spelling need not be that of the body: ``generation_config.top_p`` is found as ``generationConfig.topP``,
    ``thinking`` under whatever name the format has for it. Steps that are no member, such as an index or the kind of a
    union, are passed over. What the format demands (``WireFormat.demanded``) no request can do without.
    """
    if role := _ROLE.match(param):
        return f"{role[1]}.role" if _has_system(body, role[1]) else None
    steps = [step for step in re.split(r"[.\[\]]+", param) if step and not step.isdecimal()]
    places: list[tuple[str, ...]] = [()]
    places += [(name,) for name in _CONTAINERS if isinstance(body.get(name), Mapping)]
    for place in places:
        if path := _find(body, place, steps):
            return None if _plain(path[0]) in _CONTENT or path[0] in demanded else _whole(".".join(path))
    if steps and _plain(steps[-1]) == "thinking":
        return next((name for name in _NAMES_OF_THINKING if name in body), None)
    return None


def is_rename(path: str) -> bool:
    """Whether a refused parameter is said otherwise and nothing of the request is lost."""
    return path in _OTHER_NAME or path.endswith(".role")


def is_of_user(path: str, request: MessageRequest) -> bool:
    """Whether ``path`` stands for something that the request itself sets, rather than its format or a preset."""
    if is_rename(path) or path in _CODES:
        return False
    names = {_plain(step) for step in path.split(".")}
    if any(_plain(name) in names for name in request.extra):
        return True
    is_any = _plain(path.rpartition(".")[2]) in _OBJECTS
    return any(
        getattr(request, field) not in (None, ()) and (is_any or not names.isdisjoint(_USERS[field]))
        for field in _USERS
    )


def repaired(
    body: Mapping[str, Any], refused: Iterable[str], *, demanded: frozenset[str] = frozenset()
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """``body`` without what the model refused, and what the ledger says of it. ``body`` itself is not changed.

    What the format demands is sent all the same, under its one name.
    """
    paths = tuple(path for path in dict.fromkeys(refused) if path not in demanded)
    result = dict(body)
    lines: list[str] = []
    for path in paths:
        if path.endswith(".role"):
            lines += _change_role(result, path.removesuffix(".role"))
        elif (other := _OTHER_NAME.get(path)) and other not in paths and path in result and "messages" in result:
            result.setdefault(other, result[path])
            del result[path]
            lines.append(f"{path!r} was sent as {other!r}: the model refused it")
        elif _drop(result, path.split(".")):
            lines.append(f"{path!r} was left out: the model refused it")
    return result, tuple(lines)


def _find(body: Mapping[str, Any], place: tuple[str, ...], steps: list[str]) -> tuple[str, ...]:
    """The path below ``place`` that ``steps`` spell, as far as the body goes; empty if nothing of it is there."""
    table: Any = body
    for name in place:
        table = table[name]
    path = place
    for step in steps:
        if not isinstance(table, Mapping):
            break
        if (found := next((key for key in table if _plain(key) == _plain(step)), None)) is not None:
            path, table = (*path, found), table[found]
    return path if len(path) > len(place) else ()


def _whole(path: str) -> str:
    """The path as far as it can be left out by itself."""
    steps = path.split(".")
    end = next((at for at, step in enumerate(steps, 1) if _plain(step) in _WHOLE), len(steps))
    return path if path in _CODES else ".".join(steps[:end])


def _drop(table: dict[str, Any], path: list[str]) -> bool:
    """Takes a path out of a table, and every table that is left empty by it. Changed tables are copies."""
    name, *rest = path
    if name not in table:
        return False
    if not rest:
        del table[name]
        return True
    inner = table[name]
    if not isinstance(inner, Mapping):
        return False
    table[name] = inner = dict(inner)
    if not _drop(inner, rest):
        return False
    if not inner:
        del table[name]
    return True


def _change_role(body: dict[str, Any], member: str) -> list[str]:
    messages = body.get(member)
    if not isinstance(messages, list):
        return []
    roles = [role for message in messages if (role := _role(message)) in _OTHER_ROLE]
    if not roles:
        return []
    other: Callable[[str], str] = _OTHER_ROLE.__getitem__
    body[member] = [
        {**message, "role": other(role)} if (role := _role(message)) in _OTHER_ROLE else message for message in messages
    ]
    return [f"the system text was sent in the role {other(roles[0])!r}: the model refused {roles[0]!r}"]


def _has_system(body: Mapping[str, Any], member: str) -> bool:
    messages = body.get(member)
    return isinstance(messages, list) and any(_role(message) in _OTHER_ROLE for message in messages)


def _role(message: object) -> str:
    role = message.get("role") if isinstance(message, Mapping) else None
    return role if isinstance(role, str) else ""


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()
