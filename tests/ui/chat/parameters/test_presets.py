"""Presets in a conversation: saved, applied, renamed, deleted, and what new conversations begin with."""

import asyncio

import pytest
from PySide6.QtWidgets import QInputDialog

from agdesk.core.ir.request import RequestParameters
from agdesk.core.settings.presets import Preset, Presets
from agdesk.ui.bridge import DrainTimer
from agdesk.ui.chat import ChatTab
from agdesk.ui.main_window import MainWindow
from agdesk.ui.theme import apply_theme
from tests.ui.chat.ledger.conversations import OPENAI, conversation
from tests.ui.main_window.conftest import end, until

SOME = RequestParameters(seed=7, temperature=0.5)


@pytest.fixture(autouse=True)
def theme(qapp):
    apply_theme(qapp, "light")


@pytest.fixture
def open_tab(qtbot, tmp_path):
    """A conversation, its workspace, and what it offered to undo."""
    opened = []

    async def opening():
        workspace, session = conversation(tmp_path, model_ref=OPENAI)
        await asyncio.to_thread(workspace.load_models)
        tab = ChatTab(workspace, session, DrainTimer())
        qtbot.addWidget(tab)
        tab.resize(900, 800)
        tab.show()
        opened.append(tab)
        offers = []
        tab.branches.undo_offered.connect(lambda text, undo: offers.append((text, undo)))
        return tab, workspace, offers

    yield opening
    for tab in opened:
        tab.close_session()


def labels(menu):
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def choose(tab, *path):
    """Triggers an entry of the menu of presets."""
    menu = tab.parameters.presets.make_menu()
    for title in path[:-1]:
        menu = next(action.menu() for action in menu.actions() if action.text() == title)
    next(action for action in menu.actions() if action.text() == path[-1]).trigger()


def names(workspace):
    return [preset.name for preset in workspace.presets.all()]


async def save(tab, workspace, name, parameters=SOME, prompt="Be brief."):
    tab.session.parameters, tab.session.system_prompt = parameters, prompt
    tab.parameters.presets.save(name)
    await until(lambda: name in names(workspace))


async def test_what_is_set_is_saved_under_a_name_that_is_asked_for(open_tab, tmp_path):
    tab, workspace, offers = await open_tab()
    tab.session.parameters, tab.session.system_prompt = SOME, "Be brief."
    assert labels(tab.parameters.presets.make_menu()) == ["No presets yet", "Save as preset…"]
    choose(tab, "Save as preset…")
    (dialog,) = tab.findChildren(QInputDialog)
    dialog.setTextValue("  my \n preset ")
    dialog.accept()
    await until(lambda: offers)
    (kept,) = Presets(tmp_path, redact=str).all()
    assert (kept.name, kept.parameters, kept.system_prompt) == ("my preset", SOME, "Be brief.")
    text, undo = offers[-1]
    assert text == "Saved “my preset”"
    undo()
    await until(lambda: names(workspace) == [])
    tab.parameters.presets.save("   ")
    assert names(workspace) == []
    await workspace.aclose()


async def test_a_name_that_is_there_is_replaced_and_that_can_be_undone(open_tab):
    tab, workspace, offers = await open_tab()
    await save(tab, workspace, "one")
    tab.session.system_prompt = "Be verbose."
    tab.parameters.presets.save("one")
    await until(lambda: len(offers) == 2)
    assert names(workspace) == ["one"] and workspace.presets.named("one").system_prompt == "Be verbose."
    assert offers[-1][0] == "Replaced “one”"
    offers[-1][1]()
    await until(lambda: workspace.presets.named("one").system_prompt == "Be brief.")
    await workspace.aclose()


async def test_applying_asks_nothing_shows_in_the_panel_and_can_be_undone(open_tab):
    tab, workspace, offers = await open_tab()
    await save(tab, workspace, "brief & exact")
    tab.session.parameters, tab.session.system_prompt = RequestParameters(top_p=0.1), "Before"
    tab.parameters.set_open(True)
    editor = tab.parameters.panel.prompt.editor
    editor.setFocus()
    choose(tab, "brief && exact")
    assert (tab.session.parameters, tab.session.system_prompt) == (SOME, "Be brief.")
    assert editor.toPlainText() == "Be brief."
    assert tab.parameters.button.accessibleName() == "Parameters: 3 set, 1 not in force"
    (checked,) = [action for action in tab.parameters.presets.make_menu().actions() if action.isChecked()]
    assert checked.text() == "brief && exact"
    assert offers[-1][0] == "Applied “brief & exact”"
    offers[-1][1]()
    assert (tab.session.parameters, tab.session.system_prompt) == (RequestParameters(top_p=0.1), "Before")
    assert editor.toPlainText() == "Before"
    await workspace.aclose()


async def test_renaming_and_a_name_that_another_one_has(open_tab):
    tab, workspace, _ = await open_tab()
    await save(tab, workspace, "one")
    await save(tab, workspace, "two")
    choose(tab, "Rename", "two")
    (dialog,) = tab.findChildren(QInputDialog)
    assert dialog.textValue() == "two"
    dialog.setTextValue("three")
    dialog.accept()
    await until(lambda: names(workspace) == ["one", "three"])
    tab.parameters.presets.rename(workspace.presets.named("three"), "one")
    assert tab.notice.label.text() == "There is a preset “one” already."
    tab.parameters.presets.rename(workspace.presets.named("three"), "three")
    assert names(workspace) == ["one", "three"]
    await workspace.aclose()


async def test_deleting_can_be_undone_and_brings_the_default_back(open_tab):
    tab, workspace, offers = await open_tab()
    await save(tab, workspace, "one")
    await save(tab, workspace, "two")
    choose(tab, "New conversations begin with", "one")
    await until(lambda: workspace.presets.default == workspace.presets.named("one"))
    choose(tab, "Delete", "one")
    await until(lambda: names(workspace) == ["two"])
    assert workspace.presets.default is None and offers[-1][0] == "Deleted the preset “one”"
    offers[-1][1]()
    await until(lambda: workspace.presets.default is not None)
    assert names(workspace) == ["one", "two"] and workspace.presets.default == workspace.presets.named("one")
    choose(tab, "New conversations begin with", "Nothing set")
    await until(lambda: workspace.presets.default is None)
    await workspace.aclose()


async def test_what_cannot_be_written_is_told(open_tab, tmp_path):
    tab, workspace, _ = await open_tab()
    assert names(workspace) == []
    (tmp_path / "presets.json").mkdir()
    tab.parameters.presets.save("one")
    await until(tab.notice.isVisible)
    assert "presets.json cannot be written" in tab.notice.label.text()
    await workspace.aclose()


async def test_new_conversations_begin_with_the_default_and_the_palette_applies_any(qapp, tmp_path):
    workspace, _ = conversation(tmp_path, model_ref=OPENAI)
    await asyncio.to_thread(workspace.load_models)
    preset = Preset("gardener", SOME, "You are a gardener.")
    await workspace.presets.put(preset)
    await workspace.presets.set_default(preset.id)
    window = MainWindow(workspace)
    window.show()
    first = window.current_tab.session
    assert (first.parameters, first.system_prompt) == (SOME, "You are a gardener.")
    await workspace.presets.set_default(None)
    chat = window.open_tab()
    assert chat.session.parameters == RequestParameters()
    (entry,) = window._dialogs._preset_entries("gard")
    entry.run()
    assert (chat.session.parameters, chat.session.system_prompt) == (SOME, "You are a gardener.")
    window.notices.undo()
    assert chat.session.parameters == RequestParameters() and chat.session.system_prompt is None
    assert window._dialogs._preset_entries(" ") == []
    window.actions_registry["chat.save_preset"].trigger()
    (dialog,) = window.findChildren(QInputDialog)
    dialog.reject()
    await end(window, workspace)
    window.hide()
