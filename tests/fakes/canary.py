"""A key that is looked for everywhere after everything was used (SEC1)."""

from __future__ import annotations

import base64
import json
import re
import shutil
import sqlite3
import subprocess
import tempfile
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, quote_plus

import psutil  # type: ignore[import-untyped]

CANARY = 'sk-canary/"Zx81\\q+0123456789=abcdefghij'
"""Every way to escape a text changes it; a long plain run is in it too."""

_COMPRESSED = re.compile(rb"\x1f\x8b\x08|\x78[\x01\x5e\x9c\xda]")  # how gzip and zlib streams begin
_MOST_BYTES = 50_000_000


def spellings(secret: str) -> dict[str, tuple[bytes, ...]]:
    """The forms that count as the secret, by what they are called in a report."""
    encoded = secret.encode()
    escaped = json.dumps(secret)[1:-1]
    packed: list[str] = []
    for offset in range(3):  # where a secret stands in its base64 groups decides how it looks
        text = base64.b64encode(b"\0" * offset + encoded).decode().rstrip("=")
        inner = text[-(-offset * 8 // 6) : -1]  # without the characters that also depend on the neighbours
        packed += [inner, inner.translate(str.maketrans("+/", "-_"))]
    urls = {quote(secret), quote(secret, safe=""), quote_plus(secret)}
    urls |= {re.sub("%..", lambda match: match[0].lower(), url) for url in urls}
    return {
        "plain": (encoded,),
        "JSON": (escaped.encode(), escaped.replace("/", "\\/").encode(), json.dumps(escaped)[1:-1].encode()),
        "URL": tuple(url.encode() for url in urls),
        "base64": tuple(text.encode() for text in packed),
        "UTF-16": (secret.encode("utf-16-le"), secret.encode("utf-16-be")),
    }


def leaks_in(content: bytes | str, secret: str, *, place: str) -> list[str]:
    """Where ``content`` holds the secret, also inside what is compressed in it: ``place: form`` each."""
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    forms = spellings(secret)
    return [
        f"{place}{note}: {name}"
        for note, piece in (("", data), *_unpacked(data))
        for name, variants in forms.items()
        if any(variant in piece for variant in variants)
    ]


def find_leaks(root: Path, secret: str) -> list[str]:
    """Where the secret stands in a file below ``root`` or in a file's name; databases are read row by row as well."""
    found: list[str] = []
    for path in sorted(root.rglob("*")):
        place = str(path.relative_to(root))
        found += leaks_in(place, secret, place=f"the name {place}")
        if path.is_symlink() or not path.is_file():
            continue
        content = path.read_bytes()
        found += leaks_in(content, secret, place=place)
        if content.startswith(b"SQLite format 3\0"):
            for table, value in _database_values(path):
                found += leaks_in(value, secret, place=f"{place}, table {table}")
    return list(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class Watched:
    """A program that has run: what it printed, and what any process could see of it and of its children.

    ``seen`` has its command line, and command lines and environments of its children.
    """

    status: int
    output: str
    child_count: int
    seen: bytes = field(repr=False)


def run_watched(
    command: Sequence[str], *, env: Mapping[str, str], stdin: str = "", cwd: Path | None = None, timeout_s: float = 100
) -> Watched:
    """Runs a program to its end and looks at its processes while it runs."""
    seen: set[bytes] = set()
    children: set[int] = set()
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as sink:
        source.write(stdin.encode())
        source.seek(0)
        process = subprocess.Popen(command, env=dict(env), cwd=cwd, stdin=source, stdout=sink, stderr=sink)
        deadline = time.monotonic() + timeout_s
        seen.add("\0".join(command).encode())
        try:
            while process.poll() is None:
                assert time.monotonic() < deadline, f"{command} did not end"
                for child in _descendants(process.pid):
                    try:
                        variables = [f"{name}={value}" for name, value in child.environ().items()]
                        seen.add("\0".join([*child.cmdline(), *variables]).encode("utf-8", "surrogateescape"))
                        children.add(child.pid)
                    except psutil.Error:  # it has just ended
                        continue
                time.sleep(0.01)
        finally:
            process.kill()
            process.wait()
        sink.seek(0)
        return Watched(process.returncode, sink.read().decode("utf-8", "replace"), len(children), b"\n".join(seen))


def _descendants(pid: int) -> list[psutil.Process]:
    try:
        return list(psutil.Process(pid).children(recursive=True))
    except psutil.Error:
        return []


def _unpacked(content: bytes) -> Iterator[tuple[str, bytes]]:
    for match in _COMPRESSED.finditer(content):
        try:
            piece = zlib.decompressobj(wbits=47).decompress(content[match.start() :], _MOST_BYTES)
        except zlib.error:
            continue
        yield f", compressed at byte {match.start()}", piece


def _database_values(path: Path) -> Iterator[tuple[str, bytes | str]]:
    """Every text and blob, each in one piece: in the file a long one is cut over pages. Reads a copy, with its log."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        for suffix in ("", "-wal", "-shm"):
            if (part := path.with_name(path.name + suffix)).exists():
                shutil.copy(part, copy.with_name(copy.name + suffix))
        with closing(sqlite3.connect(copy)) as database:
            tables = database.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'"
            )
            for (table,) in tables.fetchall():
                for row in database.execute(f'SELECT * FROM "{table}"'):
                    yield from ((table, value) for value in row if isinstance(value, bytes | str))
