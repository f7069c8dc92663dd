"""What the window does about its own faults: the crash dialog, the log folder, the diagnostics for a bug report (UX5).

May import ``widgets`` and ``theme``; what it needs of the program (the redactor, the report) it is given as a callable.
"""

from agdesk.ui.diagnostics.crash_reporter import CrashReporter
from agdesk.ui.diagnostics.log_folder import show_log_folder

__all__ = ["CrashReporter", "show_log_folder"]
