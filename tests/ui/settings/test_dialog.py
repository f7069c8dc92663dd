"""The dialog as a whole: its pages, the search, the keyboard, names for those who do not see it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget

from agdesk.core.errors import ConfigurationError
from agdesk.core.providers.llama_server import LlamaState
from agdesk.core.workspace import ProviderEntry
from agdesk.ui.theme import current_theme
from tests.ui.settings.workspaces import press, type_text, until


def shown_rows(dialog):
    return [row.field.key for form in dialog.forms.forms for row in form.card.rows if row.isVisible()]


def shown_texts(dialog):
    labels = dialog.forms.findChildren(QLabel)
    return [label.text() for label in labels if label.isVisible()]


async def test_pages_stand_in_the_order_of_the_model_with_further_ones_last(open_dialog):
    shortcuts = QLabel("Ctrl+T")
    dialog = open_dialog(pages=(("Shortcuts", shortcuts),))
    titles = [dialog.page_list.item(row).text() for row in range(dialog.page_list.count())]
    assert titles == [
        "Appearance", "Chat", "Reading", "Built-in model", "Providers", "Models",
        "Network", "Traces", "Notifications", "Shortcuts",
    ]  # fmt: skip
    assert not dialog.isModal()
    dialog.open_page("Shortcuts")
    assert shortcuts.isVisible()
    assert "Shortcuts" in [label.text() for label in shortcuts.parentWidget().findChildren(QLabel)]  # its heading
    assert shortcuts.geometry().left() > 0
    assert dialog.page_list.current() == "Shortcuts"


async def test_a_page_is_opened_by_the_name_of_its_section_or_from_the_list(open_dialog):
    dialog = open_dialog()
    assert shown_rows(dialog) == ["appearance.theme", "appearance.scale", "appearance.language"]
    dialog.open_page("trace")
    assert shown_rows(dialog) == ["trace.budget_mb"]
    dialog.page_list.setFocus()
    press(dialog.page_list, Qt.Key.Key_Down)
    assert shown_rows(dialog) == ["notifications.answer_ended"]
    dialog.open_page("no such page")
    assert shown_rows(dialog) == ["notifications.answer_ended"]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("theme", ["appearance.theme"]),
        ("MEMORY", ["builtin_model.n_ctx"]),  # the description
        ("ctrl+enter", ["chat.send_key"]),  # a choice
        ("简体", ["appearance.language"]),  # a language goes by its own name
        ("traces", ["trace.budget_mb"]),  # the page
        ("proxy address", ["network.proxy_url"]),
    ],
)
async def test_a_search_shows_the_rows_that_match_under_the_titles_of_their_pages(open_dialog, text, rows):
    dialog = open_dialog()
    type_text(dialog.search, text)
    await until(lambda: dialog.providers.entries)
    assert shown_rows(dialog) == rows
    section = rows[0].partition(".")[0]
    title = next(form.section.title for form in dialog.forms.forms if form.section.name == section)
    assert title in shown_texts(dialog)


async def test_a_row_that_was_found_works(open_dialog, row_of, workspace):
    dialog = open_dialog()
    type_text(dialog.search, "desktop")
    press(row_of(dialog, "appearance.theme").control.editor, Qt.Key.Key_Down)
    await until(lambda: workspace.settings.appearance.theme == "light")
    assert row_of(dialog, "appearance.theme").isVisible()


async def test_a_search_finds_providers_and_leads_to_them(open_dialog):
    dialog = open_dialog()
    type_text(dialog.search, "groq")
    await until(lambda: any(b.text() == "Groq" for b in dialog.forms.findChildren(QPushButton) if b.isVisible()))
    assert shown_rows(dialog) == []
    next(b for b in dialog.forms.findChildren(QPushButton) if b.isVisible() and b.text() == "Groq").click()
    await until(lambda: dialog.providers.detail() is not None and dialog.providers.detail().entry.id == "groq")
    assert dialog.search.text() == ""
    assert dialog.page_list.current() == "providers"
    dialog.close()


async def test_a_search_finds_what_a_provider_has_and_pages_of_others(open_dialog):
    dialog = open_dialog(pages=(("Shortcuts", QWidget()),))
    type_text(dialog.search, "certificate")
    assert [b.text() for b in dialog.forms.findChildren(QPushButton) if b.isVisible()] == [
        "Extra certificate authority"
    ]
    dialog.search.setText("shortcuts")
    (button,) = [b for b in dialog.forms.findChildren(QPushButton) if b.isVisible()]
    button.click()
    assert dialog.page_list.current() == "Shortcuts"
    await until(lambda: dialog.providers.entries)


async def test_a_search_without_a_result_says_so_and_can_be_cleared(open_dialog):
    dialog = open_dialog()
    dialog.open_page("chat")
    type_text(dialog.search, "xyzzy")
    await until(lambda: dialog.providers.entries)
    assert dialog.forms.empty.isVisible()
    assert shown_rows(dialog) == []
    dialog.forms.empty.buttons[0].click()
    assert not dialog.forms.empty.isVisible()
    assert shown_rows(dialog) == ["chat.send_key", "chat.default_model"]


async def test_escape_clears_the_search_first_and_then_closes(open_dialog):
    dialog = open_dialog()
    dialog.search.setText("theme")
    press(dialog, Qt.Key.Key_Escape)
    assert dialog.search.text() == ""
    assert dialog.isVisible()
    press(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    await until(lambda: dialog.providers.entries)


async def test_ctrl_f_goes_to_the_search(open_dialog, row_of, qtbot):
    dialog = open_dialog()
    dialog.activateWindow()
    await until(dialog.isActiveWindow)
    row_of(dialog, "appearance.theme").control.editor.setFocus()
    QTest.keyClick(dialog, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    await until(dialog.search.hasFocus)


async def test_enter_in_a_field_presses_no_button(open_dialog, row_of, workspace):
    await workspace.change_settings({"chat.default_model": "openai/gpt-5"})
    dialog = open_dialog()
    dialog.open_page("chat")
    press(row_of(dialog, "chat.default_model").control.editor, Qt.Key.Key_Return)
    assert dialog.isVisible()
    assert len(workspace.changes) == 1


async def test_every_control_that_takes_the_focus_has_a_name_and_can_be_reached_by_tab(open_dialog):
    dialog = open_dialog()
    dialog.open_provider("openai")
    await until(lambda: dialog.providers.detail() is not None)
    panel = dialog.providers.detail().key_panel
    for show in (panel.enter_key, panel.choose_variable):
        show()
        takers = [w for w in dialog.findChildren(QWidget) if w.focusPolicy() & Qt.FocusPolicy.TabFocus]
        unnamed = [w for w in takers if w.isVisible() and not w.accessibleName() and not w.focusProxy()]
        assert unnamed == []
    chain, widget = [], dialog.nextInFocusChain()
    while widget is not dialog:
        chain.append(widget)
        widget = widget.nextInFocusChain()
    assert {dialog.search, dialog.page_list, dialog.providers.search, panel.variable_form.use_button} <= set(chain)
    dialog.close()


async def test_every_title_is_the_label_of_its_control(open_dialog):
    dialog = open_dialog()
    for form in dialog.forms.forms:
        for row in form.card.rows:
            assert row.title.buddy() is row.control.editor
            assert row.control.editor.accessibleName() == row.field.title


async def test_a_settings_file_that_cannot_be_read_is_told_at_the_top_until_it_is_mended(open_dialog, workspace):
    workspace.file.path.write_text("version = 2\n[appearance\n")
    dialog = open_dialog()
    assert dialog.problem.isVisible()
    assert "line 2" in dialog.problem.text
    await workspace.change_settings({"appearance.theme": "dark"})
    assert dialog.problem.isHidden()


async def test_nothing_sticks_out_of_the_smallest_window(open_dialog, workspace):
    workspace.entries = (ProviderEntry("cn", "深度求索" * 20, "KEY_" * 30, True, "https://" + "a" * 300, False),)
    dialog = open_dialog()
    dialog.resize(dialog.minimumSize())
    assert (dialog.width(), dialog.height()) == (740, 520)
    assert dialog.forms.widget().minimumSizeHint().width() <= dialog.forms.viewport().width()
    dialog.open_provider("cn")
    await until(lambda: dialog.providers.detail() is not None)
    detail = dialog.providers.detail()
    await until(lambda: detail.key_panel.source.text() == "No key")
    for show in (detail.key_panel.enter_key, detail.key_panel.choose_variable):
        show()
        QApplication.processEvents()
        assert detail.widget().minimumSizeHint().width() <= detail.viewport().width()
    dialog.close()


async def test_its_size_is_kept_by_its_owner(open_dialog, workspace, qtbot):
    first = open_dialog()
    first.resize(780, 600)
    geometry = first.saveGeometry()
    second = open_dialog()
    assert second.restoreGeometry(geometry)
    assert (second.width(), second.height()) == (780, 600)


async def test_a_closed_dialog_can_be_shown_again(open_dialog, workspace):
    dialog = open_dialog()
    dialog.close()
    await workspace.change_settings({"appearance.theme": "dark"})
    dialog.show()
    assert dialog.forms.forms[0].card.rows[0].control.value() == "dark"


async def test_its_texts_follow_the_theme(open_dialog):
    dialog = open_dialog()
    label = dialog.forms.forms[0].card.rows[0].title
    current_theme().apply("dark", scale=1.0)
    assert label.palette().windowText().color() == current_theme().color("text")


async def test_what_was_found_is_reached_by_tab_and_by_down_and_the_search_stays(open_dialog):
    dialog = open_dialog()
    dialog.activateWindow()
    await until(dialog.isActiveWindow)
    dialog.search.setText("proxy")
    QTest.keyClick(dialog.search, Qt.Key.Key_Down)
    assert dialog.forms.isAncestorOf(dialog.focusWidget())
    dialog.search.setFocus()
    QTest.keyClick(dialog.search, Qt.Key.Key_Tab)
    assert dialog.focusWidget() is dialog.page_list
    assert "network.proxy" in shown_rows(dialog) and dialog.search.text() == "proxy"
    QTest.keyClick(dialog.page_list, Qt.Key.Key_Return)
    assert (shown_rows(dialog)[0], dialog.search.text()) == ("appearance.theme", "")


async def test_a_dialog_that_is_shown_again_has_the_cursor_in_its_search(open_dialog):
    dialog = open_dialog()
    dialog.forms.forms[0].card.rows[0].control.editor.setFocus()
    dialog.close()
    dialog.show()
    assert dialog.focusWidget() is dialog.search


# --- the built-in model ---


@pytest.fixture
def builtin(open_dialog):
    dialog = open_dialog()
    dialog.open_page("builtin_model")
    return next(form for form in dialog.forms.forms if form.section.name == "builtin_model").footer


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (LlamaState.STOPPED, "Not started"),
        (LlamaState.STARTING, "Starting"),
        (LlamaState.RUNNING, "Running"),
        (LlamaState.CRASHED, "crashed"),
    ],
)
async def test_the_state_of_the_built_in_model_is_followed(builtin, workspace, state, words):
    workspace.registry.llama.become(state)
    assert words in builtin.state.text()


async def test_restart_starts_the_built_in_model_once_for_two_clicks(builtin, workspace):
    builtin.restart_button.click()
    builtin.restart_button.click()
    await until(lambda: workspace.registry.llama.state is LlamaState.RUNNING and builtin.restart_button.isEnabled())
    assert workspace.registry.llama.calls == ["aclose", "acquire"]


async def test_a_start_that_fails_says_why_and_can_be_tried_again(builtin, workspace):
    workspace.registry.llama.failure = ConfigurationError("The model cannot run", "Check the file.")
    builtin.restart_button.click()
    await until(builtin.notice.isVisible)
    assert builtin.notice.text == "The model cannot run"
    workspace.registry.llama.failure = None
    builtin.restart_button.click()
    await until(lambda: workspace.registry.llama.state is LlamaState.RUNNING)
    assert builtin.notice.isHidden()
