"""The window: Qt widgets over one ``agdesk.core.workspace.Workspace``, laid out by the noun a user sees.

``theme`` has every colour and size, ``widgets`` the parts that know nothing of agdesk.core, ``chat`` and its siblings
one view each.
"""
