"""The program without a window: values, trace, providers, cycle and the workspace that holds them.

May import the standard library and the libraries of ``pyproject.toml`` except Qt and qasync; never ``agdesk.ui``.
The whole of it imports, and passes its tests, with PySide6 absent. The direction of imports inside is kept by
import-linter (top to bottom): workspace, cycle, providers, trace | settings, ir, then errors, emitter, tasks.
"""
