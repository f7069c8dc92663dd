"""SEC2: the tests of this folder that need a Secret Service, each file in a session bus of its own; and no bus at all.

The first session unlocks the service, the second finds the same key store locked and nobody to ask for the password.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from tests.fakes.canary import CANARY, find_leaks

ROOT = Path(__file__).resolve().parents[2]
LIMIT_S = 240.0
UNLOCK = "printf test-password | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; "
FOREIGN = "from pathlib import Path\nPath(__file__).with_name('was-imported').touch()\nclass Keyring: pass\n"


def clean_environment(home: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "DBUS_", "GNOME_"))}
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "PYTHON_KEYRING_BACKEND"):
        kept.pop(name, None)
    folders = {"XDG_DATA_HOME": ".local/share", "XDG_CONFIG_HOME": ".config", "XDG_RUNTIME_DIR": "run"}
    for folder in folders.values():
        (home / folder).mkdir(mode=0o700, parents=True, exist_ok=True)
    return kept | {"HOME": str(home)} | {name: str(home / folder) for name, folder in folders.items()} | more


def processes_of(home: Path) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("XDG_RUNTIME_DIR") == str(home / "run"):
                found.append(process)
        except psutil.Error:
            continue
    return found


def run_session(home: Path, test_file: str, *, prelude: str) -> None:
    """Runs one file of tests in a session bus. Fails if a test fails or a process is left."""
    pytest_command = f'exec "$0" -m pytest -m keyring -p no:cacheprovider -rs -q tests/keyring/{test_file}'
    command = ["dbus-run-session", "--", "bash", "-c", prelude + pytest_command, sys.executable]
    env = clean_environment(home, PYTHON_KEYRING_BACKEND="keyring.backends.SecretService.Keyring")
    output = home / f"{test_file}.output"
    try:
        with output.open("w") as sink:
            done = subprocess.run(
                command, cwd=ROOT, env=env, stdout=sink, stderr=subprocess.STDOUT, timeout=LIMIT_S, check=False
            )
        print(output.read_text())
        assert done.returncode == 0
        assert "is unlocked" not in output.read_text(), "the tests of a locked service were skipped"
        deadline = time.monotonic() + 20.0
        while (left := processes_of(home)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert [process.cmdline() for process in left] == []
    finally:
        for process in processes_of(home):
            process.kill()


@pytest.mark.timeout(2 * LIMIT_S + 60)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the Secret Service is Linux's")
def test_sec2_a_real_secret_service_open_and_locked(tmp_path):
    for program in ("dbus-run-session", "gnome-keyring-daemon"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    run_session(tmp_path, "test_open_service.py", prelude=UNLOCK)
    assert list(tmp_path.rglob("*.keyring")) != []
    assert find_leaks(tmp_path, CANARY) == [], "what the service keeps is encrypted"
    run_session(tmp_path, "test_locked_service.py", prelude="")


def doctor(tmp_path: Path, **more: str) -> dict[str, str]:
    """What ``agdesk doctor`` says of the key store when keyring is left to choose."""
    env = clean_environment(tmp_path, **more)
    command = [sys.executable, "-m", "agdesk", "--data-dir", str(tmp_path / "data"), "doctor", "--json"]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=55, check=False)
    assert done.returncode == 0, done.stderr
    keyring: dict[str, str] = json.loads(done.stdout)["keyring"]
    return keyring


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the other systems always have a key store")
@pytest.mark.parametrize("address", [{}, {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"}])
def test_without_a_session_bus_there_is_no_key_store_and_that_is_said(tmp_path, address):
    keyring = doctor(tmp_path, **address)
    assert (keyring["backend"], keyring["usable"]) == ("keyring.backends.fail.Keyring", False)
    assert "There is no key store on this system" in keyring["problem"]


@pytest.mark.parametrize("place", ["file", "variable"])
def test_a_foreign_module_that_keyring_is_told_to_load_is_refused_and_not_imported(tmp_path, place):
    modules = tmp_path / "modules"
    modules.mkdir()
    (modules / "foreign.py").write_text(FOREIGN)
    more = {"PYTHONPATH": str(modules)}
    if place == "variable":
        more["PYTHON_KEYRING_BACKEND"] = "foreign.Keyring"
    else:
        config = tmp_path / ".config" / "python_keyring"
        config.mkdir(parents=True)
        (config / "keyringrc.cfg").write_text("[backend]\ndefault-keyring = foreign.Keyring\n")
        more["LOCALAPPDATA"] = str(tmp_path / ".config")
    keyring = doctor(tmp_path, **more)
    assert not keyring["usable"]
    assert "foreign.Keyring" in keyring["problem"]
    assert not (modules / "was-imported").exists()
