"""The page of what models refused: listed, forgotten at once, and how it looks when that fails (E07)."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from agdesk.core.errors import SettingsError
from agdesk.ui.settings.refused_parameters import RefusedParameters
from tests.ui.settings.workspaces import press, until

REFUSED = {
    "models.openai/gpt-5.refused": ["max_tokens", "temperature"],
    "models.openrouter/a/b.c.refused": ["stream_options"],
}


def page_of(dialog):
    dialog.open_page("models")
    (page,) = dialog.findChildren(RefusedParameters)
    assert page.isVisible()
    return page


def listed(page):
    items = [page.list.item(row) for row in range(page.list.count())]
    return [item.data(Qt.ItemDataRole.AccessibleTextRole) for item in items]


async def test_nothing_to_forget_is_said(open_dialog):
    page = page_of(open_dialog())
    assert not page.list.isVisible() and not page.forget_button.isEnabled()


async def test_what_was_refused_is_listed_with_its_model_and_forgotten_at_once(open_dialog, workspace):
    page = page_of(open_dialog())
    await workspace.change_settings(REFUSED)
    assert listed(page) == ["max_tokens, openai/gpt-5", "temperature, openai/gpt-5", "stream_options, openrouter/a/b.c"]
    page.list.setCurrentRow(1)
    assert page.forget_button.accessibleName() == "Forget that openai/gpt-5 refused temperature"
    page.forget_button.setFocus()
    press(page.forget_button, Qt.Key.Key_Return)
    await until(lambda: len(listed(page)) == 2)
    assert workspace.settings.models["openai/gpt-5"].refused == ["max_tokens"]


async def test_a_search_finds_the_page_by_what_it_says(open_dialog):
    dialog = open_dialog()
    dialog.search.setText("refused")
    (button,) = [b for b in dialog.forms.findChildren(QPushButton) if b.isVisible()]
    button.click()
    assert dialog.page_list.current() == "models"
    await until(lambda: dialog.providers.entries)


async def test_with_its_last_one_a_model_leaves_the_settings(open_dialog, workspace):
    page = page_of(open_dialog())
    await workspace.change_settings({"models.openrouter/a/b.c.refused": ["stream_options"]})
    page.forget_button.click()
    await until(lambda: listed(page) == [])
    assert workspace.settings.models == {}
    assert "models" not in workspace.file.path.read_text()


async def test_what_cannot_be_forgotten_stays_with_the_reason(open_dialog, workspace, monkeypatch):
    page = page_of(open_dialog())
    await workspace.change_settings({"models.a/b.refused": ["x"]})

    async def fail(_changes):
        raise SettingsError("The file cannot be written", "Check the disk.")

    monkeypatch.setattr(workspace, "change_settings", fail)
    page.forget_button.click()
    await until(lambda: page.problem.isVisible())
    assert page.problem.text == "The file cannot be written" and listed(page) == ["x, a/b"]
