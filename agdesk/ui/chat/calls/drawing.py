"""Keeps the cards of an answer's calls up to date in the transcript."""

from __future__ import annotations

from collections.abc import Callable

from agdesk.core.ir.blocks import Audio, ContentBlock, File, Image, ToolUse
from agdesk.core.trace.events import ToolRecord
from agdesk.core.trace.tools import ToolApprovalRequested, ToolRoundCompleted
from agdesk.ui.chat.block_views import block_views
from agdesk.ui.chat.calls.stories import CallStory
from agdesk.ui.widgets.transcript import BlockView, TranscriptContent


class CallDrawing:
    """Of the newest answer that calls something: what becomes of calls is recorded before the next answer.

    Args:
        transcript: where it is drawn.
        attachment: what is drawn of an image, a sound or a file.
    """

    def __init__(
        self, transcript: TranscriptContent, *, attachment: Callable[[Image | Audio | File], BlockView]
    ) -> None:
        self._transcript = transcript
        self._attachment = attachment
        self._key = ""
        self._content: tuple[ContentBlock, ...] = ()
        self._thinking_s: tuple[float | None, ...] = ()
        self._stories: dict[str, CallStory] = {}
        self._is_stale = False

    def views(
        self, key: str, content: tuple[ContentBlock, ...], thinking_s: tuple[float | None, ...]
    ) -> tuple[BlockView, ...]:
        """What is drawn of an answer that has just come."""
        self._stories = {block.id: CallStory(block) for block in content if isinstance(block, ToolUse)}
        self._key, self._content, self._thinking_s = key, content, thinking_s
        return self._views()

    def take(self, payload: ToolRecord) -> None:
        """What became of a call; ``draw`` shows it."""
        if isinstance(payload, ToolRoundCompleted):
            return
        call_id = payload.request.call_id if isinstance(payload, ToolApprovalRequested) else payload.tool_use_id
        if (story := self._stories.get(call_id)) is not None:
            story.take(payload)
            self._is_stale = True

    def end(self) -> None:
        """The turn has ended: nothing more comes of its calls."""
        for story in self._stories.values():
            story.cut()
            self._is_stale = True

    def draw(self) -> None:
        """Brings the cards up to date."""
        if self._is_stale and self._transcript.has_message(self._key):
            self._transcript.replace_message(self._key, self._views())
        self._is_stale = False

    def _views(self) -> tuple[BlockView, ...]:
        stories = self._stories
        return block_views(
            self._content, self._thinking_s, attachment=self._attachment, call=lambda block: stories[block.id].view()
        )
