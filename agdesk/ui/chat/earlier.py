"""What comes before the end of a long conversation: drawn apart from the screen, then put before what is there."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from agdesk.core.trace.events import TraceRecord
from agdesk.ui.chat.chat_tab import ChatTab
from agdesk.ui.chat.feed import TranscriptFeed


async def show_earlier(chat: ChatTab, pieces: AsyncIterator[list[TraceRecord]], end: Sequence[TraceRecord]) -> None:
    """Draws what comes before the end while everything else goes on; then the session is complete.

    Args:
        chat: shows the end.
        pieces: what is to be drawn, some 5 ms at a time.
        end: what ``ChatTab.show_stored`` was given.
    """
    messages = chat.transcript.make_earlier()
    feed = TranscriptFeed(messages, tree=chat.session.branches.tree, can_go_on=lambda: False)
    async for piece in pieces:
        feed.append(piece)
        messages.measure()
        chat.gauge.take(piece)
    chat.feed.follow_on(feed)
    chat.transcript.prepend(messages)
    chat.gauge.take(end)
    chat.branches.show_versions()
    chat.notice.clear()  # that it is still being read is no longer true
    chat.session.complete()
    chat.show_status()
