"""What a process settles before Qt and agdesk are imported in it."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

from tools.screenshots import chance, clock, fonts
from tools.screenshots.screens import Screen


def draw(wanted: list[str], screens: list[Screen], is_every_scene: bool, output: Path) -> None:
    """Draws on screens of one scale, in a process of its own; see ``studio.shoot``. Its status is 1 if that failed."""
    with tempfile.TemporaryDirectory(prefix="agdesk-screenshots-") as folder:
        _isolate(Path(folder), scale=screens[0].scale)
        clock.freeze()
        chance.freeze()
        from tools.screenshots.studio import shoot

        failed = shoot(wanted, screens, is_every_scene=is_every_scene, output=output, folder=Path(folder))
    sys.exit(failed)


def _isolate(folder: Path, *, scale: float) -> None:
    """An environment that depends on nobody's taste: language, zone, size, fonts, keys."""
    for name in list(os.environ):
        if name.startswith(("QT_", "LC_", "XDG_", "AGDESK_")) or name.endswith(("_API_KEY", "_TOKEN")):
            del os.environ[name]
    os.environ |= {
        "FONTCONFIG_FILE": str(fonts.write_configuration(folder)),
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
        "QT_API": "pyside6",
        "QT_QPA_PLATFORM": "offscreen",
        "QT_SCALE_FACTOR": str(scale),
        "TZ": "UTC",
        "XDG_RUNTIME_DIR": str(folder),
    }
    time.tzset()
