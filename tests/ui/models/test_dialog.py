"""The matrix of all models: finding, sorting, correcting, copying."""

import asyncio
from typing import cast

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAccessible, QFocusEvent, QGuiApplication, QKeyEvent, QRegion
from PySide6.QtWidgets import QApplication

from agdesk.core.errors import SettingsError
from agdesk.core.workspace import Workspace
from agdesk.ui.models.dialog import ModelsDialog
from agdesk.ui.models.matrix import COLUMNS
from agdesk.ui.theme import apply_theme
from tests.ui.models.rows import FEW, FakeWorkspace, many, row
from tests.ui.settings.workspaces import press, type_text, until

Key = Qt.Key


@pytest.fixture
def open_dialog(qapp, qtbot):
    apply_theme(qapp, "light")
    qapp.setQuitOnLastWindowClosed(False)

    async def open_it(rows=FEW):
        workspace = FakeWorkspace(rows)
        dialog = ModelsDialog(cast(Workspace, workspace))
        qtbot.addWidget(dialog)
        dialog.show()
        await until(lambda: dialog.refresh.others.isVisible())
        return dialog, workspace

    yield open_it
    qapp.setQuitOnLastWindowClosed(True)


@pytest.fixture
def painted_areas():
    """What of a widget is painted again because of an action."""

    async def watch(widget, action):
        class Watch(QObject):
            def eventFilter(self, _watched, event):
                if event.type() == QEvent.Type.Paint:
                    areas.append(event.region())
                return False

        areas: list[QRegion] = []
        await asyncio.sleep(0.1)  # what was to be painted before
        watch = Watch()
        widget.installEventFilter(watch)
        action()
        await until(lambda: areas)
        return areas

    return watch


def shown(dialog):
    return [row.ref for row in dialog.table.matrix.rows]


def go_to(dialog, ref, column):
    dialog.table.setFocus()
    matrix = dialog.table.matrix
    dialog.table.setCurrentIndex(matrix.index(matrix.place(ref), COLUMNS.index(column)))


def cell(dialog, ref, column, role=Qt.ItemDataRole.DisplayRole):
    matrix = dialog.table.matrix
    return matrix.index(matrix.place(ref), COLUMNS.index(column)).data(role)


async def test_every_model_has_every_value_with_its_source_in_words(open_dialog):
    dialog, _ = await open_dialog()
    assert shown(dialog) == ["alpha/one", "alpha/two", "local/four", "beta/three"]
    assert cell(dialog, "alpha/one", "vision") == "yes"
    assert cell(dialog, "alpha/two", "vision") == "no"
    assert cell(dialog, "beta/three", "vision") == cell(dialog, "beta/three", "input_per_million") == "?"
    for role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
        assert "vision: yes (list)" in cell(dialog, "alpha/one", "vision", role)
        assert "input price: unknown" in cell(dialog, "beta/three", "input_per_million", role)
    assert "not set up" in cell(dialog, "beta/three", "model", Qt.ItemDataRole.AccessibleTextRole)


async def test_a_screen_reader_gets_the_cell_with_its_column_and_source(open_dialog):
    dialog, _ = await open_dialog()
    go_to(dialog, "alpha/one", "max_context_window")
    table = QAccessible.queryAccessibleInterface(dialog.table)
    spoken = table.focusChild().text(QAccessible.Text.Name)
    assert spoken == "window: 200\u2009000 tokens (list)"


async def test_search_and_filters_narrow_it_down_and_are_cleared_together(open_dialog):
    dialog, _ = await open_dialog()
    dialog.filters.chips["vision"].click()
    assert shown(dialog) == ["alpha/one", "local/four"]
    assert dialog.count.text() == "2 of 4 models, 1 more unknown"
    type_text(dialog.search, "zebra")
    assert dialog.nothing.isVisible() and not dialog.copy_button.isEnabled()
    dialog.nothing.buttons[0].click()
    assert len(shown(dialog)) == 4 and dialog.search.text() == ""


async def test_it_is_sorted_by_a_column_by_click_and_by_key_and_unknown_is_last_both_ways(open_dialog):
    dialog, _ = await open_dialog()
    window = COLUMNS.index("max_context_window")
    header = dialog.table.horizontalHeader()
    header.sectionClicked.emit(window)
    assert shown(dialog) == ["alpha/two", "local/four", "alpha/one", "beta/three"]
    header.sectionClicked.emit(window)
    assert shown(dialog) == ["alpha/one", "local/four", "alpha/two", "beta/three"]
    go_to(dialog, "beta/three", "model")
    by_name = ["local/four", "alpha/one", "beta/three", "alpha/two"]
    for key, expected in ((Key.Key_Up, by_name), (Key.Key_Down, by_name[::-1])):
        event = QKeyEvent(QKeyEvent.Type.KeyPress, key, Qt.KeyboardModifier.AltModifier)
        QApplication.sendEvent(dialog.table, event)
        assert shown(dialog) == expected
        assert dialog.table.current_row.ref == "beta/three", "the current model stays current"
    type_text(dialog.search, "alpha")
    assert shown(dialog) == ["alpha/two", "alpha/one"], "a search keeps the order that was asked for"


async def test_a_value_is_corrected_by_the_keyboard_and_taken_back(open_dialog):
    dialog, workspace = await open_dialog()
    go_to(dialog, "beta/three", "vision")
    assert "vision: unknown" in dialog.value.words.text() and not dialog.value.revert_button.isEnabled()
    press(dialog.table, Key.Key_Return)
    choice = dialog.value.choice
    assert dialog.focusWidget() is choice
    for key in (Key.Key_Down, Key.Key_Down, Key.Key_Up):
        press(choice, key)
    assert not workspace.corrections, "looking at the choices takes none"
    press(choice, Key.Key_Return)
    await until(lambda: cell(dialog, "beta/three", "vision") == "yes · you")
    assert workspace.corrections == [("beta/three", "vision", True)]
    assert dialog.focusWidget() is dialog.table and dialog.table.current_row.ref == "beta/three"
    assert "vision: yes (you)" in dialog.value.words.text()
    press(dialog.table, Key.Key_Delete)
    await until(lambda: cell(dialog, "beta/three", "vision") == "?")
    assert workspace.corrections[1:] == [("beta/three", "vision", None)]
    press(dialog.table, Key.Key_Delete)
    assert len(workspace.corrections) == 2, "there is nothing to take back"


@pytest.mark.parametrize(
    ("typed", "value"), [("128k", 128_000), ("1 048 576", 1_048_576), ("2M", 2_000_000), ("64,000", 64_000)]
)
async def test_a_window_is_typed_as_people_write_it(open_dialog, typed, value):
    dialog, workspace = await open_dialog()
    go_to(dialog, "beta/three", "max_context_window")
    press(dialog.table, Key.Key_F2)
    type_text(dialog.value.number, typed)
    press(dialog.value.number, Key.Key_Return)
    await until(lambda: cell(dialog, "beta/three", "max_context_window").endswith("· you"))
    assert workspace.corrections == [("beta/three", "max_context_window", value)]
    assert dialog.focusWidget() is dialog.table


@pytest.mark.parametrize("typed", ["many", "-5", "0", "1.5", "9" * 20, "k"])
async def test_what_is_no_number_of_tokens_is_refused_and_stays_there(open_dialog, typed):
    dialog, workspace = await open_dialog()
    go_to(dialog, "alpha/one", "max_context_window")
    press(dialog.table, Key.Key_Return)
    type_text(dialog.value.number, typed)
    press(dialog.value.number, Key.Key_Return)
    assert "no such value" in dialog.problem.text and not workspace.corrections
    assert dialog.focusWidget() is dialog.value.number and dialog.value.number.text() == typed
    press(dialog.value.number, Key.Key_Escape)
    assert dialog.isVisible() and dialog.focusWidget() is dialog.table
    assert dialog.value.number.text() == "200000"


async def test_leaving_the_editor_takes_what_it_shows(open_dialog):
    dialog, workspace = await open_dialog()
    go_to(dialog, "beta/three", "vision")
    press(dialog.table, Key.Key_Return)
    press(dialog.value.choice, Key.Key_Down)
    dialog.search.setFocus(Qt.FocusReason.MouseFocusReason)
    await until(lambda: cell(dialog, "beta/three", "vision") == "yes · you")
    go_to(dialog, "beta/three", "max_context_window")
    press(dialog.table, Key.Key_Return)
    type_text(dialog.value.number, "64k")
    dialog.table.setFocus(Qt.FocusReason.MouseFocusReason)
    await until(lambda: cell(dialog, "beta/three", "max_context_window").endswith("· you"))
    assert workspace.corrections == [("beta/three", "vision", True), ("beta/three", "max_context_window", 64_000)]
    for column in ("vision", "max_context_window"):
        go_to(dialog, "beta/three", column)
        press(dialog.table, Key.Key_Return)
        dialog.search.setFocus(Qt.FocusReason.TabFocusReason)
    assert len(workspace.corrections) == 2, "nothing was changed"


async def test_an_editor_that_only_opens_its_list_or_goes_takes_nothing(open_dialog):
    dialog, workspace = await open_dialog()
    go_to(dialog, "beta/three", "vision")
    press(dialog.table, Key.Key_Return)
    press(dialog.value.choice, Key.Key_Down)
    event = QFocusEvent(QFocusEvent.Type.FocusOut, Qt.FocusReason.PopupFocusReason)
    QApplication.sendEvent(dialog.value.choice, event)
    press(dialog.value.choice, Key.Key_Escape)
    assert dialog.focusWidget() is dialog.table and not workspace.corrections


async def test_what_does_not_change_a_value_corrects_nothing(open_dialog):
    dialog, workspace = await open_dialog()
    go_to(dialog, "alpha/one", "max_context_window")
    press(dialog.table, Key.Key_Return)
    press(dialog.value.number, Key.Key_Return)
    assert not workspace.corrections and dialog.focusWidget() is dialog.table


@pytest.mark.parametrize("column", ["model", "provider", "streaming", "system_prompt_in_messages"])
async def test_what_is_no_opinion_cannot_be_corrected(open_dialog, column):
    dialog, _ = await open_dialog()
    go_to(dialog, "alpha/one", column)
    press(dialog.table, Key.Key_Return)
    assert dialog.focusWidget() is dialog.table
    assert not any(part.isVisible() for part in (dialog.value.choice, dialog.value.number, dialog.value.revert_button))


async def test_a_correction_that_cannot_be_kept_says_why(open_dialog):
    dialog, workspace = await open_dialog()
    workspace.failure = SettingsError("The settings cannot be written", "Check the disk.")
    go_to(dialog, "alpha/one", "vision")
    dialog.value.choice.setCurrentIndex(dialog.value.choice.findData(False))
    dialog.value.choice.activated.emit(dialog.value.choice.currentIndex())
    await until(lambda: "cannot be written" in dialog.problem.text)
    assert cell(dialog, "alpha/one", "vision") == "yes"


async def test_a_row_is_copied_with_its_sources(open_dialog):
    dialog, _ = await open_dialog()
    go_to(dialog, "alpha/one", "vision")
    event = QKeyEvent(QKeyEvent.Type.KeyPress, Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    QApplication.sendEvent(dialog.table, event)
    by_key = QGuiApplication.clipboard().text()
    assert by_key.startswith("alpha/one: vision: yes (list), tools: yes (list), thinking: unknown, ")
    QGuiApplication.clipboard().clear()
    dialog.copy_button.click()
    assert QGuiApplication.clipboard().text() == by_key


async def test_the_list_of_the_current_models_provider_is_refreshed(open_dialog):
    dialog, workspace = await open_dialog()
    go_to(dialog, "beta/three", "model")
    assert dialog.refresh.button.text() == "Refresh list of Beta"
    press(dialog.table, Key.Key_F5)
    await until(lambda: "beta/new" in shown(dialog))
    assert dialog.table.current_row.ref == "beta/three" and workspace.refreshed == ["beta"]
    await until(lambda: "17" in dialog.refresh.status.text())


async def test_before_the_models_are_known_it_says_so(open_dialog):
    dialog, workspace = await open_dialog(())
    assert dialog.loading.isVisible() and dialog.count.text() == ""
    workspace.rows = FEW
    workspace.models_changed.emit(None)
    assert dialog.table.isVisible() and len(shown(dialog)) == 4


async def test_a_closed_matrix_listens_to_nobody_and_is_up_to_date_when_it_is_shown_again(open_dialog):
    dialog, workspace = await open_dialog()
    dialog.hide()
    workspace.rows = (row("x/y"),)
    workspace.models_changed.emit(None)
    assert len(shown(dialog)) == 4
    dialog.show()
    assert shown(dialog) == ["x/y"]
    dialog.refresh.menu.aboutToShow.emit()
    await until(lambda: dialog.refresh.button.text() == "Refresh list of X")


async def test_three_thousand_models_are_sorted_and_stay_where_they_are(open_dialog):
    dialog, workspace = await open_dialog(many())
    assert dialog.count.text() == "3 000 of 3 000 models"
    dialog.table.sort_by(COLUMNS.index("model"), Qt.SortOrder.DescendingOrder)
    go_to(dialog, "boreal/boreal-1501", "vision")
    place = dialog.table.verticalScrollBar().value()
    assert place > 0
    workspace.models_changed.emit(None)
    assert dialog.table.current_row.ref == "boreal/boreal-1501"
    assert dialog.table.verticalScrollBar().value() == place


@pytest.mark.parametrize("mode", ["light", "dark"])
async def test_it_is_painted_in_both_themes_and_directions(open_dialog, qapp, mode):
    apply_theme(qapp, mode)
    dialog, _ = await open_dialog((*FEW, row("a/b", vision=True, source={"vision": "user"}, name="x" * 300)))
    pictures = []
    for direction in (Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft):
        dialog.setLayoutDirection(direction)
        pictures.append(dialog.table.grab().toImage())
    assert pictures[0] != pictures[1]


async def test_after_revert_the_keyboard_is_in_the_table_and_not_on_what_asks_a_server(open_dialog):
    dialog, _ = await open_dialog()
    go_to(dialog, "alpha/one", "vision")
    dialog.value.edit()
    press(dialog.value.choice, Key.Key_Down)
    press(dialog.value.choice, Key.Key_Down)
    press(dialog.value.choice, Key.Key_Return)
    await until(dialog.value.revert_button.isEnabled)
    dialog.value.revert_button.setFocus()
    dialog.value.revert_button.click()
    await until(lambda: not dialog.value.revert_button.isEnabled())
    assert dialog.focusWidget() is dialog.table


async def test_the_whole_rows_are_painted_anew_when_another_model_is_current(open_dialog, painted_areas):
    dialog, _ = await open_dialog()
    go_to(dialog, "alpha/one", "vision")
    areas = await painted_areas(dialog.table.viewport(), lambda: go_to(dialog, "local/four", "tool_use"))
    table = dialog.table
    for ref in ("alpha/one", "local/four"):
        name = table.visualRect(table.matrix.index(table.matrix.place(ref), 0))
        assert any(area.contains(name.center()) for area in areas), f"the name of {ref} keeps its old ground"
