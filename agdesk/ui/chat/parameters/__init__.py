"""What a conversation sets in its requests: the buttons in its header and the panel below it.

``bar`` is the part in the header, ``panel`` has a ``row`` for each parameter that ``Workspace.parameters`` gives,
``controls`` one control for each kind. To show another parameter, give it a title in ``words``.
"""
