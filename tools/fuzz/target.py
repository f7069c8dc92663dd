"""One wire format under the fuzzer: ``python -m tools.fuzz.target FORMAT FILE|FOLDER... [-OPTION=VALUE]...``.

The arguments behind the format are libFuzzer's.
"""

from __future__ import annotations

import random
import sys

import atheris

from tools.fuzz.mutation import mutate

with atheris.instrument_imports(include=["agdesk.core.providers", "agdesk.core.ir"]):
    from tools.fuzz.checks import Checks


def changed(data: bytes, max_size: int, seed: int) -> bytes:
    """An input with one change: mostly of its frames, sometimes of its bytes."""
    rng = random.Random(seed)
    if len(data) < 2 or rng.random() < 0.2:
        mutated: bytes = atheris.Mutate(data, max_size)
        return mutated
    return (data[:1] + mutate(data[1:], rng))[:max_size]


if __name__ == "__main__":
    program, wire, *options = sys.argv
    atheris.Setup([program, *options], Checks(wire), custom_mutator=changed)
    atheris.Fuzz()
