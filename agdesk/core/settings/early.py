"""The few values that the first paint needs, read with the standard library only (PERF5).

The full settings with their errors come from ``settings.file`` right after it. So what is missing or wrong here is
silently the default: the user is told once, by the reader that can name the line.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from agdesk.core.settings.atomic import write_atomically

Theme: TypeAlias = Literal["system", "light", "dark"]
SCALE_MIN, SCALE_MAX = 0.5, 3.0
DEFAULT_MODEL = "builtin/smollm2-135m"

_GEOMETRY_FILE = "window.geometry"


@dataclass(frozen=True, slots=True)
class EarlySettings:
    """What the window looks like at first, and the model its first conversation asks."""

    theme: Theme = "system"
    scale: float = 1.0
    default_model: str = DEFAULT_MODEL


def read_early_settings(path: Path) -> EarlySettings:
    """The early values of the settings file ``path``; defaults for what is missing or wrong."""
    try:
        document = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError):  # ValueError: not TOML, or not UTF-8
        return EarlySettings()
    appearance, chat = _table(document, "appearance"), _table(document, "chat")
    model = chat.get("default_model")
    return EarlySettings(
        theme=next((theme for theme in get_args(Theme) if theme == appearance.get("theme")), "system"),
        scale=_scale(appearance.get("scale")),
        default_model=model if isinstance(model, str) and all(model.partition("/")) else DEFAULT_MODEL,
    )


def read_geometry(data_folder: Path) -> bytes:
    """The window's geometry as last written, empty if there is none; Qt checks the bytes itself."""
    try:
        return (data_folder / _GEOMETRY_FILE).read_bytes()
    except OSError:
        return b""


def write_geometry(data_folder: Path, geometry: bytes) -> None:
    """Keeps the window's geometry, beside the settings file: closing a window must not touch what the user wrote.

    Raises:
        OSError: it cannot be written.
    """
    write_atomically(data_folder / _GEOMETRY_FILE, geometry)


def _table(document: dict[str, Any], name: str) -> dict[str, Any]:
    table = document.get(name)
    return table if isinstance(table, dict) else {}


def _scale(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 1.0
    return float(value) if SCALE_MIN <= value <= SCALE_MAX else 1.0
