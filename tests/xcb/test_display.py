"""Starts an X server with a window manager and runs the tests of this folder in it: real keys, real focus."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIMIT_S = 240.0
PROGRAMS = ("Xvfb", "herbstluftwm", "xdotool")


@pytest.mark.timeout(LIMIT_S + 30)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="there is no X server")
def test_the_window_is_used_with_real_keys(tmp_path):
    for program in PROGRAMS:
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x860x24", "-nolisten", "tcp"],
        pass_fds=(write,),
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as numbers:
        env = os.environ | {"DISPLAY": f":{numbers.readline().strip()}", "QT_QPA_PLATFORM": "xcb"}
    autostart = tmp_path / "autostart"
    autostart.write_text("#!/bin/sh\nherbstclient rule focus=on\nherbstclient rule windowtype~'.*DIALOG' floating=on\n")
    autostart.chmod(0o700)
    manager = subprocess.Popen(["herbstluftwm", "--autostart", str(autostart)], env=env, stderr=subprocess.DEVNULL)
    try:
        command = [sys.executable, "-m", "pytest", "-m", "xcb", "-p", "no:cacheprovider", "-q", "tests/xcb"]
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=LIMIT_S, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    finally:
        for process in (manager, server):
            process.terminate()
            process.wait(timeout=20)
