"""The form of a JSON value: what nobody touched comes back as it was, whatever the value and the schema."""

import json

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QPlainTextEdit

from agdesk.ui.theme import apply_theme
from agdesk.ui.widgets.choice_box import ChoiceBox
from agdesk.ui.widgets.json_text import JsonProblem, json_text, read_json, same_json
from agdesk.ui.widgets.json_views import JsonViews
from agdesk.ui.widgets.schema_form import SchemaForm
from agdesk.ui.widgets.schema_form.leaves import JsonPart
from agdesk.ui.widgets.schema_form.part import PartProblem, Told
from tests.ui.widgets.json_values import NAMES, SCHEMAS, VALUES, nested

RUN = {
    "type": "object",
    "properties": {
        "argv": {"type": "array", "items": {"type": "string"}, "description": "The program"},
        "folder": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "timeout_s": {"type": "integer", "default": 60},
        "mode": {"enum": ["fast", "slow", 1, True]},
        "is_dry": {"type": "boolean"},
        "limits": {"type": "object", "properties": {"cpu": {"type": "number"}}, "required": ["cpu"]},
        "place": {"$ref": "#/$defs/place"},
    },
    "required": ["argv", "folder"],
    "$defs": {"place": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}},
}


@pytest.fixture(autouse=True)
def _light(qapp):
    apply_theme(qapp, "light")


@pytest.fixture
def make_form(qtbot):
    def make(value, schema=RUN):
        form = SchemaForm("Arguments")
        qtbot.addWidget(form)
        form.show_value(schema, value)
        form.resize(600, 500)
        form.show()
        return form

    return make


def named(form, name):
    """The control that is called so."""
    found = [
        part
        for kind in (QLineEdit, QPlainTextEdit, QAbstractButton, ChoiceBox)
        for part in form.findChildren(kind)
        if part.accessibleName() == name and part.isVisibleTo(form)
    ]
    assert len(found) == 1, [part.accessibleName() for part in found]
    return found[0]


@pytest.fixture(scope="module")
def views(qapp):
    apply_theme(qapp, "light")
    return JsonViews("Arguments")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(schema=SCHEMAS, value=VALUES | st.dictionaries(NAMES, VALUES, max_size=4))
@example(schema=RUN, value=json.loads('{"argv": [], "big": 12345678901234567890123, "huge": 1e400, "less": -0.0}'))
@example(schema=RUN, value={"argv": ["a\ud800", "b"], "": {"": ""}, "a": 1, "а": 2, "é": 3, "e\u0301": 4})
@example(schema={"type": "object"}, value={"deep": nested(60)})
@example(schema=RUN, value={"argv": ["y" * 200_000], "folder": None, "timeout_s": 1.0, "mode": True, "is_dry": 0})
@example(schema={"enum": [1]}, value=True)
@example(schema={"enum": [1, 1.0, True, "1"]}, value=1.0)
def test_an_untouched_form_changes_nothing_in_any_view(views, schema, value):
    views.show_value(schema, value)
    assert same_json(views.value(), value)
    for view in (1, 2, 0):  # tree, raw, and back to the form
        views.tabs.setCurrentIndex(view)
        assert views.tabs.currentIndex() == view
        assert same_json(views.value(), value)


@given(VALUES)
@example(nested(60))
@example({"a": "y" * 200_000})
def test_what_is_read_of_a_text_is_what_was_written_and_nothing_in_it_is_hidden(value):
    text = json_text(value)
    if "Infinity" not in text:
        assert same_json(read_json(text), value)
    assert all(character.isprintable() or character == "\n" for character in text)


@pytest.mark.parametrize("text", ["{", "NaN", "1e400", '{"a": 1, "a": 2}', "[" * 100_000, "1" * 5000])
def test_what_is_no_json_is_refused(qapp, text):
    with pytest.raises(JsonProblem):
        read_json(text)


def test_every_kind_of_field_gives_what_was_entered(make_form):
    form = make_form({"argv": ["ls", "-la"], "folder": None, "mode": "fast", "timeout_s": 5, "place": {"city": "Rome"}})
    QTest.keyClick(named(form, "argv 1"), Qt.Key.Key_End)
    QTest.keyClicks(named(form, "argv 1"), "h")
    QTest.keyClick(named(form, "Add an item to argv"), Qt.Key.Key_Space)
    assert form.focusWidget() is named(form, "argv 2")
    QTest.keyClicks(named(form, "argv 2"), "docs")
    QTest.keyClick(named(form, "argv 2"), Qt.Key.Key_Return)
    QTest.keyClicks(named(form, "argv 2"), "x")
    named(form, "Set folder").click()
    QTest.keyClicks(named(form, "folder"), "/tmp")
    named(form, "timeout_s").setText("")
    QTest.keyClicks(named(form, "timeout_s"), "12345678901234567890")
    QTest.keyClick(named(form, "mode"), Qt.Key.Key_End)
    named(form, "Set is_dry").click()
    QTest.keyClick(named(form, "is_dry"), Qt.Key.Key_Up)
    named(form, "Set limits").click()
    named(form, "cpu").setText("0.50")
    QTest.keyClick(named(form, "city"), Qt.Key.Key_End)
    QTest.keyClicks(named(form, "city"), "!")
    value = form.value()
    assert list(value) == ["argv", "folder", "mode", "timeout_s", "place", "is_dry", "limits"]
    assert same_json(
        value,
        {
            "argv": ["ls", "-lah", "docs\nx"],
            "folder": "/tmp",
            "mode": True,
            "timeout_s": 12345678901234567890,
            "place": {"city": "Rome!"},
            "is_dry": True,
            "limits": {"cpu": 0.5},
        },
    )


def test_members_can_be_left_out_and_items_taken_out(make_form):
    form = make_form({"mode": 1, "argv": ["a", "b", "c"], "folder": "x", "timeout_s": 3})
    named(form, "Leave timeout_s out").click()
    named(form, "Set folder to null").click()
    named(form, "Take argv 1 out").click()
    assert form.value() == {"mode": 1, "argv": ["a", "c"], "folder": None}
    named(form, "Set timeout_s").click()
    assert form.value()["timeout_s"] == 60, "the default of the schema"


def test_a_required_member_cannot_be_left_out(make_form):
    form = make_form({"argv": [], "folder": "x"})
    assert not [button for button in form.findChildren(QAbstractButton) if "argv out" in button.accessibleName()]


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("folder", "turned \u202eround"),
        ("folder", "half \ud83d"),
        ("folder", ["no text"]),
        ("mode", "unheard of"),
        ("is_dry", 0),
        ("timeout_s", "60"),
        ("limits", None),
        ("unknown", {"a": 1}),
    ],
)
def test_what_a_field_cannot_hold_is_edited_as_json_in_its_place(make_form, member, value):
    form = make_form({"argv": [], member: value})
    field = named(form, f"{member}, as JSON")
    assert field.toPlainText() == json_text(value)
    field.setPlainText('{"new": "\\u202e"}')
    assert form.value() == {"argv": [], member: {"new": "\u202e"}}


def test_a_member_that_is_no_json_says_so_at_its_place(make_form):
    form = make_form({"argv": [], "unknown": 1, "timeout_s": 1})
    named(form, "unknown, as JSON").setPlainText("[1,")
    with pytest.raises(PartProblem, match="Line 1") as caught:
        form.value()
    assert caught.value.path == "$.unknown"
    assert "Line 1" in named(form, "unknown, as JSON").accessibleDescription()


def test_a_number_that_is_none_is_refused(make_form):
    form = make_form({"argv": [], "timeout_s": 1})
    for text in ("", "true", "1e400", "0x10", '"1"', "NaN"):
        named(form, "timeout_s").setText(text)
        with pytest.raises(PartProblem) as caught:
            form.value()
        assert caught.value.path == "$.timeout_s"


def test_problems_stand_at_their_fields(make_form):
    form = make_form({"argv": ["ls", ""], "timeout_s": 0, "place": {"city": ""}, "odd key": 1})
    problems = (
        ("$.argv[1]", "is empty"),
        ("$.timeout_s", "is too small"),
        ("$.place.city.name", "is no place"),
        ('$["odd key"]', "is not known"),
        ("$.nowhere", "is missing"),
    )
    form.show_problems(Told(*problem) for problem in problems)
    assert named(form, "argv 1").accessibleDescription() == "is empty"
    assert named(form, "argv 0").accessibleDescription() == ""
    assert named(form, "timeout_s").accessibleDescription() == "is too small"
    assert named(form, "city").accessibleDescription() == "is no place"
    assert named(form, "odd key, as JSON".replace("odd key", '"odd key"')).accessibleDescription() == "is not known"
    form.focus_first(Told(*problem) for problem in problems[1:3])
    assert form.focusWidget() is named(form, "timeout_s")
    form.show_problems(())
    assert named(form, "city").accessibleDescription() == ""


def test_a_text_over_64_kb_is_edited_page_by_page(make_form):
    text = "".join(f"{number:09} " for number in range(20_000))
    form = make_form({"argv": [text]})
    field = named(form, "argv 0")
    assert len(field.toPlainText()) < 64_000
    next_button = next(
        button for button in form.findChildren(type(field.parent().next_button)) if "Next page" in button.toolTip()
    )
    next_button.click()
    field.moveCursor(field.textCursor().MoveOperation.End)
    QTest.keyClicks(field, "here")
    next_button.click()
    (value,) = form.value()["argv"]
    assert value.replace("here", "", 1) == text
    assert value.index("here") == 2 * 16_000


def test_the_raw_view_says_what_is_wrong_on_the_page_where_it_is(qtbot, make_form):
    views = JsonViews("Arguments")
    qtbot.addWidget(views)
    views.show_value({}, {"a": list(range(30_000)), "b": 1})
    views.tabs.setCurrentIndex(2)
    editor = views.findChild(JsonPart)._editor
    assert editor.page_count > 3
    editor.go_to(editor.page_count - 1)
    last = editor.editor.toPlainText()
    editor.editor.setPlainText(last.replace('"b"', "b"))
    editor.go_to(0)
    with pytest.raises(PartProblem):
        views.value()
    assert editor.editor.toPlainText() == last.replace('"b"', "b")
    views.tabs.setCurrentIndex(0)
    assert views.tabs.currentIndex() == 2, "what is no value is not left behind"
    editor.editor.setPlainText(last.replace("1\n", "2\n"))
    views.tabs.setCurrentIndex(0)
    assert views.value() == {"a": list(range(30_000)), "b": 2}
