"""Effort, button and panel in the header of a conversation."""

import asyncio

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from agdesk.core.ir.request import RequestParameters, ThinkingOptions
from agdesk.core.providers.scripted import text_answer
from agdesk.ui.bridge import DrainTimer
from agdesk.ui.chat import ChatTab
from agdesk.ui.main_window import MainWindow
from agdesk.ui.theme import apply_theme
from tests.ui.chat.ledger.conversations import ANTHROPIC, OPENAI, conversation
from tests.ui.main_window import stand_ins
from tests.ui.main_window.conftest import end, until

BUILTIN = "builtin/smollm2-135m"


@pytest.fixture(autouse=True)
def theme(qapp):
    apply_theme(qapp, "light")


@pytest.fixture
def open_tab(qapp, qtbot, tmp_path):
    """A conversation over the real rows of providers; ``is_warm``: they are known."""
    opened = []

    async def opening(*scripts, model_ref=OPENAI, is_warm=True):
        workspace, session = conversation(tmp_path, *scripts, model_ref=model_ref)
        if is_warm:
            await asyncio.to_thread(workspace.load_models)
        tab = ChatTab(workspace, session, DrainTimer())
        qtbot.addWidget(tab)
        tab.resize(900, 800)
        tab.show()
        tab.activateWindow()
        await until(lambda: QApplication.activeWindow() is tab)
        opened.append(tab)
        return tab, workspace, session

    yield opening
    for tab in opened:
        tab.close_session()


def words(tab):
    """What can be chosen of the effort."""
    box = tab.parameters.effort
    return [box.itemText(index).removeprefix("Thinking: ") for index in range(box.count())]


def pick(tab, word):
    box = tab.parameters.effort
    box.setCurrentIndex(words(tab).index(word))
    box.activated.emit(box.currentIndex())


async def test_the_button_tells_how_many_are_set(open_tab):
    tab, workspace, session = await open_tab()
    button = tab.parameters.button
    assert button.accessibleName() == "Parameters: none set"
    session.parameters = RequestParameters(seed=1, thinking=ThinkingOptions(effort="low"))
    session.system_prompt = "Be brief"
    assert button.accessibleName() == "Parameters: 3 set"
    await workspace.aclose()


async def test_the_button_warns_of_what_is_set_and_not_sent_to_the_chosen_model(open_tab):
    tab, workspace, session = await open_tab(model_ref=ANTHROPIC)
    button = tab.parameters.button
    session.parameters = RequestParameters(seed=1, max_tokens=5)
    assert button.accessibleName() == "Parameters: 2 set, 1 not in force"
    assert button.accessibleDescription() == "Seed: this provider has no word for it"
    assert "Seed: this provider has no word for it" in button.toolTip()
    assert button._words == "Parameters (2, 1 not in force)"
    session.model_ref = OPENAI
    tab.parameters.refresh()
    assert button.accessibleName() == "Parameters: 2 set"
    assert button.accessibleDescription() == ""
    await workspace.aclose()


async def test_the_button_warns_of_a_text_that_is_no_value_when_the_panel_is_closed(open_tab):
    tab, workspace, session = await open_tab()
    tab.parameters.set_open(True)
    QTest.keyClicks(tab.parameters.panel.rows["response_format"].control.editor, "{")
    tab.parameters.set_open(False)
    button = tab.parameters.button
    assert button.accessibleName() == "Parameters: none set, 1 not in force"
    assert button.accessibleDescription().startswith("Answer as JSON: ")
    assert session.parameters == RequestParameters()
    tab.parameters.panel.rows["response_format"].reset()
    assert button.accessibleName() == "Parameters: none set"
    await workspace.aclose()


async def test_the_panel_folds_out_and_in_and_gives_the_keyboard_back(open_tab):
    tab, workspace, _ = await open_tab()
    assert tab.parameters.panel is None
    QTest.mouseClick(tab.parameters.button, Qt.MouseButton.LeftButton)
    panel = tab.parameters.panel
    assert panel is not None and panel.isVisible() and tab.parameters.is_open
    panel.focus_first()
    QTest.keyClick(panel.prompt.editor, Qt.Key.Key_Escape)
    assert not panel.isVisible() and tab.focusWidget() is tab.composer
    tab.parameters.toggle()
    assert panel.isVisible() and tab.focusWidget() is panel.prompt.editor
    tab.parameters.toggle()
    assert not panel.isVisible() and tab.focusWidget() is tab.composer
    await workspace.aclose()


async def test_what_the_panel_sets_is_what_the_next_request_has(open_tab):
    tab, workspace, session = await open_tab(text_answer("one"), text_answer("two"), model_ref=ANTHROPIC)
    tab.parameters.set_open(True)
    panel = tab.parameters.panel
    QTest.keyClicks(panel.rows["temperature"].control.editor.lineEdit(), "0.5")
    QTest.keyClicks(panel.prompt.editor, "Be brief")
    await session.submit("Hello")
    provider = workspace.registry.get("anthropic")
    (request,) = provider.requests
    assert (request.temperature, request.top_p, request.seed) == (0.5, None, None)
    assert request.messages[0].content[0].text == "Be brief"
    panel.reset_button.click()
    await session.submit("Again")
    assert provider.requests[1].temperature is None and len(provider.requests[1].messages) == 3
    await workspace.aclose()


async def test_effort_and_panel_show_the_same_and_effort_is_hidden_where_it_is_no_question(open_tab):
    tab, workspace, session = await open_tab()
    tab.parameters.set_open(True)
    panel, effort = tab.parameters.panel, tab.parameters.effort
    assert effort.isVisible() and effort.currentText() == "Thinking: not sent"
    assert words(tab)[-4:] == ["minimal", "low", "medium", "high"]
    pick(tab, "high")
    assert session.parameters == RequestParameters(thinking=ThinkingOptions(effort="high"))
    assert panel.rows["thinking.effort"].control.value() == "high"
    panel.rows["thinking.effort"].reset_button.click()
    assert effort.currentText() == "Thinking: not sent" and session.parameters == RequestParameters()
    tab.picker.chosen.emit(BUILTIN)
    assert not effort.isVisible()
    assert panel.rows["thinking.effort"].note == "Cannot be set: this model does not think."
    await workspace.aclose()


async def test_thinking_can_be_switched_off_where_the_model_has_a_switch(open_tab):
    tab, workspace, session = await open_tab(model_ref="anthropic/claude-opus-4-8")
    pick(tab, "off")
    assert session.parameters.thinking == ThinkingOptions(is_enabled=False)
    pick(tab, "low")
    assert session.parameters.thinking == ThinkingOptions(effort="low")
    pick(tab, "on")
    assert session.parameters.thinking == ThinkingOptions(is_enabled=True)
    pick(tab, "not sent")
    assert session.parameters == RequestParameters()
    session.parameters = RequestParameters(thinking=ThinkingOptions(effort="ultra"))
    assert tab.parameters.effort.currentText() == "Thinking: ultra", "a word of another model"
    await workspace.aclose()


async def test_another_model_marks_what_it_does_not_take_and_the_first_has_it_again(open_tab):
    tab, workspace, session = await open_tab(model_ref=ANTHROPIC)
    tab.parameters.set_open(True)
    panel = tab.parameters.panel
    QTest.keyClicks(panel.rows["temperature"].control.editor.lineEdit(), "0.5")
    tab.picker.chosen.emit(OPENAI)
    row = panel.rows["temperature"]
    assert row.note == "Set, but not sent: this model refuses it." and session.parameters.temperature == 0.5
    assert workspace.parameters(OPENAI)[1].is_refused
    tab.picker.chosen.emit(ANTHROPIC)
    assert not row.note and row.control.isEnabled() and row.control.value() == 0.5
    await workspace.aclose()


async def test_what_a_model_refused_is_forgotten_in_the_settings(open_tab):
    tab, workspace, _ = await open_tab(model_ref="openai/gpt-4o")
    tab.parameters.set_open(True)
    row = tab.parameters.panel.rows["seed"]
    await workspace.correct_model("openai/gpt-4o", "refused", ["seed", "top_p"])
    await until(lambda: row.forget_button.isVisible())
    row.forget_button.click()
    await until(lambda: not row.forget_button.isVisible())
    assert workspace.settings.models["openai/gpt-4o"].refused == ["top_p"]
    assert row.control.isEnabled()
    await workspace.aclose()


async def test_a_provider_that_is_no_more_leaves_everything_settable_and_says_so(open_tab):
    tab, workspace, _ = await open_tab(model_ref="nowhere/model")
    tab.parameters.set_open(True)
    panel = tab.parameters.panel
    assert "nowhere" in panel.problem.text and panel.rows["seed"].control.isEnabled()
    tab.picker.chosen.emit(OPENAI)
    assert not panel.problem.isVisible()
    await workspace.aclose()


async def test_before_anything_is_known_of_models_it_waits_and_loads_nothing(open_tab):
    tab, workspace, session = await open_tab(is_warm=False)
    tab.parameters.set_open(True)
    session.parameters = RequestParameters(seed=1)
    assert tab.parameters.panel is None and tab.parameters.effort is None
    assert tab.parameters.button.accessibleName() == "Parameters: 1 set"
    await asyncio.to_thread(workspace.load_models)
    workspace.models_changed.emit(None)
    panel = tab.parameters.panel
    assert panel is not None and panel.isVisible() and panel.rows["seed"].control.value() == 1
    await workspace.aclose()


async def test_where_effort_is_no_question_the_action_opens_the_panel_on_its_row(open_tab):
    tab, workspace, _ = await open_tab(model_ref=BUILTIN)
    tab.parameters.choose_effort()
    panel = tab.parameters.panel
    assert panel.isVisible() and tab.focusWidget() is panel.prompt.editor
    assert panel.rows["thinking.effort"].note
    await workspace.aclose()


async def test_a_restart_brings_back_parameters_of_an_empty_conversation_and_the_open_panel(tmp_path, monkeypatch):
    stand_ins.install(monkeypatch)
    workspace, _ = conversation(tmp_path, model_ref=OPENAI)
    await asyncio.to_thread(workspace.load_models)
    window = MainWindow(workspace)
    window.show()
    tab = window.current_tab
    window.actions_registry["chat.parameters"].trigger()
    QTest.keyClicks(tab.parameters.panel.rows["seed"].control.editor.lineEdit(), "7")
    QTest.keyClicks(tab.parameters.panel.prompt.editor, "Be brief")
    state = window.state()
    assert state.tabs[0].has_parameters_open
    session_id = tab.session.id
    window.hide()
    await end(window, workspace)

    workspace, _ = conversation(tmp_path, model_ref=OPENAI)
    await asyncio.to_thread(workspace.load_models)
    window = MainWindow(workspace)
    window.restore(state)
    window.show()
    await until(lambda: window.current_tab is not None)
    tab = window.current_tab
    assert tab.session.id == session_id
    assert tab.parameters.is_open and tab.parameters.panel.isVisible()
    assert tab.parameters.panel.rows["seed"].control.value() == 7
    assert (tab.session.parameters, tab.session.system_prompt) == (RequestParameters(seed=7), "Be brief")
    window.hide()
    await end(window, workspace)
