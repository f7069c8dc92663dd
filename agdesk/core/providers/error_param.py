"""Which parameter an error is about: named in a field of its own, as a place, or in words (E07)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from agdesk.core.errors import ProviderRejection

_NAME = r"(?<![\w-])[`'\"“]?(?P<name>[A-Za-z_][\w-]*(?:(?:\.|\[)[\w-]+\]?)*)[`'\"”]?"
_TAKEN = r"(?:supported|permitted|allowed|available)"
_KINDS = r"(?:parameter|argument|field|property|key|name|option)s?"
_LONGEST = 500
_AT = re.compile(r"\bat [`'\"]([\w.\[\]-]+)[`'\"]")
# The first that matches counts: the surest come first. Whether the name is one of a parameter at all is decided where
# the request is known.
_PHRASES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # OpenAI, Azure, DeepSeek, Gemini, TGI: Unsupported parameter: 'x' · Unrecognized request argument supplied: x
        rf"\b(?:unsupported|unknown|unrecognized|unexpected|invalid|extra)\s+(?:request\s+|keyword\s+)?{_KINDS}"
        rf"(?:\s+(?:supplied|received|given|provided))?\s*:?\s+{_NAME}",
        rf"\bunsupported\s+value\s*:\s*{_NAME}",
        # Anthropic, Mistral and whatever else validates with pydantic: x: Extra inputs are not permitted
        rf"^(?:body\.)?{_NAME}\s*:\s*(?:extra (?:inputs|fields)|un(?:expected|supported|known)|not {_TAKEN})",
        rf"\bextra (?:inputs|fields)\b[^:]*:?\s*field:?\s*{_NAME}",
        # xAI, Perplexity: Argument not supported on this model: x · does not support parameter x
        rf"\b{_KINDS}\s+(?:is\s+)?not supported\b[^:`'\"]*:\s*{_NAME}",
        rf"\bdoes not support\s+(?:the\s+|this\s+)?(?:{_KINDS}\s+)?{_NAME}",
        # Anthropic: `x` and `y` cannot both be specified
        rf"\band\s+{_NAME}\s+can(?:not|'t)\s+both\b",
        # Groq, Anthropic: property 'x' is unsupported · `x` is deprecated for this model
        rf"{_NAME}\s+(?:{_KINDS}\s+)?(?:is|are)\s+(?:unsupported|deprecated|not {_TAKEN})",
        # Moonshot: invalid x: only 1 is allowed for this model
        rf"\binvalid\s+{_NAME}\s*:",
    )
)


# What is said of a parameter that is not taken at all, or not with any other than its default value.
_REFUSAL = re.compile(
    rf"unsupported|un(?:known|recognized|expected) |not (?:be )?{_TAKEN}|deprecated|does not support"
    r"|extra (?:inputs|fields)|cannot both be|cannot be (?:set|used|specified)|only .{1,20} is allowed",
    re.IGNORECASE,
)
_REFUSAL_CODES = ("unsupported", "unknown_parameter", "unknown_field", "extra_forbidden")


def refuses_parameter(error: ProviderRejection) -> bool:
    """Whether the parameter that an error names is refused as such; else it is its value that is wrong."""
    code = (error.code or "").lower()
    return any(word in code for word in _REFUSAL_CODES) or _REFUSAL.search(error.provider_message) is not None


def named_parameter(tables: Iterable[Mapping[str, Any]], *, message: str) -> str | None:
    """The parameter that an error names, in the provider's own words; None if it names none.

    Args:
        tables: the objects of the error, innermost first.
        message: the provider's words.
    """
    tables = tuple(tables)
    for table in tables:
        if isinstance(name := table.get("param"), str) and name:
            return name
    for table in tables:
        if (place := _place(table)) is not None:
            return place
    for pattern in _PHRASES:
        if found := pattern.search(message):
            container = _AT.search(message, found.end())
            return f"{container[1]}.{found['name']}" if container else found["name"]
    return None


def _place(table: Mapping[str, Any]) -> str | None:
    """Where a validator stands: ``loc`` of pydantic's errors, ``fieldViolations`` of Google's."""
    location = table.get("loc")
    if isinstance(location, list) and location:
        steps = [str(step) for step in location]
        return ".".join(steps[1:] if steps[0] == "body" and len(steps) > 1 else steps)
    violations = table.get("fieldViolations")
    if isinstance(violations, list) and violations and isinstance(violations[0], Mapping):
        field = violations[0].get("field")
        name = _PHRASES[0].search(str(violations[0].get("description", ""))[:_LONGEST])
        if isinstance(field, str) and field:
            return f"{field}.{name['name']}" if name and not field.endswith(name["name"]) else field
    return None
