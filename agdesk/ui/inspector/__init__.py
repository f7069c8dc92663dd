"""The inspector: every record of a conversation as a live tree, and the exact bytes, values and requests behind each.

``records`` keeps what was recorded in typed arrays and encoded lines, ``tree`` orders it, ``model`` shows it to Qt,
``view`` draws it; ``rows`` has one renderer per kind of record, ``pages`` what stands below the tree. Only ``panel``,
``feed`` and ``source`` know a session. A record gets its row by one function: docs/howto-add-inspector-row.md.
"""

from agdesk.ui.inspector.panel import InspectorPanel

__all__ = ["InspectorPanel"]
