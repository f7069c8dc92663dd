"""Wire formats: one folder or file each, pure (no I/O, no clock), and none knows another.

A format renders requests, decodes frames into events, classifies errors and reads model lists, as ``providers.base``
says. May import ``providers.base``, ``providers.errors`` and ``core.ir``. To add one: its folder, its tests with their
own small streams, and one line in ``providers.registry``, the only module that names a format.
"""
