"""What a provider would receive of a conversation, and what it would not.

``switch`` asks before a conversation goes on with a model that its history does not fit; ``sheet`` is its question.
``receive_dialog`` shows the whole request (PROV8), made into text by ``document``. ``changes`` puts the lines of a
ledger under the messages they are about. ``switch`` is made with every conversation; the rest is imported when wanted.
"""
