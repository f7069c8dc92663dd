"""Accounts: providers of the user's own, each with its address, headers and key; and what happens when one goes."""

from __future__ import annotations

import asyncio

import pytest

from agdesk.core.errors import ConfigurationError, SecretUnavailable, SettingsError
from agdesk.core.providers.account_rows import can_be_account_id, suggest_account_id
from agdesk.core.providers.registry import WIRE_FORMATS, ProviderRegistry
from agdesk.core.settings.file import SettingsFile
from agdesk.core.workspace import Workspace
from tests.fakes.keyrings import LockedKeyring, MemoryKeyring, PlainTextKeyring, key_store_threads, secret_store

CANARY = "sk-canary-of-the-account-0123"
WORK = ("agdesk/openai/openai-work", "openai-work")


@pytest.fixture
def keyring():
    return MemoryKeyring({("agdesk/openai/default", "default"): "sk-of-the-preset-0123"})


@pytest.fixture
def workspace(tmp_path, keyring):
    registry = ProviderRegistry(data_folder=tmp_path)
    registry.keys = secret_store(keyring, environment={"OPENAI_API_KEY": "sk-env-0123456789"})
    return Workspace(registry, data_dir=tmp_path)


async def add(workspace, account_id="openai-work", preset_id="openai", **values):
    await workspace.accounts.add(preset_id, account_id=account_id, **values)


def text_of(tmp_path):
    return (tmp_path / "settings.toml").read_text()


async def test_an_account_is_a_provider_with_its_presets_row_and_an_address_of_its_own(workspace):
    await add(workspace, name="OpenAI at work", base_url="gateway.example.org/openai")
    registry = workspace.registry
    assert registry.provider_ids()[-1] == "openai-work"
    assert registry.preset_id("openai-work") == "openai" and registry.preset_id("openai") == "openai"
    account, preset = registry.endpoint("openai-work"), registry.endpoint("openai")
    assert (account.id, account.name, account.base_url) == (
        "openai-work",
        "OpenAI at work",
        "https://gateway.example.org/openai",
    )
    assert (account.wire, account.dialect, account.catalogue_id) == (preset.wire, preset.dialect, preset.catalogue_id)
    assert preset.base_url == "https://api.openai.com/v1"
    assert registry.get("openai-work") is not registry.get("openai")


async def test_an_account_without_a_name_is_called_after_its_provider(workspace):
    await add(workspace)
    assert workspace.registry.row("openai-work").name == "OpenAI (openai-work)"


async def test_the_entries_have_each_account_behind_its_provider(workspace):
    await add(workspace)
    await add(workspace, "anthropic-b", "anthropic", name="B")
    await add(workspace, "anthropic-a", "anthropic", name="A")
    entries = {entry.id: entry for entry in workspace.providers()}
    order = list(entries)
    assert order[order.index("anthropic") :][:3] == ["anthropic", "anthropic-a", "anthropic-b"]
    assert order[order.index("openai") :][:2] == ["openai", "openai-work"]
    assert order[0] == "anthropic" and len(order) == len(workspace.registry.provider_ids())
    entry = entries["openai-work"]
    assert (entry.key_owner, entry.key_account, entry.key_env, entry.usual_env) == (
        "openai",
        "openai-work",
        "",
        "OPENAI_API_KEY",
    )
    assert (entries["openai"].key_owner, entries["openai"].key_account) == ("openai", "default")


async def test_the_entries_are_in_the_order_of_their_names(workspace):
    names = [entry.name for entry in workspace.providers()]
    assert names == sorted(names, key=str.casefold)
    assert names.index("OpenAI") < names.index("OpenAI (Responses)"), "their ids are the other way round"


@pytest.mark.parametrize(
    "table",
    [
        '[providers.openai-work]\nbase_url = "x.example"',
        '[providers.work]\npreset = "nobody"',
        '[providers.work]\npreset = "builtin"',
        '[providers."no/id"]\npreset = "openai"',
        '[providers.default]\npreset = "openai"',
        '[providers.groq]\npreset = "openai"',
    ],
)
def test_what_is_no_account_is_none_and_disturbs_nothing(tmp_path, table):
    (tmp_path / "settings.toml").write_text(f"version = 2\n{table}\n")
    registry = ProviderRegistry(data_folder=tmp_path)
    shipped = ProviderRegistry(data_folder=tmp_path / "other").provider_ids()
    assert registry.provider_ids() == shipped
    assert registry.endpoint("groq").id == "groq"


@pytest.mark.parametrize("wire", WIRE_FORMATS)
async def test_a_server_of_the_users_own_speaks_the_format_that_was_chosen(workspace, wire):
    await add(workspace, "lab", "custom", base_url="10.0.0.7:8000", wire=wire)
    endpoint = workspace.registry.endpoint("lab")
    assert endpoint.wire == wire and endpoint.is_local and not endpoint.needs_key
    shipped = next(row for row in map(workspace.registry.row, workspace.registry.provider_ids()) if row.wire == wire)
    if wire != "openai_chat":
        assert endpoint.defaults == shipped.defaults and endpoint.headers == shipped.headers
        assert endpoint.base_url == f"http://10.0.0.7:8000{shipped.base_path}"
    await workspace.change_settings({"providers.custom.wire": wire})
    assert workspace.registry.endpoint("custom").wire == wire


async def test_only_a_server_of_ones_own_has_a_format_to_choose(workspace):
    with pytest.raises(ConfigurationError, match="a wire format of its own"):
        await add(workspace, wire="anthropic")
    await add(workspace)
    await workspace.change_settings({"providers.openai-work.wire": "anthropic", "providers.openai.wire": "gemini"})
    assert {workspace.registry.row(name).wire for name in ("openai", "openai-work")} == {"openai_chat"}


@pytest.mark.parametrize(
    ("preset_id", "account_id", "words"),
    [
        ("openai", "openai", "already"),
        ("openai", "work", "already"),
        ("openai", "", "cannot be the id"),
        ("openai", "Work", "cannot be the id"),
        ("openai", "a/b", "cannot be the id"),
        ("openai", "a.b", "cannot be the id"),
        ("openai", "default", "cannot be the id"),
        ("openai", "base_url", "cannot be the id"),
        ("builtin", "second", "no accounts of builtin"),
        ("work", "second", "no accounts of work"),
        ("nobody", "second", "no provider 'nobody'"),
    ],
)
async def test_an_account_that_cannot_be_is_refused_and_nothing_is_written(workspace, preset_id, account_id, words):
    await add(workspace, "work")
    before = workspace.settings
    with pytest.raises(ConfigurationError, match=words):
        await add(workspace, account_id, preset_id)
    with pytest.raises(ConfigurationError, match="not the address"):
        await add(workspace, "third", base_url="no address")
    assert workspace.settings == before


def test_an_id_is_proposed_that_is_free():
    assert suggest_account_id("openai", "At work!", frozenset()) == "openai-at-work"
    assert suggest_account_id("openai", "  ", frozenset()) == "openai-2"
    assert suggest_account_id("openai", "", frozenset({"openai-2", "openai-3"})) == "openai-4"
    assert suggest_account_id("openai", "Work", frozenset({"openai-work"})) == "openai-work-3"
    assert can_be_account_id(suggest_account_id("openai", "工作 " * 50 + "x" * 200, frozenset()))


# --- keys ---


async def test_an_accounts_key_is_neither_its_presets_nor_the_variables(workspace):
    await add(workspace)
    registry = workspace.registry
    assert (await registry.key_of("openai")).value == "sk-env-0123456789"
    assert (await registry.key_of("openai-work")).value is None
    await workspace.change_settings({"providers.openai-work.key": "env:OPENAI_API_KEY"})
    assert (await registry.key_of("openai-work")).source == "env:OPENAI_API_KEY"


async def test_an_accounts_key_is_in_the_key_store_under_its_provider_and_in_no_file(workspace, keyring, tmp_path):
    await add(workspace)
    told = []
    workspace.secrets.changed.subscribe(told.append)
    await workspace.secrets.keep("openai", CANARY, account="openai-work")
    await workspace.change_settings({"providers.openai-work.key": "keyring"})
    assert keyring.entries[WORK] == CANARY and told == ["openai-work"]
    assert (await workspace.registry.key_of("openai-work")).value == CANARY
    assert keyring.entries["agdesk/openai/default", "default"] == "sk-of-the-preset-0123"
    assert all(CANARY not in path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    fresh = ProviderRegistry(data_folder=tmp_path)
    fresh.keys = secret_store(keyring, seen=(seen := []))
    await fresh.learn_keys()
    assert seen == [CANARY], "it is known before it is used"


# --- removing, and bringing back ---


async def add_with_key(workspace):
    """Adds an account with headers, a key in the key store and the default model; gives all settings."""
    await add(workspace, name="Work")
    await workspace.secrets.keep("openai", CANARY, account="openai-work")
    await workspace.change_settings(
        {
            "providers.openai-work.key": "keyring",
            "providers.openai-work.headers": {"X-Title": "agdesk"},
            "chat.default_model": "openai-work/gpt-5",
        }
    )
    return workspace.settings


async def test_with_an_account_its_key_and_its_settings_go_and_undo_brings_all_back(workspace, keyring, tmp_path):
    kept = await add_with_key(workspace)
    removed = await workspace.accounts.remove("openai-work")
    assert WORK not in keyring.entries and ("agdesk/openai/default", "default") in keyring.entries
    assert "openai-work" not in text_of(tmp_path)
    assert workspace.registry.default_model_ref == "builtin/smollm2-135m"
    assert (removed.name, removed.preset_id) == ("Work", "openai")
    assert CANARY not in repr(removed)
    await workspace.accounts.restore(removed)
    assert keyring.entries[WORK] == CANARY
    assert workspace.settings == kept == SettingsFile(tmp_path / "settings.toml").current()
    assert workspace.registry.default_model_ref == "openai-work/gpt-5"
    assert CANARY not in text_of(tmp_path)


async def test_a_key_of_this_session_goes_and_comes_back_too(workspace, keyring):
    await add(workspace)
    workspace.secrets.hold("openai", CANARY, account="openai-work")
    removed = await workspace.accounts.remove("openai-work")
    assert (await workspace.secrets.find("openai", account="openai-work")).value is None
    await workspace.accounts.restore(removed)
    assert (await workspace.registry.key_of("openai-work")).source == "session"


async def test_a_key_that_is_kept_but_not_used_goes_too(workspace, keyring):
    await add_with_key(workspace)
    await workspace.change_settings({"providers.openai-work.key": "env:OPENAI_API_KEY"})
    await workspace.accounts.remove("openai-work")
    assert WORK not in keyring.entries


async def test_when_the_settings_cannot_be_written_the_account_and_its_key_stay(workspace, keyring, monkeypatch):
    kept = await add_with_key(workspace)

    def refuse(_settings):
        raise SettingsError("The disk is full", "Make room.")

    monkeypatch.setattr(workspace.registry.settings_file, "save", refuse)
    with pytest.raises(SettingsError, match="full"):
        await workspace.accounts.remove("openai-work")
    assert workspace.settings == kept
    assert keyring.entries[WORK] == CANARY


async def test_a_locked_key_store_keeps_an_account_whose_key_is_there(workspace):
    kept = await add_with_key(workspace)
    locked = LockedKeyring()
    workspace.registry.keys = secret_store(locked, timeout_s=0.2)
    with pytest.raises(SecretUnavailable, match="did not answer in time"):
        await workspace.accounts.remove("openai-work")
    assert workspace.settings == kept
    locked.unlock.set()
    while key_store_threads():
        await asyncio.sleep(0.005)


async def test_an_account_of_a_machine_that_has_no_key_store_can_be_removed(workspace):
    await add_with_key(workspace)
    workspace.registry.keys = secret_store(PlainTextKeyring())
    await workspace.accounts.remove("openai-work")
    assert workspace.settings.providers == {}


@pytest.mark.parametrize("provider_id", ["openai", "builtin"])
async def test_what_comes_with_agdesk_cannot_be_removed(workspace, provider_id):
    with pytest.raises(ConfigurationError, match="comes with agdesk"):
        await workspace.accounts.remove(provider_id)


# --- headers and addresses ---


async def test_extra_headers_are_sent_in_place_of_the_rows_own(workspace):
    await add(workspace, "claude", "anthropic")
    await workspace.change_settings(
        {"providers.claude.headers": {"Anthropic-Version": "2099-01-01", "X-Title": "agdesk"}}
    )
    assert workspace.registry.endpoint("claude").headers == {"Anthropic-Version": "2099-01-01", "X-Title": "agdesk"}
    assert workspace.registry.endpoint("anthropic").headers == {"anthropic-version": "2023-06-01"}


async def test_a_key_among_the_headers_of_a_file_is_not_sent_and_told(workspace, tmp_path):
    await workspace.change_settings({"providers.openai.headers": {"Authorization": f"Bearer {CANARY}"}})
    with pytest.raises(ConfigurationError, match="header Authorization") as caught:
        workspace.registry.get("openai")
    assert CANARY not in f"{caught.value.message} {caught.value.hint}"
    (entry,) = (entry for entry in workspace.providers() if entry.id == "openai")
    assert "Authorization" in entry.problem and CANARY not in entry.problem


@pytest.mark.parametrize("provider_id", ["azure-openai", "custom"])
def test_a_provider_without_an_address_says_what_one_looks_like(workspace, provider_id):
    with pytest.raises(ConfigurationError, match="no base URL") as caught:
        workspace.registry.get(provider_id)
    hint = workspace.registry.row(provider_id).base_url_hint
    assert hint.startswith("http") and hint in caught.value.hint


def test_every_row_has_an_address_or_says_what_one_looks_like(workspace):
    rows = [workspace.registry.row(provider_id) for provider_id in workspace.registry.provider_ids()]
    assert [row.id for row in rows if not (row.base_url or row.base_url_hint)] == ["builtin"]
