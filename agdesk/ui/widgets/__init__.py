"""Parts of the window that know nothing of agdesk.core: they take texts and values and report what the user wants.

They import ``theme`` and Qt. Text of foreign origin reaches Qt through ``text.safe_text`` and plain formats only.
Importing them loads neither markdown-it nor Pygments.
"""
