"""docs/howto-add-tool.md does what it says: its tool, its line, its tests."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from agdesk.core.tools import builtin

ROOT = Path(__file__).resolve().parents[5]
BLOCKS = re.findall(
    r"^```python\n(.*?)^```$", (ROOT / "docs" / "howto-add-tool.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
)
# the module of the page is found beside the shipped ones, without a file in their folder
CONFTEST = """
import pathlib

import agdesk.core.tools.builtin as builtin

builtin.__path__.append(str(pathlib.Path(__file__).parent / "builtin"))
from tests.conftest import *
from tests.conftest import _no_unexpected_warning, _qt_hygiene
"""
COUNT = """
import sys
import agdesk.core.tools.builtin as builtin

builtin.__path__.append(sys.argv[1])
exec(compile(sys.stdin.read(), "builtin", "exec"), names := {"__name__": "builtin"})
print(*(tool.definition.name for tool in names["builtin_tools"]()))
"""


def test_the_tool_of_the_page_passes_its_own_tests(tmp_path):
    module, _imported, _line, tests = BLOCKS
    (tmp_path / "builtin").mkdir()
    (tmp_path / "builtin" / "hash_file.py").write_text(module, "utf-8")
    (tmp_path / "test_hash_file.py").write_text(tests, "utf-8")
    (tmp_path / "conftest.py").write_text(CONFTEST, "utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:asyncio", "-p", "no:cacheprovider"]
    command += ["--rootdir", str(tmp_path), str(tmp_path)]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 passed" in done.stdout


def test_the_line_of_the_page_adds_the_tool(tmp_path):
    module, imported, line, _tests = BLOCKS
    (tmp_path / "hash_file.py").write_text(module, "utf-8")
    source = Path(builtin.__file__).read_text("utf-8")
    source = source.replace("        CurrentTime(),\n", f"        CurrentTime(),\n{line}")
    source = source.replace("\n\n\ndef builtin_tools", f"\n{imported}\n\ndef builtin_tools")
    command = [sys.executable, "-c", COUNT, str(tmp_path)]
    done = subprocess.run(
        command, input=source, env=environment(), capture_output=True, text=True, timeout=100, check=False
    )
    assert done.stdout.split()[-2:] == ["current_time", "hash_file"], done.stderr


def environment():
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "PYTEST_ADDOPTS": ""}
