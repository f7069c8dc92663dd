"""Runs the fuzzer over the wire formats: ``python -m tools.fuzz [SECONDS [FORMAT]...]``; by default a minute each."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from agdesk.core.providers.registry import WIRE_FORMATS
from tests.contract.dialects.abstract import Writer
from tests.contract.dialects.writers import WRITERS
from tools.fuzz.seeds import inputs

FOLDER = Path(__file__).resolve().parents[2] / "build" / "fuzz"
SECONDS = 60
INPUT_LIMIT_S = 10
MEMORY_LIMIT_MB = 2048
BODY_LIMIT_BYTES = 8192
_COUNT = re.compile(r"stat::number_of_executed_units:\s*(\d+)")


def main(arguments: Sequence[str]) -> int:
    """Exit status: 1 if anything was found, 2 for wrong usage or where there is no fuzzer."""
    seconds = arguments[0] if arguments else str(SECONDS)
    formats = tuple(arguments[1:]) or WIRE_FORMATS
    if not seconds.isdecimal() or not set(formats) <= set(WIRE_FORMATS):
        print(f"usage: make fuzz ARGS='[SECONDS [FORMAT]...]'; formats: {', '.join(WIRE_FORMATS)}", file=sys.stderr)
        return 2
    if importlib.util.find_spec("atheris") is None:
        print("The fuzzer (atheris) is there for Linux only.", file=sys.stderr)
        return 2
    findings = sum(fuzz(WRITERS[wire], seconds=int(seconds)) for wire in formats)
    print(f"{findings or 'no'} findings" if findings != 1 else "1 finding")
    return 1 if findings else 0


def fuzz(writer: Writer, *, seconds: int) -> int:
    """Fuzzes one format, says how it went and returns how many findings there were: none or one."""
    seeds, corpus = FOLDER / writer.wire / "seeds", FOLDER / writer.wire / "corpus"
    shutil.rmtree(seeds, ignore_errors=True)
    for folder in (seeds, corpus):
        folder.mkdir(parents=True, exist_ok=True)
    for number, body in enumerate(inputs(writer)):
        (seeds / f"{number:03}").write_bytes(body)
    options = {
        "max_total_time": seconds,
        "timeout": INPUT_LIMIT_S,
        "rss_limit_mb": MEMORY_LIMIT_MB,
        "max_len": BODY_LIMIT_BYTES,
        "artifact_prefix": f"{FOLDER}/{writer.wire}-",
        "print_final_stats": 1,
        "verbosity": 1,
    }
    command = [sys.executable, "-m", "tools.fuzz.target", writer.wire, str(corpus), str(seeds)]
    command += [f"-{name}={value}" for name, value in options.items()]
    log = FOLDER / f"{writer.wire}.log"
    with log.open("wb") as output:
        status = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, check=False).returncode
    text = log.read_text(encoding="utf-8", errors="replace")
    count = _COUNT.search(text)
    print(f"{writer.wire}: {int(count[1]) if count else 0:,} executions, exit status {status}", flush=True)
    if status:
        print(finding(text), flush=True)
    return int(status != 0)


def finding(log: str) -> str:
    """The end of a log from the exception or the verdict on, with the place of the input."""
    lines = log.splitlines()
    first = next((i for i, line in enumerate(lines) if "Uncaught Python exception" in line or "ERROR:" in line), -20)
    return "\n".join(lines[first:][:60])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
