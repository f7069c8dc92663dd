"""The panel of all models over a window: typing, filtering, choosing, and where the keyboard goes."""

import asyncio

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMainWindow, QPushButton, QVBoxLayout, QWidget

from agdesk.core.errors import ErrorCategory, ProviderRejection
from agdesk.ui.chat.picker.items import ItemKind
from agdesk.ui.chat.picker.popup import ModelPopup
from agdesk.ui.theme import apply_theme
from tests.ui.models.rows import FEW, FakeWorkspace, many, row
from tests.ui.settings.workspaces import press, type_text, until

Key = Qt.Key
REFUSED = ProviderRejection("The key was refused", "Check it.", category=ErrorCategory.AUTH, status=401)


class Desk:
    """A window with a field and a button, and the panel below the button."""

    def __init__(self, workspace):
        self.workspace = workspace
        self.window = QMainWindow()
        self.window.resize(900, 640)
        body = QWidget()
        layout = QVBoxLayout(body)
        self.button, self.field = QPushButton("model"), QLineEdit()
        layout.addWidget(self.button)
        layout.addWidget(self.field)
        self.window.setCentralWidget(body)
        self.popup = ModelPopup(workspace, self.button)
        self.taken, self.shown_all = [], []

    async def open(self, used_ref="alpha/two"):
        self.popup.open_below(
            self.button,
            used_ref=used_ref,
            take=lambda ref: self.taken.append((ref, self.popup.isVisible(), self.window.focusWidget())),
            show_all=lambda: self.shown_all.append(True),
        )
        await until(lambda: self.popup.refresh.others.isVisible())

    def type(self, text):
        type_text(self.popup.field, text)

    def press(self, key):
        press(self.window.focusWidget(), key)

    @property
    def texts(self):
        return [item.text for item in self.popup.list.items]

    @property
    def current(self):
        return self.popup.list.current.ref


@pytest.fixture
def open_desk(qapp, qtbot):
    apply_theme(qapp, "light")

    async def open_it(rows=FEW, *, held=(), **options):
        workspace = FakeWorkspace(rows)
        workspace.held = held
        desk = Desk(workspace)
        qtbot.addWidget(desk.window)
        desk.window.show()
        desk.window.activateWindow()
        await until(desk.window.isActiveWindow)
        desk.field.setFocus()
        await desk.open(**options)
        return desk

    return open_it


async def test_recently_used_models_come_first_then_those_that_can_be_used_then_the_rest(open_desk):
    desk = await open_desk(held=("beta/three", "gone/model", "auto/best"))
    assert desk.texts == [
        "Auto",
        "Recently used",
        "two",
        "three",
        "model",
        "Can be used now",
        "one",
        "four",
    ]
    assert desk.current == "alpha/two", "the model in use is current"
    assert desk.window.focusWidget() is desk.popup.field


async def test_models_that_are_not_set_up_stand_at_the_end_and_say_so(open_desk):
    desk = await open_desk()
    heading, last = desk.popup.list.items[-2:]
    assert heading.kind is ItemKind.HEADING
    assert (last.ref, last.detail) == ("beta/three", "Beta · not set up")


async def test_enter_takes_the_current_model_after_the_panel_is_gone_and_the_focus_is_back(open_desk):
    desk = await open_desk()
    desk.type("four")
    assert desk.texts == ["four"]
    desk.press(Key.Key_Return)
    assert desk.taken == [("local/four", False, desk.field)]


async def test_the_arrows_pass_over_headings_and_go_round(open_desk):
    desk = await open_desk()
    refs = []
    for _ in range(6):
        refs.append(desk.current)
        desk.press(Key.Key_Down)
    assert refs == ["alpha/two", "alpha/one", "local/four", "beta/three", "auto/best", "alpha/two"]
    desk.press(Key.Key_Up)
    assert desk.current == "alpha/two"
    desk.press(Key.Key_Up)
    desk.press(Key.Key_Up)
    assert desk.current == "beta/three"


async def test_auto_says_what_it_does_and_can_be_taken(open_desk):
    desk = await open_desk()
    desk.type("aut")
    item = desk.popup.list.current
    assert item.kind is ItemKind.AUTO and "cheapest" in item.detail
    desk.press(Key.Key_Return)
    assert desk.taken[0][0] == "auto/best"


async def test_a_click_takes_a_model_and_a_click_on_a_heading_nothing(open_desk):
    desk = await open_desk()
    rows = desk.popup.list
    for at in (1, 5):
        place = rows.visualRect(rows.model().index(at, 0)).center()
        QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert len(desk.taken) == (at == 5)
    assert desk.taken[0][0] == "local/four"


async def test_escape_closes_from_wherever_the_focus_is_inside(open_desk):
    desk = await open_desk()
    desk.popup.filters.chips["vision"].setFocus()
    desk.press(Key.Key_Escape)
    assert not desk.popup.isVisible() and desk.window.focusWidget() is desk.field and not desk.taken
    await desk.open()
    QTest.mouseClick(desk.popup, Qt.MouseButton.LeftButton, pos=QPoint(895, 635))
    assert not desk.popup.isVisible()


async def test_tab_goes_through_the_panel_in_reading_order_and_never_leaves_it(open_desk):
    desk = await open_desk()
    seen = []
    for _ in range(30):
        seen.append(desk.window.focusWidget())
        if seen.count(desk.popup.field) == 2:
            break
        desk.press(Key.Key_Tab)
    assert seen[0] is seen[-1] is desk.popup.field and len(seen) > 8
    assert all(desk.popup.isAncestorOf(stop) for stop in seen)
    chips = desk.popup.filters.chips
    assert seen[1:3] == [chips["vision"], chips["tool_use"]]
    desk.press(Key.Key_Backtab)
    assert desk.window.focusWidget() is desk.popup.all_button


async def test_filters_by_the_keyboard_combine_and_unknown_is_offered(open_desk):
    desk = await open_desk()
    chips, unknown = desk.popup.filters.chips, desk.popup.filters.unknown
    assert not unknown.isVisible()
    chips["vision"].setFocus()
    desk.press(Key.Key_Space)
    assert [item.ref for item in desk.popup.list.items if item.ref] == ["alpha/one", "local/four"]
    unknown.click()
    assert desk.texts[-2:] == ["Unknown whether they fit", "three"]
    chips["thinking"].click()
    assert [item.ref for item in desk.popup.list.items if item.ref] == ["alpha/one", "local/four", "beta/three"]
    desk.popup.filters.usable.click()
    assert "three" not in desk.texts
    desk.popup.filters.clear_button.click()
    assert desk.texts[0] == "Auto" and not desk.popup.filters.clear_button.isVisible()


async def test_a_window_size_can_be_asked_for(open_desk):
    desk = await open_desk()
    box = desk.popup.filters.windows
    box.setCurrentIndex(box.findData(128_000))
    assert [item.ref for item in desk.popup.list.items if item.ref] == ["alpha/one"]


async def test_what_is_unknown_of_a_model_is_read_out_as_unknown(open_desk):
    desk = await open_desk()
    desk.type("three")
    rows = desk.popup.list
    spoken = QAccessible.queryAccessibleInterface(rows).child(0).text(QAccessible.Text.Name)
    assert spoken == rows.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole)
    assert "vision: unknown" in spoken and "tools: yes (list)" in spoken and "not set up" in spoken
    assert "$0" not in spoken


async def test_a_model_that_is_in_no_list_can_be_typed(open_desk):
    desk = await open_desk()
    desk.type("gamma/nine")
    assert desk.popup.nothing.isVisible() and "gamma/nine" in desk.popup.nothing.use_button.text()
    desk.press(Key.Key_Return)
    assert desk.taken[0][0] == "gamma/nine"


async def test_a_provider_that_is_none_is_told_before_its_model_is_used(open_desk):
    desk = await open_desk((*FEW, row("router/gamma-ninety/x-1")))
    desk.type("gamma/nine9")
    assert "There is no provider “gamma”." in desk.popup.nothing.sentence
    desk.type("alpha/nine9")
    assert "There is no provider" not in desk.popup.nothing.sentence
    desk.type("gam/x1")
    assert desk.popup.list.items[0].detail == "there is no provider “gam”"
    desk.type("router/gamma")
    assert desk.popup.list.items[-1].detail == "not in the list"


async def test_what_was_typed_whole_goes_before_what_has_its_letters_only(open_desk):
    desk = await open_desk((*FEW, row("router/gamma-ninety/x-1")))
    desk.type("gam/x1")
    assert desk.texts == ["Use “gam/x1” anyway", "gamma-ninety/x-1"]
    desk.type("router/gamma")
    assert desk.texts == ["gamma-ninety/x-1", "Use “router/gamma” anyway"]


async def test_nothing_fits_says_how_to_go_on(open_desk):
    desk = await open_desk()
    nothing = desk.popup.nothing
    desk.type("zebra")
    assert "zebra" in nothing.sentence and "provider/model" in nothing.sentence
    assert not nothing.use_button.isVisible() and not nothing.clear_button.isVisible()
    desk.press(Key.Key_Return)
    assert desk.popup.isVisible() and not desk.taken
    desk.type("three")
    desk.popup.filters.chips["vision"].click()
    assert nothing.unknown_button.text().startswith("Show 1 ")
    nothing.unknown_button.click()
    assert desk.current == "beta/three" and desk.window.focusWidget() is desk.popup.field
    desk.popup.filters.unknown.click()
    nothing.clear_button.click()
    assert desk.current == "beta/three"


async def test_before_the_models_are_known_it_says_so_and_fills_itself(open_desk):
    desk = await open_desk(())
    assert desk.popup.loading.isVisible()
    desk.workspace.rows = FEW
    desk.workspace.models_changed.emit(None)
    assert desk.popup.list.isVisible() and "one" in desk.texts


async def test_a_list_is_refreshed_with_progress_and_what_is_typed_stays(open_desk):
    desk = await open_desk()
    desk.type("alpha")
    desk.press(Key.Key_Down)
    current = desk.current
    desk.workspace.gate.clear()
    desk.press(Key.Key_F5)
    bar = desk.popup.refresh
    assert "Asking Alpha" in bar.status.text() and not bar.button.isEnabled()
    desk.press(Key.Key_F5)
    desk.workspace.gate.set()
    await until(lambda: "17" in bar.status.text())
    assert desk.workspace.refreshed == ["alpha"], "once at a time"
    assert "new" in desk.texts and desk.current == current and desk.popup.field.text() == "alpha"
    assert bar.button.isEnabled()


async def test_what_is_left_out_of_a_list_is_told(open_desk):
    desk = await open_desk()
    desk.workspace.left_out = 3
    desk.type("alpha")
    desk.press(Key.Key_F5)
    bar = desk.popup.refresh
    await until(lambda: bar.status.text() == "Alpha lists 17 models. Left out, as they cannot be shown: 3.")


async def test_a_list_that_cannot_be_had_says_why(open_desk):
    desk = await open_desk()
    desk.workspace.failure = REFUSED
    desk.popup.refresh.refresh()
    await until(desk.popup.refresh.problem.isVisible)
    assert desk.popup.refresh.problem.text() == "The key was refused. Check it."


async def test_the_list_of_a_provider_without_models_can_be_asked_for(open_desk):
    desk = await open_desk()
    desk.popup.refresh.menu.aboutToShow.emit()
    actions = {action.text(): action for action in desk.popup.refresh.menu.actions()}
    actions["Empty"].trigger()
    await until(lambda: desk.workspace.refreshed == ["empty"])
    await until(lambda: "Empty" in desk.popup.refresh.status.text())


async def test_a_request_that_ends_after_the_window_has_gone_ends_in_silence(open_desk):
    desk = await open_desk()
    desk.workspace.gate.clear()
    desk.popup.refresh.refresh()
    await until(lambda: desk.workspace.refreshed)
    popup, gone = desk.popup, []
    popup.destroyed.connect(lambda: gone.append(True))
    desk.window.hide()
    popup.deleteLater()
    await until(lambda: gone)
    desk.workspace.gate.set()
    await until(lambda: len(desk.workspace.rows) > len(FEW))
    await asyncio.sleep(0)


async def test_a_closed_panel_listens_to_nobody(open_desk):
    desk = await open_desk()
    desk.popup.close()
    before = desk.texts
    desk.workspace.rows = ()
    desk.workspace.models_changed.emit(None)
    assert desk.texts == before


async def test_all_models_closes_the_panel_and_opens_the_matrix(open_desk):
    desk = await open_desk()
    desk.popup.all_button.click()
    assert desk.shown_all == [True] and not desk.popup.isVisible()


async def test_it_stays_inside_a_small_window_and_follows_its_button(open_desk):
    desk = await open_desk()
    for size in (QSize(420, 300), QSize(900, 640), QSize(1600, 900)):
        desk.window.resize(size)
        await until(lambda: desk.popup.size() == desk.window.size())
        await until(lambda: desk.popup.panel.y() >= desk.button.geometry().bottom())
        assert desk.popup.rect().contains(desk.popup.panel.geometry())


async def test_three_thousand_models_are_listed_and_reached_by_the_keyboard(open_desk):
    desk = await open_desk(many(), used_ref="aurora/aurora-0")
    assert desk.popup.list.count == 3_000 + 4
    desk.press(Key.Key_PageDown)
    assert desk.popup.list.currentIndex().row() > 5
    desk.press(Key.Key_Up)
    desk.type("cinder-2999")
    assert desk.texts == ["cinder-2999"]
    desk.press(Key.Key_Return)
    assert desk.taken[0][0] == "cinder/cinder-2999"


@pytest.mark.parametrize("mode", ["light", "dark"])
async def test_every_kind_of_line_is_painted_in_both_directions(open_desk, qapp, mode):
    apply_theme(qapp, mode)
    desk = await open_desk((*FEW, row("a/" + "x" * 300, input_per_million=0.1, output_per_million=2.0)), held=("b/y",))
    desk.type("x")
    pictures = []
    for direction in (Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft):
        qapp.setLayoutDirection(direction)
        desk.window.setLayoutDirection(direction)
        pictures.append(desk.popup.panel.grab().toImage())
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    assert pictures[0] != pictures[1]
