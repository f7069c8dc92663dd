"""All branches of a conversation at a glance: ``outline`` lists them, ``dialog`` shows them and leads to them.

May import ``core.cycle``, ``core.ir``, ``ui.widgets`` and ``ui.theme``. What is done to a branch is done by
``ui.chat.branching``.
"""
