"""Merges the texts of the source into the catalogues, compiles them, and says what is left to translate."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.translations.catalogue import read_catalogue
from tools.translations.checks import chinese_faults, differences, gaps
from tools.translations.texts import CORE_CONTEXT, Text, all_texts

ROOT = Path(__file__).resolve().parents[2]
CATALOGUES = ROOT / "resources" / "translations"
ENGLISH = CATALOGUES / "agdesk_en.ts"
CHINESE = CATALOGUES / "agdesk_zh_CN.ts"
CORE_PATTERNS = CATALOGUES / "core.txt"
FORMS = {ENGLISH: 2, CHINESE: 1}
"""How many forms ``%n`` has; English has a catalogue only for them."""


def main() -> int:
    """Writes ``.ts`` and ``.qm`` of each language; 1 if something is left to do."""
    texts = all_texts(ROOT / "agdesk")
    CORE_PATTERNS.write_text(core_lines(texts), "utf-8")
    listing = ROOT / "build" / "translations" / "texts.py"
    listing.parent.mkdir(parents=True, exist_ok=True)
    listing.write_text("".join(map(_call, texts)), "utf-8")
    merge = ("-silent", "-no-obsolete", "-locations", "none", "-extensions", "py", "-source-language", "en_US")
    for path in FORMS:
        only = ("-pluralonly",) if path == ENGLISH else ()
        _run("pyside6-lupdate", *merge, *only, str(listing), "-ts", str(path))
        _run("pyside6-lrelease", "-silent", str(path), "-qm", str(path.with_suffix(".qm")))
    found = problems(texts)
    for problem in found:
        print(problem, file=sys.stderr)
    print(f"{len(texts)} texts, {len(found)} to see to in {CATALOGUES}")
    return 1 if found else 0


def core_lines(texts: Sequence[Text]) -> str:
    """What ``core.txt`` holds: the patterns that the window looks for in what the core says, one on a line."""
    return "".join(f"{text.source}\n" for text in texts if text.context == CORE_CONTEXT)


def problems(texts: Sequence[Text]) -> list[str]:
    """Everything that is wrong with the catalogues as they are on the disk."""
    english, chinese = read_catalogue(ENGLISH), read_catalogue(CHINESE)
    plurals = [text for text in texts if text.is_plural]
    return [
        *gaps(plurals, english, forms=FORMS[ENGLISH]),
        *gaps(texts, chinese, forms=FORMS[CHINESE]),
        *differences(english),
        *differences(chinese),
        *chinese_faults(chinese),
    ]


def _call(text: Text) -> str:
    """A line that ``lupdate`` reads as this text."""
    arguments = [json.dumps(part, ensure_ascii=False) for part in (text.context, text.source)]
    if text.is_plural:
        arguments += ['""', "1"]
    return f"translate({', '.join(arguments)})\n"


def _run(tool: str, *arguments: str) -> None:
    command = shutil.which(tool, path=str(Path(sys.executable).parent))
    if command is None:
        raise SystemExit(f"{tool} is not installed beside {sys.executable}: it comes with PySide6-Essentials")
    subprocess.run([command, *arguments], check=True)


if __name__ == "__main__":
    sys.exit(main())
