"""A row: applied at once, checked, refused with the reason, brought back to its default."""

import asyncio

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from agdesk.core.errors import SettingsError
from agdesk.core.settings.file import SettingsFile
from tests.ui.settings.test_fields import WiderSettings
from tests.ui.settings.workspaces import press, type_text, until


def kept(workspace):
    return SettingsFile(workspace.file.path).current()


async def test_a_choice_is_in_force_and_in_the_file_at_once(open_dialog, row_of, workspace):
    row = row_of(open_dialog(), "appearance.theme")
    press(row.control.editor, Qt.Key.Key_Down)
    await until(lambda: workspace.settings.appearance.theme == "light")
    assert kept(workspace).appearance.theme == "light"


async def test_a_flag_is_switched_with_a_click(open_dialog, row_of, workspace):
    dialog = open_dialog()
    dialog.open_page("notifications")
    row = row_of(dialog, "notifications.answer_ended")
    QTest.mouseClick(row.control.editor, Qt.MouseButton.LeftButton)
    await until(lambda: kept(workspace).notifications.answer_ended is False)


async def test_a_factor_is_shown_in_per_cent(open_dialog, row_of, workspace):
    row = row_of(open_dialog(), "appearance.scale")
    assert row.control.editor.text() == "100\u202f%"
    assert (row.control.editor.minimum(), row.control.editor.maximum()) == (50, 300)
    row.control.editor.stepUp()
    await until(lambda: kept(workspace).appearance.scale == 1.1)


async def test_typing_is_saved_once_when_it_has_ended(open_dialog, row_of, workspace):
    dialog = open_dialog()
    dialog.open_page("chat")
    row = row_of(dialog, "chat.default_model")
    type_text(row.control.editor, "openai/gpt-5")
    assert workspace.changes == []
    await until(lambda: kept(workspace).chat.default_model == "openai/gpt-5")
    assert workspace.changes == [{"chat.default_model": "openai/gpt-5"}]


async def test_what_was_typed_is_not_lost_when_the_dialog_closes_at_once(open_dialog, row_of, workspace):
    dialog = open_dialog()
    dialog.open_page("chat")
    row = row_of(dialog, "chat.default_model")
    type_text(row.control.editor, "openai/gpt-5")
    dialog.close()
    await until(lambda: kept(workspace).chat.default_model == "openai/gpt-5")


async def test_a_refused_text_stays_with_the_reason_and_the_old_value_stays_in_force(open_dialog, row_of, workspace):
    dialog = open_dialog()
    dialog.open_page("chat")
    row = row_of(dialog, "chat.default_model")
    before = workspace.settings.chat.default_model
    type_text(row.control.editor, "nonsense")
    await until(lambda: row.error)
    assert row.control.editor.text() == "nonsense"
    assert row.control.editor.accessibleDescription() == row.error
    assert not row.error.startswith("chat.")
    assert workspace.settings.chat.default_model == before

    await workspace.change_settings({"appearance.theme": "dark"})
    assert row.control.editor.text() == "nonsense", "a change elsewhere does not take the text away"
    assert row.error

    type_text(row.control.editor, "openai/gpt-5")
    await until(lambda: workspace.settings.chat.default_model == "openai/gpt-5" and not row.error)


async def test_a_file_that_cannot_be_written_is_told_at_the_row(open_dialog, row_of, workspace):
    async def refuse(changes):
        raise SettingsError("settings.toml cannot be written: no space left", "Check the free space.")

    row = row_of(open_dialog(), "appearance.theme")
    workspace.change_settings = refuse
    press(row.control.editor, Qt.Key.Key_Down)
    await until(lambda: row.error)
    assert row.error == "settings.toml cannot be written: no space left. Check the free space."


async def test_a_change_from_elsewhere_is_shown(open_dialog, row_of, workspace):
    dialog = open_dialog()
    await workspace.change_settings({"appearance.theme": "dark", "builtin_model.n_ctx": 8192})
    assert row_of(dialog, "appearance.theme").control.value() == "dark"
    assert row_of(dialog, "builtin_model.n_ctx").control.value() == 8192
    assert len(workspace.changes) == 1, "showing a value is no change"


async def test_a_row_goes_back_to_its_default_and_says_which_that_is(open_dialog, row_of, workspace):
    dialog = open_dialog()
    row = row_of(dialog, "appearance.theme")
    assert row.reset_button.isHidden()
    await workspace.change_settings({"appearance.theme": "dark"})
    assert row.reset_button.isVisible()
    assert "As the desktop" in row.reset_button.toolTip()
    assert row.reset_button.accessibleName() == "Reset: Theme"
    row.reset_button.click()
    await until(lambda: kept(workspace).appearance.theme == "system")
    await until(row.reset_button.isHidden)
    assert workspace.changes[-1] == {"appearance.theme": None}
    assert "theme" not in workspace.file.path.read_text()


async def test_quick_changes_end_with_the_last_one(open_dialog, row_of, workspace):
    row = row_of(open_dialog(), "appearance.theme")
    for _ in range(2):
        press(row.control.editor, Qt.Key.Key_Down)
    press(row.control.editor, Qt.Key.Key_Up)
    seen = set()

    def is_done():
        seen.add(row.control.value())
        return len(workspace.changes) == 3 and workspace.settings.appearance.theme == "light"

    await until(is_done)
    assert seen == {"light"}, "it does not jump back to what has been overtaken"
    assert kept(workspace).appearance.theme == "light"


async def test_a_row_that_is_gone_before_its_change_is_saved_disturbs_nothing(open_dialog, row_of, workspace):
    dialog = open_dialog()
    row = row_of(dialog, "appearance.theme")
    press(row.control.editor, Qt.Key.Key_Down)
    dialog.close()
    dialog.deleteLater()
    await until(lambda: kept(workspace).appearance.theme == "light")
    await workspace.change_settings({"appearance.theme": "dark"})  # nobody listens any more
    await asyncio.sleep(0)


async def test_the_proxy_address_can_be_set_for_a_manual_proxy_only_and_is_checked(open_dialog, row_of, workspace):
    dialog = open_dialog()
    dialog.open_page("network")
    row = row_of(dialog, "network.proxy_url")
    assert not row.control.editor.isEnabled()
    await workspace.change_settings({"network.proxy": "manual"})
    assert row.control.editor.isEnabled()
    type_text(row.control.editor, "socks5://proxy.example.org:1080")
    await until(lambda: row.error)
    assert "socks5" in row.error
    assert workspace.settings.network.proxy_url == ""
    type_text(row.control.editor, "http://proxy.example.org:3128")
    await until(lambda: workspace.settings.network.proxy_url == "http://proxy.example.org:3128" and not row.error)


async def test_a_file_is_browsed_for_and_has_to_be_there(open_dialog, row_of, workspace, tmp_path):
    dialog = open_dialog()
    dialog.open_page("builtin_model")
    row = row_of(dialog, "builtin_model.path")
    type_text(row.control.editor, str(tmp_path / "missing.gguf"))
    await until(lambda: row.error)
    assert "missing.gguf" in row.error

    model = tmp_path / "model.gguf"
    model.write_bytes(b"GGUF")
    row.control.browse.click()
    await until(lambda: row.control.findChildren(QFileDialog))
    (chooser,) = row.control.findChildren(QFileDialog)
    assert chooser.nameFilters() == ["GGUF models (*.gguf)", "All files (*)"]
    chooser.fileSelected.emit(str(model))
    chooser.close()
    await until(lambda: workspace.settings.builtin_model.path == str(model) and not row.error)


async def test_a_field_that_was_added_to_the_model_has_a_row(open_dialog, row_of, workspace):
    workspace.file._current = WiderSettings()
    dialog = open_dialog()
    for name in ("contrast", "columns", "is_calm", "dimming", "font", "wallpaper_file"):
        row = row_of(dialog, f"appearance.{name}")
        assert row.isVisible()
        assert row.control.value() == row.field.default
        assert row.title.buddy() is row.control.editor
        assert row.control.editor.accessibleName() == row.field.title


async def test_the_wheel_scrolls_the_page_and_not_the_values(open_dialog, row_of, workspace):
    from PySide6.QtCore import QPoint, QPointF
    from PySide6.QtGui import QWheelEvent

    dialog = open_dialog()
    for key in ("appearance.theme", "appearance.scale"):
        editor = row_of(dialog, key).control.editor
        none, buttons = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.NoButton
        centre = QPointF(editor.rect().center())
        wheel = QWheelEvent(
            centre,
            editor.mapToGlobal(centre),
            QPoint(),
            QPoint(0, -120),
            buttons,
            none,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(editor, wheel)
    assert row_of(dialog, "appearance.theme").control.value() == "system"
    assert row_of(dialog, "appearance.scale").control.value() == 1.0
