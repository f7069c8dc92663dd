"""The language of the window: which one is spoken, and that every text of a widget finds its translation (UX1)."""

import importlib
import inspect
import pkgutil

import pytest
from PySide6.QtCore import QCoreApplication, QDate, QLocale, QObject, QTranslator
from PySide6.QtWidgets import QDialogButtonBox

import agdesk.ui
from agdesk.core.settings.paths import resource
from agdesk.ui.chat.send_button import SendButton
from agdesk.ui.language import install_language, prepare_language, spoken_language


class DerivedButton(SendButton):
    pass


@pytest.fixture
def chinese(qapp, monkeypatch):
    monkeypatch.setenv("FC_LANG", "en")  # put back after the test
    locale = QLocale()
    install_language(qapp, prepare_language("zh_CN"))
    yield
    for translator in qapp.findChildren(QTranslator):
        qapp.removeTranslator(translator)
        translator.setParent(None)
    QLocale.setDefault(locale)


@pytest.mark.parametrize(
    ("chosen", "wished", "spoken"),
    [
        ("en", ["zh-CN"], "en"),
        ("zh_CN", ["en-US"], "zh_CN"),
        ("system", ["zh-CN", "zh-Hans-CN", "zh"], "zh_CN"),
        ("system", ["zh-SG"], "zh_CN"),
        ("system", ["de-DE", "zh-Hans", "en"], "zh_CN"),
        ("system", ["en-GB", "zh-CN"], "en"),
        ("system", ["zh-TW", "zh-Hant"], "en"),
        ("system", ["zh-HK", "zh-CN"], "zh_CN"),
        ("system", ["C"], "en"),
        ("system", [], "en"),
    ],
)
def test_the_chosen_language_is_spoken_else_the_first_wished_one_that_there_is(chosen, wished, spoken):
    assert spoken_language(chosen, wished) == spoken


def test_chinese_reaches_widgets_of_agdesk_and_those_of_qt(chinese, qtbot):
    button = SendButton()
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    qtbot.addWidget(button)
    qtbot.addWidget(box)
    assert button.tr("Send") == "发送"
    assert box.button(QDialogButtonBox.StandardButton.Cancel).text() == "取消"


def test_a_text_of_a_class_is_found_from_a_class_that_is_derived_from_it(chinese, qtbot):
    button = DerivedButton()
    qtbot.addWidget(button)
    assert button.tr("Send") == "发送"


def test_dates_follow_the_language(chinese):
    pattern = QCoreApplication.translate("Conversations", "MMMM yyyy")
    assert QLocale().toString(QDate(2026, 12, 1), pattern) == "2026年12月"
    assert QLocale().toString(QDate(2026, 12, 1), "dddd") == "星期二"


def test_english_has_plural_forms(qapp):
    translator = QTranslator()
    assert translator.load(str(resource("translations", "agdesk_en.qm")))
    forms = [translator.translate("AttachmentPreview", "%n page(s)", "", number) for number in (1, 2)]
    assert forms == ["%n page", "%n pages"]


def test_every_class_that_translates_by_itself_is_one_that_qt_knows(qapp):
    """``tr`` takes the context from the meta object: a plain class has none."""
    names = [module.name for module in pkgutil.walk_packages(agdesk.ui.__path__, "agdesk.ui.")]
    translating = [
        kind
        for name in names
        for _, kind in inspect.getmembers(importlib.import_module(name), inspect.isclass)
        if kind.__module__ == name and "self.tr(" in inspect.getsource(kind)
    ]
    assert len(translating) > 50
    assert [kind.__qualname__ for kind in translating if not issubclass(kind, QObject)] == []
