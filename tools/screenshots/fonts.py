"""The fonts of the pictures: DejaVu, and Noto Sans CJK for what DejaVu has not, whatever the desktop prefers."""

from __future__ import annotations

from pathlib import Path

NEEDED = ("DejaVu Sans", "DejaVu Sans Mono")
CHINESE = "Noto Sans CJK SC"
_CONFIGURATION = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <cachedir>{cache}</cachedir>
  <selectfont>
    <rejectfont><pattern><patelt name="scalable"><bool>true</bool></patelt></pattern></rejectfont>
    <acceptfont>
      <pattern><patelt name="family"><string>DejaVu Sans</string></patelt></pattern>
      <pattern><patelt name="family"><string>DejaVu Sans Mono</string></patelt></pattern>
      <pattern><patelt name="family"><string>Noto Sans CJK SC</string></patelt></pattern>
    </acceptfont>
  </selectfont>
  <match target="pattern">
    <test name="family"><string>monospace</string></test>
    <edit name="family" mode="prepend" binding="strong"><string>DejaVu Sans Mono</string></edit>
  </match>
  <match target="pattern">
    <edit name="family" mode="append" binding="weak">
      <string>DejaVu Sans</string><string>Noto Sans CJK SC</string>
    </edit>
  </match>
  <match target="font">
    <edit name="antialias" mode="assign"><bool>true</bool></edit>
    <edit name="hinting" mode="assign"><bool>false</bool></edit>
    <edit name="rgba" mode="assign"><const>none</const></edit>
  </match>
</fontconfig>
"""


def write_configuration(folder: Path) -> Path:
    """A configuration of fontconfig that knows these fonts only; Qt reads it through FONTCONFIG_FILE."""
    path = folder / "fonts.conf"
    path.write_text(_CONFIGURATION.format(cache=folder / "font-cache"))
    return path
