"""Finding words in a transcript: over the source of every message, whether it was ever laid out or not.

``folding`` says what is equal to what, ``parts`` cuts a message into pages that are searched one by one, ``search``
counts and numbers the matches of all messages (no widgets in these three), ``marks`` shows them in the rows on the
screen, and ``finder`` does all of it in pieces between two events.
"""
