"""OpenAI messages → messages of the IR."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agdesk.core.ir.blocks import ContentBlock, Text, ToolResult, ToolUse
from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.messages import Assistant, Message, System, Tool, User
from agdesk.core.ir.openai_chat.assistant import assistant_content
from agdesk.core.ir.openai_chat.parts import block_of

_ROLE_MEMBERS = frozenset({"role", "content"})


def from_openai_messages(messages: Sequence[Any]) -> tuple[tuple[Message, ...], tuple[str, ...]]:
    """Converts messages one by one; the results of one round become one ``Tool`` message.

    Args:
        messages: as any server or file gives them; what is no message is left out.

    Returns:
        The messages, and what the IR cannot hold of them.
    """
    converted: list[Message] = []
    ledger = Ledger()
    names: dict[str, str] = {}
    for position, message in enumerate(messages):
        role = message.get("role") if isinstance(message, dict) else None
        match role:
            case "system" | "developer":
                if role == "developer":
                    ledger.note("the role developer is read as system", position)
                converted.append(System(_content(message, ledger, position)))
            case "user":
                converted.append(User(_content(message, ledger, position)))
            case "assistant":
                content = assistant_content(message, ledger, position)
                names = {block.id: block.name for block in content if isinstance(block, ToolUse)}
                converted.append(Assistant(content))
            case "tool" | "function":
                result = _result(message, names, ledger, position)
                earlier = converted[-1] if converted else None
                if isinstance(earlier, Tool):
                    converted[-1] = Tool((*earlier.results, result))
                else:
                    converted.append(Tool((result,)))
            case _:
                ledger.note(f"a message of role {role!r} was left out", position)
    return tuple(converted), ledger.lines()


def _result(message: dict[str, Any], names: dict[str, str], ledger: Ledger, position: int) -> ToolResult:
    own_name = message.get("name")
    call_id = message.get("tool_call_id")
    if message["role"] == "function":  # before 2024 results named the function, and there was one call at a time
        call_id = next((found for found, name in names.items() if name == own_name), None)
        ledger.note("the role function is read as tool", position)
    call_id = call_id if isinstance(call_id, str) else ""
    if call_id not in names:
        ledger.note("a tool result answers no call", position)
    name = names.get(call_id) or (own_name if isinstance(own_name, str) else "")
    return ToolResult(call_id, name, _content(message, ledger, position, known=("tool_call_id", "name")))


def _content(
    message: dict[str, Any], ledger: Ledger, position: int, *, known: tuple[str, ...] = ()
) -> tuple[ContentBlock, ...]:
    for member in message:
        if member not in _ROLE_MEMBERS and member not in known and message[member] is not None:
            ledger.note(f"{member!r} of a {message['role']} message was left out", position)
    content = message.get("content")
    if isinstance(content, str):
        return (Text(content),)
    blocks = (block_of(part, ledger, position) for part in content) if isinstance(content, list) else ()
    return tuple(block for block in blocks if block is not None)
