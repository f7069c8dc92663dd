"""What the first paint reads: right values, defaults for everything else, and nothing heavy loaded."""

from __future__ import annotations

import subprocess
import sys

import pytest

from agdesk.core.settings.early import EarlySettings, read_early_settings


def test_a_missing_file_gives_the_defaults(tmp_path):
    early = read_early_settings(tmp_path / "settings.toml")
    assert early == EarlySettings("system", 1.0, "builtin/smollm2-135m")


def test_the_values_are_read(tmp_path):
    file = tmp_path / "settings.toml"
    file.write_text(
        '[appearance]\ntheme = "dark"\nscale = 2\nlanguage = "zh_CN"\n[chat]\ndefault_model = "openai/gpt-5"\n'
    )
    assert read_early_settings(file) == EarlySettings("dark", 2.0, "openai/gpt-5", "zh_CN")


@pytest.mark.parametrize(
    "content",
    [
        b"appearance = 3",
        b"[appearance",
        b"\xff\xfe",
        b'[appearance]\ntheme = "pink"\nscale = 100\nlanguage = "xx"\n[chat]\ndefault_model = "no-slash"',
        b"[appearance]\ntheme = 1\nscale = true\n[chat]\ndefault_model = 7",
    ],
)
def test_wrong_values_are_the_defaults_and_never_an_error(tmp_path, content):
    file = tmp_path / "settings.toml"
    file.write_bytes(content)
    assert read_early_settings(file) == EarlySettings()


def test_nothing_that_the_first_paint_imports_from_here_loads_pydantic_keyring_or_httpx():
    code = (
        "import sys, agdesk.core.settings.early, agdesk.core.settings.paths, agdesk.core.providers.registry\n"
        "print({'pydantic', 'keyring', 'httpx', 'tomli_w', 'genai_prices', 'xllamacpp', 'llm'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
