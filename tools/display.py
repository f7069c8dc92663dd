"""Whether this machine has a screen. Standard library only: dev.py asks before anything is installed."""

from __future__ import annotations

import os
import re
import socket
import sys
from collections.abc import Mapping


def has_display(env: Mapping[str, str]) -> bool:
    """Whether a window can be seen: always on macOS and Windows; on Linux if a Wayland or an X server answers."""
    if env.get("QT_QPA_PLATFORM", "").startswith(("offscreen", "minimal")):
        return False
    if sys.platform in ("darwin", "win32"):
        return True
    return any(answers(address) for address in display_addresses(env))


def display_addresses(env: Mapping[str, str]) -> list[str | tuple[str, int]]:
    """The sockets that WAYLAND_DISPLAY and DISPLAY name: unix paths (a leading NUL: abstract) or host and port."""
    addresses: list[str | tuple[str, int]] = []
    if env.get("WAYLAND_DISPLAY"):
        addresses.append(os.path.join(env.get("XDG_RUNTIME_DIR", ""), env["WAYLAND_DISPLAY"]))
    display = re.fullmatch(r"(?P<host>.*):(?P<number>\d+)(\.\d+)?", env.get("DISPLAY", ""))
    if display and display["host"] in ("", "unix"):
        path = f"/tmp/.X11-unix/X{display['number']}"
        addresses += ["\0" + path, path]
    elif display:
        addresses.append((display["host"], 6000 + int(display["number"])))
    return addresses


def answers(address: str | tuple[str, int]) -> bool:
    """Whether a server accepts a connection at ``address`` within two seconds."""
    try:
        with socket.socket(socket.AF_UNIX if isinstance(address, str) else socket.AF_INET) as connection:
            connection.settimeout(2.0)
            connection.connect(address)
    except OSError:
        return False
    return True
