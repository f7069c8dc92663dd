"""Lines under headings: as high as they are, up to a limit."""

from PySide6.QtGui import QColor

from agdesk.ui.theme import apply_theme, current_theme
from agdesk.ui.widgets.grouped_text import GroupedText


def shown(qtbot, groups, **options):
    view = GroupedText("Changes", **options)
    qtbot.addWidget(view)
    view.resize(400, 100)
    view.show()
    view.show_groups(groups)
    return view


def test_headings_stand_above_their_lines(qapp, qtbot):
    apply_theme(qapp, "light")
    view = shown(qtbot, (("Message 1", ("one", "two")), ("", ("three\nand\u2029a half",))))
    assert view.toPlainText().splitlines() == ["Message 1", "one", "two", "three and a half"]


def test_it_is_as_high_as_its_lines_up_to_the_limit(qapp, qtbot):
    apply_theme(qapp, "light")
    few = shown(qtbot, (("Message 1", ("one",)),))
    many = shown(qtbot, (("Messages", tuple(map(str, range(100)))),), most_lines=5)
    line = few.fontMetrics().lineSpacing()
    assert 2 * line <= few.height() < 4 * line
    assert many.height() == 5 * line and many.verticalScrollBar().maximum() > 0
    many.show_groups((("Message 1", ("one",)),))
    assert many.height() < 4 * line


def test_another_theme_draws_it_anew(qapp, qtbot):
    apply_theme(qapp, "light")
    view = shown(qtbot, (("Message 1", ("one",)),))
    before = QColor(view.currentCharFormat().foreground().color())
    apply_theme(qapp, "dark")
    assert view.currentCharFormat().foreground().color() == current_theme().color("text") != before
    assert view.toPlainText() == "Message 1\none"
    apply_theme(qapp, "light")
