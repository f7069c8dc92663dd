"""The settings file: what is kept, what is refused and how, and that nothing the user wrote is lost."""

from __future__ import annotations

import os
import stat
import tomllib
from typing import Any

import pytest

from agdesk.core.errors import SettingsError
from agdesk.core.settings.file import SettingsFile, changed
from agdesk.core.settings.model import Settings


@pytest.fixture
def path(tmp_path):
    return tmp_path / "settings.toml"


def test_a_missing_file_gives_the_defaults_and_is_not_made_by_reading(path):
    assert SettingsFile(path).load() == Settings()
    assert not path.exists()


def test_what_is_saved_is_loaded_again(path):
    settings = changed(changed(Settings(), "appearance.theme", "dark"), "builtin_model.n_ctx", 8192)
    SettingsFile(path).save(settings)
    again = SettingsFile(path).load()
    assert again.appearance.theme == "dark"
    assert again.builtin_model.n_ctx == 8192
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_only_what_the_user_set_is_written_so_that_better_defaults_reach_him(path):
    SettingsFile(path).save(changed(Settings(), "chat.send_key", "enter"))
    assert tomllib.loads(path.read_text()) == {"version": 2, "chat": {"send_key": "enter"}}


def test_unknown_keys_survive_a_change_and_a_save(path):
    path.write_text('future = 1\n[appearance]\ntheme = "dark"\nsparkle = true\n[later]\nx = [1, 2]\n')
    file = SettingsFile(path)
    file.save(changed(file.load(), "appearance.theme", "light"))
    document = tomllib.loads(path.read_text())
    assert document["future"] == 1
    assert document["later"] == {"x": [1, 2]}
    assert document["appearance"] == {"theme": "light", "sparkle": True}


@pytest.mark.parametrize(
    ("content", "line", "word"),
    [
        (b"[appearance]\ntheme = \n", 2, "Invalid value"),
        (b'[appearance]\ntheme = "dark', 2, "line 2"),
        (b"[chat]\n\n# \xff\n", 3, "UTF-8"),
        (b'[chat]\nsend_key = "enter"\n[appearance]\n\ntheme = "pink"\n', 5, "appearance.theme"),
        (b"appearance.scale = 9\n", 1, "appearance.scale"),
        (b"version = 1\n\nchat = 3\n", 3, "chat"),
        (b'[providers.a]\nbase_url = ""\n\n[providers.b]\nbase_url = 1\n', 5, "providers.b.base_url"),
        (b'[shortcuts]\n"chat.send" = "Ctrl+S"\n"chat.stop" = 3\n', 3, "shortcuts.chat.stop"),
        (b'\nversion = "one"\n', 2, "version"),
        (b"version = true", 1, "version"),
    ],
)
def test_a_broken_file_is_named_with_its_line_and_stays_as_it_is(path, content, line, word):
    path.write_bytes(content)
    with pytest.raises(SettingsError) as caught:
        SettingsFile(path).load()
    assert f"{path}, line {line}:" in caught.value.message
    assert word in caught.value.message
    assert caught.value.hint
    assert path.read_bytes() == content


def test_with_a_broken_file_the_defaults_are_in_force_and_the_problem_is_told(path):
    path.write_text("nonsense")
    file = SettingsFile(path)
    assert file.current() == Settings()
    assert file.problem is not None
    assert path.read_text() == "nonsense"


def test_saving_keeps_a_broken_file_aside_and_never_overwrites_an_earlier_one(path):
    for text in ("first nonsense", "second nonsense"):
        path.write_text(text)
        file = SettingsFile(path)
        file.save(changed(file.current(), "appearance.theme", "dark"))
        assert file.problem is None
        assert file.load().appearance.theme == "dark"
    assert (path.parent / "settings.toml.broken").read_text() == "first nonsense"
    assert (path.parent / "settings.toml.broken-2").read_text() == "second nonsense"


def test_a_good_file_is_not_kept_aside(path):
    file = SettingsFile(path)
    for theme in ("dark", "light"):
        file.save(changed(file.current(), "appearance.theme", theme))
    assert [p.name for p in path.parent.iterdir()] == ["settings.toml"]


def test_a_file_of_a_newer_version_is_refused_and_kept(path):
    path.write_text("version = 3\n")
    with pytest.raises(SettingsError, match="newer agdesk"):
        SettingsFile(path).load()
    assert path.read_text() == "version = 3\n"


def test_older_documents_are_migrated_step_by_step_and_saved_as_the_newest(path):
    def rename(document):
        return {"chat": {"send_key": document.pop("send")}, **document}

    def translate(document):
        return {**document, "chat": {"send_key": document["chat"]["send_key"].replace("-", "_")}}

    path.write_text('version = 1\nsend = "ctrl-enter"\n')
    file = SettingsFile(path, migrations=(rename, translate))
    file.save(file.load())
    assert tomllib.loads(path.read_text()) == {"version": 3, "chat": {"send_key": "ctrl_enter"}}
    assert file.load().chat.send_key == "ctrl_enter"


V1 = """# my settings
version = 1

[chat]
send_key = "ctrl_enter"
later = true

[custom_endpoint]
base_url = "http://127.0.0.1:8080/v1"
key_env = "MY_KEY"
"""


@pytest.mark.parametrize("text", [V1, V1.replace("version = 1\n", "")], ids=["of version 1", "by hand"])
def test_the_custom_endpoint_of_version_1_becomes_a_provider(path, text):
    path.write_text(text)
    file = SettingsFile(path)
    assert file.current().providers["custom"].base_url == "http://127.0.0.1:8080/v1"
    assert path.read_text() == text, "reading writes nothing"
    file.save(file.current())
    assert tomllib.loads(path.read_text()) == {
        "version": 2,
        "chat": {"send_key": "ctrl_enter", "later": True},
        "providers": {"custom": {"base_url": "http://127.0.0.1:8080/v1", "key_env": "MY_KEY"}},
    }


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[custom_endpoint]\n", {}),
        ("[other]\nx = 1\n", {"other": {"x": 1}}),
        ("custom_endpoint = 3\n", {"custom_endpoint": 3}),
        (
            '[custom_endpoint]\nbase_url = "a"\nx = 1\n[providers.custom]\nbase_url = "b"\n[providers.openai]\ny = 1\n',
            {"providers": {"custom": {"base_url": "b", "x": 1}, "openai": {"y": 1}}},
        ),
    ],
)
def test_what_is_new_already_stays_and_nothing_is_lost_or_made_up(path, old, new):
    path.write_text(old)
    file = SettingsFile(path)
    file.save(file.load())
    assert tomllib.loads(path.read_text()) == {"version": 2, **new}


def test_a_section_that_is_no_table_is_refused_as_before(path):
    path.write_text('providers = 3\n[custom_endpoint]\nbase_url = "a"\n')
    with pytest.raises(SettingsError, match="line 1: providers"):
        SettingsFile(path).load()


def test_a_failed_save_leaves_file_and_settings_as_they_were(path, monkeypatch):
    file = SettingsFile(path)
    file.save(changed(Settings(), "appearance.theme", "dark"))
    before = path.read_bytes()

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SettingsError, match="No space left"):
        file.save(changed(file.current(), "appearance.theme", "light"))
    assert path.read_bytes() == before
    assert file.current().appearance.theme == "dark"


NO_SETTINGS = """
appearance.thema nowhere.theme appearance version version.x providers providers. providers..base_url
providers.openai.nonsense providers.base_url shortcuts shortcuts. shortcuts.
"""


@pytest.mark.parametrize("key", NO_SETTINGS.split())
@pytest.mark.parametrize("value", ["dark", None])
def test_there_is_no_change_of_a_setting_that_does_not_exist(key, value):
    with pytest.raises(SettingsError, match="no setting"):
        changed(Settings(), key, value)


def document(settings: Settings) -> dict[str, Any]:
    return settings.model_dump(exclude_unset=True)


def test_a_providers_field_is_set_and_only_that():
    settings = changed(Settings(), "providers.openai.base_url", "http://10.0.0.1")
    settings = changed(settings, "providers.custom.key", "env:MY_KEY")
    assert document(settings) == {
        "providers": {"openai": {"base_url": "http://10.0.0.1"}, "custom": {"key": "env:MY_KEY"}}
    }
    assert settings.providers["openai"].ca_file == ""


def test_the_whole_table_of_a_provider_goes_and_comes_back():
    table = {"preset": "openai", "name": "Work", "headers": {"X-Title": "a"}, "later": 1}
    settings = Settings.model_validate({"providers": {"openai-work": table, "custom": {"key": "keyring"}}})
    without = changed(settings, "providers.openai-work", None)
    assert document(without) == {"providers": {"custom": {"key": "keyring"}}}
    assert document(changed(without, "providers.openai-work", table)) == document(settings)
    with pytest.raises(SettingsError):
        changed(without, "providers.openai-work", "a text")


def test_with_its_last_field_a_providers_table_goes_and_unknown_keys_keep_it():
    settings = Settings.model_validate({"providers": {"a": {"key": "keyring", "base_url": "x"}, "b": {"later": 1}}})
    settings = changed(settings, "providers.a.key", None)
    assert document(settings) == {"providers": {"a": {"base_url": "x"}, "b": {"later": 1}}}
    settings = changed(settings, "providers.a.base_url", None)
    assert document(settings) == {"providers": {"b": {"later": 1}}}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("appearance.theme", "dark"),
        ("trace.budget_mb", 64),
        ("network.proxy", "none"),
        ("providers.openai.ca_file", "/x.pem"),
        ("shortcuts.chat.send", "Ctrl+S"),
        ("shortcuts.chat.send", ""),
    ],
)
def test_none_is_back_to_the_default_and_nothing_stays_in_the_file(path, key, value):
    settings = changed(Settings(), key, value)
    assert document(settings) != {}
    file = SettingsFile(path)
    file.save(changed(settings, key, None))
    assert tomllib.loads(path.read_text()) == {"version": 2}
    assert changed(Settings(), key, None) == Settings()


def test_the_id_of_an_action_is_all_after_the_first_dot(path):
    file = SettingsFile(path)
    file.save(changed(changed(Settings(), "shortcuts.chat.send.now", "Ctrl+S"), "shortcuts.quit", ""))
    assert file.load().shortcuts == {"chat.send.now": "Ctrl+S", "quit": ""}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("providers.openai.key", "sk-0123456789"),
        ("providers.openai.base_url", 3),
        ("shortcuts.chat.send", 3),
        ("trace.budget_mb", 1),
        ("network.proxy", "socks"),
    ],
)
def test_a_wrong_value_is_named_by_its_key_and_not_quoted(key, value):
    with pytest.raises(SettingsError) as caught:
        changed(Settings(), key, value)
    assert caught.value.message.startswith(f"{key}: ") and "sk-0123456789" not in caught.value.message


def test_a_change_to_a_value_that_cannot_be_is_refused():
    with pytest.raises(SettingsError, match=r"appearance\.theme"):
        changed(Settings(), "appearance.theme", "pink")
