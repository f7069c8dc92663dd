"""The example of docs/howto-add-wire-format.md does what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOWTO = ROOT / "docs" / "howto-add-wire-format.md"
# the module of the example is found beside the shipped ones, without a file in their folder
CONFTEST = """
import pathlib

import agdesk.core.providers.wire as wire

wire.__path__.append(str(pathlib.Path(__file__).parent / "wire"))
"""


def test_the_example_of_a_wire_format_passes_its_own_tests(tmp_path):
    module, registry, case, tests = re.findall(r"^```python\n(.*?)^```$", HOWTO.read_text(), re.DOTALL | re.MULTILINE)
    assert '"acme"' in registry and "wire.acme import Acme" in case
    (tmp_path / "wire").mkdir()
    (tmp_path / "wire" / "acme.py").write_text(module)
    (tmp_path / "test_stream.py").write_text(tests)
    (tmp_path / "conftest.py").write_text(CONFTEST)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(tmp_path),
        str(tmp_path),
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "PYTEST_ADDOPTS": ""}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "7 passed" in done.stdout
