"""Every text of the window is translated, and none goes past the catalogues (docs/translating.md)."""

import ast

import pytest
from PySide6.QtCore import QTranslator

from tests.arch.tree import PACKAGE, python_files, shown
from tools.translations.__main__ import CORE_PATTERNS, FORMS, core_lines, problems
from tools.translations.catalogue import Entry, read_catalogue
from tools.translations.checks import chinese_faults, differences, gaps
from tools.translations.core_texts import core_patterns
from tools.translations.texts import Text, UnreadableText, all_texts, window_texts

SETTERS = {
    "addAction", "addItem", "addMenu", "addTab", "confirm", "setAccessibleDescription", "setAccessibleName",
    "setDetailedText", "setInformativeText", "setLabelText", "setPlaceholderText", "setPrefix", "setSpecialValueText",
    "setStatusTip", "setSuffix", "setText", "setTitle", "setToolTip", "setWhatsThis", "setWindowTitle", "show_error",
    "show_problem", "show_text",
}  # fmt: skip
WORDLESS = {"agdesk", "Aa"}  # a name, and letters that stand for upper and lower case


def bare_words(path):
    """Literals with letters that a widget is given as they are."""
    for call in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(call, ast.Call):
            continue
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        is_qt = isinstance(call.func, ast.Name) and name[:1] == "Q" and name[1:2].isupper()
        if name in SETTERS or is_qt:
            for argument in call.args:
                yield from (f"{shown(path)}:{call.lineno}: {words}" for words in literals(argument))


def literals(node):
    """Constant texts of an expression, without those that a call or an index in it is given."""
    match node:
        case ast.Constant(value=str(words)):
            if any(letter.isalpha() for letter in words) and words not in WORDLESS:
                yield words
        case ast.Call() | ast.Subscript():
            return
        case ast.FormattedValue():  # beside the value it has a format
            yield from literals(node.value)
        case _:
            for child in ast.iter_child_nodes(node):
                yield from literals(child)


@pytest.fixture(scope="module")
def texts():
    return all_texts(PACKAGE)


def test_every_text_has_a_finished_translation_that_could_stand_in_its_place(texts):
    """What is named here is seen to as docs/translating.md says: ``python3 dev.py translations``, then the ``.ts``."""
    assert problems(texts) == []


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_the_compiled_catalogue_says_what_its_source_says(path):
    translator = QTranslator()
    assert translator.load(str(path.with_suffix(".qm")))
    for entry in read_catalogue(path):
        numbers = (1, 2) if len(entry.forms) > 1 else (1,) if entry.text.is_plural else (-1,)
        compiled = tuple(translator.translate(entry.text.context, entry.text.source, "", number) for number in numbers)
        assert compiled == entry.forms, "run python3 dev.py translations"


def test_the_window_knows_the_patterns_of_what_the_core_says_today(texts):
    assert CORE_PATTERNS.read_text("utf-8") == core_lines(texts), "run python3 dev.py translations"


def test_what_the_core_says_is_read_from_errors_hints_and_headlines(tmp_path):
    (tmp_path / "parts.py").write_text(
        '"""The docstring of a module is nothing that is said."""\n'
        "class Refused(AgdeskError): ...\n"
        'HEADLINES = {1: "The rate limit was hit"}\n'
        "def ask():\n"
        '    log.warning("The log is not for the window")\n'
        "    hint = f'Look at {self._path} again.'\n"
        "    raise Refused(f'{host} has refused {size / 2} bytes', hint)\n"
    )
    assert core_patterns(tmp_path) == [
        "Look at {path} again.",
        "The rate limit was hit{rest}",
        "{host} has refused {3} bytes",
    ]


def test_no_widget_is_given_words_past_the_catalogues():
    assert [words for path in python_files(PACKAGE / "ui") for words in bare_words(path)] == []


@pytest.mark.parametrize(
    "line",
    [
        "button.setText('Send')",
        "QLabel(f'{count} models')",
        "field.setPlaceholderText('Name' if is_new else '')",
        "menu.addAction(icon, 'Copy' + keys)",
    ],
)
def test_words_that_go_past_the_catalogues_are_found(line, tmp_path, monkeypatch):
    monkeypatch.setattr("tests.arch.test_translations.shown", str)
    path = tmp_path / "view.py"
    path.write_text(line)
    assert len(list(bare_words(path))) == 1


def test_texts_are_read_with_the_class_or_the_context_that_they_belong_to(tmp_path):
    path = tmp_path / "view.py"
    path.write_text(
        "def outside():\n    return translate('Words', 'One')\n"
        "class View(QWidget):\n"
        "    def show(self):\n"
        "        for name in (self.tr('Two ' 'halves'), self.tr('%n left', '', 3)):\n"
        "            name.translate(table, 1)\n"
    )
    texts = {Text("Words", "One"), Text("View", "Two halves"), Text("View", "%n left", is_plural=True)}
    assert set(window_texts(path)) == texts


@pytest.mark.parametrize("call", ["self.tr(name)", "window.tr('Send')", "translate('Words', name)", "tr('Send')"])
def test_a_text_that_cannot_be_known_without_running_the_program_is_an_error(call, tmp_path):
    path = tmp_path / "view.py"
    path.write_text(f"class View(QWidget):\n    def show(self):\n        {call}\n")
    with pytest.raises(UnreadableText, match=r"view\.py:3"):
        list(window_texts(path))


def test_titles_descriptions_and_choices_of_the_settings_are_texts(texts):
    sources = {text.source for text in texts if text.context == "Settings"}
    assert {"Appearance", "Theme", "Light or dark colours, or those of the desktop.", "As the desktop"} <= sources
    assert "Base URL" in sources  # of what is set for each provider


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        (Entry(Text("A", "Other"), ("别的",), ""), "missing: A: Send"),
        (Entry(Text("A", "Send"), ("",), "unfinished"), "unfinished: A: Send"),
        (Entry(Text("A", "Send"), ("",), ""), "a form is missing: A: Send"),
    ],
)
def test_a_gap_in_the_catalogue_is_found(entry, problem):
    assert problem in list(gaps([Text("A", "Send")], [entry], forms=1))


def test_a_text_that_is_not_in_the_source_any_more_is_found():
    assert list(gaps([], [Entry(Text("A", "Old"), ("旧",), "")], forms=1)) == ["not in the source any more: A: Old"]


def test_a_missing_plural_form_is_found():
    text = Text("A", "%n files", is_plural=True)
    assert list(gaps([text], [Entry(text, ("%n file",), "")], forms=2)) == ["a form is missing: A: %n files"]


@pytest.mark.parametrize(
    ("source", "translation", "problem"),
    [
        ("{count} of {all}", "{count}/{al}", "placeholders"),
        ("Open %1", "打开", "placeholders"),
        ("%n files", "文件", "placeholders"),
        ("&File", "文件", "mnemonic"),
        (" %", "%", "blanks around"),
    ],
)
def test_a_translation_that_could_not_stand_in_the_place_of_its_source_is_found(source, translation, problem):
    assert [found.partition(":")[0] for found in differences([Entry(Text("A", source), (translation,), "")])] == [
        problem
    ]


@pytest.mark.parametrize(
    ("source", "translation", "problem"),
    [
        ("Edit…", "编辑", "end"),
        ("Sent.", "已发送", "end"),
        ("Delete it?", "删除它", "end"),
        ("all tokens", "全部token", "no space between Chinese and Latin"),
        ("a, b", "甲,乙", "half-width mark"),
    ],
)
def test_a_breach_of_chinese_typography_is_found(source, translation, problem):
    assert [found.partition(":")[0] for found in chinese_faults([Entry(Text("A", source), (translation,), "")])] == [
        problem
    ]
