"""Which class keyring may be told to use: a name from elsewhere is refused before its module is imported."""

from __future__ import annotations

import sys

import keyring.core
import pytest

from agdesk.core.errors import SecretUnavailable
from agdesk.core.settings.keyring_backend import chosen_backend

EVIL = """
from keyring.backend import KeyringBackend
raise SystemExit("the foreign module was imported")
"""


@pytest.fixture
def config(tmp_path, monkeypatch):
    """Writes keyring's own configuration file; keyring has chosen nothing yet."""
    monkeypatch.setattr(keyring.core, "_keyring_backend", None)
    monkeypatch.delenv("PYTHON_KEYRING_BACKEND")
    monkeypatch.setattr("keyring.util.platform_.config_root", lambda: tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.syspath_prepend(tmp_path / "modules")
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "evil_keyring.py").write_text(EVIL)

    def write(text: str) -> None:
        (tmp_path / "keyringrc.cfg").write_text(text)

    return write


def test_a_foreign_module_named_in_the_file_is_refused_without_importing_it(config):
    config("[backend]\ndefault-keyring = evil_keyring.Keyring\n")
    with pytest.raises(SecretUnavailable, match=r"evil_keyring\.Keyring, chosen by .*keyringrc\.cfg"):
        chosen_backend()
    assert "evil_keyring" not in sys.modules


def test_a_foreign_module_named_in_the_environment_is_refused_without_importing_it(config, monkeypatch):
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "evil_keyring.Keyring")
    with pytest.raises(SecretUnavailable, match=r"evil_keyring\.Keyring, chosen by PYTHON_KEYRING_BACKEND"):
        chosen_backend()
    assert "evil_keyring" not in sys.modules


def test_a_folder_of_modules_named_in_the_file_is_refused_and_never_searched(config, tmp_path):
    config(f"[backend]\ndefault-keyring = keyring.backends.null.Keyring\nkeyring-path = {tmp_path / 'elsewhere'}\n")
    with pytest.raises(SecretUnavailable, match="folder of its own") as caught:
        chosen_backend()
    assert "keyring-path" in caught.value.hint
    assert str(tmp_path / "elsewhere") not in sys.path


def test_a_class_of_keyring_itself_may_be_chosen(config):
    config("[backend]\ndefault-keyring = keyring.backends.null.Keyring\n")
    assert type(chosen_backend()).__module__ == "keyring.backends.null"


def test_a_chosen_class_that_cannot_work_here_is_no_key_store(config, monkeypatch):
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.Windows.WinVaultKeyring")
    if sys.platform == "win32":
        monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.SecretService.Keyring")
    with pytest.raises(SecretUnavailable, match="no key store on this system: "):
        chosen_backend()


@pytest.mark.parametrize("text", ["", "[backend]\n", "[other]\nx = 1\n"])
def test_a_file_that_chooses_nothing_leaves_the_choice_to_keyring(config, text, monkeypatch):
    chosen = object()
    monkeypatch.setattr(keyring.core, "load_config", lambda: chosen)
    monkeypatch.setattr(keyring.core, "set_keyring", lambda backend: setattr(keyring.core, "_keyring_backend", backend))
    config(text)
    assert chosen_backend() is chosen
