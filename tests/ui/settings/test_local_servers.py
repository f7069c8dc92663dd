"""The search for servers on this machine, as it is seen."""

import asyncio

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from agdesk.core.providers.base import ModelInfo
from agdesk.core.providers.local_servers import LocalServer
from tests.ui.settings.workspaces import press, type_text, until

_NAMES = ("llama3.2:3b", "qwen3:8b")
OLLAMA = LocalServer("local", "http://127.0.0.1:11434/api", tuple(ModelInfo(name, name) for name in _NAMES))
EMPTY = LocalServer("groq", "http://127.0.0.1:1234/v1", (), left_out=2)
LOCKED = LocalServer("openai", "http://127.0.0.1:4000/v1", None)


class Search:
    """Stands for the search; ``gate`` holds it back."""

    def __init__(self):
        self.servers = ()
        self.gate = asyncio.Event()
        self.gate.set()
        self.count = self.cancelled_count = 0

    async def __call__(self):
        self.count += 1
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.cancelled_count += 1
            raise
        return self.servers


@pytest.fixture
def search(workspace):
    workspace.find_local_servers = Search()
    return workspace.find_local_servers


@pytest.fixture
def begin(open_dialog, search):
    """Opens the page and presses the button; gives the page."""

    async def begin_it(*servers):
        search.servers = servers
        dialog = open_dialog()
        dialog.open_page("providers")
        await until(lambda: dialog.providers.entries and dialog.providers.detail())
        dialog.providers.find_button.click()
        return dialog.providers

    return begin_it


async def test_what_answers_is_listed_with_name_address_and_models(begin):
    page = await begin(OLLAMA, EMPTY, LOCKED)
    view = page.local_servers
    await until(lambda: view.rows)
    assert [row.facts.text() for row in view.rows] == [
        "http://127.0.0.1:11434/api · models: 2",
        "http://127.0.0.1:1234/v1 · has no model yet · cannot be shown: 2",
        "http://127.0.0.1:4000/v1 · wants a key before it lists its models",
    ]
    assert [row.use_button.isVisible() for row in view.rows] == [True, False, False]
    assert [row.open_button.isVisible() for row in view.rows] == [True, True, True]
    assert view.state.text() == "Servers found: 3"
    assert view.rows[0].use_button.accessibleName() == "Use Local server for new conversations"
    assert page.list.current() == "" and view.cancel_button.isHidden()


async def test_a_model_becomes_that_of_new_conversations_and_undo_takes_it_back(begin, workspace):
    page = await begin(OLLAMA)
    view = page.local_servers
    await until(lambda: view.rows)
    before = workspace.settings.chat.default_model
    view.rows[0].box.setCurrentText("qwen3:8b")
    view.rows[0].use_button.click()
    await until(lambda: workspace.settings.chat.default_model == "local/qwen3:8b")
    await until(page.toast.isVisible)
    assert "local/qwen3:8b" in page.toast.label.text()
    assert view.isVisible(), "the list of what was found stays"
    page.toast.act()
    await until(lambda: workspace.settings.chat.default_model == before)


async def test_the_settings_of_a_server_that_was_found_can_be_opened(begin):
    page = await begin(OLLAMA, LOCKED)
    await until(lambda: page.local_servers.rows)
    page.local_servers.rows[1].open_button.click()
    await until(lambda: page.detail() is not None and page.detail().entry.id == "openai")
    assert page.local_servers.isHidden()


async def test_when_nothing_answers_the_next_step_is_offered(begin, search):
    page = await begin()
    view = page.local_servers
    await until(view.nothing.isVisible)
    assert view.state.text() == "Nothing answers at the addresses of Local server."
    search.servers = (OLLAMA,)
    view.nothing.buttons[0].click()
    await until(lambda: view.rows)
    assert view.nothing.isHidden() and search.count == 2


async def test_the_keyboard_stays_where_the_search_is_when_it_is_begun_again(begin, search):
    view = (await begin(OLLAMA)).local_servers
    await until(lambda: view.rows)
    search.gate.clear()
    view.again_button.setFocus()
    press(view.again_button, Qt.Key.Key_Space)
    assert view.window().focusWidget() is view.cancel_button
    search.servers = ()
    search.gate.set()
    await until(view.nothing.isVisible)
    again = view.nothing.buttons[0]
    assert view.window().focusWidget() is again
    search.gate.clear()
    press(again, Qt.Key.Key_Space)
    assert view.window().focusWidget() is view.cancel_button
    search.gate.set()
    await until(lambda: not view.is_looking)


async def test_the_search_can_be_cancelled_and_gives_back_what_was_there(begin, search):
    search.gate.clear()
    page = await begin(OLLAMA)
    view = page.local_servers
    await until(lambda: search.count)
    assert view.state.text() == "Asking at the addresses of Local server…"
    assert view.cancel_button.isVisible() and view.is_looking
    press(view.cancel_button, Qt.Key.Key_Space)
    await until(lambda: search.cancelled_count)
    assert page.detail().entry.id == "groq" and not view.is_looking


async def test_the_search_is_found_among_the_settings(open_dialog, search):
    search.servers = (OLLAMA,)
    dialog = open_dialog()
    type_text(dialog.search, "local servers")
    await until(lambda: [button for button in links(dialog) if button.text() == "Find local servers"])
    next(button for button in links(dialog) if button.text() == "Find local servers").click()
    await until(lambda: dialog.providers.local_servers.rows)
    assert dialog.page_list.current() == "providers" and dialog.providers.local_servers.isVisible()


def links(dialog):
    return [button for button in dialog.forms.findChildren(QPushButton) if button.property("link")]


async def test_a_search_ends_when_nobody_sees_it_any_more(begin, search):
    search.gate.clear()
    page = await begin(OLLAMA)
    await until(lambda: search.count)
    page.window().close()
    await until(lambda: search.cancelled_count)
