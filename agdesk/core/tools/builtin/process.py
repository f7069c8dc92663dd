"""Runs one command to its end, which is also the end of everything it started."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from typing_extensions import override

from agdesk.core.tasks import spawn
from agdesk.core.tools.builtin.command_output import CommandOutput
from agdesk.core.tools.builtin.process_family import MARK, end_family

_DRAIN_S = 0.2


@dataclass(frozen=True, slots=True)
class CommandEnd:
    """How it ended.

    Attributes:
        status: its exit status; minus the number of the signal that ended it.
        output: what it printed to stdout and stderr, in the order in which it came; of much, the beginning and the end.
        left_count: processes that it left running; they were ended too.
    """

    status: int
    output: str
    left_count: int


async def run_to_end(
    argv: Sequence[str], *, folder: str, environment: Mapping[str, str], heard: Callable[[str], None]
) -> CommandEnd:
    """Runs a command without a shell and without input.

    Being cancelled ends it and everything it started, within two seconds.

    Raises:
        OSError, ValueError: it cannot be started.
    """
    mark = os.urandom(8).hex()
    running = _Running(CommandOutput(heard))
    launching = spawn(
        _launch(running, argv, folder=folder, environment={**environment, MARK: mark}), name=f"start of {argv[0]}"
    )
    try:
        # not to be cancelled: before Python 3.11.4 that leaves the process behind
        transport = await asyncio.shield(launching)
    except asyncio.CancelledError:
        transport = await launching
        if not isinstance(transport, Exception):
            await _end(running, transport, mark)
        raise
    if isinstance(transport, Exception):
        raise transport
    try:
        await running.exited.wait()
    finally:
        left_count = await _end(running, transport, mark)
    return CommandEnd(transport.get_returncode() or 0, running.output.text(), left_count)


async def _launch(
    running: _Running, argv: Sequence[str], *, folder: str, environment: Mapping[str, str]
) -> asyncio.SubprocessTransport | OSError | ValueError:
    try:
        transport, _ = await asyncio.get_running_loop().subprocess_exec(
            lambda: running,
            *argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=environment,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except (OSError, ValueError) as error:
        return error
    return transport


async def _end(running: _Running, transport: asyncio.SubprocessTransport, mark: str) -> int:
    """Ends what is left of a command, and counts it."""
    try:
        left_count = await asyncio.to_thread(end_family, transport.get_pid(), mark)
        # what was printed last is in the pipe; somebody who could not be ended may hold it open
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_DRAIN_S):
                await running.closed.wait()
    finally:
        transport.close()
    return left_count


class _Running(asyncio.SubprocessProtocol):
    """A command that runs. Its output is taken as it comes: nothing waits in a buffer.

    Attributes:
        exited: it has ended; what it started may still run, and hold its output open.
        closed: nobody can print any more.
    """

    def __init__(self, output: CommandOutput) -> None:
        self.output = output
        self.exited = asyncio.Event()
        self.closed = asyncio.Event()

    @override
    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self.output.feed(data)

    @override
    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        self.closed.set()

    @override
    def process_exited(self) -> None:
        self.exited.set()
