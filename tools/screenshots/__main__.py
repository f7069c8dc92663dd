"""Draws the scenes. What has to be settled before Qt and agdesk are imported is settled here."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

from tools.screenshots import chance, clock, fonts

OUTPUT = Path(__file__).resolve().parents[2] / "build" / "screenshots"


def main(wanted: list[str]) -> int:
    """Draws the scenes whose names contain one of ``wanted``, or all; 1 if there is none or one failed."""
    with tempfile.TemporaryDirectory(prefix="agdesk-screenshots-") as folder:
        _isolate(Path(folder))
        clock.freeze()
        chance.freeze()
        from tools.screenshots.studio import shoot

        return shoot(wanted, OUTPUT, Path(folder))


def _isolate(folder: Path) -> None:
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
        "TZ": "UTC",
        "XDG_RUNTIME_DIR": str(folder),
    }
    time.tzset()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
