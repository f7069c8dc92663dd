"""The list of messages: live, stored, of any number and length.

``model`` (with ``message``, ``block``, ``rows``, ``heights``; no widgets) knows what there is and where; ``stage``
shows the rows on the screen; ``scroller`` moves over them; ``view`` is what an owner uses, ``content`` that part of it
which needs no screen. A new kind of row is a class in ``rows``, a widget, and a line in ``stage`` and ``estimate``.
"""

from agdesk.ui.widgets.transcript.content import EarlierMessages, TranscriptContent
from agdesk.ui.widgets.transcript.values import (
    BlockKind,
    BlockView,
    CallState,
    CallView,
    EndAction,
    ErrorView,
    MessageAction,
    MessageView,
    NextStep,
    Role,
    ScrollPlace,
)
from agdesk.ui.widgets.transcript.view import VirtualTranscript

__all__ = [
    "BlockKind",
    "BlockView",
    "CallState",
    "CallView",
    "EarlierMessages",
    "EndAction",
    "ErrorView",
    "MessageAction",
    "MessageView",
    "NextStep",
    "Role",
    "ScrollPlace",
    "TranscriptContent",
    "VirtualTranscript",
]
