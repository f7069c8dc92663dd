"""The page of the providers and their keys."""

import asyncio

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from agdesk.core.errors import ConfigurationError
from agdesk.core.providers.model_lists import Listing
from agdesk.core.settings.file import SettingsFile
from agdesk.core.settings.secrets import KeyringStatus
from tests.ui.settings.workspaces import LOCKED, press, type_text, until

SECRET = "sk-canary-7c1f"


@pytest.fixture
def open_provider(open_dialog):
    """Opens the dialog at a provider and waits until the source of its key is known."""

    async def open_it(provider_id="openai"):
        dialog = open_dialog()
        dialog.open_provider(provider_id)
        await until(lambda: is_at(dialog, provider_id) and dialog.providers.list.note(provider_id))
        panel = dialog.providers.detail().key_panel
        await until(lambda: panel._looking is None)
        return dialog, panel

    return open_it


def is_at(dialog, provider_id):
    detail = dialog.providers.detail()
    return detail is not None and detail.entry.id == provider_id


def kept_text(workspace):
    return workspace.file.path.read_text() if workspace.file.path.exists() else ""


async def test_the_list_says_where_each_key_comes_from(open_provider, workspace):
    await workspace.change_settings({"providers.groq.key": "keyring"})
    workspace.secrets.environment["OPENAI_API_KEY"] = SECRET
    dialog, _ = await open_provider("openai")
    note = dialog.providers.list.note
    await until(lambda: note("local"))
    assert note("openai") == "From OPENAI_API_KEY"
    assert note("groq") == "Key in the key store"
    assert note("local") == "Needs none"
    assert note("builtin") == "", "the built-in model has a page of its own"
    workspace.secrets.hold("groq", SECRET)
    await until(lambda: note("groq") == "For this session")
    await workspace.change_settings({"providers.groq.key": "env:MY_KEY"})
    workspace.secrets.held.clear()
    workspace.secrets.changed.emit("groq")
    await until(lambda: note("groq") == "MY_KEY is not set")


async def test_the_key_store_is_asked_for_the_chosen_provider_only(open_provider, workspace):
    dialog, _ = await open_provider("openai")
    await until(lambda: dialog.providers.list.note("local"))
    assert workspace.secrets.asked == ["openai"]
    dialog.providers.list.choose("local")
    await until(lambda: is_at(dialog, "local"))
    await asyncio.sleep(0)
    assert workspace.secrets.asked == ["openai"], "one that needs no key does not open an unlock dialog"


async def test_providers_can_be_searched(open_provider):
    dialog, _ = await open_provider()
    page = dialog.providers
    type_text(page.search, "GRO")
    assert [page.list.item(row).text() for row in range(page.list.count()) if not page.list.item(row).isHidden()] == [
        "Groq"
    ]
    type_text(page.search, "nothing like it")
    assert page.nothing.isVisible()
    press(page.search, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    assert page.list.isVisible()


async def test_the_keyboard_goes_from_the_search_to_the_first_that_was_found(open_provider):
    dialog, _ = await open_provider("openai")
    page = dialog.providers
    type_text(page.search, "GRO")
    page.list.setFocus()
    await until(lambda: is_at(dialog, "groq"))
    assert page.list.currentItem().text() == "Groq"


async def test_a_locked_key_store_is_not_taken_for_an_empty_one_and_can_be_asked_again(open_provider, workspace):
    await workspace.change_settings({"providers.openai.key": "keyring"})
    workspace.secrets.stored["openai"] = SECRET
    workspace.secrets.failure = LOCKED
    dialog, panel = await open_provider("openai")
    assert panel.source.text() == dialog.providers.list.note("openai") == "Cannot be read"
    assert "is locked" in panel.problem.text()
    workspace.secrets.failure = None
    panel.again_button.click()
    await until(lambda: panel.source.text() == "Key in the key store")
    assert dialog.providers.list.note("openai") == "Key in the key store"
    assert not panel.again_button.isVisible()


async def test_until_the_key_store_answers_the_panel_says_what_the_settings_say(open_dialog, workspace):
    await workspace.change_settings({"providers.openai.key": "keyring"})
    workspace.secrets.gate.clear()
    dialog = open_dialog()
    dialog.open_provider("openai")
    await until(lambda: is_at(dialog, "openai"))
    assert dialog.providers.detail().key_panel.source.text() == "Key in the key store"
    workspace.secrets.gate.set()
    await until(lambda: dialog.providers.detail().key_panel.source.text() == "No key")


async def test_rows_that_cannot_be_read_are_told(open_dialog, workspace):
    workspace.failure = ConfigurationError("openai.toml, field wire: missing", "Correct the file.")
    dialog = open_dialog()
    dialog.open_page("providers")
    await until(dialog.providers.problem.isVisible)
    assert "openai.toml" in dialog.providers.problem.text


async def test_a_base_url_is_checked_and_an_empty_one_shows_the_providers_own(open_provider, row_of, workspace):
    dialog, _ = await open_provider("openai")
    row = row_of(dialog, "providers.openai.base_url")
    assert row.control.editor.placeholderText() == "https://api.openai.com/v1"
    type_text(row.control.editor, "ftp://example.org")
    await until(lambda: row.error)
    assert workspace.settings.providers == {}
    type_text(row.control.editor, "https://example.org/v1")
    await until(lambda: workspace.settings.providers)
    assert workspace.settings.providers["openai"].base_url == "https://example.org/v1"


async def test_a_key_is_kept_in_the_key_store_and_nowhere_else(open_provider, workspace):
    _, panel = await open_provider()
    assert panel.source.text() == "No key"
    panel.add_button.click()
    field = panel.entry_form.field
    type_text(field, f"  {SECRET} ")
    panel.entry_form.keep_button.click()
    await until(lambda: workspace.settings.providers)
    await until(lambda: panel.source.text() == "Key in the key store")
    assert workspace.secrets.stored == {"openai": SECRET}
    assert SettingsFile(workspace.file.path).current().providers["openai"].key == "keyring"
    assert field.text() == ""
    assert not field.isUndoAvailable()
    assert SECRET not in kept_text(workspace)
    assert panel.add_button.text() == "Replace…"


async def test_a_key_never_shows_up_in_a_widget(open_provider, workspace):
    dialog, panel = await open_provider()
    panel.enter_key()
    type_text(panel.entry_form.field, SECRET)
    workspace.secrets.failure = LOCKED
    panel.entry_form.keep_button.click()
    await until(panel.notice.isVisible)
    for widget in [dialog, *dialog.findChildren(QWidget)]:
        seen = (widget.objectName(), widget.toolTip(), widget.accessibleName(), widget.accessibleDescription())
        assert SECRET not in "".join(seen)
        if isinstance(widget, QLineEdit):
            assert SECRET not in widget.displayText() + widget.placeholderText()
    panel.entry_form.give_up_button.click()
    assert panel.entry_form.field.text() == ""


async def test_a_key_store_that_refuses_is_told_with_two_ways_out(open_provider, workspace):
    _, panel = await open_provider()
    panel.enter_key()
    type_text(panel.entry_form.field, SECRET)
    workspace.secrets.failure = LOCKED
    press(panel.entry_form.field, Qt.Key.Key_Return)
    await until(panel.notice.isVisible)
    assert panel.notice.text == LOCKED.message
    assert [button.isVisible() for button in panel.notice.buttons] == [True, True]
    assert panel.entry_form.field.secret() == SECRET, "it need not be pasted again"
    panel.notice.buttons[0].click()
    await until(lambda: panel.source.text() == "For this session")
    assert workspace.secrets.held == {"openai": SECRET}
    assert panel.entry_form.field.text() == ""
    assert workspace.settings.providers == {}


async def test_the_other_way_out_is_an_environment_variable(open_provider, workspace, monkeypatch):
    monkeypatch.setenv("TEAM_OPENAI_KEY", SECRET)
    workspace.secrets.environment["TEAM_OPENAI_KEY"] = SECRET
    _, panel = await open_provider()
    panel.enter_key()
    type_text(panel.entry_form.field, SECRET)
    workspace.secrets.failure = LOCKED
    panel.entry_form.keep_button.click()
    await until(panel.notice.isVisible)
    panel.notice.buttons[1].click()
    form = panel.variable_form
    assert form.isVisible()
    assert form.variable() == "OPENAI_API_KEY"
    assert "is not set now" in form.state.text()
    assert form.box.findText("TEAM_OPENAI_KEY") >= 0
    form.box.setEditText("TEAM_OPENAI_KEY")
    assert form.state.text() == "TEAM_OPENAI_KEY is set now."
    form.use_button.click()
    await until(lambda: panel.source.text() == "From TEAM_OPENAI_KEY")
    assert workspace.settings.providers["openai"].key == "env:TEAM_OPENAI_KEY"
    assert SECRET not in kept_text(workspace)

    panel.reset_button.click()
    await until(lambda: panel.source.text() == "No key")
    assert workspace.settings.providers == {}
    assert panel.reset_button.isHidden()


async def test_a_name_that_no_variable_can_have_is_refused(open_provider, workspace):
    _, panel = await open_provider()
    panel.choose_variable()
    panel.variable_form.box.setEditText("NOT A NAME")
    panel.variable_form.use_button.click()
    await until(panel.notice.isVisible)
    assert panel.variable_form.variable() == "NOT A NAME"
    assert not any(button.isVisible() for button in panel.notice.buttons)
    assert workspace.settings.providers == {}


async def test_a_key_for_this_session_is_written_nowhere(open_provider, workspace):
    _, panel = await open_provider()
    panel.enter_key()
    type_text(panel.entry_form.field, "two words")
    panel.entry_form.hold_button.click()
    assert panel.notice.text == "The key has a blank inside"
    type_text(panel.entry_form.field, SECRET)
    panel.entry_form.hold_button.click()
    await until(lambda: panel.source.text() == "For this session")
    assert workspace.changes == []
    assert kept_text(workspace) == ""


async def test_a_key_is_removed_after_a_question(open_provider, workspace):
    workspace.secrets.stored["openai"] = SECRET
    await workspace.change_settings({"providers.openai.key": "keyring"})
    _, panel = await open_provider()
    assert panel.source.text() == "Key in the key store"
    panel.remove_button.click()
    assert panel.removal_form.isVisible()
    press(panel.removal_form, Qt.Key.Key_Escape)
    assert panel.main_buttons.isVisible()
    assert workspace.secrets.stored
    panel.remove_button.click()
    panel.removal_form.confirm_button.click()
    await until(lambda: panel.source.text() == "No key")
    assert workspace.secrets.stored == {}
    assert workspace.settings.providers == {}


async def test_a_removal_that_fails_is_told_and_changes_nothing(open_provider, workspace):
    workspace.secrets.stored["openai"] = SECRET
    await workspace.change_settings({"providers.openai.key": "keyring"})
    _, panel = await open_provider()
    workspace.secrets.failure = LOCKED
    panel.remove_button.click()
    panel.removal_form.confirm_button.click()
    await until(panel.notice.isVisible)
    assert panel.notice.text == LOCKED.message
    assert workspace.settings.providers["openai"].key == "keyring"


async def test_without_a_key_store_the_page_explains_and_offers_the_other_two(open_provider, workspace):
    workspace.secrets.status = KeyringStatus("keyring.backends.fail.Keyring", False, "There is no key store.")
    dialog, panel = await open_provider()
    page = dialog.providers
    await until(page.no_store.isVisible)
    assert "There is no key store." in page.no_store.text
    page.no_store.buttons[0].click()
    assert panel.entry_form.isVisible()
    type_text(panel.entry_form.field, SECRET)
    assert not panel.entry_form.keep_button.isEnabled()
    press(panel.entry_form.field, Qt.Key.Key_Return)
    await until(lambda: panel.source.text() == "For this session")
    page.no_store.buttons[1].click()
    assert panel.variable_form.isVisible()


# --- while the key store keeps one waiting ---


@pytest.fixture
def wait_for_store(open_provider, workspace):
    """A key has been entered and the key store does not answer."""

    async def wait():
        dialog, panel = await open_provider()
        panel.enter_key()
        type_text(panel.entry_form.field, SECRET)
        workspace.secrets.gate.clear()
        panel.entry_form.keep_button.click()
        await until(lambda: workspace.secrets.kept_count)
        return dialog, panel

    return wait


async def test_a_quick_key_store_is_not_worth_a_word(open_provider, workspace):
    _, panel = await open_provider()
    panel.enter_key()
    type_text(panel.entry_form.field, SECRET)
    appeared = []
    panel.wait_line.appeared.connect(lambda: appeared.append(1))
    panel.wait_line._delay.setInterval(60_000)
    panel.entry_form.keep_button.click()
    await until(lambda: panel.source.text() == "Key in the key store")
    assert appeared == []
    assert panel.wait_line.isHidden()


async def test_waiting_shows_and_can_be_given_up_without_losing_what_was_entered(wait_for_store, workspace):
    _, panel = await wait_for_store()
    await until(panel.wait_line.isVisible)
    assert not panel.entry_form.isEnabled()
    panel.wait_line.cancel_button.click()
    await until(panel.entry_form.isEnabled)
    assert panel.wait_line.isHidden()
    assert panel.entry_form.field.secret() == SECRET
    assert workspace.secrets.stored == {}
    assert workspace.settings.providers == {}


async def test_a_second_click_keeps_the_key_once(wait_for_store, workspace):
    _, panel = await wait_for_store()
    panel.entry_form.keep_requested.emit()
    panel.entry_form.keep_button.click()
    panel.entry_form.hold_requested.emit()
    workspace.secrets.gate.set()
    await until(lambda: panel.source.text() == "Key in the key store")
    assert workspace.secrets.kept_count == 1
    assert workspace.secrets.held == {}


async def test_closing_the_dialog_while_waiting_keeps_the_key_all_the_same(wait_for_store, workspace):
    dialog, panel = await wait_for_store()
    dialog.close()
    workspace.secrets.gate.set()
    await until(lambda: workspace.settings.providers)
    await until(lambda: panel._acting is None)
    assert workspace.settings.providers["openai"].key == "keyring"
    assert panel.entry_form.field.text() == ""


async def test_a_failure_behind_a_closed_dialog_leaves_no_key_in_it(wait_for_store, workspace):
    dialog, panel = await wait_for_store()
    dialog.close()
    workspace.secrets.failure = LOCKED
    workspace.secrets.gate.set()
    await until(lambda: panel._acting is None)
    assert panel.entry_form.field.text() == ""
    assert workspace.settings.providers == {}


async def test_a_dialog_that_is_deleted_while_waiting_disturbs_nothing(wait_for_store, workspace):
    dialog, _ = await wait_for_store()
    dialog.close()
    dialog.deleteLater()
    await asyncio.sleep(0.05)
    workspace.secrets.gate.set()
    await until(lambda: workspace.settings.providers)
    assert workspace.secrets.stored == {"openai": SECRET}


async def test_another_provider_can_be_chosen_while_waiting(wait_for_store, workspace):
    dialog, panel = await wait_for_store()
    dialog.providers.list.choose("local")
    await until(lambda: is_at(dialog, "local"))
    other = dialog.providers.detail().key_panel
    assert other.entry_form.field.text() == ""
    workspace.secrets.gate.set()
    await until(lambda: workspace.settings.providers)
    await until(lambda: panel._acting is None)
    assert list(workspace.secrets.stored) == ["openai"]
    assert other.source.text() == "Needs none"
    await until(lambda: dialog.providers.list.note("openai") == "Key in the key store")
    assert panel.entry_form.field.text() == ""


async def test_looking_for_a_key_is_given_up_when_the_dialog_closes(open_dialog, workspace):
    workspace.secrets.gate.clear()
    dialog = open_dialog()
    dialog.open_provider("openai")
    await until(lambda: workspace.secrets.asked)
    panel = dialog.providers.detail().key_panel
    await until(panel.wait_line.isVisible)
    dialog.close()
    await until(lambda: panel._looking is None)
    assert panel.wait_line.isHidden()


async def test_asking_for_the_models_shows_whether_key_and_address_are_right(open_provider, workspace):
    asked: list[str] = []
    failures = [ConfigurationError("There is no key for OpenAI", "Give it a key.")]

    async def refresh_models(provider_id):
        asked.append(provider_id)
        if failures:
            raise failures.pop()
        return Listing(17)

    workspace.refresh_models = refresh_models
    dialog, _ = await open_provider()
    bar = dialog.providers.detail().models
    assert bar.button.accessibleName() == "Refresh list of OpenAI" and not bar.others.isVisible()
    bar.button.setFocus()
    bar.button.click()
    bar.button.click()
    assert dialog.focusWidget() is bar.button, "the button that removes an account stands next"
    await until(lambda: bar.problem.text() == "There is no key for OpenAI. Give it a key.")
    bar.button.click()
    await until(lambda: bar.status.text() == "OpenAI lists 17 models.")
    assert asked == ["openai", "openai"] and not bar.problem.isVisible()
