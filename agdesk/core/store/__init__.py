"""Conversations, messages and traces on disk: SQLite and files in the data folder, written by one thread (D6, DATA1).

May import ``trace``, ``ir`` and what is below; knows neither providers nor the cycle. A new table is a step at the end
of ``migrations``; whoever stores something new gives it to ``Writer`` as one closure.
"""
