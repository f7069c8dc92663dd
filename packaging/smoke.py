"""Starts the packaged program as a user would and reports what it found: ``python packaging/smoke.py FOLDER PICTURE``.

Standard library only. It sends a message to the built-in model on Qt's virtual screen and, where Xvfb is installed, on
an X server, measures the time to the first paint there, and reads a key from a real key store where gnome-keyring is
installed. Exit status 1 if anything failed.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

LIMIT_S = 180.0
START_LIMIT_S = 60.0
STARTS = 3
LAST_LINES = 8
PNG_HEAD = b"\x89PNG\r\n\x1a\n"
# the first argument is the program, the second a folder; the key lies in the store of a session of its own
KEYRING_SCRIPT = """
printf 'smoke' | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1
printf 'sk-smoke-0123456789' | secret-tool store --label=agdesk \
    service agdesk/openai/default username default || exit 3
"$0" --data-dir "$1" doctor --json
"""


class Failure(Exception):
    """The packaged program did not do what it must."""


def main(folder: Path, picture: Path) -> int:
    """Runs every check that this machine allows, prints a line each, and returns the exit status."""
    program = folder / ("agdesk.exe" if os.name == "nt" else "agdesk")
    files = [file for file in folder.rglob("*") if file.is_file() and not file.is_symlink()]
    print(f"size: {sum(file.stat().st_size for file in files) / 1e6:.0f} MB in {len(files)} files", flush=True)
    failed = 0
    checks: tuple[tuple[str, Callable[[], str]], ...] = (
        ("offscreen", lambda: ask(program, picture, {"QT_QPA_PLATFORM": "offscreen"})),
        ("X server", lambda: ask_on_x_server(program, picture.with_stem(f"{picture.stem}-x11"))),
        ("start", lambda: measure_start(program)),
        ("key store", lambda: read_key(program)),
    )
    for name, check in checks:
        try:
            print(f"{name}: {check()}", flush=True)
        except Failure as failure:
            failed += 1
            print(f"{name}: FAILED: {failure}", flush=True)
    return 1 if failed else 0


def ask(program: Path, picture: Path, env: dict[str, str]) -> str:
    """The answer of the built-in model in the window, which is saved as ``picture``."""
    picture.parent.mkdir(parents=True, exist_ok=True)
    picture.unlink(missing_ok=True)
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as data_dir:
        output = run([program, "--data-dir", data_dir, "selftest", "--png", picture], env)
    took_s = time.monotonic() - started
    if not picture.exists() or not picture.read_bytes().startswith(PNG_HEAD):
        raise Failure(f"there is no picture in {picture}")
    answer = output.partition("\n")[2].rpartition("The window is in ")[0].strip()
    if not answer:
        raise Failure(f"there is no answer in: {output.strip()}")
    return f"answered after {took_s:.1f} s: {answer.splitlines()[0]}"


def ask_on_x_server(program: Path, picture: Path) -> str:
    """The same on an X server of its own."""
    if shutil.which("Xvfb") is None:
        return "not checked: Xvfb is not installed"
    with x_server() as (display, _):
        return ask(program, picture, {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb"})


def measure_start(program: Path) -> str:
    """Seconds from starting the program to the first pixel on the screen, the least of three starts."""
    if shutil.which("Xvfb") is None:
        return "not measured: Xvfb is not installed"
    times_s = []
    for _ in range(STARTS):
        with x_server() as (display, screen), tempfile.TemporaryDirectory() as data_dir:
            empty = screen.read_bytes()
            started = time.monotonic()
            process = subprocess.Popen(
                [program, "--data-dir", data_dir], env=environment({"DISPLAY": display, "QT_QPA_PLATFORM": "xcb"})
            )
            try:
                while screen.read_bytes() == empty:
                    if process.poll() is not None or time.monotonic() - started > START_LIMIT_S:
                        raise Failure(f"no window was painted; exit status {process.returncode}")
                    time.sleep(0.005)
                times_s.append(time.monotonic() - started)
            finally:
                end(process)
    return f"first paint after {min(times_s):.2f} s ({', '.join(f'{seconds:.2f}' for seconds in times_s)})"


def read_key(program: Path) -> str:
    """What the program says of a key that another program has put into an unlocked key store."""
    tools = ("dbus-run-session", "gnome-keyring-daemon", "secret-tool")
    if missing := [tool for tool in tools if shutil.which(tool) is None]:
        return f"not checked: {', '.join(missing)} not installed"
    with tempfile.TemporaryDirectory() as home:
        env = {"HOME": home, "XDG_DATA_HOME": home, "XDG_RUNTIME_DIR": home, "PYTHON_KEYRING_BACKEND": ""}
        output = run(["dbus-run-session", "--", "sh", "-c", KEYRING_SCRIPT, program, home], env)
    document = json.loads(output)
    source = next(row["source"] for row in document["providers"] if row["id"] == "openai")
    if source != "keyring":
        raise Failure(f"the key was not found in {document['keyring']['backend']}: source {source}")
    return f"a key was read from {document['keyring']['backend']}"


@contextmanager
def x_server() -> Iterator[tuple[str, Path]]:
    """An empty X server: its display, and the file that holds the pixels of its screen."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-fbdir", folder]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            assert server.stdout is not None
            number = server.stdout.readline().strip()
            if not number:
                raise Failure("Xvfb did not start")
            yield f":{number}", Path(folder, "Xvfb_screen0")
        finally:
            server.terminate()
            server.communicate()


def run(command: list[str | Path], env: dict[str, str]) -> str:
    """The standard output of a command that must succeed."""
    try:
        result = subprocess.run(
            command, env=environment(env), capture_output=True, text=True, check=False, timeout=LIMIT_S
        )
    except subprocess.TimeoutExpired:
        raise Failure(f"it did not end within {LIMIT_S:.0f} s") from None
    if result.returncode:
        words = (result.stderr.strip() or result.stdout.strip()).splitlines()
        raise Failure(
            "\n".join([f"exit status {result.returncode}: {words[0] if words else ''}", *words[1:][-LAST_LINES:]])
        )
    return result.stdout


def environment(changes: dict[str, str]) -> dict[str, str]:
    """This process's environment without what only a developer sets, and with ``changes`` (empty: not set)."""
    own = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("QT_", "PYTHON", "VIRTUAL_ENV")) and not name.endswith("_API_KEY")
    }
    own = {name: value for name, value in own.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    # the key store of whoever runs this is none of this check's business
    own |= {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring", **changes}
    return {name: value for name, value in own.items() if value}


def end(process: subprocess.Popen[bytes]) -> None:
    """Ends the program as Ctrl+C would, and by force if that takes long."""
    process.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()))
