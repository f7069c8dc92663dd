"""What kind of failure an error is, from its codes, its words and its status (E01, E03, E05, E06, L11)."""

from __future__ import annotations

import re

from agdesk.core.errors import ErrorCategory as Category
from agdesk.core.providers.error_fields import ErrorFields

# Parts of codes and types, letters and digits only; the first that occurs decides.
_SPECIFIC_CODES: tuple[tuple[Category, tuple[str, ...]], ...] = (
    (
        Category.CONTEXT_OVERFLOW,
        ("contextlength", "contextwindow", "contextsize", "toomanyprompttokens", "prompttoolong", "requesttoolarge"),
    ),
    (
        Category.QUOTA,
        ("insufficientquota", "currentquota", "insufficientbalance", "insufficientcredit", "billing", "arrearage"),
    ),
    (
        Category.AUTH,
        ("invalidapikey", "apikeyinvalid", "incorrectapikey", "authentication", "unauthenticated", "unauthorized"),
    ),
    (
        Category.CONTENT_FILTER,
        ("contentfilter", "contentpolicy", "responsibleai", "datainspection", "moderation", "safety", "flaggedinput"),
    ),
    (Category.RATE_LIMIT, ("ratelimit", "toomanyrequests", "throttl", "resourceexhausted", "requestlimit")),
    (Category.OVERLOADED, ("overloaded", "unavailable", "capacity", "serverbusy", "insufficientsystemresource")),
    (Category.NOT_FOUND, ("notfound", "invalidmodel", "unknownmodel", "modelnotexist")),
    (Category.PERMISSION, ("permission", "forbidden", "accessdenied", "unsupportedcountry")),
)
_GENERAL_CODES: tuple[tuple[Category, tuple[str, ...]], ...] = (
    (
        Category.INVALID_REQUEST,
        ("invalid", "badrequest", "unsupported", "notsupported", "failedprecondition", "tooluse"),
    ),
    (Category.SERVER, ("servererror", "internal", "apierror", "timeout", "upstream")),
)
# Providers whose code says no more than "invalid request" say it in words.
_PHRASES: tuple[tuple[Category, re.Pattern[str]], ...] = tuple(
    (category, re.compile(pattern))
    for category, pattern in (
        (
            Category.CONTEXT_OVERFLOW,
            r"context (length|window|size|limit)|maximum (context|prompt length)|(prompt|input) (is )?too long"
            r"|input token count.*exceed|too many (prompt|input) tokens|tokens in the prompt exceed"
            r"|reduce the length of|exceeded model token limit|range of input length",
        ),
        (
            Category.QUOTA,
            r"insufficient (balance|credit|fund|quota)|credit balance|(out of|more|any) credits"
            r"|exceeded your (current )?quota|payment required|key limit exceeded|billing",
        ),
        (
            Category.AUTH,
            r"\b(invalid|incorrect|missing|wrong|expired|no) ([\w-]+ ){0,2}(api[ -]?key|auth|credential|bearer)"
            r"|api[ -]?key ([\w-]+ ){0,4}(invalid|incorrect|expired|missing|required|revoked|valid|provided|found)"
            r"|unauthorized|unauthenticated|authentication (failed|fails|required)",
        ),
        (
            Category.CONTENT_FILTER,
            r"content (management )?polic|content filter|flagged (as|by|for)|inappropriate content|requires moderation",
        ),
        (
            Category.NOT_FOUND,
            r"model\b.{0,120}?\b(not found|not exist|(is not|isn't) (available|a valid model)|is unknown)"
            r"|(unknown|invalid|no such) model|not a valid model|unexpected endpoint",
        ),
        (Category.RATE_LIMIT, r"rate[ -]?limit|too many requests|(requests|tokens) per (min|hour|day)"),
        (Category.OVERLOADED, r"overloaded|(at|over) capacity|server (is )?busy|temporarily unavailable"),
        # llama.cpp says so with status 500 (L11): the same request will never do better
        (Category.INVALID_REQUEST, r"(is|are|does|do) not support|jinja|unsupported"),
    )
)
_STATUS = {
    401: Category.AUTH,
    402: Category.QUOTA,
    403: Category.PERMISSION,
    404: Category.NOT_FOUND,
    407: Category.TRANSPORT,
    408: Category.SERVER,
    413: Category.CONTEXT_OVERFLOW,
    429: Category.RATE_LIMIT,
    503: Category.OVERLOADED,
    529: Category.OVERLOADED,
}
# What these statuses say is more certain than any phrase.
_PLAIN_STATUSES = frozenset({401, 402, 404, 529})
_WORTH_RETRYING = frozenset({Category.RATE_LIMIT, Category.OVERLOADED, Category.SERVER})

HEADLINES = {
    Category.AUTH: "The API key was refused",
    Category.PERMISSION: "The key may not do this",
    Category.NOT_FOUND: "The model or the address was not found",
    Category.INVALID_REQUEST: "The provider refused the request",
    Category.CONTEXT_OVERFLOW: "The request does not fit the context window",
    Category.RATE_LIMIT: "The rate limit was hit",
    Category.OVERLOADED: "The provider is overloaded",
    Category.QUOTA: "The account's quota is spent",
    Category.CONTENT_FILTER: "The content filter stopped the request",
    Category.SERVER: "The provider failed",
    Category.TRANSPORT: "A proxy on the way refused the request",
    Category.PROTOCOL: "The answer is not in the provider's format",
    Category.UNKNOWN: "The provider reported an error",
}
HINTS = {
    Category.AUTH: 'Check the key of this provider; "agdesk doctor" says where it comes from.',
    Category.PERMISSION: "Give the key this right in the provider's console, or choose another model.",
    Category.NOT_FOUND: "Check the name of the model and the base URL of this provider.",
    Category.INVALID_REQUEST: "Change or clear the parameter, tool or attachment that the message names.",
    Category.CONTEXT_OVERFLOW: "Compact the conversation, or choose a model with a larger context window.",
    Category.RATE_LIMIT: "Wait and send again, or choose another model.",
    Category.OVERLOADED: "Send again in a moment, or choose another model.",
    Category.QUOTA: "Add credit in the provider's console, or use another key.",
    Category.CONTENT_FILTER: "Change the message or the attachment that the filter objects to.",
    Category.SERVER: "Send again in a moment; if it keeps failing, look at the provider's status page.",
    Category.TRANSPORT: "Check the network and the proxy.",
    Category.PROTOCOL: "Check the base URL of this provider: the server may speak another format.",
    Category.UNKNOWN: "Look the provider's words up in its documentation.",
}


def categorise(fields: ErrorFields, *, status: int) -> Category:
    """The category of an error; ``status`` is the HTTP status, or the one inside the body if HTTP said success.

    A telling code decides; then a plain status; then the words; then the status's and the code's general meaning.
    """
    codes = [re.sub(r"[^a-z0-9]", "", word.lower()) for word in fields.words]
    if (category := _first_code(_SPECIFIC_CODES, codes)) is not None:
        return category
    if status in _PLAIN_STATUSES:
        return _STATUS[status]
    text = fields.message.lower().replace("_", " ")
    for category, pattern in _PHRASES:
        if pattern.search(text):
            return category
    if status in _STATUS:
        return _STATUS[status]
    if status >= 500:
        return Category.SERVER
    if status >= 300:
        return Category.INVALID_REQUEST
    return _first_code(_GENERAL_CODES, codes) or Category.UNKNOWN


def is_retryable(category: Category, *, status: int, should_retry: str) -> bool:
    """Whether the same request may succeed later (E05); ``x-should-retry`` overrides the rules, but not these two.

    A spent quota comes back by no retry, and a request that a server cannot process never will be (L11).
    """
    if category is Category.QUOTA or (category is Category.INVALID_REQUEST and status >= 500):
        return False
    if should_retry in ("true", "false"):
        return should_retry == "true"
    return category in _WORTH_RETRYING or status in (408, 409)


def _first_code(table: tuple[tuple[Category, tuple[str, ...]], ...], codes: list[str]) -> Category | None:
    return next((category for category, parts in table for code in codes if any(part in code for part in parts)), None)
