"""A history looked through once: every block that compaction may touch, measured and scored.

What it costs to plan is here. Plans for other choices of the user are made from the same survey, at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from agdesk.core.compact.config import CompactConfig
from agdesk.core.compact.history import History, look_through
from agdesk.core.compact.importance import contributions, read_content
from agdesk.core.compact.markers import has_mark
from agdesk.core.compact.references import ReferenceIndex
from agdesk.core.compact.thoughts import why_thought_stays
from agdesk.core.ir.blocks import Text, Thinking, ToolResult, ToolUse
from agdesk.core.ir.compaction import BlockPath, Contribution, Finding, Reference, SkipReason
from agdesk.core.ir.messages import Assistant, Message, System, Tool
from agdesk.core.ir.request import ToolDefinition
from agdesk.core.ir.tokens import (
    estimate_block_tokens,
    estimate_messages_tokens,
    estimate_text_tokens,
    estimate_tools_tokens,
)


@dataclass(frozen=True, slots=True)
class Measured:
    """One tool result or thought.

    Attributes:
        path: where it stands.
        block: itself.
        text: its texts, one a line; what else is in a result stays where it is.
        text_tokens, block_tokens: the documents' estimate, of the text and of the whole.
        contributions: of the four sources; none for a thought.
        score: their sum; None for a thought.
        reference: the last one; None if there is none.
        document: the result as JSON; None if it is none.
        call: that a result answers, if it is there.
        held: why nobody may touch it; None if one may.
        left: why it is not touched unless the user says so; None if it is for the table to decide.
    """

    path: BlockPath
    block: ToolResult | Thinking
    text: str
    text_tokens: int
    block_tokens: int
    contributions: tuple[Contribution, ...] = ()
    score: float | None = None
    reference: Reference | None = None
    document: Any = None
    call: ToolUse | None = None
    held: SkipReason | None = None
    left: SkipReason | None = None


@dataclass(frozen=True, slots=True)
class Survey:
    """Every block that may be compacted, in order, and the estimate of the whole request."""

    blocks: tuple[Measured, ...]
    estimate_tokens: int
    limit_tokens: int | None


def survey_history(
    messages: Sequence[Message],
    *,
    config: CompactConfig,
    tools: Sequence[ToolDefinition] = (),
    references: Sequence[Reference] = (),
) -> Survey:
    """Looks through a history.

    Args:
        messages: the history, its system message in it.
        config: what stays.
        tools: that are offered; they say what their results mean, by name.
        references: found before.
    """
    surveyor = _Surveyor(messages, config=config, tools=tools, references=references)
    return Survey(
        blocks=tuple(surveyor.blocks()),
        estimate_tokens=estimate_messages_tokens(messages) + estimate_tools_tokens(tools),
        limit_tokens=config.limit_tokens,
    )


class _Surveyor:
    def __init__(
        self,
        messages: Sequence[Message],
        *,
        config: CompactConfig,
        tools: Sequence[ToolDefinition],
        references: Sequence[Reference],
    ) -> None:
        self._messages = messages
        self._config = config
        self._history: History = look_through(messages, keep_recent=config.keep_recent)
        self._semantics = {tool.name: tool.result_semantic for tool in tools}
        self._index = ReferenceIndex(messages)
        self._known = {reference.path: reference for reference in references}

    def blocks(self) -> Iterator[Measured]:
        """In the order of the history."""
        for position, message in enumerate(self._messages):
            if isinstance(message, System):
                continue
            for at, block in enumerate(message.results if isinstance(message, Tool) else message.content):
                if isinstance(block, ToolResult):
                    yield self._result(position, at, block)
                elif isinstance(block, Thinking) and isinstance(message, Assistant):
                    yield self._thought(position, at, block, message)

    def _thought(self, position: int, at: int, block: Thinking, message: Assistant) -> Measured:
        tokens = estimate_text_tokens(block.text)
        left = None if self._config.compact_thinking else SkipReason.THINKING_KEPT
        return Measured(
            BlockPath(position, at),
            block,
            block.text,
            text_tokens=tokens,
            block_tokens=tokens,
            held=why_thought_stays(message, block, position=position, history=self._history),
            left=SkipReason.RECENT if position >= self._history.recent_start else left,
        )

    def _result(self, position: int, at: int, result: ToolResult) -> Measured:
        history, path = self._history, BlockPath(position, at)
        texts = [block for block in result.content if isinstance(block, Text)]
        text = texts[0].text if len(texts) == 1 else "\n".join(block.text for block in texts)
        content = read_content(text, is_error=result.is_error)
        reference = self._reference(path, text, content.document)
        parts = contributions(
            content,
            semantic=self._semantics.get(result.name),
            reference=reference,
            created_turn=history.turns[position],
            current_turn=history.turns[-1],
            fading_turns=self._config.fading_turns,
        )
        left = None
        if content.finding is Finding.ERROR:
            left = SkipReason.ERROR
        elif position >= history.recent_start:
            left = SkipReason.RECENT
        return Measured(
            path,
            result,
            text,
            text_tokens=sum(estimate_text_tokens(block.text) for block in texts),
            block_tokens=estimate_block_tokens(result),
            contributions=parts,
            score=sum(part.value for part in parts),
            reference=reference,
            document=content.document,
            call=history.calls.get(path),
            held=self._why_result_stays(position, text, texts),
            left=left,
        )

    def _why_result_stays(self, position: int, text: str, texts: Sequence[Text]) -> SkipReason | None:
        if position == self._history.newest_user:
            return SkipReason.NEWEST
        if position in self._history.pending:
            return SkipReason.PENDING
        if has_mark(text):
            return SkipReason.MARKED
        return SkipReason.OPAQUE if any(block.provider_data is not None for block in texts) else None

    def _reference(self, path: BlockPath, text: str, document: Any) -> Reference | None:
        """The later one of what is known and what is found."""
        known = self._known.get(path)
        found = self._index.last_reference(_as_read(text, document), position=path.message)
        if found is None:
            return known
        at, words = found
        turn = self._history.turns[at]
        return known if known is not None and known.turn > turn else Reference(path, turn, words)


def _as_read(text: str, document: Any) -> str:
    r"""The text with its letters in plain: JSON may write them as ``\u4e2d``."""
    if document is None or "\\u" not in text:
        return text
    try:
        return json.dumps(document, ensure_ascii=False)
    except RecursionError:
        return text
