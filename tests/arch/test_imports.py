"""What an import may load: the core without Qt, the start of the window without the slow libraries."""

import subprocess
import sys

from tests.arch.tree import PACKAGE, ROOT, python_files

IMPORT_THE_CORE_WITHOUT_QT = """
import importlib, sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("PySide6", "shiboken6", "qasync"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent())
for name in sys.argv[1:]:
    importlib.import_module(name)
"""

LOADED_AT_THE_FIRST_PAINT = """
import sys
from pathlib import Path
import agdesk.app
from PySide6 import QtGui, QtWidgets
from PySide6.QtCore import QEvent, QObject, QTimer

class FirstPaint(QObject):
    def eventFilter(self, window, event):
        if event.type() == QEvent.Type.Paint:
            types = [f"{module.__name__}.{name}" for module in (QtGui, QtWidgets) for name in vars(module)]
            print(*sys.modules, *types)
            window.removeEventFilter(self)
            QTimer.singleShot(0, window.close)
        return False

first_paint = FirstPaint()
sys.exit(agdesk.app.run_window(Path(sys.argv[1]), on_window=lambda window: window.installEventFilter(first_paint)))
"""

SLOW = (
    "anthropic", "genai_prices", "google.genai", "httpx", "httpx2", "keyring", "markdown_it", "mcp", "mdit_py_plugins",
    "openai", "pydantic", "pydantic_core", "pygments", "xllamacpp", "ziamath",
)  # fmt: skip

NOT_SHOWN = (
    "agdesk.core.cycle.cycle", "agdesk.core.providers.base", "agdesk.core.providers.llama_server", "agdesk.diagnosis",
    "agdesk.ui.chat.link_question", "agdesk.ui.conversations", "agdesk.ui.inspector", "agdesk.ui.palette",
    "agdesk.ui.settings", "configparser", "importlib.metadata", "uuid",
    "PySide6.QtGui.QGradient", "PySide6.QtWidgets.QDialog", "PySide6.QtWidgets.QListView", "PySide6.QtWidgets.QStyle",
)  # fmt: skip


def run_python(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=50)


def module_name(path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_every_module_of_the_core_imports_with_qt_and_qasync_absent():
    modules = [module_name(path) for path in python_files(PACKAGE / "core")]
    assert "agdesk.core.workspace" in modules
    result = run_python(IMPORT_THE_CORE_WITHOUT_QT, *modules)
    assert result.returncode == 0, result.stderr


def test_no_slow_library_is_loaded_before_the_import_of_the_program_ends():
    result = run_python("import sys, agdesk.app; print(*sys.modules)")
    assert result.returncode == 0, result.stderr
    assert sorted(set(SLOW) & set(result.stdout.split())) == []


def test_no_slow_library_is_loaded_with_what_decides_about_calls():
    """PERF5: a conversation needs the registry and the policy, agdesk's own tools only when a model is offered them."""
    result = run_python("import sys, agdesk.core.tools, agdesk.core.tools.proposed_rule; print(*sys.modules)")
    assert result.returncode == 0, result.stderr
    assert sorted(set(SLOW) & set(result.stdout.split())) == []


def test_no_slow_library_is_loaded_at_the_first_paint(tmp_path):
    """PERF5: they load after it, when they are needed."""
    result = run_python(LOADED_AT_THE_FIRST_PAINT, str(tmp_path))
    assert result.returncode == 0, result.stderr
    loaded = set(result.stdout.split())
    assert {"agdesk.ui.main_window", "PySide6.QtWidgets.QMainWindow"} <= loaded
    assert sorted(set(SLOW) & loaded) == []


def test_the_first_paint_loads_nothing_that_it_does_not_show(tmp_path):
    """PERF5: each takes milliseconds. PySide6 loads a type when it is named, or when Qt returns an object of it."""
    result = run_python(LOADED_AT_THE_FIRST_PAINT, str(tmp_path))
    assert result.returncode == 0, result.stderr
    assert sorted(set(NOT_SHOWN) & set(result.stdout.split())) == []


def test_a_headless_command_does_not_load_qt(tmp_path):
    program = "import sys, agdesk.cli; agdesk.cli.main(['--data-dir', sys.argv[1], 'models']); print(*sys.modules)"
    result = run_python(program, str(tmp_path))
    assert result.returncode == 0, result.stderr
    loaded = set(result.stdout.split())
    assert "agdesk.commands.models" in loaded
    assert sorted({"PySide6", "qasync"} & loaded) == []
