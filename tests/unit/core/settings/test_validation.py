"""pydantic is loaded by one thread at a time."""

import ast
import subprocess
import sys
from pathlib import Path

import agdesk

THREADS = """
import importlib, sys, threading

sys.setswitchinterval(1e-6)
names = ["agdesk.core.settings.file", "agdesk.core.settings.model", "agdesk.core.providers.catalogue"]
start = threading.Barrier(len(names))
failed = []

def load(name):
    start.wait()
    try:
        importlib.import_module(name)
    except ImportError as error:
        failed.append(f"{name}: {error}")

threads = [threading.Thread(target=load, args=(name,)) for name in names]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
sys.exit("; ".join(failed) or 0)
"""


def test_one_module_imports_pydantic_and_all_others_take_it_from_there():
    root = Path(agdesk.__file__).parent
    importers = set()
    for path in root.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                names.append(node.module)
            if any(name.split(".")[0] == "pydantic" for name in names):
                importers.add(path.relative_to(root).as_posix())
    assert importers == {"core/settings/validation.py"}


def test_threads_that_need_it_at_once_all_get_it_whole():
    done = subprocess.run([sys.executable, "-c", THREADS], capture_output=True, text=True, timeout=50, check=False)
    assert (done.returncode, done.stderr) == (0, "")
