"""A choice among many that can be typed."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from agdesk.ui.widgets.editable_box import EditableBox


def box_of(qtbot, *choices, chosen="a/one"):
    box = EditableBox("Model")
    qtbot.addWidget(box)
    box.set_choices(choices, chosen)
    box.show()
    found = []
    box.chosen.connect(found.append)
    return box, found


def test_filling_it_chooses_nothing_and_a_choice_need_not_be_in_the_list(qtbot):
    box, found = box_of(qtbot, "a/one", "b/two", chosen="c/three")
    assert box.currentText() == "c/three" and found == []
    assert box.accessibleName() == box.lineEdit().accessibleName() == "Model"


def test_what_is_typed_counts_once_when_it_is_finished(qtbot):
    box, found = box_of(qtbot, "a/one", "b/two")
    box.lineEdit().setText(" d/four ")
    QTest.keyClick(box, Qt.Key.Key_Return)
    QTest.keyClick(box, Qt.Key.Key_Return)
    box.lineEdit().setText("")
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert found == ["d/four"]


def test_the_list_is_searched_for_any_part_in_any_case(qtbot):
    box, _ = box_of(qtbot, "a/one", "b/ONE-more", "c/two")
    completer = box.completer()
    completer.setCompletionPrefix("one")
    assert completer.completionCount() == 2
