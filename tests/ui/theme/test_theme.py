"""The theme in force: palettes, sizes, icons, and the notice of a change."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPalette
from PySide6.QtWidgets import QLineEdit, QPushButton, QToolButton, QVBoxLayout, QWidget

from agdesk.ui.theme import apply_theme, current_theme
from agdesk.ui.theme.icons import ICONS, draw_icon
from agdesk.ui.theme.theme import Theme
from agdesk.ui.theme.tokens import DARK, LIGHT


@pytest.fixture(autouse=True)
def _light_afterwards(qapp):
    yield
    apply_theme(qapp, "light")


def test_every_call_gives_the_same_theme(qapp):
    assert apply_theme(qapp, "dark") is apply_theme(qapp, "light") is current_theme()


@pytest.mark.parametrize(("mode", "tokens"), [("light", LIGHT), ("dark", DARK)])
def test_a_theme_sets_every_role_of_the_palette_that_text_uses(qapp, mode, tokens):
    apply_theme(qapp, mode)
    palette = qapp.palette()
    role = QPalette.ColorRole
    for group in (QPalette.ColorGroup.Active, QPalette.ColorGroup.Inactive):
        assert palette.color(group, role.Window) == QColor(tokens.window)
        assert palette.color(group, role.Base) == QColor(tokens.surface)
        assert palette.color(group, role.PlaceholderText) == QColor(tokens.muted)
        assert palette.color(group, role.Link) == QColor(tokens.accent)
        assert palette.color(group, role.ToolTipText) == QColor(tokens.text)
        assert palette.color(group, role.Highlight) == QColor(tokens.accent)
    assert palette.color(QPalette.ColorGroup.Disabled, role.Text) == QColor(tokens.control_edge)


@pytest.mark.parametrize(("mode", "tokens"), [("light", LIGHT), ("dark", DARK)])
def test_the_words_of_an_empty_field_are_as_legible_as_other_muted_text(qapp, qtbot, mode, tokens):
    apply_theme(qapp, mode)
    field = QLineEdit()
    qtbot.addWidget(field)
    field.ensurePolished()
    assert field.palette().color(QPalette.ColorRole.PlaceholderText) == QColor(tokens.muted)


def test_a_change_is_announced_after_the_palette_is_in_force(qapp, qtbot):
    theme = apply_theme(qapp, "light")
    seen = []
    theme.theme_changed.connect(lambda: seen.append(qapp.palette().color(QPalette.ColorRole.Base).name()))
    apply_theme(qapp, "dark")
    theme.theme_changed.disconnect()
    assert seen == [DARK.surface.lower()]


def test_system_mode_follows_the_platform(qapp, monkeypatch):
    theme = apply_theme(qapp, "system")
    assert theme.tokens == LIGHT
    # the offscreen platform has no colour scheme of its own to change
    monkeypatch.setattr(Theme, "is_dark", property(lambda self: self.mode in ("dark", "system")))
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert theme.tokens == DARK
    assert qapp.palette().color(QPalette.ColorRole.Window) == QColor(DARK.window)


def test_a_chosen_mode_does_not_follow_the_platform(qapp):
    theme = apply_theme(qapp, "light")
    changes = []
    theme.theme_changed.connect(lambda: changes.append(1))
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    theme.theme_changed.disconnect()
    assert theme.tokens == LIGHT
    assert not changes


def test_the_platforms_wish_for_contrast_is_followed(qapp, monkeypatch):
    theme = apply_theme(qapp, "dark")
    monkeypatch.setattr(Theme, "is_high_contrast", property(lambda self: True))
    qapp.styleHints().accessibility().contrastPreferenceChanged.emit(Qt.ContrastPreference.HighContrast)
    assert theme.tokens.window == "#000000"
    assert theme.tokens.border == "#FFFFFF"


def test_the_size_factor_scales_type_and_spaces(qapp):
    theme = apply_theme(qapp, "light", scale=1.5)
    assert theme.scale == 1.5
    assert theme.metrics.space_8 == 12
    assert theme.font("transcript").pixelSize() == 22
    assert qapp.font().pixelSize() == theme.metrics.body == 20


def test_code_has_a_fixed_font(qapp, qtbot):
    metrics = QFontMetrics(current_theme().font("code"))
    assert metrics.horizontalAdvance("iii") == metrics.horizontalAdvance("WWW")


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_an_icon_is_drawn_in_its_colour_for_its_screen(qapp, ratio):
    for name in ICONS:
        pixmap = draw_icon(name, color=QColor("#FF0000"), size=16, ratio=ratio)
        image = pixmap.toImage()
        assert image.width() == 16 * ratio
        assert pixmap.deviceIndependentSize().width() == 16
        drawn = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
        assert any(color.alpha() > 200 for color in drawn), name
        assert all(color.green() == 0 for color in drawn if color.alpha() > 200), name
        edge = image.width() - 1
        assert all(image.pixelColor(x, y).alpha() < 200 for x in (0, edge) for y in range(edge)), f"{name} is cut off"


def test_icons_are_kept_for_each_colour_and_ratio(qapp):
    theme = apply_theme(qapp, "light")
    one = theme.pixmap("send", color="text", size=16, ratio=1.0)
    assert theme.pixmap("send", color="text", size=16, ratio=1.0) is one
    assert theme.pixmap("send", color="text", size=16, ratio=2.0) is not one
    apply_theme(qapp, "dark")
    assert theme.pixmap("send", color="text", size=16, ratio=1.0).toImage() != one.toImage()


def test_an_unknown_icon_is_an_error(qapp):
    with pytest.raises(KeyError):
        current_theme().icon("no such icon")


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("kind", [QPushButton, QToolButton, QLineEdit])
def test_the_focus_ring_is_two_pixels_of_the_accent(qapp, qtbot, mode, kind):
    theme = apply_theme(qapp, mode)
    window = QWidget()
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    other, control = QPushButton("other"), kind()
    control.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    layout.addWidget(other)
    layout.addWidget(control)
    window.show()
    window.activateWindow()
    control.setFocus()
    qtbot.waitUntil(control.hasFocus)
    image: QImage = control.grab().toImage()
    middle = image.height() // 2
    assert [image.pixelColor(x, middle).name() for x in (0, 1)] == [theme.color("accent").name()] * 2


def test_a_control_does_not_move_when_the_focus_comes(qapp, qtbot):
    apply_theme(qapp, "light")
    window = QWidget()
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    first, second = QPushButton("Send"), QPushButton("Stop")
    layout.addWidget(first)
    layout.addWidget(second)
    window.show()
    first.setFocus()
    with_focus = first.sizeHint(), second.mapTo(window, QPoint(0, 0))
    second.setFocus()
    qapp.processEvents()
    assert (first.sizeHint(), second.mapTo(window, QPoint(0, 0))) == with_focus
