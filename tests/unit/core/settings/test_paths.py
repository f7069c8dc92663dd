"""Folders: where they are, how private they are, what is said when they cannot be."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from agdesk.core.errors import SettingsError
from agdesk.core.settings.paths import locate_data_folder, logs_folder, open_data_folder, resource


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_argument_comes_before_the_variable_and_the_variable_before_the_systems_place(monkeypatch, tmp_path):
    monkeypatch.setenv("AGDESK_DATA_DIR", str(tmp_path / "variable"))
    assert locate_data_folder(tmp_path / "argument") == tmp_path / "argument"
    assert locate_data_folder() == tmp_path / "variable"
    monkeypatch.delenv("AGDESK_DATA_DIR")
    assert locate_data_folder().name == "agdesk"


def test_locating_makes_nothing(tmp_path):
    locate_data_folder(tmp_path / "a")
    assert not (tmp_path / "a").exists()


def test_a_new_data_folder_and_its_logs_are_closed_to_others(tmp_path):
    folder = open_data_folder(tmp_path / "deep" / "data")
    assert mode(folder) == 0o700
    assert mode(logs_folder(folder)) == 0o700


def test_an_empty_folder_of_the_user_is_closed_and_a_full_one_is_left_alone(tmp_path):
    empty, full = tmp_path / "empty", tmp_path / "full"
    for folder in (empty, full):
        folder.mkdir(mode=0o755)
    (full / "holiday.jpg").touch()
    assert mode(open_data_folder(empty)) == 0o700
    assert mode(open_data_folder(full)) == 0o755


def test_a_file_in_the_way_is_an_error_that_names_the_folder_and_the_next_step(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError, match=r"file") as caught:
        open_data_folder(tmp_path / "file" / "data")
    assert "--data-dir" in caught.value.hint


def test_resources_are_found_in_a_checkout_and_in_the_packaged_program(monkeypatch, tmp_path):
    assert resource("providers", "openai.toml").is_file()
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert resource("providers") == tmp_path / "resources" / "providers"
