"""The messages that wait, above the composer (CHAT6).

``control`` joins the panel to a session and is what the tab knows; ``panel`` is what is seen, ``view`` its list with
keys and mouse, ``editor`` where a message is edited in its row, ``words`` why nothing is sent.
"""
