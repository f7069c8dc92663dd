"""UX2 over whole windows: names and roles for those who do not see them, and every control by Tab, in reading order."""

import asyncio
from typing import cast

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QApplication, QLabel, QMessageBox, QWidget

from agdesk.core.errors import ErrorCategory, ProviderRejection, StoreCorrupt, StoreError
from agdesk.core.ir import stream as ev
from agdesk.core.ir.response import StopReason
from agdesk.core.providers.base import ModelInfo
from agdesk.core.providers.local_servers import LocalServer
from agdesk.core.tasks import spawn
from agdesk.core.workspace import ProviderEntry, Workspace
from agdesk.ui.chat.picker.popup import ModelPopup
from agdesk.ui.main_window import MainWindow
from agdesk.ui.models.dialog import ModelsDialog
from agdesk.ui.models.matrix import COLUMNS
from agdesk.ui.palette import CommandPalette, ShortcutPage
from agdesk.ui.settings import SettingsDialog
from agdesk.ui.start_problem import ask_at_start
from agdesk.ui.theme import apply_theme
from agdesk.ui.widgets.crash_dialog import CrashDialog
from tests.fakes.workspace import scripted_workspace
from tests.ui.main_window.conftest import ask, end, until
from tests.ui.settings.workspaces import FakeWorkspace, press

Key, Role = Qt.Key, QAccessible.Role
NATIVE = QKeySequence.SequenceFormat.NativeText
RICH = (
    ev.MessageStart("i", "m"),
    ev.ContentBlockStart(0, ev.ThinkingType()),
    ev.ThinkingDelta("Let me see.", 0),
    ev.ContentBlockEnd(0),
    ev.ContentBlockStart(1, ev.TextType()),
    ev.TextDelta("This:\n\n```python\nprint(1)\n```\n\nand [a link](https://example.org).", 1),
    ev.ContentBlockEnd(1),
    ev.MessageComplete(StopReason.END_TURN),
)
REFUSED = (ProviderRejection("The key was refused", "Check it.", category=ErrorCategory.AUTH, status=401),)
NO_ROLES = {Role.NoRole, Role.Client, Role.Pane, Role.Grouping, Role.Window}
QT_OWN = ("qt_", "QTabBar", "ScrollLeftButton", "ScrollRightButton")


@pytest.fixture(autouse=True)
def _goes_on_without_windows(qapp):
    qapp.setQuitOnLastWindowClosed(False)  # a test closes its window and goes on
    yield
    qapp.setQuitOnLastWindowClosed(True)


CUSTOM = ProviderEntry("custom", "Custom", "AGDESK_CUSTOM_KEY", False, "", False, base_url_hint="http://127.0.0.1/v1")


async def found_servers():
    return (
        LocalServer("custom", "http://127.0.0.1:8080/v1", (ModelInfo("a", "a"), ModelInfo("b", "b"))),
        LocalServer("other", "http://127.0.0.1:4000/v1", None),
    )


# --- what there is to reach ---


def shown(window):
    """The visible widgets of a window that are not parts of Qt's own making."""
    parts = window.findChildren(QWidget)
    return [part for part in parts if part.isVisible() and part.window() is window and not is_qt_own(part)]


def is_qt_own(widget):
    """Such as the text line inside a box with numbers, which Qt reaches and reads out as the box."""
    name = widget.objectName()
    return name.startswith("qt_") or name in QT_OWN


def is_control(widget):
    return widget.isEnabled() and (
        widget.focusPolicy() != Qt.FocusPolicy.NoFocus or isinstance(widget, QAbstractButton)
    )


def controls(window):
    return [part for part in shown(window) if is_control(part)]


def stops(window):
    """The controls that Tab is to visit."""
    return [
        part for part in controls(window) if part.focusPolicy() & Qt.FocusPolicy.TabFocus and part.focusProxy() is None
    ]


def spoken(widget):
    """Name and role that a screen reader is told."""
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name).strip(), interface.role()


def describe(widget):
    return f"{type(widget).__name__} {spoken(widget)[0][:30]!r}"


def assert_all_are_named(window):
    for widget in controls(window):
        name, role = spoken(widget)
        assert name, f"a {type(widget).__name__} in {type(widget.parent()).__name__} has no name"
        # what scrolls and is nothing else has no role of its own in Qt
        assert role not in NO_ROLES or isinstance(widget, QAbstractScrollArea), f"{describe(widget)} is a {role}"
    for label in shown(window):
        if isinstance(label, QLabel) and (buddy := label.buddy()) is not None:
            assert spoken(buddy)[0], f"what {label.text()!r} names has no name"


def assert_names_differ(window):
    names = [spoken(widget) for widget in controls(window)]
    assert sorted(name for name, role in set(names) if names.count((name, role)) > 1) == []


# --- Tab ---


def walk(window, key, *, limit=200):
    """The widgets that get the focus one after the other until the first one has it again."""
    first = focused = QApplication.focusWidget()
    assert first is not None and focused is not None
    visited = []
    for _ in range(limit):
        if not visited or visited[-1] is not focused:  # within a text Tab goes from link to link first
            visited.append(focused)
        press(focused, key)
        focused = QApplication.focusWidget()
        assert focused is not None, f"after {describe(visited[-1])} nothing has the focus"
        assert not focused.visibleRegion().isEmpty(), f"{describe(focused)} has the focus out of sight"
        if focused is first:
            return visited
    raise AssertionError(f"a trap: {[describe(widget) for widget in visited[-4:]]}")


def assert_tab_visits_all(window, sections=()):
    """Each control once, section by section, in each one from the top and, in a line, in reading direction."""
    forwards = walk(window, Key.Key_Tab)
    assert {describe(part) for part in stops(window)} == {describe(part) for part in forwards}
    assert len(forwards) == len(set(map(id, forwards))) == len(stops(window))
    backwards = walk(window, Key.Key_Backtab)
    assert list(map(describe, backwards[1:][::-1])) == list(map(describe, forwards[1:]))
    assert_reading_order(forwards, sections or (window,))


def assert_reading_order(visited, sections):
    section_of = [next(n for n, part in enumerate(sections) if part is w or part.isAncestorOf(w)) for w in visited]
    start = next((n for n in range(len(visited)) if section_of[n] < section_of[n - 1]), 0)
    ordered = visited[start:] + visited[:start]
    numbers = section_of[start:] + section_of[:start]
    assert numbers == sorted(numbers), [f"{n}: {describe(w)}" for n, w in zip(numbers, ordered, strict=True)]
    if len(sections) == 1:
        first = min(visited, key=lambda part: (place(part).top(), place(part).left()))
        at = visited.index(first)
        ordered, numbers = visited[at:] + visited[:at], [0] * len(visited)
    pairs = zip(zip(numbers, ordered, strict=True), zip(numbers[1:], ordered[1:], strict=True), strict=False)
    for (number, before), (next_number, after) in pairs:
        if number == next_number:
            upper, lower = place(before), place(after)
            is_below = lower.bottom() > upper.top()
            is_beside = lower.top() >= upper.bottom() or upper.top() >= lower.bottom() or lower.left() >= upper.left()
            assert is_below and is_beside, f"{describe(after)} comes after {describe(before)}"


def place(widget):
    return QRect(widget.mapTo(widget.window(), QPoint(0, 0)), widget.size())


# --- the main window ---


@pytest.fixture
def open_window(qapp, tmp_path):
    """The main window with both panels and a conversation of everything."""
    apply_theme(qapp, "light")

    async def open_it():
        workspace, _ = scripted_workspace(tmp_path, RICH, REFUSED)
        window = MainWindow(workspace)
        window.resize(1400, 900)
        window.show()
        window.activateWindow()
        await until(lambda: QApplication.activeWindow() is window and window.panels.conversations is not None)
        await ask(window, "Hello")
        await ask(window, "Again")
        return window, workspace

    yield open_it
    for window in QApplication.topLevelWidgets():
        window.hide()


async def test_the_main_window_with_everything_open(open_window):
    window, workspace = await open_window()
    window.actions_registry["panel.inspector"].trigger()
    await until(lambda: window.panels.inspector is not None and window.panels.inspector.view.model() is not None)
    inspector = window.panels.inspector
    await until(lambda: inspector.view.model().rowCount() > 0)
    inspector.view.setCurrentIndex(inspector.view.model().index(0, 0))
    window.notices.show_problem("A problem", "Solve it.")
    window.notices.offer_undo("Done", lambda: None)
    await asyncio.sleep(0.2)  # everything is laid out
    assert_all_are_named(window)
    chat = window.current_tab
    chat.focus_composer()
    left, right = window.panels.conversations, inspector
    sections = (window.notices.area, window.top_bar, left, chat, right, window.notices.toast)
    assert_tab_visits_all(window, sections)
    await end(window, workspace)


async def test_a_conversation_in_a_window_of_its_own(open_window):
    window, workspace = await open_window()
    window.actions_registry["tab.detach"].trigger()
    (detached,) = window.desk.detached
    await until(lambda: QApplication.activeWindow() is detached)
    await asyncio.sleep(0.2)
    assert_all_are_named(detached)
    window.desk.pages[0].focus_writing()
    assert_tab_visits_all(detached, (detached.return_button, detached.page))
    await end(window, workspace)


async def test_enter_presses_the_button_that_has_the_focus(open_window):
    window, workspace = await open_window()
    button = window.top_bar.new_button
    button.setFocus()
    press(button, Key.Key_Return)
    assert window.tabs.count() == 2
    await end(window, workspace)


async def test_an_example_that_was_chosen_leaves_the_keyboard_in_the_composer(open_window):
    window, workspace = await open_window()
    window.actions_registry["tab.new"].trigger()
    chat = window.current_tab
    example = chat.empty_state.buttons[0]
    example.setFocus()
    press(example, Key.Key_Return)
    assert QApplication.focusWidget() is chat.composer
    await until(lambda: not chat.session.is_running)
    await end(window, workspace)


async def test_every_action_has_a_text_and_is_found_in_the_palette_with_its_keys(open_window):
    window, workspace = await open_window()
    registry = window.actions_registry
    registry["palette.open"].trigger()
    palette = window.findChild(CommandPalette)
    assert palette is not None
    assert_all_are_named(window)
    assert palette.field.hasFocus()
    for action in registry:
        assert action.text()
        palette.field.setText(action.text())
        found = {entry.action_id: entry.keys for entry in palette.list.entries}
        assert found[action.objectName()] == action.shortcut().toString(NATIVE)
    press(palette.field, Key.Key_Escape)
    assert QApplication.focusWidget() is window.current_tab.composer
    await end(window, workspace)


async def test_the_panel_of_models_over_the_window(open_window):
    window, workspace = await open_window()
    await workspace.correct_model("test/model", "vision", True)
    window.actions_registry["chat.choose_model"].trigger()
    popup = window.findChild(ModelPopup)
    assert popup is not None and popup.field.hasFocus()
    await until(popup.refresh.others.isVisible)
    popup.filters.chips["vision"].click()
    assert_all_are_named(window)
    press(popup.field, Key.Key_Escape)
    assert QApplication.focusWidget() is window.current_tab.composer
    await end(window, workspace)


# --- dialogs ---


async def test_the_matrix_of_models_and_the_correction_of_a_value(open_window):
    window, workspace = await open_window()
    await asyncio.to_thread(workspace.warm_up)
    await workspace.correct_model("test/model", "vision", True)
    window.actions_registry["models.open"].trigger()
    dialog = window.findChild(ModelsDialog)
    assert dialog is not None
    await until(lambda: dialog.isActiveWindow() and dialog.refresh.others.isVisible())
    for column in (COLUMNS.index("vision"), COLUMNS.index("max_context_window")):
        dialog.table.setCurrentIndex(dialog.table.matrix.index(0, column))
        assert_all_are_named(dialog)
        assert_names_differ(dialog)
        dialog.search.setFocus()
        assert_tab_visits_all(dialog, (dialog,))
    dialog.close()
    await end(window, workspace)


async def test_every_page_of_the_settings(open_window, tmp_path):
    window, workspace = await open_window()
    shortcuts = ShortcutPage(window.actions_registry)
    dialog = SettingsDialog(cast(Workspace, FakeWorkspace(tmp_path)), window, pages=(("Shortcuts", shortcuts),))
    dialog.show()
    dialog.activateWindow()
    await until(dialog.isActiveWindow)
    for row in range(dialog.page_list.count()):
        dialog.page_list.setCurrentRow(row)
        if dialog.providers.isVisible():
            await until(lambda: dialog.providers.entries)
            dialog.open_provider("openai")
        await asyncio.sleep(0.1)
        assert_all_are_named(dialog)
        assert_names_differ(dialog)
        dialog.search.setFocus()
        choosing = dialog.providers.search.parentWidget()
        assert_tab_visits_all(dialog, (dialog.search.parentWidget(), dialog.page_list, choosing, dialog))
    dialog.close()
    await end(window, workspace)


async def test_the_form_of_an_account_and_the_servers_that_were_found(open_window, tmp_path):
    window, workspace = await open_window()
    settings = FakeWorkspace(tmp_path, entries=(CUSTOM,))
    settings.find_local_servers = found_servers  # type: ignore[attr-defined]
    dialog = SettingsDialog(cast(Workspace, settings), window)
    dialog.resize(900, 1400)  # nothing is scrolled out of sight
    dialog.show()
    dialog.activateWindow()
    await until(dialog.isActiveWindow)
    dialog.open_provider("custom")
    page = dialog.providers
    choosing = page.search.parentWidget()
    sections = (dialog.search.parentWidget(), dialog.page_list, choosing, dialog)
    await until(lambda: page.detail() is not None and page.list.note("custom"))
    page.detail().accounts.open_form()
    form = page.detail().accounts.form
    form.wire_box.setCurrentIndex(1)  # what a box is called is on Unix what is chosen in it
    await asyncio.sleep(0.1)
    assert form.name_field.hasFocus()
    assert_all_are_named(dialog)
    assert_names_differ(dialog)
    assert_tab_visits_all(dialog, sections)
    page.find_local_servers()
    await until(lambda: page.local_servers.rows)
    await asyncio.sleep(0.1)
    assert page.local_servers.again_button.hasFocus(), "the button that had it is gone"
    assert_all_are_named(dialog)
    assert_names_differ(dialog)
    assert_tab_visits_all(dialog, sections)
    dialog.close()
    await end(window, workspace)


async def test_the_crash_dialog_and_enter_in_it(qapp, qtbot):
    apply_theme(qapp, "light")
    dialog = CrashDialog("It broke", "Traceback")
    copied = []
    dialog.copy_requested.connect(lambda: copied.append(1))
    dialog.show()
    dialog.activateWindow()
    await until(dialog.isActiveWindow)
    dialog.details_button.click()
    assert_all_are_named(dialog)
    assert_names_differ(dialog)
    assert_tab_visits_all(dialog)
    dialog.copy_button.setFocus()
    press(dialog.copy_button, Key.Key_Return)
    assert copied == [1] and dialog.isVisible()
    dialog.close()


@pytest.mark.parametrize("error", [StoreCorrupt("It is damaged", "Keep it aside."), StoreError("No", "Free some.")])
async def test_the_questions_at_the_start(qapp, error):
    apply_theme(qapp, "light")
    asked = spawn(ask_at_start(error), name="question")
    await until(lambda: QApplication.activeWindow() is not None)
    box = QApplication.activeWindow()
    assert isinstance(box, QMessageBox)
    assert_all_are_named(box)
    assert_names_differ(box)
    press(box, Key.Key_Escape)
    assert await asked is False
