"""Runs a command in the conversation's folder."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import sys
from typing import Self

from typing_extensions import override

from agdesk.core.errors import ToolFailed
from agdesk.core.ir.effect import CommandRun
from agdesk.core.ir.request import ResultSemantic
from agdesk.core.providers.child_environment import child_environment
from agdesk.core.settings.validation import Field, model_validator
from agdesk.core.tools.base import ToolContext, ToolOutput, text_output
from agdesk.core.tools.builtin.file_tool import folder_of
from agdesk.core.tools.builtin.process import CommandEnd, run_to_end
from agdesk.core.tools.builtin.tool import BuiltinTool, ToolInput, on_thread

_SHELL = ("cmd.exe", "/c") if sys.platform == "win32" else ("/bin/sh", "-c")


class RunCommandInput(ToolInput):
    argv: tuple[str, ...] = Field(default=(), description="The program and its arguments; no shell reads them.")
    shell: str = Field(default="", description="Instead of argv: a line for the shell, with pipes and the like.")

    @model_validator(mode="after")
    def _has_one_command(self) -> Self:
        if bool(self.argv) == bool(self.shell):
            raise ValueError("give either argv or shell")
        if self.argv and not self.argv[0]:
            raise ValueError("the program has no name")
        if any("\0" in text for text in (self.shell, *self.argv)):
            raise ValueError("a command cannot have a zero character in it")
        return self


class RunCommand(BuiltinTool[RunCommandInput]):
    """Starts programs with a bare environment: no variable that may hold a key is handed down (SEC1)."""

    name = "run_command"
    description = (
        "Runs a program in the conversation's folder and gives what it printed and its exit status. It gets no input. "
        "Everything it started is ended with it: servers and other things in the background do not stay."
    )
    semantic = ResultSemantic.ACTION
    needs_folder = True
    input_model = RunCommandInput

    @override
    async def foresee(self, wanted: RunCommandInput, context: ToolContext) -> CommandRun:
        folder, argv = folder_of(context).root, _argv(wanted)
        program = await on_thread(lambda _stop: _program(argv[0], folder))
        return CommandRun(argv, folder, program, is_shell=bool(wanted.shell))

    @override
    async def act(self, wanted: RunCommandInput, context: ToolContext) -> ToolOutput:
        folder, argv = folder_of(context).root, _argv(wanted)
        environment = child_environment(os.environ)
        try:
            end = await run_to_end(argv, folder=folder, environment=environment, heard=context.progress)
        except FileNotFoundError as error:
            raise ToolFailed(f"There is no {error.filename or argv[0]}") from error
        except (OSError, ValueError) as error:
            raise ToolFailed(f"{argv[0]} cannot be started: {error}") from error
        status = _status_words(end.status)
        return text_output(
            "\n".join(filter(None, (end.output.rstrip("\n"), f"[{status}]", _left_words(end)))),
            is_error=end.status != 0,
            effect=f"ran {wanted.shell or shlex.join(argv)} in {folder}: {status}",
        )


def _argv(wanted: RunCommandInput) -> tuple[str, ...]:
    return (*_SHELL, wanted.shell) if wanted.shell else wanted.argv


def _program(name: str, folder: str) -> str:
    """The file that would be started; empty if there is none."""
    if os.path.dirname(name):
        path = os.path.normpath(os.path.join(folder, name))
        return path if os.access(path, os.X_OK) else ""
    return shutil.which(name, path=child_environment(os.environ).get("PATH")) or ""


def _status_words(status: int) -> str:
    if status >= 0:
        return f"exit status {status}"
    try:
        return f"ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"ended by signal {-status}"


def _left_words(end: CommandEnd) -> str:
    return f"[{end.left_count} processes that it left running were ended]" if end.left_count else ""
