"""Where agdesk keeps its things, what the user has set, and how keys are found.

``paths`` knows the folders, ``early`` reads the few values the first paint needs, ``model`` describes every setting,
``file`` loads and saves them, ``secrets`` finds keys. ``model``, ``file`` and ``secrets`` load pydantic or keyring and
are imported after the first paint only. May import ``core.errors`` and below. To add a setting: one field in ``model``.
"""
