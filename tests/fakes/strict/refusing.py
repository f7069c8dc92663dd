"""What all checkers share: the refusal, the shapes of JSON, and the memory of what was given out."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

Kinds = type | tuple[type, ...]
NUMBER = (int, float)
ANYTHING = object
NULL = type(None)

TOOL_NAME = re.compile("[a-zA-Z0-9_-]{1,64}")
OPENAI_IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp")


class Refused(Exception):
    """A request that was not taken.

    Attributes:
        status: of the HTTP response.
        body: the error as this provider spells it.
    """

    def __init__(self, status: int, body: Any) -> None:
        super().__init__(f"{status} {json.dumps(body)}")
        self.status = status
        self.body = body


def shape(**kinds: Any) -> dict[str, Any]:
    """The members of an object, each with its kind."""
    return kinds


def canonical(value: Any) -> str:
    """JSON in which equal values look the same."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


@dataclass
class Issued:
    """What a provider has given out: it knows its own signatures and what they stand for.

    Attributes:
        sealed: by signature, encrypted content or the like, the block that it came in.
        blocks: blocks without any, as they were given out.
    """

    sealed: dict[str, Any] = field(default_factory=dict)
    blocks: list[Any] = field(default_factory=list)

    def add(self, block: Any, seal: str | None = None) -> None:
        """Remembers a block."""
        if seal:
            self.sealed[seal] = block
        else:
            self.blocks.append(block)

    def knows(self, block: Any) -> bool:
        """Whether just this block was given out, sealed or not."""
        return block in self.blocks or block in self.sealed.values()


NOTHING = Issued()


class Checker:
    """A body that is looked at; ``refuse`` says an error in the provider's own shape.

    Args:
        refuse: from the place in the body and what is wrong there.
        issued: what was given out before.
    """

    def __init__(self, refuse: Callable[[str, str], Refused], issued: Issued) -> None:
        self._refuse = refuse
        self.issued = issued

    def no(self, place: str, why: str) -> NoReturn:
        """Refuses."""
        raise self._refuse(place, why)

    def must(self, is_so: bool, place: str, why: str) -> None:
        """Refuses unless it is so."""
        if not is_so:
            self.no(place, why)

    def members(
        self, value: Any, place: str, kinds: Mapping[str, Any], *, needed: Sequence[str] = ()
    ) -> dict[str, Any]:
        """An object with no other members than these, each of its kind."""
        if not isinstance(value, dict):
            self.no(place, "is not an object")
        for name, member in value.items():
            if name not in kinds:
                self.no(f"{place}.{name}".lstrip("."), "is not known")
            self.kind(member, f"{place}.{name}".lstrip("."), kinds[name])
        for name in needed:
            self.must(name in value, f"{place}.{name}".lstrip("."), "is required")
        return value

    def kind(self, value: Any, place: str, kinds: Kinds) -> None:
        """A value of one of these kinds; true and false are no numbers."""
        accepted = kinds if isinstance(kinds, tuple) else (kinds,)
        is_lost_bool = isinstance(value, bool) and bool not in accepted and object not in accepted
        self.must(isinstance(value, accepted) and not is_lost_bool, place, "has the wrong type")

    def items(self, value: Any, place: str, *, least: int = 1) -> list[tuple[str, Any]]:
        """The entries of an array, each with its place."""
        if not isinstance(value, list):
            self.no(place, "is not an array")
        self.must(len(value) >= least, place, "is empty")
        return [(f"{place}[{index}]", entry) for index, entry in enumerate(value)]

    def text(self, value: Any, place: str) -> None:
        """A text that says something."""
        self.kind(value, place, str)
        self.must(bool(value.strip()), place, "must contain non-whitespace text")

    def word(self, value: Any, place: str, words: Sequence[Any]) -> None:
        """One of some words."""
        self.must(value in words, place, f"is none of {', '.join(map(str, words))}")

    def pattern(self, value: Any, place: str, pattern: re.Pattern[str]) -> None:
        """A text that looks so."""
        self.kind(value, place, str)
        self.must(pattern.fullmatch(value) is not None, place, f"does not match the pattern {pattern.pattern}")

    def json_object(self, value: Any, place: str) -> None:
        """An object written out as text."""
        self.kind(value, place, str)
        try:
            found = json.loads(value)
        except ValueError:
            self.no(place, "is not valid JSON")
        self.must(isinstance(found, dict), place, "is not a JSON object")

    def base64(self, value: Any, place: str, *, most: int) -> None:
        """Bytes, at most so many."""
        self.kind(value, place, str)
        try:
            size = len(base64.b64decode(value, validate=True))
        except binascii.Error:
            self.no(place, "is not valid base64")
        self.must(0 < size <= most, place, f"must have between 1 and {most} bytes")

    def data_url(self, value: Any, place: str, types: Sequence[str] | None, *, most: int) -> None:
        """Bytes in a URL, of one of these types."""
        self.kind(value, place, str)
        found = re.match("data:([^;,]+);base64,", value)
        if found is None:
            self.no(place, "is no data URL in base64")
        self.must(types is None or found[1] in types, place, f"the type {found[1]} is not supported")
        self.base64(value[found.end() :], place, most=most)

    def image_url(self, value: Any, place: str) -> None:
        """An address, or the image itself, as OpenAI takes it."""
        self.kind(value, place, str)
        if not value.startswith(("http://", "https://")):
            self.data_url(value, place, OPENAI_IMAGES, most=50_000_000)

    def tool_names(self, names: Sequence[str], place: str) -> None:
        """Names of tools, each once."""
        for name in names:
            self.pattern(name, place, TOOL_NAME)
        self.must(len(set(names)) == len(names), place, "names a tool twice")

    def schema(self, value: Any, place: str) -> None:
        """A JSON Schema of an object."""
        self.kind(value, place, dict)
        self.must(value.get("type") == "object", place, "schema must have type 'object'")

    def own(self, block: Any, place: str) -> None:
        """A block of a kind that has no rules here: taken if it comes back just as it was given out."""
        self.must(self.issued.knows(block), place, "is of an unknown type, or was changed")
