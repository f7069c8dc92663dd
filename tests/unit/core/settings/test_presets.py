"""Presets and their file."""

import json

import pytest

from agdesk.core.errors import SettingsError
from agdesk.core.ir.parameters import RequestParameters, ResponseFormat, ThinkingOptions
from agdesk.core.settings.presets import ASIDE_NAME, FILE_NAME, Preset, Presets

FULL = RequestParameters(
    100, 0.5, 0.9, ("END",), ThinkingOptions(True, "high"), ResponseFormat({"type": "object"}), True, 7, {"top_k": 4}
)


def same(text):
    return text


def opened(folder, redact=same):
    return Presets(folder, redact=redact)


async def test_a_preset_survives_a_restart_with_everything(tmp_path):
    presets = opened(tmp_path)
    assert presets.all() == () and presets.default is None
    told = []
    presets.changed.subscribe(told.append)
    preset = Preset("Gärtner \U0001f331", FULL, "Be brief.")
    await presets.put(preset)
    await presets.put(Preset("nothing set"))
    await presets.set_default(preset.id)
    again = opened(tmp_path)
    assert again.all() == presets.all() and again.all()[0] == preset
    assert again.default == preset == again.named(preset.name)
    assert len(told) == 3
    assert (tmp_path / FILE_NAME).stat().st_mode & 0o777 == 0o600


async def test_removing_is_undone_at_the_same_place(tmp_path):
    presets = opened(tmp_path)
    made = [Preset(name) for name in "abc"]
    for preset in made:
        await presets.put(preset)
    await presets.set_default(made[1].id)
    place = await presets.remove(made[1].id)
    assert [preset.name for preset in presets.all()] == ["a", "c"] and presets.default is None
    await presets.put(made[1], place=place)
    assert [preset.name for preset in opened(tmp_path).all()] == ["a", "b", "c"]


@pytest.mark.allow_warnings
async def test_what_another_version_wrote_is_kept(tmp_path):
    newer = {"id": "n", "name": "newer", "parameters": {"temperature": "warm"}, "of_later": 1}
    known = {"id": "k", "name": "known", "parameters": {"seed": 1}, "system_prompt": None, "colour": "red"}
    (tmp_path / FILE_NAME).write_text(json.dumps({"presets": [newer, 7, known], "of_later": {"a": 1}}))
    presets = opened(tmp_path)
    assert [preset.name for preset in presets.all()] == ["known"]
    await presets.put(Preset("renamed", presets.all()[0].parameters, None, "k"))
    document = json.loads((tmp_path / FILE_NAME).read_text())
    assert document["presets"][:2] == [newer, 7] and document["of_later"] == {"a": 1}
    assert document["presets"][2]["colour"] == "red" and document["presets"][2]["name"] == "renamed"


@pytest.mark.allow_warnings
@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b"7"])
async def test_a_broken_file_is_kept_aside_by_the_next_change(content, tmp_path):
    (tmp_path / FILE_NAME).write_bytes(content)
    presets = opened(tmp_path)
    assert presets.all() == ()
    assert (tmp_path / FILE_NAME).read_bytes() == content
    await presets.put(Preset("new"))
    assert (tmp_path / ASIDE_NAME).read_bytes() == content
    assert [preset.name for preset in opened(tmp_path).all()] == ["new"]


@pytest.mark.parametrize("content", [b'{"presets": 7}', b'{"presets": [], "default": 7}', b'{"default": "gone"}'])
async def test_odd_values_are_none(content, tmp_path):
    (tmp_path / FILE_NAME).write_bytes(content)
    presets = opened(tmp_path)
    assert (presets.all(), presets.default, presets.get("x"), presets.named("x")) == ((), None, None, None)


async def test_what_cannot_be_written_is_told_and_not_in_force(tmp_path):
    presets = opened(tmp_path / "gone")
    with pytest.raises(SettingsError, match=r"presets\.json cannot be written"):
        await presets.put(Preset("a"))
    assert presets.all() == ()


async def test_no_key_gets_into_the_file(tmp_path):
    presets = opened(tmp_path, lambda text: text.replace("sk-secret", "***"))
    await presets.put(Preset("sk-secret", system_prompt="use sk-secret"))
    assert "sk-secret" not in (tmp_path / FILE_NAME).read_text()
