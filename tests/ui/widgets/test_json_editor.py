"""JSON that is typed: whatever is wrong has a place, and nothing of the text is lost."""

import pytest
from PySide6.QtTest import QTest

from agdesk.ui.theme import apply_theme
from agdesk.ui.widgets.json_editor import JsonEditor


@pytest.fixture
def editor(qapp, qtbot):
    apply_theme(qapp, "light")
    editor = JsonEditor("Answer as JSON")
    qtbot.addWidget(editor)
    editor.show()
    return editor


def test_a_document_is_shown_in_lines_and_read_again(editor):
    editor.show_document({"城市": {"type": "string"}, "n": [1, None]})
    assert "城市" in editor.toPlainText() and "\n" in editor.toPlainText()
    assert editor.document_or_none() == {"城市": {"type": "string"}, "n": [1, None]}
    editor.show_document(None)
    assert editor.toPlainText() == "" and editor.document_or_none() is None


def test_showing_a_document_is_no_edit_and_neither_is_another_theme(editor, qapp):
    edits = []
    editor.textChanged.connect(lambda: edits.append(editor.toPlainText()))
    editor.show_document({"a": 1})
    apply_theme(qapp, "dark")
    assert edits == []
    QTest.keyClicks(editor, " ")
    assert len(edits) == 1


@pytest.mark.parametrize(
    ("text", "said", "marked"),
    [
        ('{\n  "a": 1,\n}', "Line 3, column 1", "}"),
        ('{"a" 1}', "Line 1, column 6", "1"),
        ('{"😀": x}', "Line 1, column 7", "x"),
        ('{"a": 1', "Line 1, column 8", "1"),
        ("nothing", "Line 1, column 1", "n"),
    ],
)
def test_the_place_of_what_is_wrong_is_named_and_underlined(editor, text, said, marked):
    editor.setPlainText(text)
    with pytest.raises(ValueError, match=said):
        editor.document_or_none()
    (selection,) = editor.extraSelections()
    assert selection.cursor.selectedText() == marked
    assert editor.toPlainText() == text
    editor.setPlainText("{}")
    assert editor.document_or_none() == {} and editor.extraSelections() == []


@pytest.mark.parametrize(
    ("text", "said"),
    [('{"a": NaN}', "NaN"), ('{"a": 1, "a": 2}', "“a” stands twice"), ("[" * 100_000, "nested too deeply")],
)
def test_what_would_be_read_otherwise_than_it_is_written_is_refused(editor, text, said):
    editor.setPlainText(text)
    with pytest.raises(ValueError, match=said):
        editor.document_or_none()


def test_it_has_a_name_and_tab_leaves_it(editor):
    assert editor.accessibleName() == "Answer as JSON"
    assert editor.tabChangesFocus()
