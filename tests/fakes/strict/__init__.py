"""Servers that refuse what the real ones refuse, and nothing else: one checker of request bodies for each wire format.

``refusing`` has what they share, ``formats`` names them, ``server`` puts them behind HTTP. A checker is pure; what its
provider has given out before, it is told with ``Issued``. It may import nothing of agdesk: it is the other side.
"""
