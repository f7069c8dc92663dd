"""Commands: run as shown, heard while they run, and ended with everything they started (TOOL9)."""

import asyncio
import os
import signal
import sys
import tracemalloc
from pathlib import Path

import pytest

from agdesk.core.ir.effect import CommandRun
from agdesk.core.ir.messages import text_of
from agdesk.core.tasks import spawn
from agdesk.core.tools.base import ToolContext
from agdesk.core.tools.builtin import command_output, process_family
from agdesk.core.tools.builtin.command_output import CommandOutput
from agdesk.core.tools.builtin.run_command import RunCommand
from agdesk.core.tools.registry import ToolRegistry
from tests.fakes.tools import call
from tests.unit.core.tools.builtin.using import outcome_of, refused, use

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the commands are those of POSIX")


@pytest.fixture
def folder(tmp_path):
    return tmp_path.resolve()


@pytest.fixture
def context(folder):
    return ToolContext(folder)


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


async def pids_in(path, count):
    """What the command wrote down, once it is all there."""
    while not path.exists() or len(path.read_text().split()) < count:
        await asyncio.sleep(0.01)
    return [int(pid) for pid in path.read_text().split()]


async def gone(pids):
    while any(is_alive(pid) for pid in pids):
        await asyncio.sleep(0.01)


async def test_no_shell_reads_the_arguments(context):
    assert await use(RunCommand(), context, argv=["printf", "%s|", "$HOME", "a b", ";ls"]) == (
        "$HOME|a b|;ls|\n[exit status 0]"
    )


async def test_a_shell_is_used_only_where_the_input_says_so_and_is_shown(folder, context):
    wanted = {"shell": "echo a | tr a b"}
    assert await use(RunCommand(), context, **wanted) == "b\n[exit status 0]"
    assert await RunCommand().effect(wanted, context) == CommandRun(
        ("/bin/sh", "-c", "echo a | tr a b"), str(folder), "/bin/sh", is_shell=True
    )


async def test_the_effect_names_the_program_that_will_run(folder, context, monkeypatch):
    (folder / "tool").write_text("#!/bin/sh\n")
    assert await RunCommand().effect({"argv": ["./tool", "x"]}, context) == CommandRun(("./tool", "x"), str(folder), "")
    (folder / "tool").chmod(0o755)
    assert (await RunCommand().effect({"argv": ["./tool"]}, context)).program == str(folder / "tool")
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    assert (await RunCommand().effect({"argv": ["tool"]}, context)).program == str(folder / "tool")
    assert (await RunCommand().effect({"argv": ["no such tool"]}, context)).program == ""
    assert "exit status 0" in await use(RunCommand(), context, argv=["tool"])


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, "give either argv or shell"),
        ({"argv": ["a"], "shell": "b"}, "give either argv or shell"),
        ({"argv": [""]}, "the program has no name"),
        ({"argv": ["a", "b\0"]}, "zero character"),
    ],
)
def test_there_is_one_command(arguments, problem):
    ((path, message),) = RunCommand().validate(arguments)
    assert path == "$" and problem in message


async def test_a_failure_is_told_with_its_status(folder, context):
    outcome = await outcome_of(RunCommand(), context, shell="echo no >&2; exit 3")
    assert outcome.result.is_error and text_of(outcome.result.content) == "no\n[exit status 3]"
    assert outcome.effect == f"ran echo no >&2; exit 3 in {folder}: exit status 3"
    assert "[ended by SIGKILL]" in await refused(RunCommand(), context, shell="kill -9 $$")
    assert await refused(RunCommand(), context, argv=["no such program"]) == "There is no no such program"
    (folder / "plain").touch()
    assert "cannot be started" in await refused(RunCommand(), context, argv=["./plain"])


async def test_what_it_prints_is_heard_in_order_while_it_runs(folder):
    heard = []
    is_first_heard = asyncio.Event()

    def progress(text):
        heard.append(text)
        is_first_heard.set()

    wait = "while [ ! -e go ]; do sleep 0.01; done"
    shell = f"echo out; echo err >&2; {wait}; printf 'caf\\303'; sleep 0.05; printf '\\251'"
    running = spawn(use(RunCommand(), ToolContext(folder, progress=progress), shell=shell), name="test")
    await is_first_heard.wait()
    (folder / "go").touch()
    assert await running == "out\nerr\ncafé\n[exit status 0]"
    assert "".join(heard) == "out\nerr\ncafé"


async def test_no_key_is_handed_down(context, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    monkeypatch.setenv("SOMETHING_ELSE", "sk-canary")
    assert "canary" not in await use(RunCommand(), context, argv=["env"])


async def test_there_is_nothing_to_read_from_stdin(context):
    assert await use(RunCommand(), context, argv=["cat"]) == "[exit status 0]"


async def test_a_flood_is_cut_in_the_middle_and_takes_no_memory(folder):
    heard = []
    shell = "echo begin; head -c 200000000 /dev/zero | tr '\\0' x; echo; echo end"
    tracemalloc.start()
    try:
        text = await use(RunCommand(), ToolContext(folder, progress=heard.append), shell=shell)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert text.startswith("begin\nxxx") and text.endswith("xxx\nend\n[exit status 0]")
    cut = 200_000_011 - command_output.HEAD_BYTES - command_output.TAIL_BYTES
    assert f"\n[… {cut:,} bytes cut]\n" in text
    assert peak_bytes < 10_000_000
    assert len("".join(heard)) < command_output.HEARD_CHARACTERS + 100
    assert heard[-1] == "\n[… it prints more than is shown here]\n"


def test_half_a_character_is_heard_when_the_rest_has_come():
    heard: list[str] = []
    output = CommandOutput(heard.append)
    for piece in (b"caf\xc3", b"\xa9\xc3", b"\xa9"):
        output.feed(piece)
    assert heard == ["caf", "é", "é"]
    assert output.text() == "caféé"


def test_output_that_fits_is_kept_to_the_byte():
    output = CommandOutput(lambda _text: None)
    for piece in (b"a" * command_output.HEAD_BYTES, b"b" * command_output.TAIL_BYTES):
        output.feed(piece)
    assert output.text() == "a" * command_output.HEAD_BYTES + "b" * command_output.TAIL_BYTES


async def test_what_is_left_in_the_background_is_ended_and_told(folder, context):
    shell = "sleep 600 & echo $! > pids; setsid sleep 600 & sleep 0.1; echo done"
    assert await use(RunCommand(), context, shell=shell) == (
        "done\n[exit status 0]\n[2 processes that it left running were ended]"
    )
    await gone(await pids_in(folder / "pids", 1))


async def test_what_is_left_with_another_environment_is_found_by_its_group(folder, context):
    shell = "env -i /bin/sh -c 'echo $$ > pids; sleep 600' & while [ ! -s pids ]; do sleep 0.01; done"
    assert "processes that it left running were ended" in await use(RunCommand(), context, shell=shell)
    await gone(await pids_in(folder / "pids", 1))


# each writes the ids of its processes into the file `pids`
STUBBORN = {
    "ends when asked": (1, "import time; note(); time.sleep(600)"),
    "does not hear SIGTERM": (1, "import signal, time; signal.signal(15, signal.SIG_IGN); note(); time.sleep(600)"),
    "is stopped": (1, "import os, signal; note(); os.kill(os.getpid(), signal.SIGSTOP)"),
    "has children": (2, "import time; os.fork(); note(); time.sleep(600)"),
    "is a daemon": (
        2,
        """
import signal, time
signal.signal(15, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.setsid()
        note()
        time.sleep(600)
    os._exit(0)
note()
time.sleep(600)
""",
    ),
    "forks again and again": (
        5,
        """
import signal, time
signal.signal(15, signal.SIG_IGN)
for _ in range(4):
    if os.fork() == 0:
        os.setsid()
        note()
        time.sleep(600)
note()
time.sleep(600)
""",
    ),
    "has another environment": (
        2,
        """
import subprocess, time
subprocess.Popen(["/bin/sh", "-c", "echo $$ >> pids; sleep 600"], env={})
note()
time.sleep(600)
""",
    ),
}
NOTE = """
import os
def note():
    with open("pids", "a") as file:
        file.write(f"{os.getpid()}\\n")
"""


@pytest.mark.parametrize(
    ("kind", "timeout_s"), [*((kind, 600.0) for kind in STUBBORN), ("is a daemon", 4.0), ("is stopped", 4.0)]
)
async def test_a_command_is_ended_with_all_it_started(kind, timeout_s, folder, context):
    count, program = STUBBORN[kind]
    wanted = call("run_command", {"argv": [sys.executable, "-c", NOTE + program]})
    running = spawn(ToolRegistry([RunCommand()]).invoke(wanted, context, timeout_s=timeout_s), name="test")
    pids = await pids_in(folder / "pids", count)
    if timeout_s > 60:
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
    else:
        outcome = await running
        assert outcome.error.kind == "tool_timeout" and "its effect is unknown" in text_of(outcome.result.content)
    assert [pid for pid in pids if is_alive(pid)] == []


async def test_a_command_that_is_stopped_still_hears_that_it_is_to_end(folder, context):
    program = """
import os, signal, sys
def leave(*_):
    open("goodbye", "w").close()
    sys.exit()
signal.signal(signal.SIGTERM, leave)
note()
os.kill(os.getpid(), signal.SIGSTOP)
"""
    wanted = call("run_command", {"argv": [sys.executable, "-c", NOTE + program]})
    running = spawn(ToolRegistry([RunCommand()]).invoke(wanted, context, timeout_s=600), name="test")
    (pid,) = await pids_in(folder / "pids", 1)
    while Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "T":
        await asyncio.sleep(0.01)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert (folder / "goodbye").exists()


async def test_without_proc_it_is_the_group_that_is_ended(folder, context, monkeypatch):
    monkeypatch.setattr(process_family, "_PROC", str(folder / "no proc"))
    program = NOTE + STUBBORN["does not hear SIGTERM"][1].replace("note()", "os.fork(); note()")
    wanted = call("run_command", {"argv": [sys.executable, "-c", program]})
    running = spawn(ToolRegistry([RunCommand()]).invoke(wanted, context, timeout_s=600), name="test")
    pids = await pids_in(folder / "pids", 2)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await gone(pids)
    assert await use(RunCommand(), context, argv=["true"]) == "[exit status 0]"


async def test_cancelling_while_it_starts_leaves_nothing_behind(folder, context):
    wanted = call("run_command", {"shell": "echo $$ > pids; sleep 600"})
    running = spawn(ToolRegistry([RunCommand()]).invoke(wanted, context, timeout_s=600), name="test")
    await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    if (folder / "pids").exists():
        await gone(await pids_in(folder / "pids", 1))


async def test_a_command_does_not_end_what_is_not_its_own(folder, context):
    other = await asyncio.create_subprocess_exec("sleep", "600")
    try:
        await use(RunCommand(), context, shell="sleep 600 & true")
        assert is_alive(other.pid)
    finally:
        other.send_signal(signal.SIGKILL)
        await other.wait()


async def test_a_folder_that_is_gone_is_told(folder, context):
    (folder / "x").mkdir()
    inner = ToolContext(folder / "x")
    (folder / "x").rmdir()
    assert await refused(RunCommand(), inner, argv=["true"]) == f"There is no {folder}/x"
