"""How an answer that is gone on with is drawn: it grows, and becomes the whole answer that the tree holds (CHAT5)."""

from __future__ import annotations

from agdesk.core.ir.continuing import Beginning
from agdesk.core.ir.messages import text_of
from agdesk.ui.widgets.transcript import BlockView, MessageView, TranscriptContent


class Growth:
    """Of one answer, while it is gone on with.

    Until something of it comes, what was there stays as it is, with what is said below it.

    Args:
        beginning: what is there of the answer; it is drawn under its id.

    Attributes:
        key: what the answer is drawn under.
    """

    def __init__(self, transcript: TranscriptContent, beginning: Beginning) -> None:
        self.key = beginning.message_id
        self._transcript = transcript
        self._beginning = beginning
        self._views = tuple(BlockView("text", text_of((block,))) for block in beginning.message.content)
        self._joint: int | None = None

    def begin(self, view: MessageView) -> None:
        """Makes the answer grow where its text ends, as another message; a further attempt begins there again."""
        if self.key != view.key:
            self._joint = None
            self._transcript.reopen_message(self.key, view, self._views)
            self.key = view.key

    def give_up(self, title: str) -> None:
        """Nothing came: what was there is the answer still."""
        if self.key != self._beginning.message_id:
            self.begin(MessageView(self._beginning.message_id, "assistant", title))
            self._transcript.replace_message(self.key, self._views)

    def joins(self, index: int) -> bool:
        """Whether a text of the stream goes on with the last one that is there: the first that comes does."""
        if self._joint is None:
            self._joint = index
        return index == self._joint

    def place_of(self, index: int) -> int:
        """Where a block of the stream stands among those that are drawn."""
        return len(self._views) - 1 if index == self._joint else len(self._views) + index
