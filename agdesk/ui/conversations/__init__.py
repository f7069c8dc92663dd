"""The list of stored conversations beside the tabs: found, opened, named, pinned, grouped and deleted here.

``panel`` puts the parts together and is the only one that the window needs; ``sections`` says what stands under which
heading, ``list_model`` keeps the rows in order, ``row_delegate`` draws them, ``commands`` changes the conversations. It
may import ``actions``, ``widgets``, ``theme`` and the core's workspace. A new thing to do with a conversation is an
entry of ``context_menu`` and a method of ``commands``.
"""

from agdesk.ui.conversations.panel import ConversationPanel

__all__ = ["ConversationPanel"]
