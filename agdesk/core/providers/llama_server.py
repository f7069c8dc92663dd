"""The parent's side of the built-in model: starts its server on first use, notices its crash, ends it (RUN3)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import subprocess
import sys
from asyncio.subprocess import Process
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import agdesk
from agdesk.core.emitter import Emitter
from agdesk.core.errors import AgdeskError, ConfigurationError, TransportError
from agdesk.core.providers.child_environment import child_environment
from agdesk.core.tasks import cancel_and_wait, spawn

START_TIMEOUT_S = 120.0  # a large file on a slow disk
STOP_TIMEOUT_S = 2.0
LOG_LINES = 100
_LOG_TAIL_BYTES = 64 * 1024
_ERROR_LINES = 10
_PIPES_TIMEOUT_S = 0.5


class LlamaState(StrEnum):
    """``CRASHED``: the process ended by itself, or never got ready; the next use starts it again."""

    STOPPED = "stopped"
    STARTING = "starting"
    RUNNING = "running"
    CRASHED = "crashed"


@dataclass(frozen=True, slots=True)
class LlamaOptions:
    """Which file to serve (None: there is none) and with how many tokens of context."""

    gguf: Path | None
    n_ctx: int


@dataclass(frozen=True, slots=True)
class _Running:
    process: Process
    options: LlamaOptions
    base_url: str
    key: str


class LlamaServer:
    """The one server of the built-in model; used on one event loop.

    Attributes:
        state: what the process is doing.
        states: emits every change of ``state``.
        log_file: what the process wrote to stderr since it was last started.
        command: the child's command line, without its options.

    Args:
        options: what to serve, asked at every use: a change restarts the server with the next ``acquire``.
        command: replaces the child's command line.
        start_timeout_s: how long loading the model may take.
    """

    def __init__(
        self,
        options: Callable[[], LlamaOptions],
        *,
        log_file: Path,
        command: Sequence[str] | None = None,
        start_timeout_s: float = START_TIMEOUT_S,
    ) -> None:
        self.states: Emitter[LlamaState] = Emitter()
        self.state = LlamaState.STOPPED
        self.log_file = log_file
        self._options = options
        self.command = tuple(command) if command is not None else _own_command()
        self._start_timeout_s = start_timeout_s
        self._starting: asyncio.Task[_Running | AgdeskError] | None = None
        self._running: _Running | None = None
        self._watch: asyncio.Task[None] | None = None

    async def acquire(self) -> tuple[str, str]:
        """The base URL and key of the running server, started or restarted if need be.

        Concurrent callers share one start; one that is cancelled does not end it for the others.

        Raises:
            ConfigurationError: the model cannot be served; the message says why.
            TransportError: the process died or was not ready in time; the hint holds its last words.
        """
        if (running := self._usable()) is not None:
            return running.base_url, running.key
        if self._starting is None or self._starting.done():
            self._starting = spawn(self._start(self._options()), name="start of the built-in model")
        start = self._starting
        await asyncio.wait([start])
        if start.cancelled():
            raise TransportError("The built-in model was stopped while it was starting", "Send again.")
        outcome = start.result()
        if isinstance(outcome, AgdeskError):
            raise outcome
        return outcome.base_url, outcome.key

    async def aclose(self) -> None:
        """Ends the process: within about two seconds, whatever it is doing. It may be started again."""
        if self._starting is not None:
            await cancel_and_wait(self._starting)
        await self._stop()
        self._set_state(LlamaState.STOPPED)

    def log_lines(self) -> tuple[str, ...]:
        """The last 100 lines of the log."""
        try:
            with self.log_file.open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - _LOG_TAIL_BYTES))
                text = file.read().decode("utf-8", "replace")
        except OSError:
            return ()
        return tuple(text.splitlines()[-LOG_LINES:])

    def _usable(self) -> _Running | None:
        running = self._running
        if running is None or running.process.returncode is not None or running.options != self._options():
            return None
        return running

    async def _start(self, options: LlamaOptions) -> _Running | AgdeskError:
        """Starts the process. A failure is returned: everyone who waits for this start raises it."""
        await self._stop()
        self._set_state(LlamaState.STARTING)
        try:
            running = await self._run(options)
        except asyncio.CancelledError:
            self._set_state(LlamaState.STOPPED)
            raise
        except AgdeskError as error:
            self._set_state(LlamaState.CRASHED)
            return error
        self._running = running
        self._watch = spawn(self._watch_exit(running), name="watch over the built-in model")
        self._set_state(LlamaState.RUNNING)
        return running

    async def _run(self, options: LlamaOptions) -> _Running:
        process: Process | None = None
        is_ready = False
        try:
            async with asyncio.timeout(self._start_timeout_s):
                process = await self._launch_whole(options)
                key = secrets.token_urlsafe(32)
                base_url = await _greet(process, key)
            is_ready = True
            return _Running(process, options, base_url, key)
        except TimeoutError as error:
            raise self._failure(f"The built-in model was not ready within {self._start_timeout_s:g} s") from error
        except OSError as error:
            raise self._failure(f"The built-in model could not be started: {error}") from error
        except _Died as error:
            raise self._failure(f"The built-in model's process ended before it was ready ({error})") from error
        finally:
            if process is not None and not is_ready:
                await _end(process, timeout_s=0.0)

    async def _launch_whole(self, options: LlamaOptions) -> Process:
        """Launches, and ends what was launched if that is not wanted any more.

        Before Python 3.11.4 a cancelled ``create_subprocess_exec`` leaves its process behind: it is never cancelled.
        """

        async def launch() -> Process | AgdeskError | OSError:
            try:
                return await self._launch(options)
            except (AgdeskError, OSError) as error:
                return error

        launching = spawn(launch(), name="launch of the built-in model")
        try:
            outcome = await asyncio.shield(launching)
        except asyncio.CancelledError:
            if isinstance(unwanted := await launching, Process):
                await _end(unwanted, timeout_s=0.0)
            raise
        if isinstance(outcome, Process):
            return outcome
        raise outcome

    async def _launch(self, options: LlamaOptions) -> Process:
        if options.gguf is None:
            raise ConfigurationError(
                "The model that comes with agdesk is not installed",
                "Choose a GGUF file in Settings › Built-in model.",
            )
        arguments = ("--gguf", str(options.gguf.absolute()), "--n-ctx", str(options.n_ctx))
        self.log_file.unlink(missing_ok=True)
        log = os.open(self.log_file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            return await asyncio.create_subprocess_exec(
                *self.command,
                *arguments,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                env=child_environment(os.environ),
                cwd=Path(agdesk.__file__).parents[1],  # ``-m`` takes the package from there: this one, no other
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        finally:
            os.close(log)

    async def _watch_exit(self, running: _Running) -> None:
        await running.process.wait()
        if self._running is running:
            self._running = None
            self._set_state(LlamaState.CRASHED)

    async def _stop(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            await _end(running.process, timeout_s=STOP_TIMEOUT_S)
        if self._watch is not None:
            await self._watch
            self._watch = None

    def _failure(self, message: str) -> TransportError:
        hint = "\n".join(self.log_lines()[-_ERROR_LINES:]) or f"See {self.log_file}."
        return TransportError(message, hint, is_retryable=False)  # it has been waited for long enough

    def _set_state(self, state: LlamaState) -> None:
        if state is not self.state:
            self.state = state
            self.states.emit(state)


class _Died(Exception):
    """The process ended without a word; says how."""


def _own_command() -> tuple[str, ...]:
    if getattr(sys, "frozen", False):
        return (sys.executable, "serve-model")  # the packaged program is its own interpreter
    return (sys.executable, "-m", "agdesk", "serve-model")


async def _greet(process: Process, key: str) -> str:
    """Hands the key over and waits for the address; stays connected to stdin, whose end ends the child."""
    assert process.stdin is not None and process.stdout is not None
    with contextlib.suppress(ConnectionError):  # it has died: reading its answer tells
        process.stdin.write(f"{key}\n".encode())
        await process.stdin.drain()
    line = await process.stdout.readline()
    if not line:
        raise _Died(f"exit status {await process.wait()}")
    try:
        answer = json.loads(line)
    except ValueError:
        answer = {"error": line.decode("utf-8", "replace").strip()}
    if "url" not in answer:
        raise ConfigurationError(
            f"The built-in model cannot run: {answer.get('error', answer)}",
            "Check the model file in Settings › Built-in model.",
        )
    return f"{answer['url']}/v1"


async def _end(process: Process, *, timeout_s: float) -> None:
    """Lets the process end by closing its stdin, and kills it after ``timeout_s`` or when nobody waits any more.

    Waits without ``asyncio.timeout``: in a task that is being cancelled already, early Python 3.11 takes its timeout
    for that cancellation.
    """
    assert process.stdin is not None
    process.stdin.close()
    ending = spawn(_until_closed(process), name="end of the built-in model")
    try:
        await asyncio.wait([ending], timeout=timeout_s)
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
    await process.wait()
    _, pending = await asyncio.wait([ending], timeout=_PIPES_TIMEOUT_S)
    for task in pending:
        task.cancel()


async def _until_closed(process: Process) -> None:
    """Until the process has ended and its pipe is read: a loop that closes before leaves that to the collector."""
    assert process.stdout is not None
    await process.wait()
    await process.stdout.read()
    await asyncio.sleep(0)
