"""What there is to translate: the literals of the window, the titles of the settings, what the core says of failures.

``pyside6-lupdate`` does not see a text that stands in the settings model, and takes the wrong context of a ``tr`` that
is called on anything but ``self``. So the texts are collected here, and it is given a file that says them plainly.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from agdesk.core.settings.model import Settings
from agdesk.core.settings.validation import BaseModel
from tools.translations.core_texts import core_patterns

WINDOW = ("app.py", "ui")
SETTINGS_CONTEXT = "Settings"
CORE_CONTEXT = "Core"
_OPEN_CONTEXTS = (SETTINGS_CONTEXT, CORE_CONTEXT)  # their texts are not literals of the window
_TRANSLATE = ("translate", "QCoreApplication.translate")


class Text(NamedTuple):
    """One text of the source, as Qt looks it up. ``is_plural``: it has a ``%n``, which chooses among its forms."""

    context: str
    source: str
    is_plural: bool = False


class UnreadableText(Exception):
    """A call translates what cannot be known without running it."""


def all_texts(package: Path) -> list[Text]:
    """Every text of the package ``agdesk`` once, in order.

    Raises:
        UnreadableText: a call translates something else than a literal; the message names the place.
    """
    texts = {*_settings_texts(), *(Text(CORE_CONTEXT, pattern) for pattern in core_patterns(package / "core"))}
    for name in WINDOW:
        root = package / name
        for path in [root] if root.is_file() else root.rglob("*.py"):
            texts.update(window_texts(path))
    return sorted(texts)


def window_texts(path: Path) -> Iterator[Text]:
    """The texts of one module: ``self.tr("…")`` belongs to the class around it, ``translate`` names its context."""
    yield from _texts_below(ast.parse(path.read_text("utf-8")), "", path)


def _texts_below(node: ast.AST, class_name: str, path: Path) -> Iterator[Text]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call):
            yield from _text_of(child, class_name, path)
        yield from _texts_below(child, child.name if isinstance(child, ast.ClassDef) else class_name, path)


def _text_of(call: ast.Call, class_name: str, path: Path) -> Iterator[Text]:
    name = ast.unparse(call.func)
    arguments: list[object] = [argument.value if isinstance(argument, ast.Constant) else None for argument in call.args]
    match arguments:
        case [str(source), *rest] if name == "self.tr" and class_name:
            yield Text(class_name, source, len(rest) > 1)
        case [str(context), str(source), *rest] if name in _TRANSLATE:
            yield Text(context, source, len(rest) > 1)
        case [str(context), _] if name in _TRANSLATE and context in _OPEN_CONTEXTS:
            pass
        case _ if name in _TRANSLATE or name == "tr" or name.endswith(".tr"):
            raise UnreadableText(f"{path.name}:{call.lineno}: {ast.unparse(call)}")


def _settings_texts(model: type[BaseModel] = Settings) -> Iterator[Text]:
    for info in model.model_fields.values():
        extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
        choices = extra.get("choices", {})
        words = choices.values() if isinstance(choices, dict) else ()
        for text in (info.title, info.description, *words):
            if isinstance(text, str) and text:
                yield Text(SETTINGS_CONTEXT, text)
        for part in (info.annotation, *getattr(info.annotation, "__args__", ())):
            if isinstance(part, type) and issubclass(part, BaseModel):
                yield from _settings_texts(part)
