"""The few values that the first paint needs, read with the standard library only (PERF5).

The full settings with their errors come from ``settings.file`` right after it. So what is missing or wrong here is
silently the default: the user is told once, by the reader that can name the line.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

Theme: TypeAlias = Literal["system", "light", "dark"]
Language: TypeAlias = Literal["system", "en", "zh_CN"]
SCALE_MIN, SCALE_MAX = 0.5, 3.0
DEFAULT_MODEL = "builtin/smollm2-135m"


@dataclass(frozen=True, slots=True)
class EarlySettings:
    """How the window looks at first and what it speaks, and the model its first conversation asks."""

    theme: Theme = "system"
    scale: float = 1.0
    default_model: str = DEFAULT_MODEL
    language: Language = "system"


def read_early_settings(path: Path) -> EarlySettings:
    """The early values of the settings file ``path``; defaults for what is missing or wrong."""
    try:
        text = path.read_text("utf-8")
        import tomllib  # here: it takes as long as a small library, and at the first start there is no file

        document = tomllib.loads(text)
    except (OSError, ValueError):  # ValueError: not TOML, or not UTF-8
        return EarlySettings()
    appearance, chat = _table(document, "appearance"), _table(document, "chat")
    model = chat.get("default_model")
    return EarlySettings(
        theme=next((theme for theme in get_args(Theme) if theme == appearance.get("theme")), "system"),
        scale=_scale(appearance.get("scale")),
        default_model=model if isinstance(model, str) and all(model.partition("/")) else DEFAULT_MODEL,
        language=next((code for code in get_args(Language) if code == appearance.get("language")), "system"),
    )


def _table(document: dict[str, Any], name: str) -> dict[str, Any]:
    table = document.get(name)
    return table if isinstance(table, dict) else {}


def _scale(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 1.0
    return float(value) if SCALE_MIN <= value <= SCALE_MAX else 1.0
