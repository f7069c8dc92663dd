"""agdesk: chat with many language models and see exactly what they do.

``agdesk.core`` is the program without a window: values, providers, cycle, trace. It never imports Qt.
``agdesk.ui`` is the window: Qt widgets over one ``core.workspace.Workspace``. ``app`` wires
the two; ``cli`` is the command line, ``commands`` what it runs.
"""

__version__ = "0.1.0"
