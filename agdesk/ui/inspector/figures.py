"""Numbers as the inspector writes them: with units and thin spaces (UI.md, Words)."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate

THIN_SPACE = "\u2009"
SEPARATOR = " · "


def count(value: int) -> str:
    """A number with thin spaces between its thousands."""
    return f"{value:,}".replace(",", THIN_SPACE)


def duration(ns: int) -> str:
    """``0 ms``, ``0.4 ms``, ``412 ms``, ``1.204 s``, ``4 min 05 s``."""
    if ns < 50_000:
        return f"0{THIN_SPACE}ms"
    if ns < 1_000_000:
        return f"{ns / 1e6:.1f}{THIN_SPACE}ms"
    if ns < 999_500_000:
        return f"{ns / 1e6:.0f}{THIN_SPACE}ms"
    if ns < 60_000_000_000:
        return f"{ns / 1e9:.3f}{THIN_SPACE}s"
    return f"{ns // 60_000_000_000}{THIN_SPACE}min {ns // 1_000_000_000 % 60:02d}{THIN_SPACE}s"


def size(byte_count: int) -> str:
    """``812 bytes``, ``88.2 kB``, ``1.4 MB``."""
    if byte_count < 1000:
        return amount(byte_count, translate("InspectorFigures", "byte"), translate("InspectorFigures", "bytes"))
    if byte_count < 1_000_000:
        return f"{byte_count / 1000:.1f}{THIN_SPACE}kB"
    return f"{byte_count / 1_000_000:.1f}{THIN_SPACE}MB"


def amount(value: int, one: str, many: str) -> str:
    """``1 record``, ``1 204 records``."""
    return f"{count(value)}{THIN_SPACE}{one if value == 1 else many}"
