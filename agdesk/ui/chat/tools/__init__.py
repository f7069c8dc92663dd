"""Which tools a conversation offers, and in which folder they work: the button in its header and the sheet at it.

``control`` knows the conversation, ``sheet`` shows and asks, with a ``row`` for each tool, ``button`` sums up. What a
tool does is said in ``words``: one of agdesk's own that has no words there is described as it is to models.
"""
