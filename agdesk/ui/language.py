"""The language of the window: which one it is, and its catalogues (UX1).

What the core says, the log and the command line stay English. A text is translated when a widget is made, so another
language holds from the next start.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable
from typing import Literal, TypeAlias

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from agdesk.core.settings.early import Language
from agdesk.core.settings.paths import resource

log = logging.getLogger(__name__)

Spoken: TypeAlias = Literal["en", "zh_CN"]
"""A language that there is a catalogue of; the names are Qt's."""


def spoken_language(chosen: Language, wished: Iterable[str]) -> Spoken:
    """The language to speak: the chosen one, for ``system`` the first of the wished ones that there is, else English.

    Args:
        chosen: the setting.
        wished: as ``QLocale.uiLanguages`` gives them, the dearest first: ``zh-Hans-CN``, ``en-GB``.
    """
    if chosen != "system":
        return chosen
    for name in wished:
        locale = QLocale(name)
        if locale.language() == QLocale.Language.English:
            return "en"
        if locale.language() == QLocale.Language.Chinese and locale.script() == QLocale.Script.SimplifiedHanScript:
            return "zh_CN"
    return "en"


def prepare_language(chosen: Language) -> Spoken:
    """Decides the language before there is an application, since its fonts depend on it; dates follow as well."""
    system = QLocale.system()
    spoken = spoken_language(chosen, system.uiLanguages())
    locale = QLocale(spoken)
    # who has the language of the system keeps its region: dates as in en-GB
    QLocale.setDefault(system if system.language() == locale.language() else locale)
    if spoken == "zh_CN":
        os.environ["FC_LANG"] = "zh-cn"  # else fontconfig draws the Japanese forms of many characters
    return spoken


def install_language(app: QApplication, spoken: Spoken) -> None:
    """Loads the catalogues of agdesk and of Qt's own buttons and menus; call it before the first widget is made."""
    catalogues = [str(resource("translations", f"agdesk_{spoken}.qm"))]
    if spoken != "en":
        catalogues.append(f"{QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)}/qtbase_{spoken}.qm")
    for catalogue in catalogues:
        translator = QTranslator(app)
        if translator.load(catalogue):
            app.installTranslator(translator)
        else:
            log.error("the catalogue %s cannot be read", catalogue)
