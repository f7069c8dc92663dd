"""What is known of models, as the window shows it: the matrix of all of them, and what the picker is made of as well.

``values`` has the words and figures, ``filters`` and ``finder`` what is shown of thousands of models; ``filter_bar``
and ``refresh_bar`` are the controls for it. ``dialog`` is the matrix: ``matrix`` its model, ``table`` its view, and
``value_bar``, where the user corrects a value. Nothing here is needed before the first paint. May import the core's
workspace and providers, ``ui.widgets`` and ``ui.theme``. A new fact about models is a line in ``matrix.FIELDS``.
"""
