"""A file is the old one or the new one."""

from __future__ import annotations

import os
import stat

import pytest

from agdesk.core.settings.atomic import write_atomically


def test_the_content_is_replaced_and_private(tmp_path):
    file = tmp_path / "f"
    file.write_text("old")
    file.chmod(0o644)
    write_atomically(file, b"new")
    assert file.read_bytes() == b"new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_failure_leaves_the_old_file_and_nothing_beside_it(tmp_path, monkeypatch):
    file = tmp_path / "f"
    file.write_text("old")

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(file, b"new")
    assert [p.name for p in tmp_path.iterdir()] == ["f"]
    assert file.read_text() == "old"


def test_a_symbolic_link_stays_one(tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    link.symlink_to(real)
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"
