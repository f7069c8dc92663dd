"""Accounts on the page of the providers, over the real workspace: adding, their rows and keys, removing, undo."""

import asyncio

import pytest
from PySide6.QtCore import Qt
from shiboken6 import isValid

from agdesk.core.errors import SettingsError
from agdesk.core.providers.registry import ProviderRegistry
from agdesk.core.workspace import Workspace
from tests.fakes.keyrings import MemoryKeyring, key_store_threads, secret_store
from tests.ui.settings.workspaces import press, type_text, until

CANARY = "sk-canary-of-the-account-0123"
WORK = ("agdesk/openai/openai-work", "openai-work")


@pytest.fixture
def keyring():
    return MemoryKeyring()


@pytest.fixture
def workspace(tmp_path, keyring):
    registry = ProviderRegistry(data_folder=tmp_path)
    registry.keys = secret_store(keyring)
    return Workspace(registry, data_dir=tmp_path)


@pytest.fixture
def open_at(open_dialog):
    """Opens the dialog at a provider; gives the dialog and what is shown of the provider."""

    async def open_it(provider_id):
        dialog = open_dialog()
        dialog.open_provider(provider_id)
        return dialog, await shown_at(dialog, provider_id)

    return open_it


async def shown_at(dialog, provider_id):
    """What is shown of a provider, once it is and the place of its key is known."""
    page = dialog.providers

    def is_there():
        detail = page.detail()
        return detail is not None and detail.entry.id == provider_id and detail.key_panel._looking is None

    await until(is_there)
    await until(lambda: page.list.note(provider_id) and not key_store_threads())
    return page.detail()


def titles(dialog):
    return [dialog.providers.list.item(row).text() for row in range(dialog.providers.list.count())]


def row_in(detail, name):
    return next(row for row in detail.card.rows if row.field.key.endswith(f".{name}"))


def fields(detail):
    return [row.field.key.rpartition(".")[2] for row in detail.card.rows]


async def add_work(workspace, **values):
    await workspace.accounts.add("openai", account_id="openai-work", name="Work", **values)


async def test_an_account_is_added_with_the_keyboard_and_shown(open_at, workspace):
    dialog, detail = await open_at("openai")
    detail.accounts.button.click()
    form = detail.accounts.form
    assert form.isVisible() and not detail.accounts.button.isVisible()
    assert form.id_field.text() == "openai-2"
    assert form.wire_box is None
    type_text(form.name_field, "At work")
    assert form.id_field.text() == "openai-at-work"
    type_text(form.id_field, "openai-work")
    type_text(form.name_field, "Work")
    assert form.id_field.text() == "openai-work", "what the user has typed is left alone"
    type_text(form.address_field, "gateway.example.org/v1")
    press(form.address_field, Qt.Key.Key_Return)
    account = await shown_at(dialog, "openai-work")
    assert workspace.registry.endpoint("openai-work").base_url == "https://gateway.example.org/v1"
    assert titles(dialog)[titles(dialog).index("OpenAI") + 1] == "Work"
    assert fields(account) == ["name", "base_url", "headers", "ca_file"]
    assert detail.accounts.form.isHidden()
    assert account.isAncestorOf(dialog.focusWidget()), "the next step is the account's key"


async def test_escape_gives_the_form_up(open_at):
    _, detail = await open_at("openai")
    detail.accounts.button.click()
    press(detail.accounts.form.name_field, Qt.Key.Key_Escape)
    assert detail.accounts.form.isHidden() and detail.accounts.button.isVisible()


async def test_an_account_that_cannot_be_is_told_in_the_form_and_what_was_typed_stays(open_at, workspace):
    _, detail = await open_at("openai")
    detail.accounts.button.click()
    form = detail.accounts.form
    type_text(form.id_field, "groq")
    form.add_button.click()
    await until(form.notice.isVisible)
    assert "groq already" in form.notice.text
    type_text(form.id_field, "mine")
    assert form.notice.isHidden()
    type_text(form.address_field, "ftp://example.org")
    form.add_button.click()
    await until(form.notice.isVisible)
    assert form.id_field.text() == "mine" and workspace.settings.providers == {}


async def test_a_server_of_ones_own_has_its_format_chosen(open_at, workspace):
    dialog, detail = await open_at("custom")
    assert fields(detail) == ["base_url", "wire", "headers", "ca_file"]
    assert row_in(detail, "base_url").control.editor.placeholderText() == "For example http://127.0.0.1:8080/v1"
    detail.accounts.button.click()
    form = detail.accounts.form
    type_text(form.name_field, "Lab")
    form.wire_box.setCurrentIndex(form.wire_box.findData("anthropic"))
    form.add_button.click()
    account = await shown_at(dialog, "custom-lab")
    assert workspace.registry.row("custom-lab").wire == "anthropic"
    assert fields(account) == ["name", "base_url", "wire", "headers", "ca_file"]


async def test_a_new_name_is_shown_without_taking_the_keyboard_away(open_at, workspace):
    await add_work(workspace)
    dialog, detail = await open_at("openai-work")
    field = row_in(detail, "name").control.editor
    dialog.activateWindow()
    field.setFocus()
    type_text(field, "The office")
    await until(lambda: "The office" in titles(dialog))
    assert dialog.providers.detail() is detail and detail._heading.text() == "The office"
    dialog.providers.list.setFocus()
    dialog.providers.list.choose("openai")
    dialog.providers.list.choose("openai-work")
    renamed = dialog.providers.detail()
    assert renamed is not detail and renamed.key_panel.accessibleName() == "Key of The office"


async def test_an_accounts_key_goes_into_the_key_store_under_its_provider_and_into_no_file(
    open_at, workspace, keyring, tmp_path
):
    await add_work(workspace)
    dialog, detail = await open_at("openai-work")
    panel = detail.key_panel
    panel.enter_key()
    type_text(panel.entry_form.field, CANARY)
    panel.entry_form.keep_button.click()
    await until(lambda: panel.source.text() == "Key in the key store")
    assert keyring.entries == {WORK: CANARY}
    assert workspace.settings.providers["openai-work"].key == "keyring"
    assert (await workspace.registry.key_of("openai-work")).value == CANARY
    await until(lambda: dialog.providers.list.note("openai-work") == "Key in the key store")
    assert dialog.providers.list.note("openai") == "No key"
    assert all(CANARY.encode() not in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


async def test_a_variable_that_is_set_is_taken_with_one_click_and_shown(open_at, workspace, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    workspace.registry.keys._environment = {"OPENAI_API_KEY": CANARY}
    await add_work(workspace)
    dialog, detail = await open_at("openai-work")
    panel = detail.key_panel
    assert panel.source.text() == "No key", "an account does not take its provider's variable by itself"
    assert panel.usual_button.isVisible() and panel.usual_button.text() == "Take it from OPENAI_API_KEY"
    panel.usual_button.click()
    await until(lambda: panel.source.text() == "From OPENAI_API_KEY")
    assert panel.usual_button.isHidden()
    assert workspace.settings.providers["openai-work"].key == "env:OPENAI_API_KEY"
    await until(lambda: dialog.providers.list.note("openai-work") == "From OPENAI_API_KEY")
    dialog.open_provider("openai")
    preset = await shown_at(dialog, "openai")
    assert preset.key_panel.source.text() == "From OPENAI_API_KEY" and preset.key_panel.usual_button.isHidden()


async def test_a_variable_that_is_not_set_is_not_offered(open_at, workspace, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    await add_work(workspace)
    _, detail = await open_at("openai-work")
    assert detail.key_panel.usual_button.isHidden()


# --- headers ---


async def test_headers_are_in_force_as_soon_as_they_are_typed(open_at, workspace):
    _, detail = await open_at("openai")
    row = row_in(detail, "headers")
    assert row.control.editor.accessibleName() == "Extra headers"
    row.control.editor.setPlainText("X-Title: agdesk\nHTTP-Referer: https://example.org")
    await until(lambda: workspace.settings.providers)
    assert workspace.registry.endpoint("openai").headers == {"X-Title": "agdesk", "HTTP-Referer": "https://example.org"}
    row.control.editor.setPlainText("")
    await until(lambda: not workspace.settings.providers)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"X-Title: a\nAuthorization: Bearer {CANARY}", "The header Authorization would put a key"),
        (f"api-key: {CANARY}", "The header api-key would put a key"),
        (f"X-Note: {CANARY}", "The header X-Note would put a key"),
        (CANARY, "no header"),
    ],
)
async def test_a_key_among_the_headers_reaches_no_file_and_the_place_for_it_is_named(
    open_at, workspace, tmp_path, text, words
):
    workspace.registry.secrets.add(CANARY)
    _, detail = await open_at("openai")
    row = row_in(detail, "headers")
    row.control.editor.setPlainText(text)
    row.flush()
    await until(lambda: row.error)
    assert words in row.error and CANARY not in row.error
    assert workspace.settings.providers == {}
    assert not (tmp_path / "settings.toml").exists() or CANARY not in (tmp_path / "settings.toml").read_text()


async def test_what_a_file_has_wrong_is_told_on_the_providers_page(open_at, workspace):
    await workspace.change_settings({"providers.openai.headers": {"Authorization": "Bearer x"}})
    _, detail = await open_at("openai")
    assert detail.problem.isVisible() and "Authorization" in detail.problem.text
    await workspace.change_settings({"providers.openai.headers": None})
    await until(detail.problem.isHidden)


# --- removing ---


async def test_an_account_goes_with_its_key_and_undo_brings_both_back(open_at, workspace, keyring, tmp_path):
    await add_work(workspace)
    await workspace.secrets.keep("openai", CANARY, account="openai-work")
    await workspace.change_settings({"providers.openai-work.key": "keyring"})
    before = workspace.settings
    dialog, detail = await open_at("openai-work")
    detail.accounts.button.click()
    await shown_at(dialog, "openai")
    assert keyring.entries == {} and workspace.settings.providers == {}
    await until(lambda: "Work" not in titles(dialog))
    toast = dialog.providers.toast
    assert toast.isVisible() and toast.label.text() == "Work was removed, and its key"
    toast.act()
    await shown_at(dialog, "openai-work")
    assert keyring.entries == {WORK: CANARY} and workspace.settings == before
    assert CANARY not in (tmp_path / "settings.toml").read_text()


async def test_undo_is_offered_also_when_the_page_of_the_account_is_gone_first(open_at, workspace, monkeypatch):
    await add_work(workspace)
    dialog, detail = await open_at("openai-work")
    change = workspace.change_settings
    held = asyncio.Event()

    async def change_slowly(changes):
        await change(changes)
        await held.wait()

    monkeypatch.setattr(workspace.accounts, "_change_settings", change_slowly)
    detail.accounts.button.click()
    await until(lambda: not isValid(detail))
    held.set()
    await until(dialog.providers.toast.isVisible)
    dialog.providers.toast.act()
    await shown_at(dialog, "openai-work")


async def test_a_removal_that_fails_is_told_and_the_account_stays(open_at, workspace, monkeypatch):
    await add_work(workspace)
    dialog, detail = await open_at("openai-work")

    def refuse(_settings):
        raise SettingsError("The disk is full", "Make room.")

    monkeypatch.setattr(workspace.registry.settings_file, "save", refuse)
    detail.accounts.button.click()
    await until(detail.accounts.notice.isVisible)
    assert detail.accounts.notice.text == "The disk is full"
    assert "Work" in titles(dialog) and detail.accounts.button.isEnabled()


async def test_what_comes_with_agdesk_has_no_button_that_removes_it(open_at):
    _, detail = await open_at("openai")
    assert detail.accounts.button.text() == "Add account…"
    await asyncio.sleep(0)
