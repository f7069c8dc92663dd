"""The folders agdesk uses, and the only reader of ``resources/``."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from agdesk.core.errors import SettingsError

DATA_DIR_VARIABLE = "AGDESK_DATA_DIR"


def locate_data_folder(override: str | Path | None = None) -> Path:
    """The data folder, whether it exists or not: ``override``, else ``AGDESK_DATA_DIR``, else the system's place."""
    chosen = override or os.environ.get(DATA_DIR_VARIABLE)
    if chosen:
        return Path(chosen).expanduser().absolute()
    import platformdirs

    return Path(platformdirs.user_data_dir("agdesk", appauthor=False))


def open_data_folder(override: str | Path | None = None) -> Path:
    """The data folder, made if need be and closed to other users (SEC6).

    A folder the user points at is closed only while it is empty: one that holds other things is not agdesk's to change.

    Raises:
        SettingsError: it cannot be made or read.
    """
    folder = locate_data_folder(override)
    try:
        _make_private(folder)
    except OSError as error:
        raise SettingsError(
            f"The data folder {folder} cannot be used: {error.strerror or error}",
            f"Choose another one with --data-dir or {DATA_DIR_VARIABLE}.",
        ) from error
    return folder


def logs_folder(data_folder: Path) -> Path:
    """The folder of log files inside an opened data folder, made if need be."""
    folder = data_folder / "logs"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def settings_path(data_folder: Path) -> Path:
    """The settings file of a data folder."""
    return data_folder / "settings.toml"


def resource(*parts: str) -> Path:
    """A file or folder of ``resources/``, in a source checkout and in the packaged program alike."""
    bundle = getattr(sys, "_MEIPASS", None)  # PyInstaller's folder with the data files
    root = Path(bundle) if bundle else Path(__file__).resolve().parents[3]
    return root.joinpath("resources", *parts)


def _make_private(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not any(folder.iterdir()):
        folder.chmod(0o700)
