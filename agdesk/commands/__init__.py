"""The commands without a window: one module each, on the same core.

May import ``agdesk.core`` and ``agdesk.app.build_workspace``; never ``agdesk.ui``. To add one: a module with a function
that returns the exit status, and a parser in ``agdesk.cli``.
"""
