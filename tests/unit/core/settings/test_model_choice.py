"""What the user sets for one model: its place in the file, whose names have dots and slashes, and what it may be."""

from __future__ import annotations

import pytest

from agdesk.core.errors import SettingsError
from agdesk.core.settings.file import SettingsFile, changed
from agdesk.core.settings.model import ModelChoice, Settings

REF = "openrouter/meta-llama/llama-3.1-8b-instruct:free"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("vision", False),
        ("max_context_window", 8192),
        ("input_per_million", 0.5),
        ("refused", ["temperature", "generationConfig.topP"]),
        ("tool_mode", "schema"),
    ],
)
def test_a_value_survives_the_file(tmp_path, field, value):
    file = SettingsFile(tmp_path / "settings.toml")
    file.save(changed(Settings(), f"models.{REF}.{field}", value))
    read = SettingsFile(tmp_path / "settings.toml").load()
    assert getattr(read.models[REF], field) == value
    assert read.models[REF].model_fields_set == {field}


def test_the_last_value_that_goes_takes_its_table_with_it():
    one = changed(Settings(), f"models.{REF}.vision", True)
    two = changed(one, f"models.{REF}.tool_use", True)
    assert set(changed(two, f"models.{REF}.vision", None).models[REF].model_fields_set) == {"tool_use"}
    assert changed(one, f"models.{REF}.vision", None) == Settings()


@pytest.mark.parametrize(
    "key", ["models.vision", "models..vision", "models.gpt-5.vision", f"models.{REF}.smell", f"models.{REF}", "models"]
)
def test_what_names_no_model_or_no_field_is_refused(key):
    with pytest.raises(SettingsError, match="There is no setting"):
        changed(Settings(), key, True)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("vision", "yes"),
        ("max_context_window", -1),
        ("input_per_million", -0.1),
        ("refused", "seed"),
        ("tool_mode", "x"),
    ],
)
def test_a_value_that_cannot_be_is_refused(field, value):
    with pytest.raises(SettingsError):
        changed(Settings(), f"models.{REF}.{field}", value)


def test_nothing_is_set_unless_it_is_set():
    assert ModelChoice() == ModelChoice(refused=[], tool_mode="auto")
    assert Settings().models == {}
