"""``dev.py``: what it finds missing, when it believes in a screen, and how it ends."""

import socket
import subprocess
import sys
from collections.abc import Sequence

import pytest

import dev
from tools import display

EVERYTHING = {*dev.BASE_PACKAGES, *dev.X11_PACKAGES}


def run_dev(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(dev.ROOT / "dev.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)


def test_provided_names_count_as_installed():
    listing = "ii \tlibglib2.0-0t64, libglib2.0-0 (= 2.80)\nii \tmake, \nrc \tlibgomp1, \n"
    assert dev.installed_packages(listing) == {"libglib2.0-0t64", "libglib2.0-0", "make"}


def test_nothing_is_missing_where_everything_is_installed():
    assert dev.missing_packages(EVERYTHING, has_screen=True) == []


def test_the_libraries_of_the_x_window_system_are_wanted_only_with_a_screen():
    assert dev.missing_packages(set(dev.BASE_PACKAGES), has_screen=False) == []
    assert dev.missing_packages(set(dev.BASE_PACKAGES), has_screen=True) == list(dev.X11_PACKAGES)


def test_debians_python_without_ensurepip_needs_its_venv_package(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    version = ".".join(map(str, sys.version_info[:2]))
    assert dev.missing_packages(EVERYTHING, has_screen=False) == [f"python{version}-venv"]


@pytest.mark.skipif(sys.platform != "linux", reason="system packages are installed on Linux only")
def test_without_root_and_sudo_the_missing_packages_are_named(monkeypatch):
    nothing_installed = subprocess.CompletedProcess([], 0, stdout="")
    monkeypatch.setattr("subprocess.run", lambda *_, **__: nothing_installed)
    monkeypatch.setattr("shutil.which", lambda name: None if name == "sudo" else name)
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(dev.DevError, match=r"apt-get install libgl1 libegl1 .*fonts-dejavu-core"):
        dev.install_system_packages()


@pytest.mark.parametrize(
    ("env", "addresses"),
    [
        ({}, []),
        ({"DISPLAY": "nonsense"}, []),
        ({"DISPLAY": ":7"}, ["\0/tmp/.X11-unix/X7", "/tmp/.X11-unix/X7"]),
        ({"DISPLAY": "box:10.0"}, [("box", 6010)]),
        ({"WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": "/run/user/1"}, ["/run/user/1/wayland-0"]),
        ({"WAYLAND_DISPLAY": "/run/own", "XDG_RUNTIME_DIR": "/run/user/1"}, ["/run/own"]),
    ],
)
def test_a_display_variable_names_its_sockets(env, addresses):
    assert display.display_addresses(env) == addresses


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a display")
def test_a_display_counts_only_while_its_server_answers(tmp_path):
    env = {"WAYLAND_DISPLAY": str(tmp_path / "wayland")}
    assert not display.has_display(env)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(env["WAYLAND_DISPLAY"])
        server.listen()
        assert display.has_display(env)
        assert not display.has_display({**env, "QT_QPA_PLATFORM": "offscreen"})
    assert not display.has_display(env)


def test_a_command_that_never_ends_is_ended():
    with pytest.raises(dev.DevError, match=r"did not end within 0 s"):
        dev.call([sys.executable, "-c", "import time; time.sleep(60)"], limit_s=0.2)


@pytest.mark.parametrize(
    ("program", "status"), [("raise SystemExit(5)", 5), ("import os; os.kill(os.getpid(), 9)", 137)]
)
def test_the_status_of_a_tool_is_passed_on(program, status):
    assert dev.call([sys.executable, "-c", program]) == status


def test_the_fingerprint_of_a_group_follows_its_files(tmp_path, monkeypatch):
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements" / "dev.txt").write_text("pytest==1")
    before = dev.fingerprint("dev")
    assert dev.fingerprint("dev") == before
    (tmp_path / "requirements" / "dev.txt").write_text("pytest==2")
    assert dev.fingerprint("dev") != before


def test_a_command_that_is_a_module_is_run_with_its_arguments_after_its_groups_are_installed(monkeypatch):
    calls: list[Sequence[str]] = []

    def call(command: Sequence[str]) -> int:
        calls.append(command[1:])
        return 3

    monkeypatch.setattr(dev, "setup", lambda *groups: calls.append(groups))
    monkeypatch.setattr(dev, "call", call)
    assert dev.main(["fuzz", "10", "ollama"]) == 3
    assert calls == [("app", "fuzz"), ["-m", "tools.fuzz", "10", "ollama"]]


@pytest.mark.parametrize("name", dev.MODULES)
def test_the_module_of_a_command_is_there_and_its_groups_are_known(name):
    module, groups = dev.MODULES[name]
    path = dev.ROOT.joinpath(*module.split("."))
    assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()
    assert set(groups) <= set(dev.GROUPS)


@pytest.mark.parametrize("arguments", [(), ("nonsense",), ("check", "extra"), ("package", "extra")])
def test_wrong_usage_ends_with_status_2_and_the_usage(arguments):
    result = run_dev(*arguments)
    assert result.returncode == 2
    commands = "setup,run,test,check,package,bench,soak,screenshots,translations,fuzz"
    assert result.stderr.startswith(f"usage: python3 dev.py {{{commands}}}")


def test_an_older_python_is_told_the_next_step(monkeypatch, capsys):
    monkeypatch.setattr(sys, "version_info", (3, 10, 13))
    assert dev.main(["test"]) == 1
    assert (
        capsys.readouterr().err == "agdesk needs Python 3.11 or newer; this is 3.10.13. Try: python3.11 dev.py test\n"
    )
