"""What a history holds that a body does not, and which lines of a ledger tell it.

A difference is an item that is missing from the body: a text or a thought (a body has it if it stands in one of its
texts, for texts may be joined), a call (by name and arguments), its id, a text of a result, that a tool failed, media
(by kind and bytes or address) and whether they stand in a result, a name of media, a block of another kind, a citation,
what is opaque, and the order of what an answer says. White space alone is no text. What a result holds belongs to the
answer that the result follows. Beside these a body may say what no message does, in one of the ``ADDED`` texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from agdesk.core.ir.arguments import parse_arguments
from agdesk.core.ir.blocks import (
    Audio,
    BlobRef,
    ContentBlock,
    Extension,
    File,
    Image,
    ProviderData,
    ProviderFile,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
    Url,
)
from agdesk.core.ir.ledger import read_line
from agdesk.core.ir.messages import Assistant, Message, System, Tool
from tests.property.bodies import Told, strings

# words of opaque data that need not come back: ids that a server without memory cannot find (P08), and progress
_FORGOTTEN = re.compile(r"(rs|fc|ctc|msg)_\d+|completed|in_progress")
_MARK = re.compile(r"(?:text|thought|where|input|signed|sealed)\d+")
_MEDIA = ("media", "media name", "media type")
# the kinds of difference that a note tells
NOTES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"thinking (was|without|at the end)", ("thinking", "opaque", "extension")),
    (r"the signature of ", ("opaque",)),
    (r"opaque data of ", ("opaque", "custom call")),
    (r"a call of a custom tool is sent as one of a function", ("custom call",)),
    (r"several pieces of thinking are sent as one", ("border",)),
    (r"a block '.*' of .*", ("extension",)),
    (r"a block '.*' was left out: it was not finished", ("extension",)),
    (r"a (call|result) of a provider's own tool was left out", ("extension",)),
    (r"of several .* only the first", ("extension",)),
    (r".* came beside the answer and is not sent back", ("extension",)),
    (r"an answer without text and calls|a message with nothing", ("message", "thinking", "opaque", "extension")),
    (r"an empty message was left out", ("message",)),
    (r"a text file is sent as text", _MEDIA),
    (r"an? (image|audio clip|file)( of type .*)? was left out", _MEDIA),
    (r"an? (image|audio clip|file) has no place", _MEDIA),
    (r"the name of an? (image|audio clip|file)", ("media name",)),
    (r"the media type of an? ", ("media type",)),
    (r"media in a tool result follow|images and files among the results", ("media place",)),
    (r"what is not text in the result of a failed call", _MEDIA),
    (r"that a tool failed is said as", ("failure",)),
    (r"results of calls that are not there", ("result", "failure", *_MEDIA)),
    (r"arguments that are no JSON object|the name of a call", ("call",)),
    (r"the id of a call", ("call id",)),
    (r"citations of a text", ("citation",)),
    (r"a system message in the middle was moved", ("system",)),
    (r"the order of thinking, text and calls", ("order",)),
    (r"white space at the end of the last answer", ("text",)),
)
# what a body says that the history does not, and the note that tells it
ADDED = {
    r"\[cancelled\]": r"a call without a result got the result \[cancelled\]",
    r"\[left out\]": r"'\[left out\]' stands for a message",
    r"\[start\]": r"a message '\[start\]' of the user was put in front",
    "…": "a message of the user was added in front",
    "skip_thought_signature_validator": "a call got a mark that skips",
}
# not everything that is lost is worth a line: an empty message, a type that the address tells, where thoughts part
MAY_BE_SILENT = {"message", "media type", "border"}


class Difference(NamedTuple):
    position: int
    kind: str
    value: Any


class Item(NamedTuple):
    kind: str
    value: Any
    in_result: bool = False


def differences(messages: tuple[Message, ...], told: Told) -> list[Difference]:
    """Everything of a history that is missing from a body."""
    found: list[Difference] = []
    has_spoken = False
    answer = None
    said_once = {
        "call": list(told.calls),
        "call id": list(told.call_ids) if told.has_call_ids else None,
        "custom call": list(told.custom),
    }
    for position, message in enumerate(messages):
        answer = position if isinstance(message, Assistant) else answer
        missing = []
        items = list(_items(message))
        for item in items:
            if not _is_told(item, told, said_once):
                place = answer if item.in_result and answer is not None else position
                missing.append(Difference(place, item.kind, item.value))
        is_foreign = isinstance(message, Assistant) and message.origin is not None and message.origin.wire != told.wire
        if isinstance(message, Assistant) and is_foreign and not _is_in_order(message, told):
            missing.append(Difference(position, "order", None))
        if isinstance(message, System) and has_spoken:
            missing.append(Difference(position, "system", None))
        has_spoken = has_spoken or not isinstance(message, System)
        if isinstance(message, Assistant) and sum(isinstance(block, Thinking) for block in message.content) > 1:
            missing.append(Difference(position, "border", None))
        if len(missing) >= len(items):
            missing.append(Difference(position, "message", None))
        found.extend(missing)
    return found


def unexplained(found: list[Difference], lines: tuple[str, ...], told: Told) -> Iterator[str]:
    """Differences that no line tells, and lines that tell none."""
    notes = [(message - 1, what) for line in lines for message, what in _read(line)]
    explained: set[tuple[int, str]] = set()
    kinds_found = {(difference.position, difference.kind) for difference in found}
    for position, what in notes:
        kinds = _kinds(what)
        if kinds is None:
            continue
        tells = {(position, kind) for kind in kinds} & kinds_found
        explained |= tells
        if not tells:
            yield f"no difference is behind: message {position + 1}: {what}"
    for difference in found:
        is_silent = difference.kind in MAY_BE_SILENT or (difference.kind == "system")
        if not is_silent and (difference.position, difference.kind) not in explained:
            yield f"no line tells: {difference}"
    for text, note in ADDED.items():
        said = any(re.fullmatch(text, word) for word in told.words)
        noted = any(re.match(note, what) for _, what in notes)
        if said != noted:
            yield f"{text} is {'not ' * (not said)}in the body, and {'not ' * (not noted)}in the ledger"


def _read(line: str) -> list[tuple[int, str]]:
    read = read_line(line)
    return [(message, read.what) for message in read.messages or (0,)]


def _kinds(what: str) -> tuple[str, ...] | None:
    """What a note tells of; None for one about what was added."""
    for pattern, kinds in NOTES:
        if re.match(pattern, what):
            return kinds
    assert any(re.match(note, what) for note in ADDED.values()), f"a note that nobody knows: {what}"
    return None


def _items(message: Message) -> Iterator[Item]:
    if isinstance(message, Tool):
        for result in message.results:
            yield from _result_items(result)
        return
    origin = message.origin if isinstance(message, Assistant) else None
    for block in message.content:
        yield from _block_items(block, origin.wire if origin is not None else "")


def _block_items(block: ContentBlock, wire: str) -> Iterator[Item]:
    match block:
        case Text(text, _, citations, data):
            if text.strip():
                yield Item("text", text)
            yield from (Item("citation", citation) for citation in citations)
            yield from _opaque(data, wire)
        case Thinking(text, signature, data):
            if text.strip():
                yield Item("thinking", text)
            yield from _opaque(data, wire, signature)
        case ToolUse():
            arguments = block.input if block.input is not None else parse_arguments(block.raw_arguments)[0]
            yield Item("call", (block.name, arguments))
            yield Item("call id", block.id)
            if block.provider_data is not None and block.provider_data.raw.get("type") == "custom":
                yield Item("custom call", (wire, block.name, arguments))
            else:
                yield from _opaque(block.provider_data, wire)
        case ToolResult():
            yield from _result_items(block)
        case Image() | Audio() | File():
            yield from _media_items(block, in_result=False)
        case Extension(raw=raw):
            yield Item("extension", raw)


def _opaque(data: ProviderData | None, wire: str, signature: str | None = None) -> Iterator[Item]:
    if data is not None or signature:
        words = {word for word in strings([data.raw if data else {}, signature]) if not _FORGOTTEN.fullmatch(word)}
        yield Item("opaque", (wire if data is None else data.origin, words))


def _result_items(result: ToolResult) -> Iterator[Item]:
    texts = [block.text for block in result.content if isinstance(block, Text) and block.text.strip()]
    yield from (Item("result", text, in_result=True) for text in texts)
    for block in result.content:
        if isinstance(block, Image | Audio | File):
            yield from _media_items(block, in_result=True)
    if result.is_error:
        yield Item("failure", tuple(Item("result", text) for text in texts), in_result=True)


def _media_items(block: Image | Audio | File, *, in_result: bool) -> Iterator[Item]:
    match block.source:
        case Url(url):
            source = url.partition(",")[2] if url.startswith("data:") else url
        case ProviderFile(_, file_id):
            source = file_id
        case BlobRef(sha256):
            source = sha256
    kind = type(block).__name__
    yield Item("media", (kind, source), in_result)
    yield Item("media place", (kind, source, in_result), in_result)
    yield Item("media type", (source, block.media_type), in_result)
    if block.name is not None:
        yield Item("media name", block.name, in_result)


def _is_left(value: Any, said: list[Any] | None) -> bool:
    """Whether the value is among what is said, each of which stands for one item; None: it is never said."""
    if said is None:
        return True
    if value not in said:
        return False
    said.remove(value)
    return True


def _is_told(item: Item, told: Told, said_once: Mapping[str, list[Any] | None] = MappingProxyType({})) -> bool:
    value = item.value
    if item.kind in said_once:
        return _is_left(value, said_once[item.kind])
    match item.kind:
        case "text":
            return any(value in text for text in told.texts)
        case "thinking":
            return any(value in text for text in told.thoughts)
        case "result":
            return any(value in text for text in told.results)
        case "failure":
            return told.has_failures and all(_is_told(text, told) for text in value)
        case "media":
            return any(value == found[:2] for found in told.media)
        case "media place":
            return value in told.media or not _is_told(Item("media", value[:2]), told)
        case "media type":
            return any(value[1] in word and (value[0] in word or value[1] == word) for word in told.words)
        case "media name":
            return value in told.words
        case "extension":
            parts = value.get("content", [value]) if isinstance(value, dict) else [value]
            return value in told.extensions or all(part in told.extensions for part in parts)
        case "citation":
            return all(word in told.words for word in value.values())
    assert item.kind == "opaque"
    origin, words = value
    return origin == told.wire and all(any(word in said for said in told.words) for word in words)


def _is_in_order(message: Assistant, told: Told) -> bool:
    """Whether what the answer says is told in its order, as far as it is told."""
    marks = [mark for block in message.content if (mark := _mark(block)) is not None]
    places = [_place(mark, told.spoken) for mark in marks]
    known = [place for place in places if place is not None]
    return known == sorted(known)


def _mark(block: ContentBlock) -> str | None:
    """What nothing but this block says."""
    match block:
        case Text(text=text):
            found = _MARK.search(text)
        case Thinking():
            found = _MARK.search(repr(block))
        case ToolUse(raw_arguments=raw):
            found = _MARK.search(raw)
        case _:
            return None
    return None if found is None else found[0]


def _place(mark: str, spoken: list[str]) -> tuple[int, int] | None:
    for index, text in enumerate(spoken):
        if (found := re.search(re.escape(mark) + r"(?!\d)", text)) is not None:
            return index, found.start()
    return None
