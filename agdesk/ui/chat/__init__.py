"""The conversation: one tab bound to one session.

``feed`` draws trace records into the transcript, ``status`` follows them for the status line, ``picker`` chooses the
model, ``chat_tab`` is the widget. May import ``core`` through the workspace and its values, ``ui.models``,
``ui.bridge``, ``ui.widgets`` and ``ui.theme``.
"""

from agdesk.ui.chat.chat_tab import ChatTab

__all__ = ["ChatTab"]
