"""An answer that was cut and is gone on with: what is sent of it, and what it becomes (CHAT5)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from agdesk.core.ir.blocks import ContentBlock, Text
from agdesk.core.ir.messages import Assistant
from agdesk.core.ir.tree import TreeNode


@dataclass(frozen=True, slots=True)
class Beginning:
    """The part of an answer that is there.

    Attributes:
        message_id: of the answer that was cut.
        message: what is sent of it, without white space at its end: several providers refuse that, and models go on
            badly after it (A07).
        is_stripped: whether there was such white space.
    """

    message_id: str
    message: Assistant
    is_stripped: bool


def beginning_of(node: TreeNode) -> Beginning | None:
    """What is sent of a cut answer; None if it ended by itself, or no format could say how it goes on.

    Only text can be gone on with: a call that was cut is no call, and what was thought before a text is not taken back
    together with the beginning of that text.
    """
    answer = node.message
    if not isinstance(answer, Assistant) or not node.is_unfinished:
        return None
    texts = [block for block in answer.content if isinstance(block, Text) and not block.is_refusal]
    if len(texts) != len(answer.content):
        return None
    while texts and not texts[-1].text.strip():
        texts.pop()
    if not texts:
        return None
    last = dataclasses.replace(texts[-1], text=texts[-1].text.rstrip())
    kept = (*texts[:-1], last)
    return Beginning(node.id, dataclasses.replace(answer, content=kept), kept != answer.content)


def gone_on(begun: Assistant, more: Assistant) -> Assistant:
    """The whole answer: what was begun and what came after it. Without content if nothing came that can be seen.

    The first text that came goes on with the last one of the beginning; what came before it stands before that.
    """
    at = next((i for i, block in enumerate(more.content) if _goes_on(block)), None)
    if not any(getattr(block, "text", "other") for block in more.content):
        return dataclasses.replace(more, content=())
    if begun.origin != more.origin:  # only who sent opaque data may get it back
        begun = dataclasses.replace(begun, content=tuple(_without_data(block) for block in begun.content))
    *before, last = begun.content
    if at is None:
        return dataclasses.replace(more, content=(*begun.content, *more.content))
    first = more.content[at]
    assert isinstance(last, Text) and isinstance(first, Text)
    whole = Text(last.text + first.text, False, last.citations + first.citations, first.provider_data)
    return dataclasses.replace(more, content=(*before, *more.content[:at], whole, *more.content[at + 1 :]))


def _goes_on(block: ContentBlock) -> bool:
    return isinstance(block, Text) and not block.is_refusal


def _without_data(block: ContentBlock) -> ContentBlock:
    return dataclasses.replace(block, provider_data=None) if isinstance(block, Text) else block
