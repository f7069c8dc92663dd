"""Messages of the IR → OpenAI messages."""

from __future__ import annotations

from collections.abc import Sequence

from agdesk.core.ir.blocks import Audio, ContentBlock, File, Image, Text, ToolResult, ToolUse
from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.messages import Assistant, Message, System, Tool, User
from agdesk.core.ir.notes import note_text
from agdesk.core.ir.openai_chat.assistant import assistant_message
from agdesk.core.ir.openai_chat.parts import part_of
from agdesk.core.ir.openai_chat.types import ContentPart, OpenAiMessage

ERROR_PREFIX = "Error: "


def messages_openai(messages: Sequence[Message]) -> list[OpenAiMessage]:
    """The documents' ``messages_openai``: the OpenAI messages alone, without the ledger."""
    return to_openai_messages(messages)[0]


def to_openai_messages(
    messages: Sequence[Message], *, system_role: str = "system", positions: Sequence[int] | None = None
) -> tuple[list[OpenAiMessage], tuple[str, ...]]:
    """Converts messages one by one, in order.

    Args:
        messages: any history; nothing in it is repaired for sending.
        system_role: ``system`` or ``developer``.
        positions: for each message the place that the ledger calls it by; None: its place in ``messages``.

    Returns:
        The messages, and what they cannot say.
    """
    converted: list[OpenAiMessage] = []
    ledger = Ledger()
    names: dict[str, str] = {}
    earlier: Message | None = None
    for position, message in zip(positions or range(len(messages)), messages, strict=True):
        match message:
            case System(content):
                texts = [block for block in content if isinstance(block, Text)]
                if len(texts) < len(content):
                    ledger.note("what is not text in a system message was left out", position)
                converted.append({"role": system_role, "content": _content(texts, ledger, position)})
            case User(content):
                inner = _own_results(content, names, ledger, position)
                converted.extend(inner)
                rest = [block for block in content if not isinstance(block, ToolResult)]
                if rest or not inner:
                    converted.append({"role": "user", "content": _content(rest, ledger, position)})
            case Assistant(content, origin):
                if origin is not None:
                    ledger.note("who wrote the message is not said", position)
                names = {block.id: block.name for block in content if isinstance(block, ToolUse)}
                converted.append(assistant_message(content, ledger, position))
                converted.extend(_own_results(content, names, ledger, position))
            case Tool(results):
                if not results or isinstance(earlier, Tool):
                    ledger.note("the borders between messages of tool results are not kept", position)
                converted.extend(_results(results, names, ledger, position))
        earlier = message
    return converted, ledger.lines()


def _own_results(
    content: tuple[ContentBlock, ...], names: dict[str, str], ledger: Ledger, position: int
) -> list[OpenAiMessage]:
    results = tuple(block for block in content if isinstance(block, ToolResult))
    if results:
        ledger.note("tool results became messages of their own", position)
    return _results(results, names, ledger, position)


def _results(
    results: tuple[ToolResult, ...], names: dict[str, str], ledger: Ledger, position: int
) -> list[OpenAiMessage]:
    """One message each, then one of the user with the media that tool messages cannot hold."""
    messages: list[OpenAiMessage] = []
    media: list[ContentPart] = []
    for result in results:
        if names.get(result.tool_use_id, "") != result.name:
            ledger.note("the name of a tool is not said beside its result", position)
        texts: list[ContentBlock] = []
        own_media: list[ContentPart] = []
        for block in result.content:
            if not isinstance(block, Image | Audio | File):
                texts.append(block)
            elif (part := part_of(block, ledger, position)) is not None:
                ledger.note("media in a tool result follow it as a message of the user", position)
                own_media.append(part)
        if own_media:
            media += [{"type": "text", "text": f"What {result.name or 'the tool'} gave back:"}, *own_media]
        if result.is_error:
            ledger.note(f"that a tool failed is said as {ERROR_PREFIX!r} before its result", position)
            texts = _marked(texts)
        messages.append(
            {"role": "tool", "tool_call_id": result.tool_use_id, "content": _content(texts, ledger, position)}
        )
    if media:
        messages.append({"role": "user", "content": media})
    return messages


def _marked(texts: list[ContentBlock]) -> list[ContentBlock]:
    match texts:
        case [Text(text=text), *rest] if not text.startswith(ERROR_PREFIX):
            return [Text(ERROR_PREFIX + text), *rest]
        case [Text(), *_]:
            return texts
        case _:
            return [Text(ERROR_PREFIX), *texts]


def _content(blocks: Sequence[ContentBlock], ledger: Ledger, position: int) -> str | list[ContentPart]:
    """One plain text as a string, all else as parts, which keep the borders between blocks."""
    if any(isinstance(block, Text) and block.is_refusal for block in blocks):
        ledger.note("that a text is a refusal is not said", position)
    if len(blocks) == 1 and isinstance(text := blocks[0], Text):
        note_text(text, ledger, position)
        return text.text
    parts = (part_of(block, ledger, position) for block in blocks)
    return [part for part in parts if part is not None]
