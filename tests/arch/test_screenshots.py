"""``make screenshots``: every scene has a name of its own, and the same scene gives the same pixels."""

import re
import struct
import subprocess
import sys

import pytest

from tests.arch.tree import ROOT, python_files

PROGRAM = """
import sys
from pathlib import Path
from tools.screenshots import __main__ as screenshots
screenshots.OUTPUT = Path(sys.argv[1])
sys.exit(screenshots.main(sys.argv[2:]))
"""
PNG_HEAD = b"\x89PNG\r\n\x1a\n"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="its fonts are chosen through fontconfig")


def shoot(output, *wanted):
    command = [sys.executable, "-c", PROGRAM, str(output), *wanted]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=55)


def test_two_runs_give_the_same_pixels_in_each_theme_width_and_language(tmp_path):
    results = [shoot(tmp_path / run, "crash-details") for run in ("first", "second")]
    assert [result.returncode for result in results] == [0, 0], results[0].stderr
    english = [f"crash-details-{theme}-{width}.png" for theme in ("dark", "light") for width in (1440, 900)]
    chinese = [f"crash-details-light-{width}-zh_CN.png" for width in (1440, 900)]
    first, second = (
        {path.name: path.read_bytes() for path in (tmp_path / run).iterdir()} for run in ("first", "second")
    )
    assert sorted(first) == sorted([*english, *chinese])
    assert all(picture.startswith(PNG_HEAD) for picture in first.values())
    assert first["crash-details-dark-900.png"] != first["crash-details-light-900.png"]
    assert first["crash-details-light-900-zh_CN.png"] != first["crash-details-light-900.png"]
    assert first == second


def test_a_screen_of_two_pixels_for_each_gives_a_picture_of_twice_the_size(tmp_path):
    result = shoot(tmp_path, "conversation-empty", "--screen", "1440", "--screen", "1440-at200")
    assert result.returncode == 0, result.stderr
    sizes = {path.name: struct.unpack(">II", path.read_bytes()[16:24]) for path in tmp_path.iterdir()}
    looks = (("dark", ""), ("light", ""), ("light", "-zh_CN"))
    once = {f"conversation-empty-{theme}-1440{language}.png": (1440, 900) for theme, language in looks}
    twice = {f"conversation-empty-{theme}-1440-at200{language}.png": (2880, 1800) for theme, language in looks}
    assert sizes == once | twice


def test_a_scene_that_does_not_exist_is_answered_with_those_that_do(tmp_path):
    result = shoot(tmp_path, "nonsense")
    assert result.returncode == 1
    assert "conversation-empty" in result.stderr
    assert "crash-details" in result.stderr


def test_no_two_scenes_have_the_same_name():
    texts = [path.read_text(encoding="utf-8") for path in python_files(ROOT / "tools" / "screenshots" / "scenes")]
    names = [name for text in texts for name in re.findall(r'Scene\("([^"]+)"', text)]
    assert names
    assert sorted({name for name in names if names.count(name) > 1}) == []
    assert [name for name in names if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", name)] == []
